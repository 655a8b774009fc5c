// Package breadth executes GraphQL operations level by level: every field runs
// once for all objects at its place of the answer, all fields that wait for data
// wait together, and the answer is written straight into a buffer of JSON. It
// stands behind gqlgen's ExecutableSchema; what it executes is made from the
// schema by the plugin beside it.
package breadth
