package httpserver

import (
	"net/http"
	"strings"
	"testing"
)

// besides is a request for __typename with one more entry.
func besides(entry string) string { return `{"query": "{ __typename }", ` + entry + `}` }

// typeNamed is a request for the type whose name is passed as JSON.
func typeNamed(name string) string {
	return `{"query": "query($n: String!) { __type(name: $n) { name } }", "variables": {"n": "` + name + `"}}`
}

// typeInText is a request for the type whose name is passed in GraphQL.
func typeInText(name string) string {
	return bodyOf(`{ __type(name: "` + name + `") { name } }`)
}

func TestAcceptedBodies(t *testing.T) {
	w := newWire(t)
	tests := []struct{ name, body string }{
		{"query", `{"query": "{ __typename }"}`},
		{"space around", " \r\n\t{\"query\": \"{ __typename }\"}\n\n"},
		{"nulls", besides(`"variables": null, "operationName": null, "extensions": null`)},
		{"empty objects", besides(`"variables": {}, "extensions": {}`)},
		{"empty operation name is none", besides(`"operationName": ""`)},
		{"operation name", `{"query": "query A { __typename } query B { __typename }", "operationName": "B"}`},
		{"extensions of others", besides(`"extensions": {"client": {"version": [1, 2]}}`)},
		{"unknown entries", besides(`"id": 7, "Query": 1, "QUERY": "{", "VARIABLES": [], "extenſions": 1`)},
		{"unknown entry twice", besides(`"a": 1, "a": 2`)},
		{"variables that are not asked for", besides(`"variables": {"more": {"and": ["more"]}}`)},
		{"escaped name of an entry", `{"\u0071uery": "{ __typename }"}`},
		{"pair of surrogates", typeNamed(`\ud83d\ude00`)},
		{"pair of surrogates in capitals", typeNamed(`\uD83D\uDE00`)},
		{"backslash before what looks like a surrogate", typeNamed(`\\ud800`)},
		{"character beyond the BMP", typeNamed("😀")},
		{"replacement character", typeNamed("\ufffd")},
		{"pair of surrogates in the text", typeInText(`\ud83d\ude00`)},
		{"code point in the text", typeInText(`\u{1F600}`)},
		{"surrogate in a comment of the text", bodyOf("{ __typename } # \\ud800")},
		{"what looks like a surrogate in a block string", bodyOf(`{ __type(name: """\ud800""") { name } }`)},
	}
	for _, tt := range tests {
		w.postBody(tt.name, tt.body).wantAnswer()
	}
}

