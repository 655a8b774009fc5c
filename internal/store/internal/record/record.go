// Package record knows what the values in Redis look like: the fields of hashes, members of
// sorted sets, names and cursors of tasks, and how they are written and read. It sends
// nothing.
package record
