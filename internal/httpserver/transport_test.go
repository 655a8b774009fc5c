package httpserver

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"agora/internal/httpserver/limit"
	"agora/internal/test/gqltext"
)

func TestStatusDependsOnMediaType(t *testing.T) {
	w := newWire(t)
	tests := []struct {
		name, body     string
		plain, graphql int
		code           string
	}{
		{"all is well", `{"query": "{ __typename }"}`, 200, 200, ""},
		{"field error beside data", `{"query": "{ node(id: \"no id\") { id } }"}`, 200, 200, "BAD_USER_INPUT"},
		{"parse error", `{"query": "{"}`, 200, 400, "GRAPHQL_PARSE_FAILED"},
		{"validation error", `{"query": "{ nowhere }"}`, 200, 400, "GRAPHQL_VALIDATION_FAILED"},
		{"missing variable", `{"query": "query($n: Int!) { topic(by: {number: $n}) { id } }"}`, 200, 400, ""},
		{
			"variable of a wrong type",
			`{"query": "query($n: Int!) { topic(by: {number: $n}) { id } }", "variables": {"n": true}}`,
			200,
			400,
			"",
		},
		{"over a limit", bodyOf(gqltext.Nested(limit.Defaults().Depth + 1)), 200, 400, "TOO_DEEP"},
		{"unknown operation", `{"query": "query A { __typename }", "operationName": "B"}`, 200, 400, ""},
		{"no operation named", `{"query": "query A { __typename } query B { __typename }"}`, 200, 400, ""},
		{"no operation", `{"query": "fragment f on Query { __typename }"}`, 200, 400, ""},
		{"document of a comment", `{"query": "# nothing"}`, 200, 400, ""},
		{"subscription", `{"query": "subscription { topicUpdated { id } }"}`, 200, 400, ""},
		{"no JSON", `{`, 400, 400, "BAD_USER_INPUT"},
		{"no query", `{}`, 400, 400, "BAD_USER_INPUT"},
		{"empty query", `{"query": ""}`, 400, 400, "BAD_USER_INPUT"},
	}
	for _, tt := range tests {
		for accept, status := range map[string]int{plainJSON: tt.plain, graphqlJSON: tt.graphql} {
			r := w.postBody(tt.name+" as "+accept, tt.body, "Accept: "+accept)
			r.wantForm()
			if typ := r.header.Get("Content-Type"); r.status != status || tt.code != "" && r.code() != tt.code ||
				typ != accept+"; charset=utf-8" {
				t.Errorf(
					"%s: status %d, code %q, Content-Type %q; want %d, %q (%s)",
					r.name,
					r.status,
					r.code(),
					typ,
					status,
					tt.code,
					r.body,
				)
			}
			if _, data := r.entries["data"]; data == (tt.graphql == 400) {
				t.Errorf("%s: data present is %v; want it just when something was executed (%s)", r.name, data, r.body)
			}
		}
	}
}

