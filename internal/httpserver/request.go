package httpserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/lexer"

	"agora/internal/httpserver/jsontext"
	"agora/internal/httpserver/limit"
)

// params is one GraphQL request, however it was sent.
type params struct {
	query         string
	operationName string
	documentID    string
	variables     map[string]any // numbers as they were written; nil for none
	persisted     string         // extensions.persistedQuery.sha256Hash
	extensions    map[string]any
	size          int // bytes sent
}

// refusal is why a request is not executed, with its status. 0 is the status for a document that cannot be executed,
// which depends on the media type.
type refusal struct {
	status int
	errors gqlerror.List
	header http.Header
}

// refused returns a refusal with one error.
func refused(status int, code, format string, args ...any) *refusal {
	return &refusal{status: status, errors: gqlerror.List{{
		Message: fmt.Sprintf(format, args...), Extensions: map[string]any{"code": code},
	}}}
}

// with adds a header.
func (r *refusal) with(name, value string) *refusal {
	if r.header == nil {
		r.header = http.Header{}
	}
	r.header.Set(name, value)
	return r
}

// badRequest refuses a request that is not GraphQL. Its message never repeats what was sent.
func badRequest(format string, args ...any) *refusal {
	return refused(http.StatusBadRequest, "BAD_USER_INPUT", format, args...)
}

// methods are the methods that the endpoint accepts.
const methods = "GET, HEAD, POST, OPTIONS"

// readRequest reads a request sent by GET or POST.
func readRequest(w http.ResponseWriter, r *http.Request, limits limit.Limits) (params, *refusal) {
	switch r.Method {
	case http.MethodGet, http.MethodHead:
		return readGet(r.URL.RawQuery, limits)
	case http.MethodPost:
		return readPost(w, r, limits)
	}
	return params{}, refused(
		http.StatusMethodNotAllowed,
		"METHOD_NOT_ALLOWED",
		"Use POST, or GET for queries.",
	).with("Allow", methods)
}

// readGet parses a query string.
func readGet(raw string, limits limit.Limits) (params, *refusal) {
	if len(raw) > limits.Body {
		return params{}, tooLarge(limits)
	}
	values, err := url.ParseQuery(raw)
	if err != nil {
		return params{}, badRequest("The query string is not well-formed.")
	}
	for name, value := range values {
		if len(value) > 1 && isParameter(name) {
			return params{}, badRequest("The parameter %s occurs more than once.", name)
		}
		if !utf8.ValidString(value[0]) {
			return params{}, badRequest("The query string is not well-formed UTF-8.")
		}
		if name != "query" && isParameter(name) && jsontext.LoneSurrogate(value[0]) {
			return params{}, badRequest("The parameter %s contains half of a surrogate pair, which is not a character.", name)
		}
	}
	p := params{
		size:          len(raw),
		query:         values.Get("query"),
		operationName: values.Get("operationName"),
		documentID:    values.Get("documentId"),
	}
	if r := p.setVariables(json.RawMessage(values.Get("variables")), limits); r != nil {
		return params{}, r
	}
	if text := values.Get("extensions"); text != "" {
		if r := p.setExtensions(json.RawMessage(text), limits); r != nil {
			return params{}, r
		}
	}
	return p, nil
}

func isParameter(name string) bool {
	switch name {
	case "query", "operationName", "documentId", "variables", "extensions":
		return true
	}
	return false
}

func tooLarge(limits limit.Limits) *refusal {
	r := refused(
		http.StatusRequestEntityTooLarge,
		"REQUEST_TOO_LARGE",
		"The request must have at most %d bytes.",
		limits.Body,
	)
	r.errors[0].Extensions["limit"] = limits.Body
	return r
}

