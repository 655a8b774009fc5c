package httpserver

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"agora/breadth"
	"agora/internal/httpserver/limit"
	"agora/internal/httpserver/live"
	"agora/internal/turns"
)

// Media types of answers.
const (
	mediaJSON    = "application/json"
	mediaGraphQL = "application/graphql-response+json"
	mediaParts   = "multipart/mixed"
	mediaEvents  = "text/event-stream"
)

// accepted is what the client accepts.
type accepted struct {
	// media is the type of a single answer.
	media string
	// parts reports whether an answer may come in parts, for @defer and @stream; legacy whether in the format of
	// 2022-08-24.
	parts, legacy bool
	// stream reports whether answers may come as server-sent events: all of them if media is "", otherwise those of
	// subscriptions.
	stream bool
}

// streams reports whether a request, an operation or a refusal, is answered by a stream. Refusals that have an HTTP
// status use that instead.
func (a accepted) streams(op live.Operation, why *refusal) bool {
	if why != nil {
		return a.media == "" && (why.status == 0 || why.status == http.StatusBadRequest)
	}
	return a.stream && (a.media == "" || op.Kind == ast.Subscription)
}

// negotiate parses the Accept header. It returns false if the client accepts nothing that the server can produce.
func negotiate(header []string) (accepted, bool) {
	if len(header) == 1 && (header[0] == "*/*" || header[0] == mediaJSON) { // sent by most clients
		return accepted{media: mediaJSON}, true
	}
	all := strings.Join(header, ",")
	if strings.TrimSpace(all) == "" {
		return accepted{media: mediaJSON}, true
	}
	a, best, refuses := accepted{}, map[string]float64{}, map[string]bool{}
	for _, part := range strings.Split(all, ",") {
		media, q, legacy, ok := readRange(part)
		a.legacy = a.legacy || legacy
		switch {
		case !ok:
		case media == mediaParts:
			a.parts = a.parts || q > 0
		case media == mediaEvents:
			a.stream = a.stream || q > 0
		case q == 0:
			refuses[media] = true
		default:
			best[media] = max(best[media], q)
		}
	}
	any := max(best["*/*"], best["application/*"])
	top := 0.0
	for _, media := range []string{mediaJSON, mediaGraphQL} { // the older one first, for clients without a preference
		q, named := best[media]
		if !named && !refuses[media] {
			q = any
		}
		// Of two explicitly accepted equally, the newer one wins; of two that a wildcard accepts, the older.
		if q > top || q == top && q > 0 && named && media == mediaGraphQL {
			top, a.media = q, media
		}
	}
	if a.media == "" && a.parts {
		a.media = mediaJSON
	}
	return a, a.media != "" || a.stream
}

// readRange parses one entry of an Accept header. legacy reports whether it requests the parts of answers in the
// format of 2022-08-24.
func readRange(s string) (media string, q float64, legacy, ok bool) {
	media, args, err := mime.ParseMediaType(s)
	if err != nil {
		return "", 0, false, false
	}
	q = 1
	if text, there := args["q"]; there {
		if q, err = strconv.ParseFloat(text, 64); err != nil || q < 0 || q > 1 {
			return "", 0, false, false
		}
	}
	charset := strings.ToLower(args["charset"])
	return media, q, args["deferspec"] == "20220824", charset == "" || charset == "utf-8" || charset == "utf8"
}

// status returns the status of an answer to a document that cannot be executed: the older media type has 200 for
// every request that was understood.
func (a accepted) status() int {
	if a.media == mediaGraphQL {
		return http.StatusBadRequest
	}
	return http.StatusOK
}

// response is an answer as it is written. Without data, the request was not executed.
type response struct {
	Errors     gqlerror.List   `json:"errors,omitempty"`
	Data       json.RawMessage `json:"data,omitempty"`
	Extensions map[string]any  `json:"extensions,omitempty"`
	Pending    []pendingPart   `json:"pending,omitempty"`
	HasNext    *bool           `json:"hasNext,omitempty"`
	// maxAge is for how many seconds shared caches may reuse the answer; 0 if they may not.
	maxAge int
}

// encode returns v as JSON, without the escapes needed only in HTML.
func encode(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err) // errors and extensions hold plain values
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// dataFirst is the beginning of an answer with data.
var dataFirst = []byte(`{"data":`)

// appendRest appends what follows the data of an answer.
func (r response) appendRest(to []byte) []byte {
	if len(r.Errors) == 0 && len(r.Extensions) == 0 && r.HasNext == nil && len(r.Pending) == 0 {
		return append(to, '}')
	}
	r.Data = nil
	rest := encode(r)
	return append(append(to, ','), rest[1:]...)
}

// encodeResponse writes an answer. Data are not encoded again: that would cost as much as producing them.
func encodeResponse(r response) []byte {
	if r.Data == nil {
		return encode(r)
	}
	return r.appendRest(slices.Concat(dataFirst, r.Data))
}