// brokenBodies are invalid requests; their texts are xyzzy.
var brokenBodies = []struct{ name, body string }{
	{"nothing", ""},
	{"space", " \n"},
	{"null", "null"},
	{"true", "true"},
	{"number", "17"},
	{"string", `"` + xyzzy + `"`},
	{"text", xyzzy},
	{"document instead of JSON", "{ __typename }"},
	{"half an object", `{"query": "` + xyzzy},
	{"no query", `{"` + xyzzy + `": "{ __typename }"}`},
	{"null for a query", `{"query": null}`},
	{"query in capitals", `{"QUERY": "{ __typename }"}`},
	{"query with a capital", `{"Query": "{ __typename }"}`},
	{"object for a query", `{"query": {"` + xyzzy + `": 1}}`},
	{"number for a query", `{"query": 0}`},
	{"false for a query", `{"query": false}`},
	{"list for a query", `{"query": ["` + xyzzy + `"]}`},
	{"string for variables", besides(`"variables": "` + xyzzy + `"`)},
	{"JSON in a string for variables", besides(`"variables": "{}"`)},
	{"number for variables", besides(`"variables": 0`)},
	{"false for variables", besides(`"variables": false`)},
	{"list for variables", besides(`"variables": ["` + xyzzy + `"]`)},
	{"object for an operation name", besides(`"operationName": {"` + xyzzy + `": 1}`)},
	{"number for an operation name", besides(`"operationName": 0`)},
	{"false for an operation name", besides(`"operationName": false`)},
	{"list for an operation name", besides(`"operationName": ["` + xyzzy + `"]`)},
	{"string for extensions", besides(`"extensions": "` + xyzzy + `"`)},
	{"number for extensions", besides(`"extensions": 0`)},
	{"false for extensions", besides(`"extensions": false`)},
	{"list for extensions", besides(`"extensions": ["` + xyzzy + `"]`)},
	{"query twice", besides(`"query": "{ ` + xyzzy + `: __typename }"`)},
	{"query twice, once escaped", besides(`"\u0071uery": "{ ` + xyzzy + `: __typename }"`)},
	{"variables twice", besides(`"variables": {}, "variables": {"a": "` + xyzzy + `"}`)},
	{"operation name twice", besides(`"operationName": null, "operationName": "` + xyzzy + `"`)},
	{"variable twice", besides(`"variables": {"a": 1, "a": "` + xyzzy + `"}`)},
	{"name within a variable twice", besides(`"variables": {"a": [{"b": 1, "b": "` + xyzzy + `"}]}`)},
	{"name within the extensions twice", besides(`"extensions": {"a": 1, "a": "` + xyzzy + `"}`)},
	{"text after the object", `{"query": "{ __typename }"} ` + xyzzy},
	{"two objects", `{"query": "{ __typename }"}{"query": "{ __typename }"}`},
	{"two objects in lines", "{\"query\": \"{ __typename }\"}\n{\"query\": \"{ __typename }\"}\n"},
	{"bracket after the object", `{"query": "{ __typename }"}]`},
	{"NUL after the object", "{\"query\": \"{ __typename }\"}\x00"},
	{"no colon", `{"query" "{ __typename }"}`},
	{"two colons", `{"query":: "{ __typename }"}`},
	{"no comma", `{"query": "{ __typename }" "a": 1}`},
	{"two commas", `{"query": "{ __typename }",, "a": 1}`},
	{"comma at the beginning", `{,"query": "{ __typename }"}`},
	{"no end", `{"query": "{ __typename }"`},
	{"wrong end", `{"query": "{ __typename }"]`},
	{"name without quotes", `{query: "{ __typename }"}`},
	{"number for a name", `{1: 2, "query": "{ __typename }"}`},
	{"comma before the end", `{"query": "{ __typename }",}`},
	{"comment", `{"query": "{ __typename }" /* ` + xyzzy + ` */}`},
	{"apostrophes", `{'query': '{ __typename }'}`},
	{"line feed in a string", "{\"query\": \"{ __typename\n}\"}"},
	{"unknown escape", `{"query": "{ __typename } # \x41"}`},
	{"NaN", besides(`"variables": {"a": NaN}`)},
	{"number with a zero before", besides(`"variables": {"a": 007}`)},
	{"byte order mark", "\ufeff{\"query\": \"{ __typename }\"}"},
	{"UTF-16", "\xff\xfe{\x00}\x00"},
	{"byte that UTF-8 does not have", typeNamed(xyzzy + "\xff")},
	{"half a character", typeNamed(xyzzy + "\xe2\x82")},
	{"overlong form", typeNamed(xyzzy + "\xc0\xaf")},
	{"surrogate in UTF-8", typeNamed(xyzzy + "\xed\xa0\x80")},
	{"beyond Unicode", typeNamed(xyzzy + "\xf4\x90\x80\x80")},
	{"ill-formed in the name of an entry", "{\"query\": \"{ __typename }\", \"\xff\": 1}"},
	{"first half of a pair", typeNamed(xyzzy + `\ud83d`)},
	{"first half of a pair, then a letter", typeNamed(xyzzy + `\ud83dA`)},
	{"first half of a pair, then another escape", typeNamed(xyzzy + `\ud83d\u0041`)},
	{"first half of a pair twice", typeNamed(xyzzy + `\ud83d\ud83d\ude00`)},
	{"second half of a pair", typeNamed(xyzzy + `\ude00`)},
	{"pair in wrong order", typeNamed(xyzzy + `\ude00\ud83d`)},
	{"half a pair in the query", `{"query": "{ __typename } # ` + xyzzy + `\ud800"}`},
	{"half a pair in an operation name", besides(`"operationName": "` + xyzzy + `\ud800"`)},
	{"half a pair in the name of a variable", besides(`"variables": {"` + xyzzy + `\ud800": 1}`)},
	{"half a pair in the extensions", besides(`"extensions": {"a": "` + xyzzy + `\ud800"}`)},
	{"half a pair in an unknown entry", besides(`"a": ["` + xyzzy + `\udfff"]`)},
	{
		"nesting without end",
		besides(`"variables": {"a": ` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + `}`),
	},
}

func TestInvalidBodies(t *testing.T) {
	w := newWire(t)
	for _, tt := range brokenBodies {
		w.postBody(tt.name, tt.body).wantRefused(http.StatusBadRequest, "BAD_USER_INPUT")
		w.postBody(tt.name, tt.body, acceptGraphQL).wantRefused(http.StatusBadRequest, "BAD_USER_INPUT")
	}
	w.postBody("after all that", `{"query": "{ __typename }"}`).wantAnswer()
}

