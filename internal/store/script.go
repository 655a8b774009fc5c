package store

import (
	"embed"

	"agora/internal/forum"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
)

//go:embed script/*.lua
var scriptFiles embed.FS

// The scripts, one file each in script/; its header says what it does.
var (
	allScripts []*pipeline.Script

	seqRaise      = newScript("seq_raise")
	topicCreate   = newScript("topic_create")
	topicUpdate   = newScript("topic_update")
	topicDelete   = newScript("topic_delete")
	topicReject   = newScript("topic_reject")
	topicClick    = newScript("topic_click")
	commentCreate = newScript("comment_create")
	commentUpdate = newScript("comment_update")
	commentDelete = newScript("comment_delete")
	idemBind      = newScript("idem_bind")
	idemUnbind    = newScript("idem_unbind")
	indexSet      = newScript("index_set")
	indexClose    = newScript("index_close")
	dirtyClean    = newScript("dirty_clean")
	listPage      = newScript("list_page")
)

// readScripts change nothing.
var readScripts = []*pipeline.Script{homePage, homeSources, listPage, listSources}

// volatileScripts change only what the server keeps for itself, and no data.
var volatileScripts = []*pipeline.Script{rateTake, sessionTouch}

func newScript(name string) *pipeline.Script {
	text, err := scriptFiles.ReadFile("script/" + name + ".lua")
	if err != nil {
		panic(err) // the file is embedded: it is missing only if the program was built wrongly
	}
	sc := pipeline.NewScript(name, string(text))
	allScripts = append(allScripts, sc)
	return sc
}

// scriptError turns "CODE field" as a script returns it into what a client may learn; any
// other error stays as it is.
func scriptError(err error) error { return record.ScriptError(err) }

func errSignedOut() *forum.Error { return record.ErrSignedOut() }
