//go:build !race

package breadth_test

// documents is how many random documents are compared.
const documents = 5_000
