// Package forum holds Agora's nouns: topics, comments, users, categories, tabs and timelines. It
// defines how ids and cursors are built, which limits apply, and which errors a client may see. It
// does no I/O, reads no clock and starts no goroutine.
package forum
