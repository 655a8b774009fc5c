package graph_test

import (
	"bytes"
	"cmp"
	"compress/flate"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/vektah/gqlparser/v2/ast"

	"agora/internal/forum"
	"agora/internal/globalid"
	"agora/internal/httpserver"
	"agora/internal/httpserver/limit"
	"agora/internal/store/catalogue"
	"agora/internal/test/gqltext"
	"agora/internal/test/must"
	"agora/internal/test/testlevel"
)

// worst is a site with the limits of a server, on which every text is as long as it may be.
type worst struct {
	*site
	schema  *ast.Schema
	handler http.Handler
	ids     map[string][]string // global ids of the objects of each type
	dearest struct {
		micros float64 // of CPU time for each unit of the cost
		name   string
	}
}

// longest are texts of the maximum length that cost most in one way each: bytes, bytes in JSON, lines, and rendering.
var longest = []string{
	strings.Repeat("😀", forum.MaxContent), strings.Repeat(`"`, forum.MaxContent),
	strings.Repeat("a\n", forum.MaxContent/2), strings.Repeat("+\n-\n*\n", forum.MaxContent/6),
	strings.Repeat("b\n", forum.MaxContent/2),
}

func newWorst(t *testing.T, n scale) *worst {
	t.Helper()
	w := newWorstOf(t, n, longest...)
	w.rank()
	return w
}

// newWorstOf returns a site with the given texts.
func newWorstOf(t *testing.T, n scale, texts ...string) *worst {
	t.Helper()
	testlevel.WithoutRace(t)
	testlevel.RealRedis(t) // the embedded store would count as the server
	testlevel.UsualGarbage(t)
	s := newSite(t)
	s.fill(n)
	s.busy()
	w := &worst{site: s, schema: gqltext.Schema(t), ids: map[string][]string{}}
	s.lengthen(texts...)
	limits := limit.Defaults()
	s.options.Limits = &limits
	w.handler = httpserver.New(s.options)
	w.collect()
	return w
}

// lengthen replaces all texts by long ones in turn, the earlier ones too.
func (s *site) lengthen(texts ...string) {
	s.t.Helper()
	ctx := context.Background()
	all := s.redis.Scan(ctx, 0, "*", 1000).Iterator()
	for n := 0; all.Next(ctx); n++ {
		key, text := all.Val(), texts[n%len(texts)]
		if kind := s.redis.Type(ctx, key).Val(); kind != "hash" {
			continue
		}
		if strings.HasSuffix(key, ":texts") {
			for field, packed := range s.redis.HGetAll(ctx, key).Val() {
				head := regexp.MustCompile(`^\d+ \d+ \d+ \d+ `).FindString(packed)
				s.check(s.redis.HSet(ctx, key, field, head+"M"+deflated("\n\n"+texts[(n+1)%len(texts)])).Err())
			}
			continue
		}
		if s.redis.HExists(ctx, key, "content").Val() {
			revision := cmp.Or(s.redis.HGet(ctx, key, "revision").Val(), "1")
			s.check(s.redis.Set(ctx, key+":text", revision+"\n"+text, 0).Err())
			s.check(s.redis.HSet(ctx, key, "long", len(text)).Err())
			s.check(s.redis.HDel(ctx, key, "content").Err())
		}
		for _, texts := range []map[string]forum.Posted{catalogue.Topic.Posted(), catalogue.User.Posted()} {
			for field, p := range texts {
				plain := (p.Form == forum.FormLine || p.Form == forum.FormText) && p != forum.PostedLogin && p != forum.PostedTag
				if plain && s.redis.HExists(ctx, key, field).Val() {
					s.check(s.redis.HSet(ctx, key, field, strings.Repeat("😀", p.Most)).Err())
				}
			}
		}
	}
	s.check(all.Err())
}

// rank gives topics as many comments with votes as are ranked. Most of them do not exist.
func (s *site) rank() {
	s.t.Helper()
	ctx := context.Background()
	all := s.redis.Scan(ctx, 0, "*t:*:comments", 1000).Iterator()
	for all.Next(ctx) {
		pipe := s.redis.Pipeline()
		for chunk := range forum.RankedComments / 500 {
			var members []redis.Z
			var votes []any
			for n := range 500 {
				id := fmt.Sprint(1<<30 + 256*(500*chunk+n))
				members = append(members, redis.Z{Score: float64(-500*chunk - n), Member: id})
				votes = append(votes, id, "3 1")
			}
			pipe.ZAdd(ctx, all.Val(), members...)
			pipe.HSet(ctx, all.Val()+":tally", votes...)
		}
		_, err := pipe.Exec(ctx)
		s.check(err)
	}
	s.check(all.Err())
}

