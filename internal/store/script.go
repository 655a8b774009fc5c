package store

import (
	"agora/internal/forum"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// readScripts change nothing.
var readScripts = scriptsOf(script.HomePage{}, script.HomeSources{}, script.ListPage{}, script.ListSources{})

// volatileScripts change only what the server keeps for itself, and no data.
var volatileScripts = scriptsOf(script.RateTake{}, script.SessionTouch{})

func scriptsOf(callers ...pipeline.Caller) []*pipeline.Script {
	scripts := make([]*pipeline.Script, len(callers))
	for i, c := range callers {
		scripts[i] = c.Call().Script
	}
	return scripts
}

// scriptError turns "CODE field" as a script returns it into what a client may learn; any
// other error stays as it is.
func scriptError(err error) error { return record.ScriptError(err) }

func errSignedOut() *forum.Error { return record.ErrSignedOut() }
