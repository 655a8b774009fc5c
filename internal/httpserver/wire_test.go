package httpserver

import (
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"agora/internal/test/must"
)

// wire is a server that is called over real HTTP.
type wire struct {
	*server
	url    string
	client *http.Client
}

func newWire(t testing.TB) *wire {
	t.Helper()
	return newWireWith(t, nil)
}

// newWireWith returns a wire to a server with other options.
func newWireWith(t testing.TB, change func(*Options)) *wire {
	t.Helper()
	s := newServer(t, change)
	h := httptest.NewServer(s.Handler)
	t.Cleanup(h.Close)
	client := h.Client()
	client.Transport.(*http.Transport).DisableCompression = true // sends no Accept-Encoding
	return &wire{server: s, url: h.URL, client: client}
}

// wireReply is an answer.
type wireReply struct {
	t      testing.TB
	name   string // of the request, for messages
	status int
	header http.Header
	body   string
	// entries are the members of the answer, or nil if it is not a JSON object.
	entries map[string]json.RawMessage
	errors  []struct {
		Message    string
		Extensions struct{ Code string }
	}
}

// send sends a request to the endpoint with headers passed as "Name: value".
func (w *wire) send(name, method, target, body string, headers ...string) wireReply {
	w.t.Helper()
	request, err := http.NewRequest(method, w.url+target, strings.NewReader(body))
	if err != nil {
		w.t.Fatalf("%s: %v", name, err)
	}
	for _, h := range headers {
		key, value, _ := strings.Cut(h, ": ")
		request.Header.Add(key, value)
	}
	response, err := w.client.Do(request)
	if err != nil {
		w.t.Fatalf("%s: %v", name, err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		w.t.Fatalf("%s: read the answer: %v", name, err)
	}
	r := wireReply{t: w.t, name: name, status: response.StatusCode, header: response.Header, body: string(text)}
	if json.Unmarshal(text, &r.entries) == nil && r.entries["errors"] != nil {
		if err := json.Unmarshal(r.entries["errors"], &r.errors); err != nil {
			w.t.Errorf("%s: errors %s: %v", name, r.entries["errors"], err)
		}
	}
	return r
}

const (
	plainJSON     = "application/json"
	graphqlJSON   = "application/graphql-response+json"
	acceptPlain   = "Accept: " + plainJSON
	acceptGraphQL = "Accept: " + graphqlJSON
)

// postBody sends a body as JSON.
func (w *wire) postBody(name, body string, headers ...string) wireReply {
	w.t.Helper()
	return w.send(name, "POST", "/graphql", body, append(headers, isJSON)...)
}

// get sends a GET with parameters passed as name, value, name, value, …
func (w *wire) get(name string, parameters ...string) wireReply {
	w.t.Helper()
	values := url.Values{}
	for i := 0; i < len(parameters); i += 2 {
		values.Add(parameters[i], parameters[i+1])
	}
	return w.send(name, "GET", "/graphql?"+values.Encode(), "")
}

// bodyOf returns the body that requests a document.
func bodyOf(text string) string {
	body, err := json.Marshal(map[string]string{"query": text})
	if err != nil {
		panic(err)
	}
	return string(body)
}

// code returns the code of the first error, or "".
func (r wireReply) code() string {
	if len(r.errors) == 0 {
		return ""
	}
	return r.errors[0].Extensions.Code
}

// codePattern matches the codes of errors.
var codePattern = regexp.MustCompile(`^[A-Z]+(_[A-Z]+)*$`)

// wantForm checks the properties of every answer: a media type in UTF-8, one JSON object and nothing after it, and
// errors with a message and a code.
func (r wireReply) wantForm() {
	r.t.Helper()
	typ, parameters, err := mime.ParseMediaType(r.header.Get("Content-Type"))
	if err != nil || typ != plainJSON && typ != graphqlJSON ||
		len(parameters) > 0 && !strings.EqualFold(parameters["charset"], "utf-8") {
		r.t.Errorf("%s: Content-Type %q; want JSON in UTF-8", r.name, r.header.Get("Content-Type"))
	}
	if r.entries == nil {
		r.t.Errorf("%s: the answer is not one JSON object: %q", r.name, r.body)
	}
	for _, e := range r.errors {
		if e.Message == "" || !codePattern.MatchString(e.Extensions.Code) {
			r.t.Errorf("%s: error with message %q and code %q; want both", r.name, e.Message, e.Extensions.Code)
		}
	}
}

// wantAnswer checks for an answer without errors.
func (r wireReply) wantAnswer() {
	r.t.Helper()
	r.wantForm()
	if _, data := r.entries["data"]; r.status != http.StatusOK || !data || len(r.errors) > 0 {
		r.t.Errorf("%s: status %d, %s; want 200, data and no errors", r.name, r.status, r.body)
	}
}

// xyzzy is a word that tests put into invalid requests; no answer may repeat it.
const xyzzy = "Xyzzy"

// wantRefused checks that the request was not executed. code may be "" for any.
func (r wireReply) wantRefused(status int, code string) {
	r.t.Helper()
	r.wantForm()
	if r.status != status || len(r.errors) == 0 || code != "" && r.code() != code {
		r.t.Errorf("%s: status %d, code %q; want %d, %q (%.300s)", r.name, r.status, r.code(), status, code, r.body)
	}
	if _, data := r.entries["data"]; data {
		r.t.Errorf("%s: the answer has data: %s; want none when nothing was executed", r.name, r.body)
	}
	if strings.Contains(r.body, xyzzy) {
		r.t.Errorf("%s: the answer repeats what was sent: %s", r.name, r.body)
	}
	if len(r.body) > 1000 {
		r.t.Errorf("%s: answer of %d bytes; want a short one", r.name, len(r.body))
	}
}

// keys returns how many keys the store has: a mutation that ran changes it.
func (w *wire) keys() int64 {
	w.t.Helper()
	return must.Do(w.redis.DBSize(w.t.Context()).Result())(w.t)
}

// registerAnn is a mutation that creates a user, and so changes keys.
const registerAnn = `mutation Register { register(input: {login: "ann", email: "ann@example.com", password: "a good password"}) { token } }`
