//go:build unix

package httpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"runtime"
	"runtime/metrics"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"agora/internal/demo"
	"agora/internal/test/gqltext"
	"agora/internal/test/must"
	"agora/internal/test/testlevel"
)

// newDemo returns a server with the demo data: 200 topics, 2,000 comments.
func newDemo(t testing.TB) *server {
	t.Helper()
	s := newServer(t, func(o *Options) { o.Log = slog.New(slog.DiscardHandler) })
	must.Do(demo.Seed(context.Background(), s.store, ""))(t)
	return s
}

// asked returns a request's body of a document with variables.
func asked(query, variables string) string {
	text, err := json.Marshal(query)
	if err != nil {
		panic(err)
	}
	return `{"query":` + string(text) + `,"variables":` + variables + "}"
}

// valid is a request of about 1 KiB for a page; no two are the same, so that none is cached.
func valid(number int) string {
	query := fmt.Sprintf(
		"query Valid%d($n: Int) { front { topics(first: $n) { nodes { ...Row } pageInfo { hasNextPage endCursor } } } }"+
			" fragment Row on Topic { id number title createdAt commentCount author { login name } category { name } votes { "+
			"up down } } #",
		number,
	)
	return asked(query+strings.Repeat("x", 990-len(query)), `{"n": 10}`)
}

type attack struct {
	name, body string
	status     int
	code       string
}

// attacks are requests that exceed one limit each.
func attacks() []attack {
	ids := func(n int) string { return `{"ids":[` + strings.Repeat(`"x",`, n-1) + `"x"]}` }
	deep := func(n int) string {
		return `{"a":` + strings.Repeat(`{"a":`, n) + "1" + strings.Repeat("}", n) + "}"
	}
	of := "query($ids:[ID!]!){nodes(ids:$ids){id}}"
	row := "{front{topics(first:%s){nodes{id}}}}"
	return []attack{
		{"1.2 MB of {a{a", asked(strings.Repeat("{a", 600_000), "{}"), 413, "REQUEST_TOO_LARGE"},
		{"1.0 MB of {a{a", asked(strings.Repeat("{a", 500_000), "{}"), 400, "TOO_DEEP"},
		{"10 MB of text", asked("{site{name}}", `{"a":"`+strings.Repeat("x", 10<<20)+`"}`), 413, "REQUEST_TOO_LARGE"},
		{"1.0 MB of text", asked("{site{name}}", `{"a":"`+strings.Repeat("x", 1_000_000)+`"}`), 400, "VARIABLES_TOO_LARGE"},
		{"88 kB of __typename", asked("{"+strings.Repeat("__typename ", 8000)+"}", "{}"), 400, "TOO_MANY_TOKENS"},
		{"990 fields of one name", asked("{site{"+strings.Repeat("name ", 990)+"}}", "{}"), 400, "TOO_MANY_DUPLICATES"},
		{"1,200 fields", asked("{site{"+gqltext.Each(1200, "x%d")+"}}", "{}"), 400, "TOO_MANY_FIELDS"},
		{"51 root fields", asked("{"+gqltext.Each(51, "a%d:__typename")+"}", "{}"), 400, "TOO_MANY_ROOT_FIELDS"},
		{
			"6 mutations",
			asked("mutation{"+gqltext.Each(6, `a%d:login(input:{identifier:"demo",password:"x"}){token}`)+"}", "{}"),
			400,
			"TOO_MANY_ROOT_FIELDS",
		},
		{"1,000 aliases", asked("{site{"+gqltext.Each(1000, "a%d:name")+"}}", "{}"), 400, "TOO_MANY_TOKENS"},
		{"600 aliases", asked("{site{"+gqltext.Each(600, "a%d:name")+"}}", "{}"), 400, "TOO_MANY_ALIASES"},
		{"900 directives", asked("{site{name "+strings.Repeat("@skip ", 900)+"}}", "{}"), 400, "TOO_MANY_DIRECTIVES"},
		{"doubling fragments", asked("{...f0} "+gqltext.Chain(60, 2), "{}"), 400, "TOO_MANY_FIELDS"},
		{"doubling unused fragments", asked("{site{name}} "+gqltext.Chain(60, 2), "{}"), 400, "TOO_MANY_FIELDS"},
		{
			"doubling missing fragments",
			asked("{...f0} "+strings.Replace(gqltext.Chain(60, 2), "__typename", "...missing", 1), "{}"),
			400,
			"TOO_MANY_FRAGMENTS",
		},
		{
			"fragments in a circle",
			asked("{...f0} "+strings.Replace(gqltext.Chain(60, 2), "__typename", "...f0 ...f0", 1), "{}"),
			400,
			"FRAGMENT_CYCLE",
		},
		{"150 fragments", asked("{...f0} "+gqltext.Chain(149, 1), "{}"), 400, "TOO_MANY_FRAGMENTS"},
		{
			"490 missing fragments",
			asked("{site{"+gqltext.Each(490, "..."+strings.Repeat("x", 60)+"%d")+"}}", "{}"),
			400,
			"TOO_MANY_FRAGMENTS",
		},
		{"a name of 1 MB", asked("{"+strings.Repeat("x", 1_000_000)+"}", "{}"), 400, "NAME_TOO_LONG"},
		{"a number of 1 MB", asked(fmt.Sprintf(row, strings.Repeat("9", 1_000_000)), "{}"), 400, "NAME_TOO_LONG"},
		{"lists in lists", asked("{nodes(ids:"+strings.Repeat("[", 500_000), "{}"), 400, "TOO_DEEP"},
		{"1,900 ids", asked("{nodes(ids:["+strings.Repeat("1 ", 1900)+"]){id}}", "{}"), 400, "LIST_TOO_LONG"},
		{"200,000 ids in a variable", asked(of, ids(200_000)), 400, "LIST_TOO_LONG"},
		{"variables 1,000 deep", asked("{site{name}}", deep(1000)), 400, "VARIABLES_TOO_DEEP"},
		{"variables 100,000 deep", asked("{site{name}}", deep(100_000)), 400, "BAD_USER_INPUT"}, // refused by the decoder
		{
			"extensions of 1 MB",
			`{"query":"{site{name}}","extensions":{"a":[` + strings.Repeat("1,", 500_000) + "1]}}",
			400,
			"EXTENSIONS_TOO_LARGE",
		},
		{"first: 1000000", asked(fmt.Sprintf(row, "1000000"), "{}"), 400, "COST_LIMIT_EXCEEDED"},
		{
			"pages in pages",
			asked("{front{topics(first:100){nodes{comments(first:100){nodes{replies(first:100){nodes{id}}}}}}}}", "{}"),
			400,
			"COST_LIMIT_EXCEEDED",
		},
		{
			"18 aliases of pages of pages",
			asked(
				"{front{"+gqltext.Each(18, "a%d:topics(first:100){...f}")+"}} fragment f on TopicConnection{nodes{"+
					"id comments(first:5){nodes{id number depth content format createdAt editedAt deletedAt replyCount "+
					"contentHtml author{id login name role createdAt}}}}}",
				"{}",
			),
			400,
			"COST_LIMIT_EXCEEDED",
		},
	}
}

