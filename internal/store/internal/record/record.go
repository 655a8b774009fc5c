// Package record defines the formats of values in Redis: the fields of hashes, members of sorted sets,
// names and cursors of tasks, entries of logs and errors of scripts. It sends no commands; a Filler queues
// reads.
package record
