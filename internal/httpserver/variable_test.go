package httpserver

import (
	"encoding/json"
	"strings"
	"testing"

	"agora/internal/test/must"
)

// A wrong variable is answered with what is wrong, where, and what it should be.
func TestMessagesForWrongVariables(t *testing.T) {
	s := newServer(t, func(*Options) {})
	const create = `mutation($in: CreateTopicInput!) { createTopic(input: $in) { errors { code } } }`
	for _, tt := range []struct{ query, variables, want string }{
		{create, `{}`, `Variable "$in" of the type "CreateTopicInput!" is missing.`},
		{create, `{"in": null}`, `Variable "$in": "in" of the type "CreateTopicInput!" must not be null.`},
		{create, `{"in": {"titel": "x"}}`,
			`Variable "$in": the type "CreateTopicInput" has no field "titel". Did you mean "title"?`},
		{create, `{"in": {"zzzzzzzzzzz": "x"}}`, `Variable "$in": the type "CreateTopicInput" has no field "zzzzzzzzzzz".`},
		{create, `{"in": {"tags": [null]}}`, `Variable "$in": "in.tags[0]" of the type "String!" must not be null.`},
		{create, `{"in": {"kind": "ARTICEL"}}`,
			`The value of "in.kind" is not a valid TopicKind. Values are case-sensitive. Did you mean "ARTICLE"?`},
		{create, `{"in": {"category": {"nane": "x"}}}`,
			`Variable "$in": the type "CategoryRef" has no field "nane". Did you mean "name"?`},
		{`mutation($in: VoteInput!) { vote(input: $in) { changed } }`, `{"in": {"subjectId": "x"}}`,
			`Variable "$in": the field "in.direction" of the type "VoteDirection!" is missing in "VoteInput".`},
		{`query($n: Int) { front { topics(first: $n) { totalCount } } }`, `{"n": "secret"}`,
			`The value of "n" is not an Int, a 32-bit integer.`},
		{create, `{"in": {"` + strings.Repeat("é", 500) + `": 1}}`,
			`Variable "$in": the type "CreateTopicInput" has no field "` + strings.Repeat("é", 64) + `…".`},
	} {
		query := must.Do(json.Marshal(tt.query))(t)
		w := s.do("POST", "/graphql", `{"query": `+string(query)+`, "variables": `+tt.variables+`}`, isJSON)
		var a struct {
			Errors []struct {
				Message string
				Path    []any
			}
		}
		if err := json.Unmarshal(w.Body.Bytes(), &a); err != nil || len(a.Errors) != 1 {
			t.Errorf("%s is answered with %s", tt.variables, w.Body)
			continue
		}
		if a.Errors[0].Message != tt.want || a.Errors[0].Path != nil {
			t.Errorf("%.60s is answered with %q at %v; want %q without a path", tt.variables, a.Errors[0].Message,
				a.Errors[0].Path, tt.want)
		}
	}
}
