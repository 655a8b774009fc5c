package limit

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"

	"agora/internal/test/gqltext"
	"agora/internal/test/must"
)

// admit does everything before the execution of a request.
func (l Limits) admit(schema *ast.Schema, query, variables string) gqlerror.List {
	if err := l.CheckVariables([]byte(variables)); err != nil {
		return gqlerror.List{err}
	}
	vars := map[string]any{}
	if variables != "" {
		if err := json.Unmarshal([]byte(variables), &vars); err != nil {
			return gqlerror.List{gqlerror.Wrap(err)}
		}
	}
	doc, errs := l.admitDocument(schema, query)
	if errs != nil {
		return errs
	}
	op := doc.Operations[0]
	coerced, err := validator.VariableValues(schema, op, vars)
	if err != nil {
		return gqlerror.List{gqlerror.Wrap(err)}
	}
	if _, err := l.CheckCost(schema, op, doc.Fragments, coerced, false); err != nil {
		return gqlerror.List{err}
	}
	return nil
}

func (l Limits) admitDocument(schema *ast.Schema, query string) (*ast.QueryDocument, gqlerror.List) {
	if err := l.CheckText(query); err != nil {
		return nil, gqlerror.List{err}
	}
	doc, err := parser.ParseQuery(&ast.Source{Input: query})
	if err != nil {
		return nil, gqlerror.List{gqlerror.Wrap(err)}
	}
	if err := l.CheckDocument(doc); err != nil {
		return nil, gqlerror.List{err}
	}
	if errs := Validate(schema, doc); errs != nil {
		return nil, CapErrors(errs, l.Errors)
	}
	if len(doc.Operations) == 0 {
		return nil, gqlerror.List{gqlerror.Errorf("no operation")}
	}
	return doc, nil
}

// lexical are the inputs refused independently of the schema.
func (l Limits) lexical(query string) *gqlerror.Error {
	if err := l.CheckText(query); err != nil {
		return err
	}
	doc, err := parser.ParseQuery(&ast.Source{Input: query})
	if err != nil {
		return gqlerror.Wrap(err)
	}
	return l.CheckDocument(doc)
}

