package limit

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator"

	"agora/internal/forum"
	"agora/internal/test/gqltext"
	"agora/internal/test/must"
)

// Every growing list, and every connection, declares its maximum length.
func TestListsHaveSizes(t *testing.T) {
	schema := gqltext.Schema(t)
	for _, typ := range schema.Types {
		if typ.BuiltIn || typ.Kind != ast.Object {
			continue
		}
		for _, f := range typ.Fields {
			of := schema.Types[f.Type.Name()]
			connection := strings.HasSuffix(of.Name, "Connection")
			exempt := strings.HasPrefix(f.Name, "__") || of.IsLeafType() || of.Name == "UserError" ||
				strings.HasSuffix(typ.Name, "Connection")
			directive := f.Directives.ForName("listSize")
			switch {
			case exempt || f.Type.Elem == nil && !connection:
				if directive != nil {
					t.Errorf("%s.%s has @listSize; want it on lists only", typ.Name, f.Name)
				}
			case directive == nil:
				t.Errorf("%s.%s is a list without @listSize", typ.Name, f.Name)
			default:
				checkListSize(t, typ.Name+"."+f.Name, f, directive, connection)
			}
		}
	}
}

func checkListSize(t *testing.T, name string, f *ast.FieldDefinition, directive *ast.Directive, connection bool) {
	t.Helper()
	got := directive.ArgumentMap(nil)
	size, ok := got["assumedSize"].(int64)
	if !ok || size < 1 || size > forum.MaxNodes {
		t.Errorf("%s: assumedSize %v; want 1 to %d", name, got["assumedSize"], forum.MaxNodes)
	}
	slicing, _ := got["slicingArguments"].([]any)
	for _, arg := range slicing {
		if f.Arguments.ForName(arg.(string)) == nil {
			t.Errorf("%s: slicing argument %v, which the field does not have", name, arg)
		}
	}
	page := int64(forum.DefaultPage)
	if name == "Comment.replies" {
		page = forum.DefaultReplies
	}
	if name == "Topic.thread" { // it is read from the start only
		slicing = append(slicing, "last")
	}
	if connection && (size != page || !slices.Equal(slicing, []any{"first", "last"})) {
		t.Errorf("%s: %v; want the size of a page, by first and last", name, got)
	}
	if sized, _ := got["sizedFields"].([]any); connection != slices.Equal(sized, []any{"edges", "nodes"}) {
		t.Errorf("%s: sizedFields %v; want edges and nodes on connections", name, sized)
	}
}

// costed returns the cost of a document with variables as JSON.
func costed(t testing.TB, schema *ast.Schema, query, vars string) (rows, values int) {
	t.Helper()
	l := Defaults()
	doc, errs := l.admitDocument(schema, query)
	if errs != nil {
		t.Fatalf("%s: %v", query, errs)
	}
	variables := map[string]any{}
	if vars != "" {
		decoder := json.NewDecoder(strings.NewReader(vars))
		decoder.UseNumber()
		must.OK(t, decoder.Decode(&variables))
	}
	coerced := must.Do(validator.VariableValues(schema, doc.Operations[0], variables))(t)
	return costOf(schema, doc.Operations[0], doc.Fragments, coerced, false)
}

