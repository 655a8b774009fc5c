// Package usual is the set-up that tutorials teach, for the benchmark to compare
// with: gqlgen with one resolver call per field and object, dataloaders made for
// each request that wait a millisecond for more keys, HGETALL, one pipeline per
// batch, and gqlgen's own handler, transport and query cache.
package usual

//go:generate go tool gqlgen --config gqlgen.yml
