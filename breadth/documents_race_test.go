//go:build race

package breadth_test

// documents is how many random documents are compared with the race detector, which makes that slow.
const documents = 200
