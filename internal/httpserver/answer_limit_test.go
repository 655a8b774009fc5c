package httpserver

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"agora/internal/forum"
	"agora/internal/globalid"
	"agora/internal/httpserver/limit"
	"agora/internal/test/gqltext"
	"agora/internal/test/site"
	"agora/internal/test/testlevel"
)

// longTexts creates a topic and comments on it with the longest texts of a character, and returns the comments' ids.
func longTexts(t testing.TB, s *server, n int, char string) []string {
	t.Helper()
	to := site.On(t, s.store)
	author := to.User("writer")
	topic := to.Titled(author, 0, "t")
	ids := make([]string, n)
	for i := range ids {
		text := strings.Repeat(char, forum.MaxContent/len([]rune(char))-5) + fmt.Sprint(i)
		id := to.Say(author, topic, text)
		ids[i] = globalid.New(globalid.Comment, strconv.FormatInt(int64(id), 10))
	}
	return ids
}

// nodesOf is a document for the comments with some ids.
func nodesOf(ids []string, fields string) string {
	return `{nodes(ids:["` + strings.Join(ids, `","`) + `"]){... on Comment{` + fields + `}}}`
}

func repeated(id string, n int) []string {
	ids := make([]string, n)
	for i := range ids {
		ids[i] = id
	}
	return ids
}

// allocated returns how many bytes do allocates in total.
func allocated(do func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// An answer of exactly the maximum size is returned; a larger one is an error without data, whatever it contains, and
// takes little more memory than the limit.
func TestAnswersAreLimited(t *testing.T) {
	testlevel.Usual(t)
	s := newServer(t, nil)
	ids := longTexts(t, s, 1, "😀")
	small := `{site{name}}`
	size := s.post(small).Body.Len() - len(`{"data":}`)
	for _, tt := range []struct {
		limit int
		code  string
	}{{size, ""}, {size - 1, "ANSWER_TOO_LARGE"}} {
		limits := limit.Defaults()
		limits.Answer = tt.limit
		tight := newServer(t, func(o *Options) { o.Limits = &limits })
		w := tight.post(small)
		if code := s.codeOf(w); code != tt.code || strings.Contains(w.Body.String(), `"Agora"`) != (code == "") {
			t.Errorf("an answer of %d bytes with a limit of %d: %s", size, tt.limit, w.Body)
		}
	}
	for name, query := range map[string]string{
		"equal ids and aliases": nodesOf(repeated(ids[0], 20), gqltext.Each(100, "a%d:content")),
		"aliases":               nodesOf(ids, gqltext.Each(100, "a%d:content")),
		"equal ids":             nodesOf(repeated(ids[0], 100), "content"),
		"deferred": strings.Replace(nodesOf(repeated(ids[0], 100), "content"), "... on Comment",
			"... on Comment @defer", 1),
		"texts that are shown": nodesOf(repeated(ids[0], 100), "contentHtml"),
	} {
		t.Run(name, func(t *testing.T) {
			accept := "Accept: application/json"
			if name == "deferred" {
				accept = "Accept: multipart/mixed"
			}
			var w *httptest.ResponseRecorder
			grown := allocated(func() { w = s.post(query, accept) })
			if !strings.Contains(w.Body.String(), "ANSWER_TOO_LARGE") {
				t.Errorf("status %d, %.300s; want ANSWER_TOO_LARGE", w.Code, w.Body)
			}
			if name != "deferred" &&
				(w.Code != 200 || !strings.Contains(w.Body.String(), `{"data":null,`) || w.Body.Len() > 1000) {
				t.Errorf("status %d, %d bytes: %.300s; want no data", w.Code, w.Body.Len(), w.Body)
			}
			if most := uint64(12 * limit.Defaults().Answer); grown > most {
				t.Errorf("the answer took %d bytes of memory in all; want at most %d", grown, most)
			}
		})
	}
	if w := s.post(nodesOf(repeated(ids[0], 20), "content")); w.Code != 200 || s.codeOf(w) != "" ||
		strings.Count(w.Body.String(), "😀") != 20*(forum.MaxContent-5) {
		t.Errorf("20 times the longest text: status %d, %d bytes; want all", w.Code, w.Body.Len())
	}
	if total := s.live.Ledger.Held(); total != 0 {
		t.Errorf("%d bytes are still held", total)
	}
}

// A stream reports the same for an answer that is too large.
func TestAnswersOfStreamsAreLimited(t *testing.T) {
	testlevel.Usual(t)
	s := newServer(t, nil)
	query := nodesOf(repeated(longTexts(t, s, 1, "😀")[0], 100), "content")
	w := s.post(query, "Accept: text/event-stream")
	if !strings.Contains(w.Body.String(), "ANSWER_TOO_LARGE") || w.Body.Len() > 1000 {
		t.Errorf("stream: %.300s; want ANSWER_TOO_LARGE", w.Body)
	}
}

// Texts for which an answer has no room are null, with an error at their path; the others are there. A text counts once
// for equal ids.
func TestTextsWithoutRoomAreNull(t *testing.T) {
	testlevel.Usual(t)
	s := newServer(t, nil)
	const n = 20
	ids := longTexts(t, s, n, "[中](中")
	w := s.post(nodesOf(ids, "id contentHtml"))
	var got struct {
		Data struct {
			Nodes []struct {
				ID          string
				ContentHTML *string
			}
		}
		Errors []struct {
			Path       []any
			Extensions struct{ Code, Unit string }
		}
	}
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != http.StatusOK || len(got.Data.Nodes) != n {
		t.Fatalf("status %d, %v: %.300s", w.Code, err, w.Body)
	}
	null := map[int]bool{}
	for i, node := range got.Data.Nodes {
		if node.ID != ids[i] {
			t.Errorf("row %d is %s; want %s", i, node.ID, ids[i])
		}
		if node.ContentHTML == nil {
			null[i] = true
		}
	}
	if len(null) == 0 || len(null) == n || len(got.Errors) != len(null) {
		t.Errorf("%d of %d texts are null, with %d errors; want some, each with an error", len(null), n, len(got.Errors))
	}
	for _, e := range got.Errors {
		if len(e.Path) != 3 || !null[int(e.Path[1].(float64))] || e.Extensions.Code != "COST_LIMIT_EXCEEDED" ||
			e.Extensions.Unit != "work" {
			t.Errorf("error %+v; want COST_LIMIT_EXCEEDED at a text that is null", e)
		}
	}
	w = s.post(nodesOf(repeated(ids[n-1], 30), "contentHtml"))
	if code := s.codeOf(w); code != "" {
		t.Errorf("30 times the same id: %s; want all: %.300s", code, w.Body)
	}
}