// writeRefusal answers a request that is not executed.
func writeRefusal(w http.ResponseWriter, r *http.Request, a accepted, why *refusal) {
	for name, values := range why.header {
		w.Header()[name] = values
	}
	if a.media == "" {
		a.media = mediaJSON
	}
	status := why.status
	if status == 0 {
		status = a.status()
	}
	writeAnswer(w, r, a.media, status, response{Errors: why.errors})
}

// mark records the codes of errors, and adds the request's id to each, so that its log lines can be found.
func mark(ctx context.Context, list gqlerror.List) {
	for _, err := range list {
		if err.Extensions == nil {
			err.Extensions = map[string]any{}
		}
		code, _ := err.Extensions["code"].(string)
		CallFrom(ctx).Code(code)
		if id := RequestID(ctx); id != "" {
			err.Extensions["requestId"] = id
		}
	}
}

// Header values shared by many answers.
var (
	typeJSON    = []string{mediaJSON + "; charset=utf-8"}
	typeGraphQL = []string{mediaGraphQL + "; charset=utf-8"}
	noSniff     = []string{"nosniff"}
	noStore     = []string{"no-store"}
)

// writeAnswer sends an answer without data.
func writeAnswer(w http.ResponseWriter, r *http.Request, media string, status int, answer response) {
	sendAnswer(w, r, media, status, answer, nil)
}

// sendAnswer sends an answer whose bytes h counts. It takes over the data from the caller: it appends the rest of the
// answer in place, to avoid a copy, and then releases the buffer.
func sendAnswer(
	w http.ResponseWriter, r *http.Request, media string, status int, answer response, held *limit.Holding,
) {
	mark(r.Context(), answer.Errors)
	var head, body []byte
	if answer.Data == nil {
		body = encode(answer)
	} else {
		head, body = dataFirst, answer.appendRest(answer.Data)
	}
	h := w.Header()
	h["Content-Type"] = typeJSON
	if media == mediaGraphQL {
		h["Content-Type"] = typeGraphQL
	}
	h["X-Content-Type-Options"] = noSniff
	h.Add("Vary", "Accept, Authorization, Cookie, Accept-Encoding")
	encoding := encodingFor(r, len(head)+len(body))
	whole := len(answer.Errors) == 0 && answer.Extensions[breadth.MissingExtension] == nil
	if status == http.StatusOK && cacheable(r) && whole {
		tag := tagOf(media+encoding, head, body) // different bodies have different tags
		h.Set("ETag", tag)
		h.Set("Cache-Control", cacheControl(answer.maxAge))
		if answer.maxAge > 0 {
			h.Add("Vary", TraceHeader+", "+CostHeader)
		}
		if matches(r.Header.Get("If-None-Match"), tag) {
			h.Del("Content-Type")
			w.WriteHeader(http.StatusNotModified)
			breadth.Release(body)
			return
		}
	} else {
		h["Cache-Control"] = noStore
	}
	if encoding != encodingNone {
		packed := bodyCompressor().compress(encoding, head, body)
		breadth.Release(body)
		head, body = nil, packed
		h.Set("Content-Encoding", encoding)
	}
	turns.From(r.Context()).End() // the client may be slow
	h["Content-Length"] = []string{strconv.Itoa(len(head) + len(body))}
	w.WriteHeader(status)
	var out io.Writer = w
	if len(body) > limit.SmallAnswer {
		s := newSender(w, held)
		defer s.stop()
		out = s
	}
	_, first := out.Write(head)
	if _, err := out.Write(body); err == nil && first == nil { // the client may have disconnected
		breadth.Release(body)
	}
}

// tagOf returns the ETag of an answer.
func tagOf(media string, head, body []byte) string {
	sum := sha256.New()
	sum.Write([]byte(media))
	sum.Write(head)
	sum.Write(body)
	return `"` + base64.RawURLEncoding.EncodeToString(sum.Sum(nil)[:16]) + `"`
}

// cacheable reports whether an answer is the same for all callers.
func cacheable(r *http.Request) bool {
	return (r.Method == http.MethodGet || r.Method == http.MethodHead) && r.Header.Get("Authorization") == "" &&
		!hasCookie(r) && r.Header.Get(CostHeader) == ""
}

// matches reports whether a tag is in an If-None-Match header.
func matches(header, tag string) bool {
	for _, t := range strings.Split(header, ",") {
		if t = strings.TrimSpace(t); t == "*" || strings.TrimPrefix(t, "W/") == tag {
			return true
		}
	}
	return false
}

// answerOf converts the result of an execution to an answer.
func answerOf(resp *graphql.Response, maxErrors int) response {
	answer := response{Errors: limit.CapErrors(resp.Errors, maxErrors), Data: resp.Data, Extensions: resp.Extensions}
	if answer.Data == nil {
		answer.Data = json.RawMessage("null")
	}
	return answer
}
