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
		{create, `{}`, `The variable in is missing (CreateTopicInput!).`},
		{create, `{"in": null}`, `in must not be null (CreateTopicInput!).`},
		{create, `{"in": []}`, `in must be an object, a CreateTopicInput, not a list.`},
		{create, `{"in": {"titel": "x"}}`,
			`in has the field "titel", which CreateTopicInput does not have. Did you mean "title"?`},
		{create, `{"in": {"__typename": "x"}}`, `in has the field "__typename", which CreateTopicInput does not have.`},
		{create, `{"in": {"zzzzzzzzzzz": "x"}}`, `in has the field "zzzzzzzzzzz", which CreateTopicInput does not have.`},
		{create, `{"in": {"title": 5}}`, `in.title must be a string, not a number.`},
		{create, `{"in": {"link": ["secret"]}}`, `in.link must be a URL as a string, not a list.`},
		{create, `{"in": {"tags": [null]}}`, `in.tags[0] must not be null (String!).`},
		{create, `{"in": {"kind": "ARTICEL"}}`,
			`in.kind must be a value of TopicKind (case matters). Did you mean "ARTICLE"?`},
		{create, `{"in": {"kind": true}}`, `in.kind must be a value of TopicKind as a string, not a Boolean.`},
		{create, `{"in": {"category": {"nane": "x"}}}`,
			`in.category has the field "nane", which CategoryRef does not have. Did you mean "name"?`},
		{create, `{"in": {"category": {"name": null}}}`,
			`in.category must have exactly one field, which is not null: "id" or "name".`},
		{create, `{"in": {"category": {"id": "x", "name": "y"}}}`,
			`in.category must have exactly one field, which is not null: "id" or "name".`},
		{`mutation($in: VoteInput!) { vote(input: $in) { changed } }`, `{"in": {"subjectId": "x"}}`,
			`in.direction is missing (VoteDirection!).`},
		{`mutation($in: VoteInput!) { vote(input: $in) { changed } }`, `{"in": {"subjectId": 1.5}}`,
			`in.subjectId must be an id, which is a string or a whole number.`},
		{`query($n: Int) { front { topics(first: $n) { totalCount } } }`, `{"n": "secret"}`,
			`n must be a whole number from -2147483648 to 2147483647, not a string.`},
		{`query($n: Int) { front { topics(first: $n) { totalCount } } }`, `{"n": 2147483648}`,
			`n must be a whole number from -2147483648 to 2147483647.`},
		{`query($f: Boolean!) { front @include(if: $f) { id } }`, `{"f": "true"}`, `f must be true or false, not a string.`},
		{create, `{"in": {"` + strings.Repeat("é", 500) + `": 1}}`,
			`in has the field "` + strings.Repeat("é", 64) + `…", which CreateTopicInput does not have.`},
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
