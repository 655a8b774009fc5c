// Package usual is the setup of common tutorials, for comparison in the benchmark: gqlgen with one resolver call per
// field and object, dataloaders created for each request that wait a millisecond for more keys, HGETALL, one pipeline
// per batch, and gqlgen's own handler, transport and query cache.
package usual

//go:generate go tool gqlgen --config gqlgen.yml