func TestIllFormedTextInDocuments(t *testing.T) {
	w := newWire(t)
	for _, name := range []string{`\ud83d`, `\ud83dA`, `\ud83d\ud83d`, `\ude00`, `\ude00\ud83d`} {
		w.postBody(name+" in the text", typeInText(xyzzy+name)).wantRefused(http.StatusBadRequest, "BAD_USER_INPUT")
		w.get(name+" in the text", "query", `{ __type(name: "`+xyzzy+name+`") { name } }`).
			wantRefused(http.StatusBadRequest, "BAD_USER_INPUT")
	}
	for _, name := range []string{`\ud83d\u{de00}`, `\u{d800}`, `\u{110000}`, `\u{}`, `\u{ffffffffff}`, `\u12`, `\x`} {
		w.postBody(name+" in the text", typeInText(xyzzy+name)).wantRefused(http.StatusOK, "GRAPHQL_PARSE_FAILED")
		w.postBody(name+" in the text", typeInText(xyzzy+name), acceptGraphQL).
			wantRefused(http.StatusBadRequest, "GRAPHQL_PARSE_FAILED")
	}
}

func TestBatchesAreRefusedClearly(t *testing.T) {
	w := newWire(t)
	before := w.keys()
	for _, body := range []string{"[]", "[" + bodyOf(registerAnn) + "]",
		" [" + bodyOf(registerAnn) + ", " + bodyOf(registerAnn) + "]", "[null]", "[[]]"} {
		r := w.postBody(body, body)
		r.wantRefused(http.StatusBadRequest, "BAD_USER_INPUT")
		if len(r.errors) != 1 || !strings.Contains(r.errors[0].Message, "batch") {
			t.Errorf("%s: %s; want it to say that batches are not accepted", body, r.body)
		}
	}
	if after := w.keys(); after != before {
		t.Errorf("batches of mutations: %d keys before, %d after; want none to be executed", before, after)
	}
}

func TestSubscriptionsAreRefusedClearly(t *testing.T) {
	w := newWire(t)
	document := `subscription S { topicUpdated(topic: {id: "x"}) { topic { id } } }`
	body := bodyOf(document)
	for _, accept := range []string{plainJSON, graphqlJSON} {
		r := w.postBody("by POST as "+accept, body, "Accept: "+accept)
		if len(r.errors) == 0 || !strings.Contains(r.errors[0].Message, "text/event-stream") {
			t.Errorf("%s: status %d, %s; want it to say how subscriptions are sent", r.name, r.status, r.body)
		}
	}
	r := w.get("by GET", "query", document)
	r.wantForm()
	if _, data := r.entries["data"]; data || len(r.errors) == 0 {
		t.Errorf("subscription by GET: %s; want an error", r.body)
	}
}

// Messages may name an invalid value, but do not repeat a long one.
func TestLongValuesAreNotRepeated(t *testing.T) {
	w := newWire(t)
	long := strings.Repeat(xyzzy, 10_000)
	tests := []struct{ name, body string }{
		{
			"enum value in a variable",
			`{"query": "query($o: TopicOrder!) { front(orderBy: $o) { id } }", "variables": {"o": {"field": "` + long + `"}}}`,
		},
		{
			"unknown name in a variable",
			`{"query": "query($t: TopicRef!) { topic(by: $t) { id } }", "variables": {"t": {"` + long + `": 1}}}`,
		},
		{
			"string for a number in a variable",
			`{"query": "query($t: TopicRef!) { topic(by: $t) { id } }", "variables": {"t": {"number": "` + long + `"}}}`,
		},
		{
			"long number in a variable",
			`{"query": "query($n: Int) { tabs(first: $n) { totalCount } }", "variables": {"n": 1` + strings.Repeat(
				"0",
				10_000,
			) + `}}`,
		},
		{"string for a number", bodyOf(`{ tabs(first: "` + long + `") { totalCount } }`)},
		{"string for an enum value", bodyOf(`{ front(orderBy: {field: "` + long + `"}) { id } }`)},
		{"list of strings for an enum value", bodyOf(`{ front(orderBy: {field: ["` + long + `"]}) { id } }`)},
		{"default of a variable", bodyOf(`query($n: Int = "` + long + `") { tabs(first: $n) { totalCount } }`)},
		{"string where a name belongs", bodyOf(`{ __typename "` + long + `" }`)},
		{"id", bodyOf(`{ node(id: "` + long + `") { id } }`)},
		{"cursor", bodyOf(`{ tabs(after: "` + long + `") { totalCount } }`)},
		{"operation name", besides(`"operationName": "` + long + `"`)},
		{"many errors", bodyOf(strings.Repeat("query A { __typename } ", 250))},
	}
	for _, tt := range tests {
		r := w.postBody(tt.name, tt.body)
		r.wantForm()
		if len(r.errors) == 0 || len(r.body) > 10_000 {
			t.Errorf(
				"%s: %d errors in %d bytes: %.200s; want errors in an answer that is far shorter than the request",
				tt.name,
				len(r.errors),
				len(r.body),
				r.body,
			)
		}
	}
}
