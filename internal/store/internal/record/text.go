package record

// Prefixed returns the members with a prefix.
func Prefixed(prefix string, members []string) []string {
	names := make([]string, len(members))
	for i, m := range members {
		names[i] = prefix + m
	}
	return names
}

// Anys returns the elements as arguments of a command.
func Anys(members []string) []any {
	args := make([]any, len(members))
	for i, m := range members {
		args[i] = m
	}
	return args
}