func TestAccept(t *testing.T) {
	w := newWire(t)
	tests := []struct{ accept, want string }{
		{"*/*", plainJSON},
		{"application/*", plainJSON},
		{"application/json", plainJSON},
		{"APPLICATION/JSON", plainJSON},
		{"application/json; charset=utf-8", plainJSON},
		{"application/graphql-response+json; charset=utf-8", graphqlJSON},
		{"application/graphql-response+json; charset=utf-8, application/json; charset=utf-8", graphqlJSON},
		{"application/graphql-response+json, application/json;q=0.9", graphqlJSON},
		{"application/json;q=0.9, application/graphql-response+json", graphqlJSON},
		{"application/graphql-response+json;q=0.5, application/json", plainJSON},
		{"application/graphql-response+json;q=0.5, application/json;q=0.50", graphqlJSON},
		{"application/graphql-response+json, */*;q=0.1", graphqlJSON},
		{"application/graphql-response+json;q=0, */*", plainJSON},
		{"application/json;q=0, */*", graphqlJSON},
		{"text/html, application/xhtml+xml, */*;q=0.8", plainJSON},
		{"multipart/mixed, application/json", plainJSON},
		{"text/html,application/graphql-response+json", graphqlJSON},
	}
	for _, tt := range tests {
		r := w.postBody("Accept: "+tt.accept, `{"query": "{ __typename }"}`, "Accept: "+tt.accept)
		r.wantAnswer()
		if got := r.header.Get("Content-Type"); got != tt.want+"; charset=utf-8" {
			t.Errorf("Accept: %s: Content-Type %q; want %s", tt.accept, got, tt.want)
		}
	}
	r := w.postBody("no Accept", `{"query": "{ __typename }"}`)
	r.wantAnswer()
	if got := r.header.Get("Content-Type"); got != plainJSON+"; charset=utf-8" {
		t.Errorf("no Accept: Content-Type %q; want %s", got, plainJSON)
	}
	r = w.postBody("two Accept headers", `{"query": "{ __typename }"}`, "Accept: text/html", acceptGraphQL)
	r.wantAnswer()
	if got := r.header.Get("Content-Type"); got != graphqlJSON+"; charset=utf-8" {
		t.Errorf("two Accept headers: Content-Type %q; want %s", got, graphqlJSON)
	}
}

func TestUnacceptable(t *testing.T) {
	w := newWire(t)
	before := w.keys()
	for _, accept := range []string{"text/html", "text/*", "application/xml", "application/graphql+json",
		"application/jsonp", "text/event-stream;q=0",
		"application/json;q=0", "application/json;q=0.0, text/html", "*/*;q=0"} {
		w.postBody("Accept: "+accept, bodyOf(registerAnn), "Accept: "+accept).
			wantRefused(http.StatusNotAcceptable, "NOT_ACCEPTABLE")
		w.send("GET, Accept: "+accept, "GET", "/graphql?query=%7B__typename%7D", "", "Accept: "+accept).
			wantRefused(http.StatusNotAcceptable, "NOT_ACCEPTABLE")
	}
	if after := w.keys(); after != before {
		t.Errorf(
			"mutations whose answer would not be acceptable: %d keys before, %d after; want none to be executed",
			before,
			after,
		)
	}
}

func TestContentType(t *testing.T) {
	w := newWire(t)
	for _, typ := range []string{"application/json", "APPLICATION/JSON", "application/json; charset=utf-8",
		"application/json;charset=UTF-8", `application/json; charset="utf-8"`} {
		w.send(typ, "POST", "/graphql", `{"query": "{ __typename }"}`, "Content-Type: "+typ).wantAnswer()
	}
	const boundary = "--b\r\nContent-Disposition: form-data; name=\"operations\"\r\n\r\n{\"query\": \"{ __typename " +
		"}\"}\r\n--b--\r\n"
	tests := []struct{ typ, body string }{
		{"text/plain", bodyOf(registerAnn)},
		{"text/plain;charset=UTF-8", bodyOf(registerAnn)},
		{"application/graphql", registerAnn},
		{"application/graphql-response+json", bodyOf(registerAnn)},
		{"application/json; charset=iso-8859-1", bodyOf(registerAnn)},
		{"application/json; charset=utf-16", bodyOf(registerAnn)},
		{"application/json, text/plain", bodyOf(registerAnn)},
		{"application/jsonx", bodyOf(registerAnn)},
		{"application/vnd.api+json", bodyOf(registerAnn)},
		{"application/x-www-form-urlencoded", "query=mutation%7B__typename%7D"},
		{"application/x-www-form-urlencoded", bodyOf(registerAnn)},
		{"multipart/form-data; boundary=b", boundary},
		{"multipart/mixed; boundary=b", boundary},
		{"nonsense", bodyOf(registerAnn)},
		{";", bodyOf(registerAnn)},
		{"application/json; charset", bodyOf(registerAnn)},
	}
	before := w.keys()
	for _, tt := range tests {
		w.send(tt.typ, "POST", "/graphql", tt.body, "Content-Type: "+tt.typ).
			wantRefused(http.StatusUnsupportedMediaType, "UNSUPPORTED_MEDIA_TYPE")
	}
	w.send("no Content-Type", "POST", "/graphql", bodyOf(registerAnn)).
		wantRefused(http.StatusUnsupportedMediaType, "UNSUPPORTED_MEDIA_TYPE")
	w.send("two Content-Types", "POST", "/graphql", bodyOf(registerAnn), "Content-Type: text/plain", isJSON).
		wantRefused(http.StatusUnsupportedMediaType, "UNSUPPORTED_MEDIA_TYPE")
	if after := w.keys(); after != before {
		t.Errorf("mutations of other types: %d keys before, %d after; want none to be executed", before, after)
	}
}