// readPost reads a JSON body.
func readPost(w http.ResponseWriter, r *http.Request, limits limit.Limits) (params, *refusal) {
	if !isJSONInUTF8(r.Header.Get("Content-Type")) {
		return params{}, refused(http.StatusUnsupportedMediaType, "UNSUPPORTED_MEDIA_TYPE",
			"Send application/json in UTF-8, with a matching Content-Type.").with("Accept-Post", "application/json; charset=utf-8")
	}
	if r.Header.Get("Content-Encoding") != "" {
		return params{}, refused(
			http.StatusUnsupportedMediaType,
			"UNSUPPORTED_MEDIA_TYPE",
			"Send the body without compression.",
		).with("Accept-Encoding", "identity")
	}
	held := bodies.Get().(*bytes.Buffer)
	defer putBody(held) // params share no memory with it
	_, err := held.ReadFrom(http.MaxBytesReader(w, r.Body, int64(limits.Body)))
	body := held.Bytes()
	var large *http.MaxBytesError
	switch over := refuseAborted(err); {
	case over != nil:
		return params{}, over
	case errors.As(err, &large):
		return params{}, tooLarge(limits).with("Connection", "close")
	case errors.Is(err, os.ErrDeadlineExceeded):
		return params{}, refused(
			http.StatusRequestTimeout,
			"TIMEOUT",
			"The body took too long to arrive.",
		).with("Connection", "close")
	case err != nil:
		return params{}, badRequest("The body cannot be read.")
	case !utf8.Valid(body):
		// The JSON decoder would replace each invalid byte by U+FFFD, so that texts and idempotency keys that differ
		// only there would become equal.
		return params{}, badRequest("The body is not well-formed UTF-8.")
	case bytes.Contains(body, jsontext.UnicodeEscape) && jsontext.LoneSurrogate(string(body)):
		return params{}, badRequest("The body contains half of a surrogate pair, which is not a character.")
	}
	return readBody(body, limits)
}

// isJSONInUTF8 reports whether a Content-Type is valid for a request.
func isJSONInUTF8(header string) bool {
	if header == mediaJSON {
		return true
	}
	media, args, err := mime.ParseMediaType(header)
	charset := strings.ToLower(args["charset"])
	return err == nil && media == mediaJSON && (charset == "" || charset == "utf-8" || charset == "utf8")
}

// maxHeldBody is the largest body buffer that is reused, in bytes: one large request must not hold its memory
// forever.
const maxHeldBody = 64 << 10

// bodies are reused buffers for the bodies of requests.
var bodies = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func putBody(b *bytes.Buffer) {
	if b.Cap() <= maxHeldBody {
		b.Reset()
		bodies.Put(b)
	}
}

// noRequest is the only message about a body that is not a request.
func noRequest() *refusal {
	return badRequest(
		"The body is not a GraphQL request: send one JSON object with query or documentId, and, where needed, variables, " +
			"operationName and extensions.",
	)
}

// entries are the raw values of a request; nil where missing.
type entries struct{ query, operationName, documentID, variables, extensions json.RawMessage }

// of returns where the value of a name is stored, or nil if requests have no such name.
func (e *entries) of(name string) *json.RawMessage {
	switch name {
	case "query":
		return &e.query
	case "operationName":
		return &e.operationName
	case "documentId":
		return &e.documentID
	case "variables":
		return &e.variables
	case "extensions":
		return &e.extensions
	}
	return nil
}

// readBody parses the one JSON object of a body, key by key, to detect duplicates. The result shares no memory with
// the body.
func readBody(body []byte, limits limit.Limits) (params, *refusal) {
	t := jsontext.Text{Raw: body}
	first := t.Next()
	if first == '[' {
		return params{}, badRequest("Send one request at a time: batches are not accepted. In Apollo Client, use " +
			"HttpLink instead of BatchHttpLink.")
	}
	if !json.Valid(body) || first != '{' {
		var one json.RawMessage
		if first == '{' && json.NewDecoder(bytes.NewReader(body)).Decode(&one) == nil {
			return params{}, badRequest("There is more data after the request.")
		}
		return params{}, noRequest()
	}
	var sent entries
	for open := true; t.More(open); open = false {
		name := t.Key()
		value := t.Skip()
		if place := sent.of(name); place == nil {
			continue
		} else if *place != nil {
			return params{}, badRequest("The key %s occurs more than once.", name)
		} else {
			*place = value
		}
	}
	p, why := paramsOf(sent, limits)
	p.size = len(body)
	return p, why
}

