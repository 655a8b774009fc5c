// Package bench measures the server against what else one could do: against a
// handler written by hand for the same documents with go-redis's own calls (limit),
// which the goals go by, and with as few allocations as go-redis allows (tuned),
// against itself on gqlgen's executor, against the set-up that tutorials teach
// (usual), and, for replies, against bare go-redis that sends the same commands.
// Each server is a process of its own; this one makes the data, sends requests, and
// reports.
package bench