// allowed returns the methods in the header Allow.
func (r wireReply) allowed() []string {
	var all []string
	for method := range strings.SplitSeq(r.header.Get("Allow"), ",") {
		all = append(all, strings.TrimSpace(method))
	}
	return all
}

func TestMethods(t *testing.T) {
	w := newWire(t)
	for _, method := range []string{"PUT", "PATCH", "DELETE", "QUERY"} {
		r := w.send(method, method, "/graphql?query=%7B__typename%7D", `{"query": "{ __typename }"}`, isJSON)
		r.wantRefused(http.StatusMethodNotAllowed, "METHOD_NOT_ALLOWED")
		if allow := r.allowed(); !slices.Contains(allow, "GET") || !slices.Contains(allow, "POST") ||
			slices.Contains(allow, method) {
			t.Errorf("%s: Allow %q; want GET and POST", method, allow)
		}
	}
	r := w.send("OPTIONS", "OPTIONS", "/graphql", "")
	if allow := r.allowed(); r.status/100 != 2 || !slices.Contains(allow, "GET") || !slices.Contains(allow, "POST") {
		t.Errorf("OPTIONS: status %d, Allow %q; want success, GET and POST", r.status, allow)
	}
	r = w.send("HEAD", "HEAD", "/graphql?query=%7B__typename%7D", "")
	if r.status != http.StatusOK || r.body != "" || r.header.Get("Content-Type") != plainJSON+"; charset=utf-8" {
		t.Errorf("HEAD: status %d, Content-Type %q; want the same as GET", r.status, r.header.Get("Content-Type"))
	}
	r = w.send("HEAD without a query", "HEAD", "/graphql", "")
	if r.status != http.StatusBadRequest {
		t.Errorf("HEAD without a query: status %d; want 400", r.status)
	}
}

func TestMutationsNeverByGET(t *testing.T) {
	w := newWire(t)
	before := w.keys()
	two := registerAnn + " query Read { __typename }"
	for _, headers := range [][]string{nil, {acceptPlain}, {acceptGraphQL}, {isJSON}, {"X-HTTP-Method-Override: POST"}} {
		for _, method := range []string{"GET", "HEAD"} {
			target := "/graphql?operationName=Register&query=" + strings.ReplaceAll(
				strings.ReplaceAll(two, " ", "%20"),
				`"`,
				"%22",
			)
			r := w.send(method+" of a mutation", method, target, "", headers...)
			if allow := r.allowed(); r.status != http.StatusMethodNotAllowed || !slices.Contains(allow, "POST") ||
				slices.Contains(allow, "GET") {
				t.Errorf(
					"%s of a mutation with %q: status %d, Allow %q; want 405, POST and not GET",
					method,
					headers,
					r.status,
					allow,
				)
			}
		}
	}
	w.get("mutation", "query", registerAnn).wantRefused(http.StatusMethodNotAllowed, "METHOD_NOT_ALLOWED")
	w.get("mutation beside a query", "query", two, "operationName", "Register").
		wantRefused(http.StatusMethodNotAllowed, "METHOD_NOT_ALLOWED")
	w.get("query beside a mutation", "query", two, "operationName", "Read").wantAnswer()
	if after := w.keys(); after != before {
		t.Errorf("mutations by GET: %d keys before, %d after; want none to be executed", before, after)
	}
	w.postBody("by POST", bodyOf(registerAnn)).wantAnswer()
	if after := w.keys(); after == before {
		t.Error("the mutation by POST changed no key, so that the tests above show nothing")
	}
}