// spent is the CPU time that the process has used.
func spent() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// effort returns the cost of a request: the lowest CPU time of some tries, because everything else in the process
// counts too, and the bytes that it allocates.
func (s *server) effort(body func(try int) string) (w *httptest.ResponseRecorder, cpu time.Duration, bytes uint64) {
	s.t.Helper()
	cpu = time.Hour
	for try := range 7 {
		text := body(try)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		start := spent()
		w = s.do("POST", "/graphql", text, isJSON, acceptGraphQL)
		cpu = min(cpu, spent()-start)
		runtime.ReadMemStats(&after)
		bytes = after.TotalAlloc - before.TotalAlloc
	}
	return w, cpu, bytes
}

// Whatever exceeds a limit is refused, with its code, with less than ten times the CPU time of a valid request of 1
// KiB. A body of the maximum length is read first: it may take in addition as much as an answered one of that length.
func TestAttacksAreCheap(t *testing.T) {
	testlevel.WithoutRace(t)
	testlevel.UsualGarbage(t)
	s := newDemo(t)
	w, usual, bytes := s.effort(valid)
	if w.Code != 200 || s.codeOf(w) != "" || len(valid(0)) != 1024 {
		t.Fatalf("the valid request of %d bytes: status %d, %.500s", len(valid(0)), w.Code, w.Body)
	}
	long := asked("query($l:String!){user(by:{login:$l}){id}}", `{"l":"`+strings.Repeat("x", 900_000)+`"}`)
	w, read, readBytes := s.effort(func(int) string { return long })
	if w.Code != 200 || s.codeOf(w) != "" {
		t.Fatalf("the long request: status %d, %.500s", w.Code, w.Body)
	}
	row := func(name string, size, status int, code string, cpu time.Duration, bytes uint64) {
		t.Logf(
			"%-28s %8d bytes  %d  %-22s %8s CPU %6.2f times %9d allocated",
			name,
			size,
			status,
			code,
			cpu.Round(time.Microsecond),
			float64(cpu)/float64(usual),
			bytes,
		)
	}
	row("a valid request", len(valid(0)), 200, "", usual, bytes)
	row("a long one", len(long), 200, "", read, readBytes)
	for _, a := range attacks() {
		w, cpu, bytes := s.effort(func(int) string { return a.body })
		code := s.codeOf(w)
		row(a.name, len(a.body), w.Code, code, cpu, bytes)
		if w.Code != a.status || code != a.code || w.Body.Len() > 1000 {
			t.Errorf(
				"%s: status %d, code %q, answer of %d bytes; want %d, %q, a short one (%.300s)",
				a.name,
				w.Code,
				code,
				w.Body.Len(),
				a.status,
				a.code,
				w.Body,
			)
		}
		bound := 10 * usual
		if len(a.body) > 200_000 && a.status != 413 {
			bound += 2 * read
		}
		if cpu > bound {
			t.Errorf("%s took %v of CPU time, a valid request %v; want at most %v", a.name, cpu, usual, bound)
		}
	}
}

