// Package auth authenticates users (password hashes, session tokens) and identifies the caller of a
// request. It stores nothing; the store does.
package auth