func TestParametersOfGET(t *testing.T) {
	w := newWire(t)
	const named, typename = "query A { a: __typename } query B { b: __typename }", "query($n: String!) { __type(name: " +
		"$n) { name } }"
	answered := []struct {
		name       string
		parameters []string
		want       string
	}{
		{"query", []string{"query", "{ __typename }"}, `{"__typename":"Query"}`},
		{"operation", []string{"query", named, "operationName", "B"}, `{"b":"Query"}`},
		{"empty operation name is none", []string{"query", "{ __typename }", "operationName", ""}, `{"__typename":"Query"}`},
		{"variables", []string{"query", typename, "variables", `{"n": "Topic"}`}, `{"__type":{"name":"Topic"}}`},
		{
			"null for variables and extensions",
			[]string{"query", "{ __typename }", "variables", "null", "extensions", "null"},
			`{"__typename":"Query"}`,
		},
		{
			"empty variables are none",
			[]string{"query", "{ __typename }", "variables", "", "extensions", ""},
			`{"__typename":"Query"}`,
		},
		{
			"extensions of others",
			[]string{"query", "{ __typename }", "extensions", `{"client": {"version": 1}}`},
			`{"__typename":"Query"}`,
		},
		{
			"unknown parameters",
			[]string{"query", "{ __typename }", "utm_source", "x", "Query", "{"},
			`{"__typename":"Query"}`,
		},
		{"pair of surrogates", []string{"query", typename, "variables", `{"n": "\ud83d\ude00"}`}, `{"__type":null}`},
	}
	for _, tt := range answered {
		r := w.get(tt.name, tt.parameters...)
		r.wantAnswer()
		if got := string(r.entries["data"]); got != tt.want {
			t.Errorf("%s: data %s; want %s", tt.name, got, tt.want)
		}
	}
	refused := []struct {
		name       string
		parameters []string
	}{
		{"nothing", nil},
		{"no query", []string{"operationName", xyzzy}},
		{"query under another name", []string{"Query", "{ __typename }"}},
		{"two queries", []string{"query", "{ __typename }", "query", "{ a: __typename }"}},
		{"two variables", []string{"query", "{ __typename }", "variables", "{}", "variables", "{}"}},
		{"variables are no JSON", []string{"query", "{ __typename }", "variables", "{" + xyzzy}},
		{"variables are a list", []string{"query", "{ __typename }", "variables", `["` + xyzzy + `"]`}},
		{"variables are a string", []string{"query", "{ __typename }", "variables", `"` + xyzzy + `"`}},
		{"variables and more", []string{"query", "{ __typename }", "variables", "{} " + xyzzy}},
		{"variables with a name twice", []string{"query", typename, "variables", `{"n": "` + xyzzy + `", "n": "Topic"}`}},
		{"extensions are no JSON", []string{"query", "{ __typename }", "extensions", xyzzy}},
		{"extensions are a number", []string{"query", "{ __typename }", "extensions", "1"}},
		{"query is no UTF-8", []string{"query", "{ __typename } # \xff" + xyzzy}},
		{"operation name is no UTF-8", []string{"query", "{ __typename }", "operationName", "\xff" + xyzzy}},
		{"variables are no UTF-8", []string{"query", typename, "variables", `{"n": "` + xyzzy + "\xc3\"}"}},
		{"half a pair of surrogates", []string{"query", typename, "variables", `{"n": "` + xyzzy + `\ud83d"}`}},
	}
	for _, tt := range refused {
		w.get(tt.name, tt.parameters...).wantRefused(http.StatusBadRequest, "BAD_USER_INPUT")
	}
	for _, query := range []string{"query=%7B__typename%7D&variables=%zz" + xyzzy, "query=%7B__typename%7D&x=%",
		"query=%7B__typename%7D;variables=" + xyzzy} {
		w.send("parameters that cannot be decoded", "GET", "/graphql?"+query, "").
			wantRefused(http.StatusBadRequest, "BAD_USER_INPUT")
	}
}
