// Package breadth executes GraphQL operations level by level: every field runs once for all objects at its position
// in the answer, all fields that wait for data wait together, and the answer is written directly into a buffer of
// JSON. It implements gqlgen's ExecutableSchema. The command in the subdirectory generate, or gqlgen with the plugin in
// the subdirectory plugin, generates its input from the schema; README.md says how to switch to it.
package breadth
