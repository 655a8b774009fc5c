// Package breadthtest compares the executor of package breadth with gqlgen's own. It has random documents for any
// schema, resolvers that return random values and errors, and the comparison of the answers. Only tests use it.
package breadthtest
