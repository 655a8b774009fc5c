// Package model connects the schema with the types of internal/forum: scalars, global ids and connections.
// generated.go has the inputs, payloads and errors, generated from schema.graphqls.
package model