func TestCost(t *testing.T) {
	schema := gqltext.Schema(t)
	tests := []struct {
		name, query, vars string
		rows, values      int
	}{
		{"no list", "{site{name}}", "", 0, 2},
		{"__typename", "{__typename}", "", 0, 1},
		{"the default page", "{tabs{nodes{id}}}", "", 30, 32},
		{"first", "{tabs(first:7){nodes{id name}}}", "", 7, 16},
		{"last", "{tabs(last:7){nodes{id}}}", "", 7, 9},
		{"null is as if left out", "{tabs(first:null){nodes{id}}}", "", 30, 32},
		{"both", "{tabs(first:3,last:5){nodes{id}}}", "", 5, 7},
		{"edges", "{tabs(first:7){edges{cursor node{id}} pageInfo{endCursor}}}", "", 7, 25},
		{"edges and nodes", "{tabs(first:7){edges{cursor} nodes{id}}}", "", 14, 17},
		{"no rows are selected", "{tabs(first:7){totalCount}}", "", 7, 2},
		{"pages inside a page", "{tabs(first:7){nodes{categories(first:3){nodes{id}}}}}", "", 7 + 21, 2 + 7*2 + 21},
		{
			"three levels",
			"{front{topics(first:10){nodes{comments(first:5){nodes{mentions{id}}}}}}}",
			"",
			10 + 50 + 500,
			3 + 10*2 + 50 + 500,
		},
		{"a list without arguments", "{viewer{sessions{id}}}", "", 20, 22},
		{"ids", `{nodes(ids:["a","b","c"]){id}}`, "", 3, 4},
		{"one id", `{nodes(ids:"a"){id}}`, "", 1, 2},
		{"ids in a variable", "query($i:[ID!]!){nodes(ids:$i){id}}", `{"i":["a","b"]}`, 2, 3},
		{"one id in a variable", "query($i:[ID!]!){nodes(ids:$i){id}}", `{"i":["a"]}`, 1, 2},
		{"a variable", "query($n:Int){tabs(first:$n){nodes{id}}}", `{"n":9}`, 9, 11},
		{"a variable's default", "query($n:Int=9){tabs(first:$n){nodes{id}}}", "", 9, 11},
		{"a variable left out", "query($n:Int){tabs(first:$n){nodes{id}}}", "", 30, 32},
		{"a variable of null", "query($n:Int=9){tabs(first:$n){nodes{id}}}", `{"n":null}`, 30, 32},
		{"first 0", "{tabs(first:0){nodes{id}}}", "", 0, 2},
		{"first -5", "{tabs(first:-5){nodes{id}}}", "", 0, 2},
		{"first 1000000", "{tabs(first:1000000){nodes{id}}}", "", 1_000_000, 1_000_002},
		{
			"beyond all bounds inside",
			"{tabs(first:2000000000){nodes{categories(first:2000000000){nodes{id}}}}}",
			"",
			ceiling,
			ceiling,
		},
		{
			"a variable beyond all bounds",
			"query($n:Int){tabs(first:$n){nodes{id}}}",
			`{"n":9223372036854775807}`,
			ceiling,
			ceiling,
		},
		{"a negative variable", "query($n:Int){tabs(first:$n){nodes{id}}}", `{"n":-9223372036854775808}`, 0, 2},
		{"aliases", "{a:tabs(first:7){nodes{x:id y:id}} b:tabs(first:2){nodes{id}}}", "", 9, 2 + 14 + 2 + 2},
		{
			"a fragment on pages of two sizes",
			"{a:tabs(first:7){...f} b:tabs(first:2){...f}} fragment f on TabConnection{nodes{id}}",
			"",
			9,
			13,
		},
		{"inline fragments", "{tabs(first:7){...on TabConnection{...{nodes{...on Tab{id}}}}}}", "", 7, 9},
		{"skipped", "{tabs @skip(if:true){nodes{id}} site{name @include(if:false)}}", "", 0, 1},
		{"not skipped", "{tabs @skip(if:false) @include(if:true){nodes{id}}}", "", 30, 32},
		{
			"skipped by a variable",
			"query($s:Boolean!){tabs @skip(if:$s){nodes{id}} ...f @include(if:$s) ...@skip(if:$s){site{name}}} fragment f on " +
				"Query{site{id:name}}",
			`{"s":true}`,
			0,
			2,
		},
		{
			"skipped by the other variable",
			"query($s:Boolean!){tabs @skip(if:$s){nodes{id}} ...f @include(if:$s) ...@skip(if:$s){site{name}}} fragment f on " +
				"Query{site{id:name}}",
			`{"s":false}`,
			30,
			34,
		},
		{"skipped by one of two", "{tabs @skip(if:false) @include(if:false){nodes{id}}}", "", 0, 0},
		{"errors of a mutation", `mutation{deleteTab(input:{tabId:"a"}){deletedTabId errors{code path}}}`, "", 0, 5},
		{"topics of a mutation", `mutation{recordClicks(input:{topicIds:["a"]}){topics{id}}}`, "", 100, 102},
	}
	for _, tt := range tests {
		if rows, values := costed(t, schema, tt.query, tt.vars); rows != tt.rows || values != tt.values {
			t.Errorf("cost of %s = %d rows, %d values; want %d, %d", tt.name, rows, values, tt.rows, tt.values)
		}
	}
}