// limitCases have, for each limit, inputs of a given size that are within all other default limits.
var limitCases = []struct {
	limit, code string
	check       func(l Limits, schema *ast.Schema, n int) *gqlerror.Error
}{
	{"tokens", "TOO_MANY_TOKENS", text(func(n int) string {
		return "{a(b:[" + strings.Repeat("1 ", 990) + "]) c(d:[" + strings.Repeat("1 ", n-16-990) + "])}"
	})},
	{"name-length", "NAME_TOO_LONG", text(func(n int) string { return "{" + strings.Repeat("a", n) + "}" })},
	{"name-length", "NAME_TOO_LONG", text(func(n int) string { return "{a(b:" + strings.Repeat("1", n) + ")}" })},
	{"depth", "TOO_DEEP", text(func(n int) string { return strings.Repeat("{a", n) + strings.Repeat("}", n) })},
	{"depth", "TOO_DEEP", text(func(n int) string { return strings.Repeat("{...on T{a", n) + strings.Repeat("}}", n) })},
	{"depth", "TOO_DEEP", text(func(n int) string { // in an unused fragment
		return "{a} fragment f on T " + strings.Repeat("{a", n) + strings.Repeat("}", n)
	})},
	{"fields", "TOO_MANY_FIELDS", text(func(n int) string {
		k := (n - 2) / 25
		return "{" + gqltext.Series(
			k,
			func(i int) string { return fmt.Sprintf("r%d{%s}", i, gqltext.Each(24, "x%d")) },
		) + "last{" + gqltext.Each(
			(n-2)%25,
			"y%d",
		) + "z}}"
	})},
	{"fields", "TOO_MANY_FIELDS", text(func(n int) string { // through a fragment, in two operations
		return "query A{" + gqltext.Each(
			39,
			"r%d{...f}",
		) + "} query B{" + gqltext.Each(
			n-39*25,
			"x%d",
		) + "} fragment f on T{" + gqltext.Each(
			24,
			"y%d",
		) + "}"
	})},
	{"root-fields", "TOO_MANY_ROOT_FIELDS", text(func(n int) string { return "{" + gqltext.Each(n, "r%d") + "}" })},
	{
		"root-fields",
		"TOO_MANY_ROOT_FIELDS",
		text(func(n int) string { return "{...f ...{a}} fragment f on T{" + gqltext.Each(n-1, "r%d") + "}" }),
	},
	{
		"root-fields",
		"TOO_MANY_ROOT_FIELDS",
		text(func(n int) string { return "subscription{" + gqltext.Each(n, "r%d") + "}" }),
	},
	{
		"mutation-fields",
		"TOO_MANY_ROOT_FIELDS",
		text(func(n int) string { return "mutation{" + gqltext.Each(n, "r%d") + "}" }),
	},
	{"mutation-fields", "TOO_MANY_ROOT_FIELDS", text(func(n int) string {
		return "query A{a} mutation B{...f} fragment f on T{" + gqltext.Each(n, "r%d") + "}"
	})},
	{"aliases", "TOO_MANY_ALIASES", text(func(n int) string { return "{r{" + gqltext.Each(n, "x%d: a") + "}}" })},
	{"aliases", "TOO_MANY_ALIASES", text(func(n int) string {
		return "{" + gqltext.Each(
			10,
			"r%d{...f}",
		) + "r{" + gqltext.Each(
			n%10,
			"x%d: a",
		) + "z}} fragment f on T{" + gqltext.Each(
			n/10,
			"x%d: a",
		) + "}"
	})},
	{"directives", "TOO_MANY_DIRECTIVES", text(func(n int) string { return "{a " + strings.Repeat("@d ", n) + "}" })},
	{"directives", "TOO_MANY_DIRECTIVES", text(func(n int) string {
		return "query($v:Int @d) @d {a ...f @d ...on T @d{b}} fragment f on T @d {c " + strings.Repeat("@d ", n-5) + "}"
	})},
	{
		"fragments",
		"TOO_MANY_FRAGMENTS",
		text(func(n int) string { return "{a} " + gqltext.Each(n, "fragment f%d on T{a}") }),
	},
	{
		"fragments",
		"TOO_MANY_FRAGMENTS",
		text(func(n int) string { return "{a{" + gqltext.Each(n-1, "...f%d") + "} ...g} fragment g on T{b}" }),
	},
	{"spreads", "TOO_MANY_FRAGMENTS", text(func(n int) string {
		return "{w{" + gqltext.Each(
			n/11,
			"a%d{...f}",
		) + gqltext.Each(
			n%11,
			"b%d{...g0}",
		) + "z}} fragment f on T{" + gqltext.Each(
			10,
			"...g%d",
		) + "} " +
			gqltext.Series(
				10,
				func(i int) string { return fmt.Sprintf("fragment g%d on T{x%d}", i, i) },
			)
	})},
	{"duplicates", "TOO_MANY_DUPLICATES", text(func(n int) string { return "{" + strings.Repeat("a ", n) + "}" })},
	{"duplicates", "TOO_MANY_DUPLICATES", text(func(n int) string { // below fields that merge
		return "{" + strings.Repeat("a{b} ", n-2) + "...{a{b}} ...f} fragment f on T{a{b}}"
	})},
	{
		"duplicates",
		"TOO_MANY_DUPLICATES",
		text(func(n int) string { return "{b} fragment f on T{" + strings.Repeat("x: a ", n) + "}" }),
	},
	{"list-size", "LIST_TOO_LONG", text(func(n int) string { return "{a(b:{c:[" + strings.Repeat("1 ", n) + "]})}" })},
	{
		"list-size",
		"LIST_TOO_LONG",
		text(func(n int) string { return "query($v:[Int]=[" + strings.Repeat("1 ", n) + "]){a}" }),
	},
	{"list-size", "LIST_TOO_LONG", text(func(n int) string { return "{a @d(e:[" + strings.Repeat("1 ", n) + "])}" })},
	{"list-size", "LIST_TOO_LONG", variables(func(n int) string { return `{"a":[` + strings.Repeat("1, ", n-1) + "1]}" })},
	{
		"list-size",
		"LIST_TOO_LONG",
		variables(func(n int) string { return "{" + strings.Repeat(`"a": "}{,[]\"", `, n-1) + `"a":1}` }),
	},
	{"list-size", "LIST_TOO_LONG", variables(func(n int) string {
		return `{"a":[` + strings.Repeat("[1],", n/2-1) + "[1]" + strings.Repeat(",[ ]", n%2) + "]}"
	})},
	{
		"variables",
		"VARIABLES_TOO_LARGE",
		variables(func(n int) string { return `{"a":"` + strings.Repeat("a", n-8) + `"}` }),
	},
	{
		"variables-depth",
		"VARIABLES_TOO_DEEP",
		variables(func(n int) string { return strings.Repeat(`{"a":`, n) + "1" + strings.Repeat("}", n) }),
	},
	{"variables-depth", "VARIABLES_TOO_DEEP", variables(func(n int) string { return `{"a":` + strings.Repeat("[", n-1) })},
	{"errors", "TOO_MANY_ERRORS", func(l Limits, _ *ast.Schema, n int) *gqlerror.Error {
		list := CapErrors(slices.Repeat(gqlerror.List{gqlerror.Errorf("bad")}, n), l.Errors)
		if last := list[len(list)-1]; last.Extensions != nil {
			return last
		}
		return nil
	}},
	{"rows", "COST_LIMIT_EXCEEDED", costs(func(n int) string {
		return fmt.Sprintf(
			"{tabs(first:100){nodes{categories(first:%d){totalCount}}} categories(first:%d){totalCount}}",
			n/100-1,
			n%100,
		)
	})},
	{"values", "COST_LIMIT_EXCEEDED", costs(func(n int) string {
		// 2 for tabs and nodes, then 100 ids and 100 connections, and 16 per category.
		rest := n - 202 - 100*65*16 - 100
		return "{tabs(first:100){nodes{id categories(first:65){nodes{" + gqltext.Each(
			16,
			"x%d:id",
		) + "}}}} categories(first:" +
			fmt.Sprint(
				(rest-2)/2,
			) + "){nodes{a:id b:id}} " + strings.Repeat(
			"__typename ",
			(rest-2)%2,
		) + "}"
	})},
}

