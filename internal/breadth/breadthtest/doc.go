// Package breadthtest compares the executor of internal/breadth with gqlgen's own:
// random documents over any schema, resolvers that give random values and errors,
// and the comparison of the answers. It is used by tests only.
package breadthtest