// largest is a request just below every limit that can be reached together.
func largest() string {
	return asked("{front{"+gqltext.Each(10, "b%d:topics(first:100){nodes{...t}}")+"}} fragment t on Topic{"+
		"a:comments(first:9){nodes{...c}} b:comments(first:8){nodes{...c}}} fragment c on Comment{id number author{login}}",
		"{}")
}

// heapInUse returns the bytes of live and dead objects.
func heapInUse() uint64 {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

// watch sends small requests, one after another, until stop is closed; it returns how long the slowest one took, and
// the maximum size of the heap in bytes.
func (s *server) watch(stop <-chan struct{}) (slowest time.Duration, heap uint64) {
	for {
		start := time.Now()
		if w := s.post("{front{topics(first:10){nodes{title author{login}}}}}"); w.Code != 200 ||
			strings.Contains(w.Body.String(), `"errors"`) {
			s.t.Errorf("a small request: status %d, %.300s", w.Code, w.Body)
		}
		slowest = max(slowest, time.Since(start))
		heap = max(heap, heapInUse())
		select {
		case <-stop:
			return slowest, heap
		default:
		}
	}
}

// Four concurrent requests of the maximum size do not exhaust memory, and small requests are still answered.
func TestLargestRequestsAtOnce(t *testing.T) {
	testlevel.WithoutRace(t)
	testlevel.UsualGarbage(t)
	s := newDemo(t)
	try := func() (slowest time.Duration, heap uint64) {
		runtime.GC()
		stop, seen := make(chan struct{}), make(chan struct{})
		go func() { // ends by stop
			defer close(seen)
			slowest, heap = s.watch(stop)
		}()
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				w := s.do("POST", "/graphql", largest(), isJSON)
				switch code := s.codeOf(w); {
				case code == "TIMEOUT": // for a busy machine; the measurement stays valid
					t.Logf("a large request came to no end: %.100s", w.Body)
				case w.Code != 200 || code != "" || w.Body.Len() < 500_000:
					t.Errorf("a large request: status %d, %.300s", w.Code, w.Body)
				}
			})
		}
		all.Wait()
		close(stop)
		<-seen
		return slowest, heap
	}
	var starved []float64
	for range 3 {
		start, cpu := time.Now(), spent()
		slowest, heap := try()
		// How many times longer all took than if every core had worked only for this test.
		factor := float64(time.Since(start)) * float64(runtime.GOMAXPROCS(0)) / float64(spent()-cpu)
		t.Logf(
			"four of the largest requests: heap of %d MB, slowest small request %v, starved %.1f times",
			heap>>20,
			slowest,
			factor,
		)
		if heap > 256<<20 {
			t.Fatalf("the heap grew to %d MB; want at most 256", heap>>20)
		}
		if slowest < time.Second {
			return
		}
		starved = append(starved, slowest.Seconds()/factor)
	}
	if best := slices.Min(starved); best > 1 {
		t.Errorf(
			"a small request took %.1f s beside four large ones, the machine's other work left out; want at most a second",
			best,
		)
	}
}
