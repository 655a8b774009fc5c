// Package oracle runs the product's resolvers on gqlgen's own executor, so that tests and benchmarks can compare the
// two executors. It adds to gqlgen what breadth does itself: one resolver of a response runs at a time, and
// the objects that it returns are immediately read whole, and left out if they do not exist.
//
// Its 57,000 generated lines are not committed: go generate ./graph writes them, and -tags oracle compiles them. The
// Makefile does both for tests and benchmarks.
package oracle
