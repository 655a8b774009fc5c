// Package record knows what the values in Redis look like: the fields of hashes, members of
// sorted sets, names and cursors of tasks, entries of logs, errors of scripts, and how they
// are written and read. It sends nothing; a Filler queues reads.
package record
