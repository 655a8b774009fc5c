// Package model holds what stands between the schema and the nouns in
// internal/forum: scalars, global ids, connections. generated.go has the inputs,
// payloads and errors, made from schema.graphqls.
package model