// deflated packs a text as an edit does.
func deflated(text string) string {
	var b bytes.Buffer
	w, _ := flate.NewWriter(&b, flate.BestCompression)
	io.WriteString(w, text)
	w.Close()
	return base64.RawStdEncoding.EncodeToString(b.Bytes())
}

// collect finds the ids of objects.
func (w *worst) collect() {
	w.t.Helper()
	named := func(typ string, id any) { w.ids[typ] = append(w.ids[typ], globalid.New(typ, fmt.Sprint(id))) }
	for _, p := range w.site.posts() {
		if p.Topic != 0 {
			named("Topic", p.Topic)
		} else {
			named("Comment", p.Comment)
		}
	}
	for _, id := range w.everybody() {
		named("User", id)
	}
	a := w.must("", `{ categories(first: 20) { nodes { id timeline { id } } } tabs(first: 20) { nodes { id } }
		tags(first: 100) { nodes { id } } front { id } }`, nil)
	for typ, path := range map[string]string{"Category": "categories", "Tab": "tabs", "Tag": "tags"} {
		for i := 0; a.text(path, "nodes", i, "id") != ""; i++ {
			w.ids[typ] = append(w.ids[typ], a.text(path, "nodes", i, "id"))
		}
	}
	named("Group", 1)
	w.ids["Timeline"] = []string{a.text("front", "id")}
	for i := range w.ids["Category"] {
		w.ids["Timeline"] = append(w.ids["Timeline"], a.text("categories", "nodes", i, "timeline", "id"))
	}
}

// effort is what a request used, and what it cost the server.
type effort struct {
	code       string  // of its first error
	used       float64 // the largest share of a limit on rows, values, bytes or work
	cost       int     // what the operation was charged; 0 if it was refused
	bytes      uint64  // allocated
	cpu        time.Duration
	answerHead string
}

// run runs a document as a guest; if dry, it is only priced.
func (w *worst) run(document string, dry bool) effort {
	w.t.Helper()
	return w.runFrom("192.0.2.1:5000", document, dry)
}

// runFrom is run for a guest at an address.
func (w *worst) runFrom(address, document string, dry bool) effort {
	w.t.Helper()
	text := must.Do(json.Marshal(map[string]any{"query": document}))(w.t)
	r := httptest.NewRequest("POST", "/graphql", bytes.NewReader(text))
	r.RemoteAddr = address
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set(httpserver.CostHeader, map[bool]string{true: "dry", false: "1"}[dry])
	answer := &ends{header: http.Header{}}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	begin := cpuTime()
	w.handler.ServeHTTP(answer, r)
	e := effort{cpu: cpuTime() - begin}
	runtime.ReadMemStats(&after)
	e.bytes, e.answerHead = after.TotalAlloc-before.TotalAlloc, string(answer.head)
	if found := regexp.MustCompile(`"code":"([A-Z_]+)"`).FindStringSubmatch(e.answerHead); found != nil {
		e.code = found[1]
	}
	if found := regexp.MustCompile(`"cost":(\{.*?\}\})`).FindSubmatch(answer.tail); found != nil {
		var cost struct {
			Rows, Values, Bytes, Work, Cost int
			Limits                          struct{ Rows, Values, Bytes, Work int }
		}
		if err := json.Unmarshal(found[1], &cost); err != nil {
			w.t.Fatalf("%s: %v", found[1], err)
		}
		e.cost = cost.Cost
		for _, of := range [][2]int{{cost.Rows, cost.Limits.Rows}, {cost.Values, cost.Limits.Values},
			{cost.Bytes, cost.Limits.Bytes}, {cost.Work, cost.Limits.Work}} {
			e.used = max(e.used, float64(of[0])/float64(of[1]))
		}
	}
	return e
}

func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// ends is a writer that keeps the beginning and the end of an answer.
type ends struct {
	header     http.Header
	head, tail []byte
}

func (e *ends) Header() http.Header { return e.header }
func (e *ends) WriteHeader(int)     {}

func (e *ends) Write(p []byte) (int, error) {
	const kept = 2000
	e.head = append(e.head, p[:min(len(p), kept-min(len(e.head), kept))]...)
	e.tail = append(e.tail, p[max(0, len(p)-kept):]...)
	e.tail = e.tail[max(0, len(e.tail)-kept):]
	return len(p), nil
}
