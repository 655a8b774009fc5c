package pipeline

// Shared returns what queue returned for a name, and calls it only the first time: equal reads in a batch are sent once.
func Shared[T any](b *Batch, name string, queue func() T) T {
	if got, ok := b.shared[name]; ok {
		return got.(T)
	}
	if b.shared == nil {
		b.shared = map[string]any{}
	}
	got := queue()
	b.shared[name] = got
	return got
}
