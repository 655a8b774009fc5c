// Package opt reads optional values, which are pointers.
package opt

// Or returns what p points to, or fallback if p is nil.
func Or[T any](p *T, fallback T) T {
	if p == nil {
		return fallback
	}
	return *p
}

// Value returns what p points to, or the zero value if p is nil.
func Value[T any](p *T) T {
	var zero T
	return Or(p, zero)
}
