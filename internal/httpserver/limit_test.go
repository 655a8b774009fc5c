package httpserver

import (
	"encoding/json"
	"strings"
	"testing"

	"agora/internal/httpserver/limit"
	"agora/internal/test/gqltext"
	"agora/internal/test/must"
)

// padded is a request of exactly n bytes.
func padded(n int) string {
	body := `{"query": "{ site { name } }"}`
	return body + strings.Repeat(" ", n-len(body))
}

func TestBodyLimit(t *testing.T) {
	s := newServer(t, nil)
	tests := []struct {
		name, body string
		status     int
		code       string
	}{
		{"exactly at the bound", padded(limit.Defaults().Body), 200, ""},
		{"a byte too many", padded(limit.Defaults().Body + 1), 413, "REQUEST_TOO_LARGE"},
		{"1.2 MB of nesting", strings.Repeat("{a", 600_000), 413, "REQUEST_TOO_LARGE"},
		{"no UTF-8", `{"query": "{ site { name } } # ` + "\xff" + `"}`, 400, "BAD_USER_INPUT"},
		{"no JSON", "{", 400, "BAD_USER_INPUT"},
		{"nothing", "", 400, "BAD_USER_INPUT"},
	}
	for _, tt := range tests {
		w := s.do("POST", "/graphql", tt.body, isJSON)
		if code := s.codeOf(w); w.Code != tt.status || code != tt.code {
			t.Errorf("%s: status %d, code %q; want %d, %q (%.200s)", tt.name, w.Code, code, tt.status, tt.code, w.Body)
		}
		if w.Body.Len() > 1000 {
			t.Errorf("%s: answer of %d bytes; want it short, the request not repeated", tt.name, w.Body.Len())
		}
	}
}

func TestDocumentLimits(t *testing.T) {
	s := newServer(t, nil)
	tests := []struct{ name, document, want string }{
		{"2,000 tokens", tokens(2000), ""},
		{"2,001 tokens", tokens(2001), "TOO_MANY_TOKENS"},
		{"depth 15", gqltext.Nested(15), ""},
		{"depth 16", gqltext.Nested(16), "TOO_DEEP"},
		{"depth 15 through fragments", gqltext.ThroughFragments(15), ""},
		{"depth 16 through fragments", gqltext.ThroughFragments(16), "TOO_DEEP"},
		{"depth 15 through inline fragments", gqltext.ThroughInline(15), ""},
		{"depth 16 through inline fragments", gqltext.ThroughInline(16), "TOO_DEEP"},
		{"depth 16 in the second operation", "query A { __typename } query B " + gqltext.Nested(16), "TOO_DEEP"},
		{"50 root fields", "{ " + gqltext.Each(50, "a%d: __typename") + " }", ""},
		{"51 root fields", "{ " + gqltext.Each(51, "a%d: __typename") + " }", "TOO_MANY_ROOT_FIELDS"},
		{"88 kB of __typename", "{" + strings.Repeat(" __typename", 8000) + " }", "TOO_MANY_TOKENS"},
		{"1,000 aliases", "{ site {" + gqltext.Each(600, "a%d: name") + " } }", "TOO_MANY_ALIASES"},
		{"nesting without end", strings.Repeat("{a", 300_000), "TOO_DEEP"},
		{"lists without end", "{ node(id: " + strings.Repeat("[", 300_000), "TOO_DEEP"},
		{"doubling fragments", "{ ...f0 } " + gqltext.Chain(60, 2), "TOO_MANY_FIELDS"},
		{"doubling fragments that no operation uses", "{ __typename } " + gqltext.Chain(60, 2), "TOO_MANY_FIELDS"},
		{"doubling fragments alone", gqltext.Chain(60, 2), "GRAPHQL_VALIDATION_FAILED"},
		{
			"doubling fragments of a missing one",
			"{ ...f0 } " + strings.Replace(gqltext.Chain(60, 2), "__typename", "...missing", 1),
			"TOO_MANY_FRAGMENTS",
		},
		{"a fragment of itself", "{ ...f } fragment f on Query { __typename ...f }", "FRAGMENT_CYCLE"},
		{
			"fragments of each other",
			"{ ...a } fragment a on Query { ...b ...b } fragment b on Query { ...a ...a __typename }",
			"FRAGMENT_CYCLE",
		},
		{
			"fragments of each other that no operation uses",
			"{ __typename } fragment a on Query { ...b } fragment b on Query { ...{ ...a } }",
			"FRAGMENT_CYCLE",
		},
		{"a missing fragment", "{ ...f }", "GRAPHQL_VALIDATION_FAILED"},
		{"a half document", "{ site {", "GRAPHQL_PARSE_FAILED"},
		{"an unfinished string", `{ node(id: "`, "GRAPHQL_PARSE_FAILED"},
	}
	for _, tt := range tests {
		w := s.post(tt.document)
		if got := s.codeOf(w); got != tt.want {
			t.Errorf("%s: code %q; want %q (%.300s)", tt.name, got, tt.want, w.Body)
		}
		if again := s.codeOf(s.post(tt.document)); again != tt.want {
			t.Errorf("%s, again: code %q; want %q", tt.name, again, tt.want)
		}
	}
}

// tokens is a valid document of n tokens: comments count.
func tokens(n int) string { return "{ __typename " + strings.Repeat("#\n", n-3) + "}" }

func TestErrorsOfLimitsNameTheBound(t *testing.T) {
	var answer struct {
		Errors []struct {
			Extensions struct {
				Code         string
				Limit, Value int
			}
		}
	}
	must.OK(t, json.Unmarshal(newServer(t, nil).post(gqltext.Nested(20)).Body.Bytes(), &answer))
	if got := answer.Errors[0].Extensions; got.Code != "TOO_DEEP" || got.Limit != 15 || got.Value != 20 {
		t.Errorf("extensions = %+v; want TOO_DEEP with limit 15 and value 20", got)
	}
}
