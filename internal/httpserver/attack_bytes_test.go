package httpserver

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/httpserver/limit"
	"agora/internal/test/gqltext"
	"agora/internal/test/testlevel"
)

// textAttacks are short requests for much text: over 100 texts of the maximum length.
func textAttacks(ids []string) map[string]string {
	return map[string]string{
		"one text 2,000 times":          nodesOf(repeated(ids[0], 20), gqltext.Each(100, "a%d:content")),
		"100 texts":                     nodesOf(ids, "content"),
		"100 texts, 19 aliases as HTML": nodesOf(ids, gqltext.Each(19, "a%d:contentHtml")),
		"one text 1,900 times as HTML":  nodesOf(repeated(ids[0], 100), gqltext.Each(19, "a%d:contentHtml")),
	}
}

// answerHead is a writer that keeps the beginning of an answer.
type answerHead struct {
	header http.Header
	status int
	bytes  int
	head   []byte
}

func (s *answerHead) Header() http.Header { return s.header }

func (s *answerHead) WriteHeader(status int) { s.status = status }

func (s *answerHead) Write(p []byte) (int, error) {
	s.bytes += len(p)
	s.head = append(s.head, p[:min(len(p), 300-min(len(s.head), 300))]...)
	return len(p), nil
}

var codeIn = regexp.MustCompile(`"code":"([A-Z_]+)"`)

// code returns the first code in the answer.
func (s *answerHead) code() string {
	if m := codeIn.FindSubmatch(s.head); m != nil {
		return string(m[1])
	}
	return ""
}

// askFrom sends a document from an address.
func (s *server) askFrom(address, document string) *answerHead {
	r := httptest.NewRequest("POST", "/graphql", strings.NewReader(asked(document, "{}")))
	r.Header.Set("Content-Type", "application/json")
	r.RemoteAddr = address + ":5000"
	w := &answerHead{header: http.Header{}, status: http.StatusOK}
	s.ServeHTTP(w, r)
	return w
}

// beside sends small requests from another address, one after another, until stop is closed. It returns how long the
// slowest took, and the maximum size of the heap in bytes.
func (s *server) beside(stop <-chan struct{}) (slowest time.Duration, heap uint64) {
	for {
		start := time.Now()
		if w := s.askFrom("198.51.100.7", "{front{topics(first:10){nodes{title author{login}}}}}"); w.status != 200 ||
			w.code() != "" {
			s.t.Errorf("a small request: status %d, %s", w.status, w.head)
		}
		slowest, heap = max(slowest, time.Since(start)), max(heap, heapInUse())
		select {
		case <-stop:
			return slowest, heap
		default:
		}
	}
}

// Many concurrent requests for the longest texts, rendered or not, take little memory, and small requests are still
// answered at the same time. Each is answered completely, or refused with a code.
func TestTextsAtOnceLeaveMemory(t *testing.T) {
	testlevel.WithoutRace(t)
	const atOnce = 16
	s := newDemo(t)
	ids := longTexts(t, s, 100, "[中](中", forum.Markdown)
	for name, body := range textAttacks(ids) {
		t.Run(name, func(t *testing.T) {
			runtime.GC()
			base, start, cpu := heapInUse(), time.Now(), spent()
			var slowest time.Duration
			var heap uint64
			stop, seen := make(chan struct{}), make(chan struct{})
			go func() { // ends by stop
				defer close(seen)
				slowest, heap = s.beside(stop)
			}()
			codes := map[string]int{}
			var mu sync.Mutex
			var all sync.WaitGroup
			for range atOnce {
				all.Go(func() {
					w := s.askFrom("192.0.2.66", body)
					mu.Lock()
					defer mu.Unlock()
					codes[w.code()]++
					if limit := limit.Defaults().Answer; w.bytes > limit+1000 {
						t.Errorf("status %d, an answer of %d bytes; want at most %d", w.status, w.bytes, limit)
					}
				})
			}
			all.Wait()
			close(stop)
			<-seen
			took, used := time.Since(start), spent()-cpu
			t.Logf(
				"%d requests of %d bytes: %v, CPU %v, heap %d MB above %d MB, slowest small request %v, codes %v",
				atOnce,
				len(body),
				took.Round(time.Millisecond),
				used.Round(time.Millisecond),
				(heap-min(base, heap))>>20,
				base>>20,
				slowest,
				codes,
			)
			if heap > base+200<<20 {
				t.Errorf("the heap grew from %d to %d MB; want at most 200 more", base>>20, heap>>20)
			}
			if left := s.live.Ledger.Held(); left != 0 {
				t.Errorf("%d bytes are still held", left)
			}
			for code := range codes {
				if !strings.Contains(" ANSWER_TOO_LARGE COST_LIMIT_EXCEEDED UNAVAILABLE ", " "+code+" ") && code != "" {
					t.Errorf("code %s; want an answer or a limit", code)
				}
			}
		})
	}
}
