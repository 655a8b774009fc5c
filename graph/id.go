package graph

import "agora/internal/forum"

// oneOf checks that exactly one way of naming something is set. gqlgen checks that in literals, not in variables.
func oneOf(path []string, names ...bool) error {
	n := 0
	for _, set := range names {
		if set {
			n++
		}
	}
	if n != 1 {
		return forum.BadInput(path, "Set exactly one field, and not to null.")
	}
	return nil
}
