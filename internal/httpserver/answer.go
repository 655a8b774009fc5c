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

	"agora/internal/breadth"
	"agora/internal/httpserver/limit"
	"agora/internal/httpserver/live"
)

// Media types of answers.
const (
	mediaJSON    = "application/json"
	mediaGraphQL = "application/graphql-response+json"
	mediaParts   = "multipart/mixed"
	mediaEvents  = "text/event-stream"
)

// accepted is what the client takes.
type accepted struct {
	// media is the type of a single answer.
	media string
	// parts reports whether an answer may come in parts, for @defer and @stream; legacy
	// that these are to have the format of 2022-08-24.
	parts, legacy bool
	// stream tells that answers may come as server-sent events: all of them if media
	// is "", else those of subscriptions.
	stream bool
}

// streams reports whether a request is answered by a stream: an operation, or why there
// is none. What HTTP has a status for is told by that.
func (a accepted) streams(op live.Operation, why *refusal) bool {
	if why != nil {
		return a.media == "" && (why.status == 0 || why.status == http.StatusBadRequest)
	}
	return a.stream && (a.media == "" || op.Kind == ast.Subscription)
}

// negotiate reads the Accept header. It returns false if the client takes
// nothing that the server can make.
func negotiate(header []string) (accepted, bool) {
	if len(header) == 1 && (header[0] == "*/*" || header[0] == mediaJSON) { // what most send
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
	for _, media := range []string{mediaJSON, mediaGraphQL} { // the old one for those who do not care
		q, named := best[media]
		if !named && !refuses[media] {
			q = any
		}
		// Of two that are named alike, the new one is meant; of two that any stands for, the old.
		if q > top || q == top && q > 0 && named && media == mediaGraphQL {
			top, a.media = q, media
		}
	}
	if a.media == "" && a.parts {
		a.media = mediaJSON
	}
	return a, a.media != "" || a.stream
}

// readRange reads one entry of an Accept header. legacy reports whether it asks for the
// parts of answers in the format of 2022-08-24.
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

// status is the one of an answer to a document that cannot be executed: the old
// media type has 200 for every request that was understood.
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
}

// encode writes JSON without escaping what only matters inside of HTML.
func encode(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err) // errors and extensions hold plain values
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// dataFirst begins an answer with data.
var dataFirst = []byte(`{"data":`)

// appendRest writes what stands behind the data of an answer.
func (r response) appendRest(to []byte) []byte {
	if len(r.Errors) == 0 && len(r.Extensions) == 0 && r.HasNext == nil && len(r.Pending) == 0 {
		return append(to, '}')
	}
	r.Data = nil
	rest := encode(r)
	return append(append(to, ','), rest[1:]...)
}

// encodeResponse writes an answer. Data come as they are: going through them once
// more would cost as much as making them.
func encodeResponse(r response) []byte {
	if r.Data == nil {
		return encode(r)
	}
	return r.appendRest(slices.Concat(dataFirst, r.Data))
}

// writeRefusal answers a request that does not come to execution.
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

// mark notes the codes of errors, and puts the request's id into each, by which
// its lines in the log are found.
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

// The values of headers that are the same in many answers, which share them.
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

// sendAnswer sends an answer whose bytes h counts. Its data are no longer the caller's: what follows
// them is written behind them where they lie, so that they need not be copied, and
// then they go back to those who make data.
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
	h.Add("Vary", "Accept, Authorization, Accept-Encoding")
	encoding := encodingFor(r, len(head)+len(body))
	if status == http.StatusOK && cacheable(r) && len(answer.Errors) == 0 {
		tag := tagOf(media+encoding, head, body) // bodies that differ have different tags
		h.Set("ETag", tag)
		h.Set("Cache-Control", "no-cache") // to be asked for each time
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
	h["Content-Length"] = []string{strconv.Itoa(len(head) + len(body))}
	w.WriteHeader(status)
	var out io.Writer = w
	if len(body) > limit.SmallAnswer {
		s := newSender(w, held)
		defer s.stop()
		out = s
	}
	_, first := out.Write(head)
	if _, err := out.Write(body); err == nil && first == nil { // who has gone needs no answer
		breadth.Release(body)
	}
}

// tagOf is an ETag of an answer.
func tagOf(media string, head, body []byte) string {
	sum := sha256.New()
	sum.Write([]byte(media))
	sum.Write(head)
	sum.Write(body)
	return `"` + base64.RawURLEncoding.EncodeToString(sum.Sum(nil)[:16]) + `"`
}

// cacheable reports whether an answer is the same for everybody who asks.
func cacheable(r *http.Request) bool {
	return (r.Method == http.MethodGet || r.Method == http.MethodHead) && r.Header.Get("Authorization") == ""
}

// matches reports whether a tag stands in an If-None-Match header.
func matches(header, tag string) bool {
	for _, t := range strings.Split(header, ",") {
		if t = strings.TrimSpace(t); t == "*" || strings.TrimPrefix(t, "W/") == tag {
			return true
		}
	}
	return false
}

// answerOf turns what execution gave into an answer.
func answerOf(resp *graphql.Response, maxErrors int) response {
	answer := response{Errors: limit.CapErrors(resp.Errors, maxErrors), Data: resp.Data, Extensions: resp.Extensions}
	if answer.Data == nil {
		answer.Data = json.RawMessage("null")
	}
	return answer
}
