package httpserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/lexer"
)

// params is one GraphQL request, however it was sent.
type params struct {
	query         string
	operationName string
	documentID    string
	variables     json.RawMessage // a JSON object, or nil
	persisted     string          // extensions.persistedQuery.sha256Hash
	extensions    map[string]any
}

// refusal is why a request does not come to execution, and with which status: 0
// is the one for a document that cannot be executed, which the media type decides.
type refusal struct {
	status int
	errors gqlerror.List
	header http.Header
}

// refused makes a refusal of one error.
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

// badRequest refuses what is no GraphQL request. It never repeats what was sent.
func badRequest(format string, args ...any) *refusal {
	return refused(http.StatusBadRequest, "BAD_USER_INPUT", format, args...)
}

// methods are those that the endpoint takes.
const methods = "GET, HEAD, POST, OPTIONS"

// readRequest reads what was sent by GET or POST.
func readRequest(w http.ResponseWriter, r *http.Request, limits Limits) (params, *refusal) {
	switch r.Method {
	case http.MethodGet, http.MethodHead:
		return readGet(r.URL.RawQuery, limits)
	case http.MethodPost:
		return readPost(w, r, limits)
	}
	return params{}, refused(http.StatusMethodNotAllowed, "METHOD_NOT_ALLOWED", "Use POST, or GET for queries.").with("Allow", methods)
}

// readGet reads a query string.
func readGet(raw string, limits Limits) (params, *refusal) {
	if len(raw) > limits.Body {
		return params{}, tooLarge(limits)
	}
	values, err := url.ParseQuery(raw)
	if err != nil {
		return params{}, badRequest("The query string is not well-formed.")
	}
	for name, value := range values {
		if len(value) > 1 && isParameter(name) {
			return params{}, badRequest("The parameter %s is given more than once.", name)
		}
		if !utf8.ValidString(value[0]) {
			return params{}, badRequest("The query string is not well-formed UTF-8.")
		}
		if name != "query" && isParameter(name) && loneSurrogate(value[0]) {
			return params{}, badRequest("The parameter %s holds half of a surrogate pair, which is no character.", name)
		}
	}
	p := params{query: values.Get("query"), operationName: values.Get("operationName"), documentID: values.Get("documentId")}
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

func tooLarge(limits Limits) *refusal {
	r := refused(http.StatusRequestEntityTooLarge, "REQUEST_TOO_LARGE", "The request must have at most %d bytes.", limits.Body)
	r.errors[0].Extensions["limit"] = limits.Body
	return r
}

// readPost reads a JSON body.
func readPost(w http.ResponseWriter, r *http.Request, limits Limits) (params, *refusal) {
	media, args, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	charset := strings.ToLower(args["charset"])
	if err != nil || media != "application/json" || charset != "" && charset != "utf-8" && charset != "utf8" {
		return params{}, refused(http.StatusUnsupportedMediaType, "UNSUPPORTED_MEDIA_TYPE",
			"Send application/json in UTF-8, and say so in Content-Type.").with("Accept-Post", "application/json; charset=utf-8")
	}
	if r.Header.Get("Content-Encoding") != "" {
		return params{}, refused(http.StatusUnsupportedMediaType, "UNSUPPORTED_MEDIA_TYPE", "Send the body without compression.").with("Accept-Encoding", "identity")
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, int64(limits.Body)))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return params{}, tooLarge(limits).with("Connection", "close")
	case errors.Is(err, os.ErrDeadlineExceeded):
		return params{}, refused(http.StatusRequestTimeout, "TIMEOUT", "The body took too long to arrive.").with("Connection", "close")
	case err != nil:
		return params{}, badRequest("The body cannot be read.")
	case !utf8.Valid(body):
		// The JSON decoder would put U+FFFD in the place of each bad byte, so
		// that texts, and idempotency keys, that differ there become the same.
		return params{}, badRequest("The body is not well-formed UTF-8.")
	case loneSurrogate(string(body)):
		return params{}, badRequest("The body holds half of a surrogate pair, which is no character.")
	}
	return readBody(body, limits)
}

// noRequest is all that is said of a body that is no request.
func noRequest() *refusal {
	return badRequest("The body is not a GraphQL request: send one JSON object with query or documentId, and, where needed, variables, operationName and extensions.")
}

// readBody reads the one JSON object of a body, key by key, so that none can
// stand there twice.
func readBody(body []byte, limits Limits) (params, *refusal) {
	dec := json.NewDecoder(bytes.NewReader(body))
	open, err := dec.Token()
	if open == json.Delim('[') {
		return params{}, badRequest("Send one request at a time: batches are not taken.")
	}
	if err != nil || open != json.Delim('{') {
		return params{}, noRequest()
	}
	fields, seen := map[string]json.RawMessage{}, map[string]bool{}
	for dec.More() {
		key, err := dec.Token()
		name, ok := key.(string)
		var value json.RawMessage
		if err != nil || !ok || dec.Decode(&value) != nil {
			return params{}, noRequest()
		}
		if seen[name] && isParameter(name) {
			return params{}, badRequest("The key %s stands there more than once.", name)
		}
		seen[name] = true
		if string(value) != "null" {
			fields[name] = value
		}
	}
	if _, err := dec.Token(); err != nil {
		return params{}, noRequest()
	}
	if _, err := dec.Token(); err != io.EOF {
		return params{}, badRequest("Something stands behind the request.")
	}
	return paramsOf(fields, limits)
}

