package store

import (
	"agora/internal/forum"
	"agora/internal/store/internal/record"
)

// scriptError turns "CODE field" as a script returns it into what a client may learn; any
// other error stays as it is.
func scriptError(err error) error { return record.ScriptError(err) }

func errSignedOut() *forum.Error { return record.ErrSignedOut() }
