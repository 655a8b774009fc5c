package httpserver

import (
	"encoding/json"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"

	"agora/internal/httpserver/jsontext"
	"agora/internal/test/must"
)

const coerceSchema = `
enum Color { RED }
scalar URL
input In { n: Int, f: Float, id: ID, ids: [ID!], nested: In, list: [In!] }
input One @oneOf { a: Int, b: String }
type Query { a: Int }
`

// Variables become what graphql-js makes of them.
func TestVariablesAreCoercedAsByGraphQLJS(t *testing.T) {
	schema := gqlparser.MustLoadSchema(&ast.Source{Input: coerceSchema})
	for _, tt := range []struct{ typ, sent, want string }{
		{"Int", `3`, `3`}, {"Int", `3.0`, `3`}, {"Int", `3.000`, `3`}, {"Int", `3e0`, `3`}, {"Int", `0.3E1`, `3`},
		{"Int", `30e-1`, `3`}, {"Int", `-0`, `0`}, {"Int", `-0.0`, `0`}, {"Int", `0e99999`, `0`}, {"Int", `1e-400`, `0`},
		{"Int", `2147483647.0`, `2147483647`}, {"Int", `-2.147483648e9`, `-2147483648`}, {"Int", `null`, `null`},
		{"Int", `2147483648`, ``}, {"Int", `2147483648.0`, ``}, {"Int", `-2147483649`, ``}, {"Int", `3.5`, ``}, {"Int", `1e999`, ``},
		{"Int", `1e21`, ``}, {"Int", `123456789012345678901234567890`, ``}, {"Int", `"3"`, ``}, {"Int", `true`, ``},
		{"Int", `[3]`, ``}, {"Int", `{}`, ``}, {"Int!", `null`, ``},
		{"Float", `3`, `3`}, {"Float", `3.5e2`, `350`}, {"Float", `1e999`, ``}, {"Float", `"3"`, ``}, {"Float", `false`, ``},
		{"ID", `"3"`, `"3"`}, {"ID", `3`, `"3"`}, {"ID", `3.0`, `"3"`}, {"ID", `-0`, `"0"`}, {"ID", `1e3`, `"1000"`},
		{"ID", `1e21`, `"1e+21"`}, {"ID", `12345678901234567890`, `"12345678901234567890"`}, {"ID", `3.5`, ``},
		{"ID", `1e999`, ``}, {"ID", `true`, ``}, {"ID", `["a"]`, ``},
		{"String", `"3"`, `"3"`}, {"String", `3`, ``}, {"String", `true`, ``}, {"URL", `3`, ``},
		{"Boolean", `true`, `true`}, {"Boolean", `"true"`, ``}, {"Boolean", `1`, ``}, {"Boolean", `0`, ``},
		{"Color", `"RED"`, `"RED"`}, {"Color", `"red"`, ``}, {"Color", `0`, ``},
		{"[Int]", `3.0`, `[3]`}, {"[Int]", `[1.0,null,2e0]`, `[1,null,2]`}, {"[Int]", `null`, `null`}, {"[Int]", `[]`, `[]`},
		{"[Int!]", `[null]`, ``}, {"[Int!]", `[1,"2"]`, ``}, {"[[Int]]", `1.0`, `[[1]]`}, {"[[Int]]", `[1,[2.0]]`, `[[1],[2]]`},
		{"[ID!]!", `7`, `["7"]`}, {"[In]", `{"n":1.0}`, `[{"n":1}]`},
		{"In", `{"n":1e0,"id":2.0,"ids":3,"nested":{"n":4.0},"list":{"n":5.0}}`,
			`{"id":"2","ids":["3"],"list":[{"n":5}],"n":1,"nested":{"n":4}}`},
		{"In", `{"n":null,"ids":[1.0,"a"]}`, `{"ids":["1","a"],"n":null}`}, {"In", `{"n":"1"}`, ``}, {"In", `{"o":1}`, ``},
		{"In", `{"__typename":"In"}`, ``}, {"In", `[{}]`, ``}, {"In", `"x"`, ``},
		{"One", `{"a":1.0}`, `{"a":1}`}, {"One", `{"a":null}`, ``}, {"One", `{}`, ``}, {"One", `{"a":1,"b":"x"}`, ``},
		{"One", `{"__typename":"One"}`, ``},
	} {
		doc := must.Do(parser.ParseQuery(&ast.Source{Input: "query($v: " + tt.typ + ") { a }"}))(t)
		op := doc.Operations[0]
		op.VariableDefinitions[0].Definition = schema.Types[op.VariableDefinitions[0].Type.Name()]
		sent := jsontext.Text{Raw: []byte(tt.sent)}
		value, _ := sent.Value()
		values := map[string]any{"v": value}
		got := ""
		if err := coerceValues(schema, op, values); err == nil {
			if coerced, err := validator.VariableValues(schema, op, values); err == nil {
				got = string(must.Do(json.Marshal(coerced["v"]))(t))
			}
		}
		if got != tt.want {
			t.Errorf("%s as %s is %q; want %q", tt.sent, tt.typ, got, tt.want)
		}
	}
}