func TestSizesOfVariables(t *testing.T) {
	seven, none := 7, (*int)(nil)
	tests := []struct {
		value  any
		isList bool
		size   int
		given  bool
	}{
		{7, false, 7, true},
		{int64(7), false, 7, true},
		{uint64(1) << 63, false, ceiling, true},
		{7.5, false, 7, true},
		{1e300, false, ceiling, true},
		{json.Number("99999999999999999999"), false, ceiling, true},
		{json.Number("-99999999999999999999"), false, 0, true},
		{json.Number("7"), false, 7, true},
		{json.Number("1e9"), false, 0, false},
		{"7", false, 7, true},
		{"seven", false, 0, false},
		{&seven, false, 7, true},
		{none, false, 0, false},
		{nil, false, 0, false},
		{nil, true, 0, false},
		{true, false, 0, false},
		{"7", true, 1, true},
		{[]any{1, 2}, true, 2, true},
		{[]string{"a"}, true, 1, true},
		{[]any{}, true, 0, true},
	}
	for _, tt := range tests {
		if size, given := (&costing{}).sizeOf(tt.value, tt.isList); size != tt.size || given != tt.given {
			t.Errorf("sizeOf(%#v, %t) = %d, %t; want %d, %t", tt.value, tt.isList, size, given, tt.size, tt.given)
		}
	}
}

// Above a limit the error has the unit.
func TestCostIsRefused(t *testing.T) {
	schema := gqltext.Schema(t)
	ids := "{nodes(ids:[" + gqltext.Each(100, `"%d"`) + "]){" + gqltext.Each(90, "x%d:id") + "}}"
	same := "{nodes(ids:[" + strings.Repeat(`"a" `, 100) + "]){" + gqltext.Each(90, "x%d:id") + "}}"
	tests := []struct{ name, query, set, unit string }{
		{"first: 1000000", "{front{topics(first:1000000){totalCount}}}", "rows=20000", "rows"},
		{
			"first: 1000000 in a fragment",
			"{front{...f}} fragment f on Timeline{topics(first:1000000){totalCount}}",
			"rows=20000",
			"rows",
		},
		{
			"pages inside pages",
			"{front{topics(first:100){nodes{comments(first:100){nodes{replies(first:100){totalCount}}}}}}}",
			"rows=20000",
			"rows",
		},
		{"aliases of a leaf", ids, "values=9000", "values"},
		{"aliases of a leaf within the limit", ids, "values=9001", ""},
		{"equal ids, which count once", same, "values=91", ""},
		{"equal ids", same, "values=90", "values"},
	}
	for _, tt := range tests {
		l := Defaults()
		must.OK(t, l.Set(tt.set))
		unit := ""
		if errs := l.admit(schema, tt.query, ""); errs != nil {
			unit, _ = errs[0].Extensions["unit"].(string)
			if errs[0].Extensions["code"] != "COST_LIMIT_EXCEEDED" {
				t.Errorf("%s: %v; want COST_LIMIT_EXCEEDED", tt.name, errs)
			}
		}
		if unit != tt.unit {
			t.Errorf("%s: refused by %q; want %q", tt.name, unit, tt.unit)
		}
	}
}
