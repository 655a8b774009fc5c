package store

import (
	"context"
	"embed"
	"fmt"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
)

//go:embed script/*.lua
var scriptFiles embed.FS

// The scripts, one file each in script/; its header says what it does.
var (
	allScripts []*script

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

// script is one Lua script. It is sent by its hash.
type script struct {
	name string
	text string
	sha  string
}

func newScript(name string) *script {
	text, err := scriptFiles.ReadFile("script/" + name + ".lua")
	if err != nil {
		panic(err) // the file is embedded: it is missing only if the program was built wrongly
	}
	sc := &script{name: name, text: string(text), sha: redis.NewScript(string(text)).Hash()}
	allScripts = append(allScripts, sc)
	return sc
}

// loadScripts makes all scripts known to Redis, because a pipeline sends only
// their hashes.
func (s *Store) loadScripts(ctx context.Context) error {
	for _, sc := range allScripts {
		if err := s.rdb.ScriptLoad(ctx, sc.text).Err(); err != nil {
			return fmt.Errorf("%s: %w", sc.name, err)
		}
	}
	return nil
}

// run runs one script in a round trip of its own.
func (s *Store) run(ctx context.Context, sc *script, keys []string, args ...any) *redis.Cmd {
	b := s.batch()
	cmd := b.run(ctx, sc, keys, args...)
	b.exec(ctx)
	return cmd
}

// batch is a pipeline that may hold scripts.
type batch struct {
	s    *Store
	pipe redis.Pipeliner
	runs []scriptRun
}

type scriptRun struct {
	cmd    *redis.Cmd
	script *script
	keys   []string
	args   []any
}

func (s *Store) batch() *batch { return &batch{s: s, pipe: s.rdb.Pipeline()} }

// run queues a script.
func (b *batch) run(ctx context.Context, sc *script, keys []string, args ...any) *redis.Cmd {
	cmd := b.pipe.EvalSha(ctx, sc.sha, keys, args...)
	b.runs = append(b.runs, scriptRun{cmd, sc, keys, args})
	return cmd
}

// exec sends the pipeline. Every command bears its own error; the first is
// returned, a missing key being none. A Redis that has forgotten a script (a
// restart, a promoted replica) has done nothing for it: it is sent again whole.
func (b *batch) exec(ctx context.Context) error {
	if b.gathers(ctx) {
		return b.s.gather.exec(ctx, b)
	}
	return b.send(ctx)
}

func (b *batch) send(ctx context.Context) error {
	cmds, err := b.pipe.Exec(ctx)
	if err == nil {
		return nil
	}
	for _, r := range b.runs {
		if redis.HasErrorPrefix(r.cmd.Err(), "NOSCRIPT") {
			again := b.s.rdb.Eval(ctx, r.script.text, r.keys, r.args...)
			r.cmd.SetErr(again.Err())
			r.cmd.SetVal(again.Val())
		}
	}
	return firstError(cmds)
}

// firstError is the first error of commands; that there is nothing is none.
func firstError(cmds []redis.Cmder) error {
	for _, cmd := range cmds {
		if err := cmd.Err(); err != nil && !isNil(err) {
			return err
		}
	}
	return nil
}

// codes are the first words of errors that scripts return; the second names the
// field of the input, with list indexes after dots.
var codes = map[string]func(path []string) *forum.Error{
	"NOT_FOUND": func(path []string) *forum.Error { return forum.NotFound(path, noun(path), "") },
	"FORBIDDEN": func(path []string) *forum.Error {
		return forum.Forbidden(path, forum.RoleModerator, "This %s is somebody else's.", noun(path))
	},
	"LOCKED": func(path []string) *forum.Error {
		return &forum.Error{Code: forum.CodeLocked, Path: path, Message: "It is deleted and takes no more comments, votes or edits."}
	},
	"IDEMPOTENCY_CONFLICT": func(path []string) *forum.Error {
		return &forum.Error{Code: forum.CodeIdempotencyConflict, Path: path, Message: "This key was used within the last day with other input."}
	},
	"BLOCKED": func(path []string) *forum.Error { return forum.Blocked(path) },
	"TOO_LONG_LISTS": func(path []string) *forum.Error {
		return &forum.Error{Code: forum.CodeTooLong, Path: path, Limit: forum.MaxLists, Message: "There are as many lists as there may be."}
	},
	"TOO_LONG_LIST": func(path []string) *forum.Error {
		return &forum.Error{Code: forum.CodeTooLong, Path: path, Limit: forum.MaxListMembers, Message: "The list would have more users than it may."}
	},
	"TOO_LONG_BOOKMARKS": func(path []string) *forum.Error {
		return &forum.Error{Code: forum.CodeTooLong, Path: path, Limit: forum.MaxBookmarks, Message: "There are as many bookmarks as there may be."}
	},
	"TAKEN": func(path []string) *forum.Error { return forum.Taken(path, "") },
	"TOO_LONG_TABS": func(path []string) *forum.Error {
		return &forum.Error{Code: forum.CodeTooLong, Path: path, Limit: forum.MaxCategoryTabs, Message: "The category is in as many tabs as it may be."}
	},
	"TOO_LONG_TAB": func(path []string) *forum.Error {
		return &forum.Error{Code: forum.CodeTooLong, Path: path, Limit: forum.MaxTabCategories, Message: "The tab would have more categories than it may."}
	},
	"TOO_LONG_TAGS": func(path []string) *forum.Error {
		return &forum.Error{Code: forum.CodeTooLong, Path: path, Limit: forum.MaxTopicTags, Message: "The topic would have more tags than it may."}
	},
	"UNAUTHENTICATED":   func([]string) *forum.Error { return errSignedOut() },
	"WRONG_CREDENTIALS": func(path []string) *forum.Error { return forum.WrongCredentials(path) },
	"CONFLICT": func([]string) *forum.Error {
		return &forum.Error{Code: forum.CodeConflict, Message: "Another change of the same is under way; try again."}
	},
}

// noun is what a field such as topicId or addCategoryIds.3 names.
func noun(path []string) string {
	for _, n := range []string{"topic", "comment", "parent", "category", "tab", "user", "list"} {
		if len(path) > 1 && strings.Contains(strings.ToLower(path[1]), n) {
			return n
		}
	}
	return "object"
}

func errSignedOut() *forum.Error {
	return &forum.Error{Code: forum.CodeUnauthenticated, Message: "The account or session has ended; sign in again."}
}

// scriptError turns "CODE field" as a script returns it into what a client may
// learn; any other error stays as it is.
func scriptError(err error) error {
	if err == nil {
		return nil
	}
	word, field, _ := strings.Cut(strings.TrimPrefix(err.Error(), "ERR "), " ")
	if known, ok := codes[word]; ok {
		return known(forum.Input(strings.Split(field, ".")...))
	}
	return err
}