func paramsOf(sent entries, limits limit.Limits) (params, *refusal) {
	var p params
	for _, s := range [...]struct {
		name  string
		value json.RawMessage
		into  *string
	}{{"query", sent.query, &p.query}, {"operationName", sent.operationName, &p.operationName},
		{"documentId", sent.documentID, &p.documentID}} {
		switch {
		case jsontext.IsNull(s.value):
		case s.value[0] != '"':
			return params{}, badRequest("%s must be a string.", s.name)
		default:
			t := jsontext.Text{Raw: s.value}
			*s.into = t.Text()
		}
	}
	if r := p.setVariables(sent.variables, limits); r != nil {
		return params{}, r
	}
	if sent.extensions != nil {
		if r := p.setExtensions(sent.extensions, limits); r != nil {
			return params{}, r
		}
	}
	return p, nil
}

func (p *params) setVariables(raw json.RawMessage, limits limit.Limits) *refusal {
	raw = bytes.TrimSpace(raw)
	if jsontext.IsNull(raw) {
		return nil
	}
	if err := limits.CheckVariables(raw); err != nil {
		return &refusal{errors: gqlerror.List{err}}
	}
	if raw[0] != '{' || !json.Valid(raw) {
		return badRequest("variables must be a JSON object.")
	}
	t, ok := jsontext.Text{Raw: raw}, false
	if p.variables, ok = t.Object(); !ok {
		return badRequest("An object in variables has a key more than once.")
	}
	return nil
}

func (p *params) setExtensions(raw json.RawMessage, limits limit.Limits) *refusal {
	if err := limits.CheckExtensions(raw); err != nil {
		return &refusal{status: http.StatusBadRequest, errors: gqlerror.List{err}}
	}
	raw = bytes.TrimSpace(raw)
	if string(raw) == "null" {
		return nil
	}
	if len(raw) == 0 || raw[0] != '{' || !json.Valid(raw) {
		return badRequest("extensions must be a JSON object.")
	}
	t, ok := jsontext.Text{Raw: raw}, false
	if p.extensions, ok = t.Object(); !ok {
		return badRequest("An object in extensions has a key more than once.")
	}
	var known struct {
		PersistedQuery *struct {
			Version    int    `json:"version"`
			SHA256Hash string `json:"sha256Hash"`
		} `json:"persistedQuery"`
	}
	if json.Unmarshal(raw, &known) != nil {
		return badRequest("extensions.persistedQuery must be an object of version and sha256Hash.")
	}
	if q := known.PersistedQuery; q != nil {
		if q.Version != 1 {
			return badRequest("Only version 1 of extensions.persistedQuery is supported.")
		}
		p.persisted = strings.ToLower(q.SHA256Hash)
	}
	return nil
}

// hasLoneSurrogate reports whether a string in a document has an escape for half a surrogate pair. Comments and block strings
// have no such escapes.
func hasLoneSurrogate(document string) bool {
	if !jsontext.LoneSurrogate(document) {
		return false
	}
	lex := lexer.New(&ast.Source{Input: document})
	for {
		token, err := lex.ReadToken()
		if err != nil || token.Kind == lexer.EOF {
			return false
		}
		if token.Kind == lexer.String && jsontext.LoneSurrogate(document[token.Pos.Start:token.Pos.End]) {
			return true
		}
	}
}

// refuseAborted refuses a body whose reading was aborted; nil if err has another cause.
func refuseAborted(err error) *refusal {
	switch {
	case errors.Is(err, limit.ErrCrowdedAddress):
		why := refused(
			http.StatusTooManyRequests,
			"RATE_LIMITED",
			"Too many bytes of requests from this address are in progress; send fewer at a time.",
		)
		why.errors[0].Extensions["retryAfterSeconds"] = 1
		return why.with("Retry-After", "1").with("Connection", "close")
	case errors.Is(err, limit.ErrCrowdedServer):
		return refused(http.StatusServiceUnavailable, "UNAVAILABLE", "Too many bytes of requests in progress; try again.").
			with("Retry-After", "1").with("Connection", "close")
	}
	return nil
}
