// Package limit is what the benchmark measures servers against: a handler written by hand for its documents. It
// returns the same answers as Agora, byte for byte, with the fewest Redis commands and round trips that keys spread
// over a cluster allow: one pipeline per level, HMGET of the needed fields, and JSON appended to a reused buffer. It
// knows no other document, and its error messages are not those of a GraphQL server.
//
// There are two kinds, which send the same commands. The limit, New, is straightforward code with go-redis's own
// calls, without anything deliberately slow. NewTuned bypasses those calls to save allocations: it shows how much of
// the limit's cost is the client's. They differ in plain.go and tuned.go, and in whether the memory of a page is
// reused.
package limit

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"

	"github.com/redis/go-redis/v9"

	"agora/bench/document"
	"agora/internal/store"
)

// Handler answers the documents of package document.
type Handler struct {
	rdb      redis.UniversalClient
	newLevel func(context.Context, redis.UniversalClient) level
	tuned    bool
	// store writes, with the scripts that Agora uses.
	store   *store.Store
	answers map[string]answer // by the text of the document in JSON form
}

// answer appends the answer to a request.
type answer func(ctx context.Context, out []byte, r request) ([]byte, error)

// request is the input of an answer.
type request struct {
	variables []byte // JSON
	http      *http.Request
}

// New returns the limit: a handler that reads through rdb, with go-redis's own calls, and writes through s.
func New(rdb redis.UniversalClient, s *store.Store) *Handler {
	return newHandler(&Handler{rdb: rdb, store: s, newLevel: newPlain})
}

// NewTuned returns a handler that reads through rdb, with as few allocations as go-redis allows, and writes through
// s.
func NewTuned(rdb redis.UniversalClient, s *store.Store) *Handler {
	return newHandler(&Handler{rdb: rdb, store: s, newLevel: newTuned, tuned: true})
}

func newHandler(h *Handler) *Handler {
	h.answers = map[string]answer{}
	for d, a := range map[document.Document]answer{
		document.Front: h.front, document.Topic: h.topic, document.TopicHTML: h.topicHTML,
		document.Typename: typename, document.Reply: h.reply, document.Post: h.post,
	} {
		h.answers[quoted(d.Text)] = a
	}
	return h
}

// typename answers `{ __typename }`.
func typename(_ context.Context, out []byte, _ request) ([]byte, error) {
	return append(out, `{"data":{"__typename":"Query"}}`...), nil
}

// errNotSignedIn is the error of a mutation without a valid token.
var errNotSignedIn = errors.New("nobody is signed in")

// buffers are reused for bodies and answers.
var buffers = sync.Pool{New: func() any { b := make([]byte, 0, 64<<10); return &b }}

var contentType = []string{"application/json; charset=utf-8"}

// ServeHTTP implements http.Handler.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	in, out := buffers.Get().(*[]byte), buffers.Get().(*[]byte)
	defer buffers.Put(in)
	defer buffers.Put(out)
	var err error
	if *in, err = readAll(r.Body, (*in)[:0], r.ContentLength); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	query, variables, err := readRequest(*in)
	a := h.answers[string(query)]
	if err != nil || a == nil {
		http.Error(w, fmt.Sprintf("unknown request: %v", err), http.StatusBadRequest)
		return
	}
	*out, err = a(r.Context(), (*out)[:0], request{variables, r})
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	header := w.Header()
	header["Content-Type"] = contentType
	header["Content-Length"] = []string{strconv.Itoa(len(*out))}
	w.Write(*out)
}

// maxBody is the longest body that is read, in bytes.
const maxBody = 1 << 20

// readAll appends a body of a known length to b.
func readAll(r io.Reader, b []byte, length int64) ([]byte, error) {
	if length < 0 || length > maxBody {
		return b, errors.New("send a Content-Length of at most 1 MiB")
	}
	if int(length) > cap(b) {
		b = make([]byte, length)
	}
	b = b[:length]
	_, err := io.ReadFull(r, b)
	return b, err
}
