package graph

// Arguments and input fields with a default are nullable: null means the default, as leaving
// them out does. gqlgen puts the schema's defaults in place of what is left out; valueOr and
// deref do the same for null. TestNullMeansTheDefault holds both to the schema.

// valueOr returns what p points to, or fallback if p is nil.
func valueOr[T any](p *T, fallback T) T {
	if p == nil {
		return fallback
	}
	return *p
}

// deref returns what p points to, or the zero value if p is nil.
func deref[T any](p *T) T {
	var zero T
	return valueOr(p, zero)
}
