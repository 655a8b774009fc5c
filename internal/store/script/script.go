package script

import (
	"embed"
	"fmt"
	"io/fs"
	"strconv"
	"sync"

	"agora/internal/store/internal/pipeline"
	"agora/internal/store/script/lua"
)

//go:generate go run ./generate

//go:embed include
var shared embed.FS

// sources are the scripts of the packages that Add was called for.
var sources = lua.Files{}

// Add adds the scripts *.lua of a package, before main begins.
func Add(dir fs.FS) struct{} {
	if err := sources.Add(dir); err != nil {
		panic(err)
	}
	return struct{}{}
}

// texts returns the code of all scripts that were added.
var texts = sync.OnceValue(func() map[string]string {
	includes := lua.Files{}
	dir, err := fs.Sub(shared, "include")
	if err == nil {
		err = includes.Add(dir)
	}
	if err != nil {
		panic(err)
	}
	compiled, err := lua.Compile(sources, includes)
	if err != nil {
		panic(err)
	}
	all, err := compiled.Texts()
	if err != nil {
		panic(err)
	}
	return all
})

// All are the scripts, by name.
var All []*pipeline.Script

func register(name string) *pipeline.Script {
	s := pipeline.ScriptOf(name, func() string {
		text, ok := texts()[name]
		if !ok {
			panic("no package has added the script " + name)
		}
		return text
	})
	All = append(All, s)
	return s
}

// Fields are fields of a hash, each followed by its value.
type Fields []any

// Scored is a member of a sorted set.
type Scored struct {
	Member string
	Score  float64
}

func flag(b bool) string {
	if b {
		return "1"
	}
	return "0"
}

// reader parses the values of a reply. It keeps the first error.
type reader struct {
	script string
	all    []any
	err    error
}

// read begins to parse a reply, which must have no values or exactly values.
func read(of *pipeline.Script, values int, reply any, err error) (*reader, error) {
	if err != nil {
		return nil, err
	}
	r := &reader{script: of.Name()}
	list, ok := reply.([]any)
	if r.all = list; !ok || len(list) != 0 && len(list) != values {
		return nil, fmt.Errorf("%s returned %v; want %d values", of.Name(), reply, values)
	}
	return r, nil
}

func (r *reader) bad(i int) {
	if r.err == nil {
		r.err = fmt.Errorf("%s returned %v as value %d", r.script, r.at(i), i)
	}
}

// at returns value i, or nil if there is none.
func (r *reader) at(i int) any {
	if i < len(r.all) {
		return r.all[i]
	}
	return nil
}

// text returns a string, "" if there is none.
func (r *reader) text(i int) string {
	switch v := r.at(i).(type) {
	case nil:
		return ""
	case string:
		return v
	case int64:
		return strconv.FormatInt(v, 10)
	}
	r.bad(i)
	return ""
}

// number returns an integer, which may be in a string, 0 if there is none.
func (r *reader) number(i int) int64 {
	switch v := r.at(i).(type) {
	case nil:
		return 0
	case int64:
		return v
	case string:
		n, _ := strconv.ParseInt(v, 10, 64) // the value comes from a hash and may be anything
		return n
	}
	r.bad(i)
	return 0
}

func (r *reader) flag(i int) bool { return r.number(i) == 1 }

func (r *reader) values(i int) []any {
	list, ok := r.at(i).([]any)
	if !ok {
		r.bad(i)
	}
	return list
}

func (r *reader) texts(i int) []string {
	list := r.values(i)
	all := make([]string, len(list))
	for n, v := range list {
		text, ok := v.(string)
		if !ok {
			r.bad(i)
		}
		all[n] = text
	}
	return all
}

// scored returns members, each followed by its score in the reply.
func (r *reader) scored(i int) []Scored {
	list := r.texts(i)
	all := make([]Scored, len(list)/2)
	for n := range all {
		score, err := strconv.ParseFloat(list[2*n+1], 64)
		if err != nil {
			r.bad(i)
		}
		all[n] = Scored{list[2*n], score}
	}
	return all
}

// ReadOnly returns the scripts that change nothing.
func ReadOnly() []*pipeline.Script {
	return of(BookmarksCount{},
		CommentFind{}, HomePage{}, HomeSources{}, ListAround{}, ListPage{}, ListSources{}, NamesPage{},
		ThreadPage{}, ThreadTree{})
}

// Volatile returns the scripts that change only the server's own state and no data.
func Volatile() []*pipeline.Script { return of(LogWatch{}, RateTake{}, SessionTouch{}) }

// Derived returns the scripts whose effects follow from other data, and are repeated by the sweeper or a task,
// or repaired after a fail-over: indexes, homes, the reverse sides of edges, the progress of tasks and consumers.
func Derived() []*pipeline.Script {
	return of(BookmarkHide{},
		CategoryModerator{}, ConsumerClaim{}, ConsumerJoin{}, ConsumerMove{}, ConsumerRetry{}, DirtyClean{}, EdgeReverse{}, FanOutRest{}, HomeCurrent{}, HomeDrop{}, HomeMerge{},
		HomeOffer{}, HomeWake{}, IndexSet{}, KarmaSet{}, LogWatch{}, NamesSet{}, QueueSet{}, TaskClaim{}, TaskDone{},
		TaskRenew{}, TaskRetry{}, TaskStep{}, UserApproved{}, VotelogSet{})
}

func of(callers ...pipeline.Caller) []*pipeline.Script {
	scripts := make([]*pipeline.Script, len(callers))
	for i, c := range callers {
		scripts[i] = c.Call().Script
	}
	return scripts
}