func text(make func(n int) string) func(Limits, *ast.Schema, int) *gqlerror.Error {
	return func(l Limits, _ *ast.Schema, n int) *gqlerror.Error { return l.lexical(make(n)) }
}

func variables(make func(n int) string) func(Limits, *ast.Schema, int) *gqlerror.Error {
	return func(l Limits, _ *ast.Schema, n int) *gqlerror.Error { return l.CheckVariables([]byte(make(n))) }
}

func costs(make func(n int) string) func(Limits, *ast.Schema, int) *gqlerror.Error {
	return func(l Limits, schema *ast.Schema, n int) *gqlerror.Error {
		errs := l.admit(schema, make(n), "")
		if errs == nil {
			return nil
		}
		return errs[0]
	}
}

// limitOf is the value of the limit of that name.
func limitOf(t *testing.T, l Limits, name string) int {
	t.Helper()
	for _, f := range limitFields {
		if f.name == name {
			return *f.of(&l)
		}
	}
	t.Fatalf("there is no limit %s", name)
	return 0
}

// A value exactly at a limit is accepted; one more is refused, with code, limit and value. The limit can be set one
// higher and one lower.
func TestLimits(t *testing.T) {
	schema := gqltext.Schema(t)
	// And by TestAnswersAreLimited, TestTextsWithoutRoomAreNull and the tests of the ledger.
	tested := map[string]bool{ // elsewhere: by TestBodyLimit, TestLiveConnectionsAreBounded and in shares_test.go
		"body": true, "answer": true, "work": true, "answers": true, "answers-address": true, "live": true,
		"live-address": true, "live-anonymous": true, "live-anonymous-address": true,
		"live-subscriptions": true, "live-values": true, "pings": true,
		"live-body": true, "bodies": true, "bodies-address": true, "connections": true, "connections-address": true,
		// in arrivals_test.go
	}
	for i, tt := range limitCases {
		tested[tt.limit] = true
		n := limitOf(t, Defaults(), tt.limit)
		for _, step := range []struct{ set, size, value int }{{n, n, 0}, {n, n + 1, n + 1}, {n - 1, n, n},
			{n + 1, n + 1, 0}} {
			l := Defaults()
			must.OK(t, l.Set(fmt.Sprintf("%s=%d", tt.limit, step.set)))
			err := tt.check(l, schema, step.size)
			if step.value == 0 && err == nil {
				continue
			}
			if err == nil || step.value == 0 || err.Extensions["code"] != tt.code || err.Extensions["limit"] != step.set ||
				err.Extensions["value"] != step.value {
				t.Errorf(
					"case %d, %s=%d, size %d: %v; want code %s and value %d",
					i,
					tt.limit,
					step.set,
					step.size,
					err,
					tt.code,
					step.value,
				)
			} else if !strings.Contains(err.Message, fmt.Sprint(step.set)) {
				t.Errorf("case %d, %s: message %q; want it to have the limit", i, tt.limit, err.Message)
			}
		}
	}
	for _, name := range Names() {
		if !tested[name] {
			t.Errorf("limit %s has no case", name)
		}
	}
}

