package graph

// Arguments and input fields with a default are nullable: null means the default, as if they were left out. gqlgen
// applies the schema's defaults to missing values; valueOr and deref apply the same to null. TestNullMeansTheDefault
// checks both against the schema.

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
