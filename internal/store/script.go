package store

import (
	"agora/internal/forum"
	"agora/internal/store/internal/record"
)

// scriptError converts "CODE field" as returned by a script into a *forum.Error; it returns other errors
// unchanged.
func scriptError(err error) error { return record.ScriptError(err) }

func errSignedOut() *forum.Error { return record.ErrSignedOut() }
