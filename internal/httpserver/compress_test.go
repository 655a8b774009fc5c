package httpserver

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"agora/internal/test/must"
	"agora/internal/test/site"
	"agora/internal/test/testlevel"
)

// unpack decodes the body of an answer.
func unpack(t *testing.T, w *httptest.ResponseRecorder) string {
	t.Helper()
	var r io.Reader = w.Body
	var err error
	switch w.Header().Get("Content-Encoding") {
	case encodingGzip:
		r, err = gzip.NewReader(w.Body)
	case encodingZstd:
		r, err = zstd.NewReader(w.Body)
	}
	if err != nil {
		t.Fatal(err)
	}
	text := must.Do(io.ReadAll(r))(t)
	return string(text)
}

func TestAcceptedEncodings(t *testing.T) {
	tests := []struct {
		header string
		size   int
		want   string
	}{
		{"", 1 << 20, ""},
		{"identity", 1 << 20, ""},
		{"gzip", 1 << 20, "gzip"},
		{"gzip", minCompressed - 1, ""},
		{"gzip", minCompressed, "gzip"},
		{"gzip, deflate, br, zstd", 1 << 20, "zstd"},
		{"gzip;q=1.0, zstd;q=0.5", 1 << 20, "gzip"},
		{"gzip;q=0, zstd ; q=0", 1 << 20, ""},
		{"GZIP", 1 << 20, "gzip"},
		{"*", 1 << 20, "zstd"},
		{"*;q=0", 1 << 20, ""},
		{"zstd;q=0, *", 1 << 20, "gzip"},
		{"gzip;q=x", 1 << 20, ""},
		{"br", 1 << 20, ""},
	}
	for _, tt := range tests {
		r := httptest.NewRequest("GET", "/", nil)
		r.Header.Set("Accept-Encoding", tt.header)
		if got := encodingFor(r, tt.size); got != tt.want {
			t.Errorf("Accept-Encoding %q, %d bytes: %q; want %q", tt.header, tt.size, got, tt.want)
		}
	}
}

// postTopics posts topics with some text.
func (s *server) postTopics(n int) {
	s.t.Helper()
	to := site.On(s.t, s.store)
	author := to.User("writer")
	for i := range n {
		to.Titled(author, 0, fmt.Sprintf("Topic %d, of which the text is long enough to be compressed", i))
	}
}

// Large answers and the schema are compressed for clients that accept it, and decode to the same; tags of different
// bodies differ, and each revalidates its own.
func TestAnswersAreCompressed(t *testing.T) {
	testlevel.Usual(t)
	s := newServer(t, nil)
	s.postTopics(20)
	page := "{front{topics(first:20){nodes{title content author{login}}}}}"
	schema := serveText("text/plain; charset=utf-8", strings.Repeat("type Query { served: Boolean }\n", 100))
	for path, handler := range map[string]http.Handler{"/graphql?query=" + url.QueryEscape(page): s,
		"/schema.graphql": schema} {
		get := func(encoding, tag string) *httptest.ResponseRecorder {
			r := httptest.NewRequest("GET", path, nil)
			r.Header.Set("Accept-Encoding", encoding)
			r.Header.Set("If-None-Match", tag)
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, r)
			return w
		}
		tags := map[string]bool{}
		plain := get("", "")
		text := unpack(t, plain)
		if plain.Code != 200 || len(text) < minCompressed || plain.Header().Get("Content-Encoding") != "" {
			t.Fatalf("%s: status %d, %q, %.300s", path, plain.Code, plain.Header(), text)
		}
		for _, encoding := range []string{"", "gzip", "zstd"} {
			w := get(encoding, "")
			h, size := w.Header(), w.Body.Len()
			if h.Get("Content-Encoding") != encoding || !strings.Contains(strings.Join(h["Vary"], ","), "Accept-Encoding") ||
				h.Get("Content-Length") != strconv.Itoa(size) {
				t.Errorf("%s as %q: headers %v, %d bytes", path, encoding, h, size)
			}
			if encoding != "" && size > len(text)*3/4 {
				t.Errorf("%s as %q: %d bytes of %d", path, encoding, size, len(text))
			}
			if got := unpack(t, w); got != text {
				t.Errorf("%s as %q: other than without: %.300s", path, encoding, got)
			}
			tags[h.Get("ETag")] = true
			if again := get(encoding, h.Get("ETag")); again.Code != http.StatusNotModified || again.Body.Len() > 0 {
				t.Errorf("%s as %q again: status %d, %d bytes; want 304", path, encoding, again.Code, again.Body.Len())
			}
		}
		if len(tags) != 3 {
			t.Errorf("%s: tags %v; want one for each encoding", path, tags)
		}
	}
}

// Events are not compressed: each is small, and must not wait in an encoder.
func TestStreamsAreNotCompressed(t *testing.T) {
	testlevel.Usual(t)
	s := newServer(t, nil)
	s.postTopics(20)
	r := httptest.NewRequest(
		"POST",
		"/graphql",
		strings.NewReader(asked("{front{topics(first:20){nodes{content}}}}", "{}")),
	)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", mediaEvents)
	r.Header.Set("Accept-Encoding", "gzip, zstd")
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	if w.Header().Get("Content-Encoding") != "" || !strings.HasPrefix(w.Body.String(), "event: next") {
		t.Errorf("headers %v, %.100s; want plain events", w.Header(), w.Body)
	}
}

func BenchmarkCompress(b *testing.B) {
	words := bytes.Repeat([]byte(`{"title":"A topic about tea","author":{"login":"ann"},"votes":{"up":3,"down":1}},`), 240)
	for _, encoding := range []string{encodingGzip, encodingZstd} {
		b.Run(fmt.Sprint(encoding, " of ", len(words), " bytes"), func(b *testing.B) {
			b.SetBytes(int64(len(words)))
			b.ReportAllocs()
			for b.Loop() {
				bodyCompressor().compress(encoding, words)
			}
		})
	}
}