func TestSetRefusesNonsense(t *testing.T) {
	for _, tt := range []struct{ assignment, want string }{
		{"rows", "name=number"},
		{"", "name=number"},
		{"row=1", "rows"},
		{"Rows=1", "rows"},
		{"rows=", "whole number"},
		{"rows=0", "whole number"},
		{"rows=-1", "whole number"},
		{"rows=1.5", "whole number"},
		{"rows=1e3", "whole number"},
		{"rows= 1", "whole number"},
		{"rows=1073741824", "1073741823"},
		{"rows=99999999999999999999", "whole number"},
	} {
		l := Defaults()
		if err := l.Set(tt.assignment); err == nil || !strings.Contains(err.Error(), tt.want) || l != Defaults() {
			t.Errorf("Set(%q) = %v; want an error with %q, and nothing changed", tt.assignment, err, tt.want)
		}
	}
	for _, name := range Names() {
		if !strings.Contains(Help(), "\n"+name+" ") && !strings.HasPrefix(Help(), name+" ") {
			t.Errorf("Help does not list %s:\n%s", name, Help())
		}
	}
}

func TestErrorsAreCapped(t *testing.T) {
	long := gqlerror.Errorf("%s", strings.Repeat("ü", 1000))
	list := gqlerror.List{long}
	for i := range 99 {
		list = append(list, gqlerror.Errorf("error %d", i))
	}
	got := CapErrors(list, 10)
	if len(got) != 10 || got[8] != list[8] || !strings.Contains(got[9].Message, "91") ||
		got[9].Extensions["value"] != 100 {
		t.Errorf("capErrors of 100 errors = %v; want 9 of them and one about the other 91", got)
	}
	if n := len(got[0].Message); n > maxMessage || n < maxMessage-2 || !strings.HasSuffix(got[0].Message, "ü…") ||
		len(long.Message) != 2000 {
		t.Errorf(
			"a message of 2,000 bytes has %d bytes and ends in %q; want it cut at a character, and the error unchanged",
			n,
			got[0].Message[n-10:],
		)
	}
	if got := CapErrors(list[:10], 10); len(got) != 10 || got[9] != list[9] {
		t.Errorf("capErrors of 10 errors = %v; want all", got)
	}
	if got := CapErrors(list[:2], 1); len(got) != 1 || got[0].Extensions["code"] != "TOO_MANY_ERRORS" {
		t.Errorf("capErrors to one error = %v; want the one with the number", got)
	}
	if got := CapErrors(nil, 10); len(got) != 0 {
		t.Errorf("capErrors of nothing = %v; want nothing", got)
	}
}

// The longest text that the forum accepts fits into variables and body, however it is escaped.
func TestLongestTextFits(t *testing.T) {
	l := Defaults()
	for name, char := range map[string]string{"plain": "😀", "escaped": `\ud83d\ude00`, "quotes": `\"`} {
		vars := `{"input":{"title":"` + strings.Repeat(
			`\ud83d\ude00`,
			200,
		) + `","content":"` + strings.Repeat(
			char,
			65_536,
		) + `"}}`
		if err := l.CheckVariables([]byte(vars)); err != nil || len(vars)+2000 > l.Body {
			t.Errorf("longest text, %s: %v, %d bytes; want it within the limits", name, err, len(vars))
		}
	}
}
