// Package forum holds Agora's nouns: what a topic, a comment, a user, a
// category, a tab and a timeline are, how ids and cursors are built, which
// bounds hold, and which errors a client may learn of. It does no I/O, reads no
// clock and starts no goroutine.
package forum