func paramsOf(fields map[string]json.RawMessage, limits Limits) (params, *refusal) {
	var p params
	for name, target := range map[string]*string{"query": &p.query, "operationName": &p.operationName, "documentId": &p.documentID} {
		if value, there := fields[name]; there && json.Unmarshal(value, target) != nil {
			return params{}, badRequest("%s must be a string.", name)
		}
	}
	if r := p.setVariables(fields["variables"], limits); r != nil {
		return params{}, r
	}
	if value, there := fields["extensions"]; there {
		if r := p.setExtensions(value, limits); r != nil {
			return params{}, r
		}
	}
	return p, nil
}

func (p *params) setVariables(raw json.RawMessage, limits Limits) *refusal {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	if err := limits.checkVariables(raw); err != nil {
		return &refusal{errors: gqlerror.List{err}}
	}
	if raw[0] != '{' || !json.Valid(raw) {
		return badRequest("variables must be a JSON object.")
	}
	if repeats(raw) {
		return badRequest("An object in variables has a key more than once.")
	}
	p.variables = raw
	return nil
}

func (p *params) setExtensions(raw json.RawMessage, limits Limits) *refusal {
	if err := limits.checkExtensions(raw); err != nil {
		return &refusal{status: http.StatusBadRequest, errors: gqlerror.List{err}}
	}
	if json.Unmarshal(raw, &p.extensions) != nil {
		return badRequest("extensions must be a JSON object.")
	}
	if repeats(raw) {
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
			return badRequest("Of extensions.persistedQuery only version 1 is known.")
		}
		p.persisted = strings.ToLower(q.SHA256Hash)
	}
	return nil
}

// decoded are the variables as Go values, numbers as they were written.
func (p params) decoded() map[string]any {
	values := map[string]any{}
	if p.variables != nil {
		dec := json.NewDecoder(bytes.NewReader(p.variables))
		dec.UseNumber()
		// setVariables has seen that it is an object.
		_ = dec.Decode(&values)
	}
	return values
}

// repeats tells whether an object in a JSON text has a key twice: decoders take
// one of the two, and not all the same one.
func repeats(raw json.RawMessage) bool {
	dec := json.NewDecoder(bytes.NewReader(raw))
	var open []map[string]bool // keys of the objects around; nil is a list
	key := false               // a key comes next
	for {
		token, err := dec.Token()
		if err != nil {
			return false // the end
		}
		name, isText := token.(string)
		switch inside := len(open) - 1; {
		case token == json.Delim('{'):
			open, key = append(open, map[string]bool{}), true
			continue
		case token == json.Delim('['):
			open, key = append(open, nil), false
			continue
		case token == json.Delim('}') || token == json.Delim(']'):
			open = open[:inside]
		case key && isText:
			if open[inside][name] {
				return true
			}
			open[inside][name], key = true, false
			continue
		}
		key = len(open) > 0 && open[len(open)-1] != nil // a value has ended
	}
}

// halved tells whether a string in a document has an escape for half a surrogate
// pair. In comments and block strings there are no such escapes.
func halved(document string) bool {
	if !loneSurrogate(document) {
		return false
	}
	lex := lexer.New(&ast.Source{Input: document})
	for {
		token, err := lex.ReadToken()
		if err != nil || token.Kind == lexer.EOF {
			return false
		}
		if token.Kind == lexer.String && loneSurrogate(document[token.Pos.Start:token.Pos.End]) {
			return true
		}
	}
}

// loneSurrogate tells whether an escape \u with four digits in JSON or GraphQL stands for one
// half of a surrogate pair without the other: decoders make U+FFFD of it.
func loneSurrogate(s string) bool {
	for {
		at := strings.IndexByte(s, '\\')
		if at < 0 || at+1 >= len(s) {
			return false
		}
		first, ok := surrogate(s[at:])
		switch {
		case !ok:
			s = s[at+2:] // the escape, or its first letters
			continue
		case first >= 0xDC00:
			return true
		}
		second, ok := surrogate(s[at+6:])
		if !ok || second < 0xDC00 {
			return true
		}
		s = s[at+12:]
	}
}

// surrogate reads an escape that stands for half a pair, at the start of s.
func surrogate(s string) (half int, ok bool) {
	if len(s) < 6 || s[:2] != `\u` {
		return 0, false
	}
	for _, c := range []byte(s[2:6]) {
		digit := strings.IndexByte("0123456789abcdef", c|0x20)
		if c < '0' || digit < 0 {
			return 0, false
		}
		half = half<<4 | digit
	}
	return half, half >= 0xD800 && half < 0xE000
}
