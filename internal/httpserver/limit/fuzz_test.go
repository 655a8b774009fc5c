package limit

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/lexer"
	"github.com/vektah/gqlparser/v2/parser"

	"agora/internal/test/gqltext"
)

// tight are limits that short inputs reach.
func tight() Limits {
	return Limits{
		Body:           1000,
		Tokens:         100,
		NameLength:     20,
		Depth:          6,
		Fields:         30,
		RootFields:     10,
		MutationFields: 2,
		Aliases:        5,
		Directives:     5,
		Fragments:      5,
		Spreads:        10,
		Duplicates:     4,
		ListSize:       8,
		Variables:      200,
		VariablesDepth: 5,
		Errors:         5,
		Rows:           500,
		Values:         2000,
	}
}

func addDocuments(f *testing.F) {
	for _, query := range []string{gqltext.FullIntrospection(), gqltext.Chain(6, 2) + "{...f0}", gqltext.Nested(9),
		gqltext.ThroughFragments(7), gqltext.ThroughInline(7),
		"{a(b:[[1,{c:$d}]])@e{...on F@g{h}}}", `query($v:[Int!]!=[1]){a:b(c:"""d""") #e` + "\n}",
		"fragment f on T{...f} fragment f on T{a}", "{\"", "}}}{{{"} {
		f.Add(query)
	}
}

// CheckText accepts exactly the texts with few tokens and brackets.
func FuzzCheckText(f *testing.F) {
	addDocuments(f)
	f.Fuzz(func(t *testing.T, query string) {
		l := tight()
		refused := l.CheckText(query)
		lex, n, long, whole := lexer.New(&ast.Source{Input: query}), 0, false, true
		for {
			token, err := lex.ReadToken()
			if whole = err == nil; !whole || token.Kind == lexer.EOF {
				break
			}
			n++
			long = long ||
				(token.Kind == lexer.Name || token.Kind == lexer.Int || token.Kind == lexer.Float) &&
					len(token.Value) > l.NameLength
		}
		if refused == nil && (n > l.Tokens || long) {
			t.Errorf("%q has %d tokens, a long name: %t; want it refused", query, n, long)
		}
		if refused == nil {
			_, _ = parser.ParseQuery(&ast.Source{Input: query}) // must not run out of stack
		}
		if refused != nil && n <= l.Tokens && !long && refused.Extensions["code"] != "TOO_DEEP" {
			t.Errorf("%q was refused: %v", query, refused)
		}
	})
}

// A document that CheckDocument accepts is validated, and its cost computed, quickly.
func FuzzCheckDocument(f *testing.F) {
	addDocuments(f)
	schema := gqltext.Schema(f)
	f.Fuzz(func(t *testing.T, query string) {
		l := tight()
		if len(query) > 1<<20 || l.CheckText(query) != nil {
			return
		}
		doc, err := parser.ParseQuery(&ast.Source{Input: query})
		if err != nil {
			return
		}
		if refused := l.CheckDocument(doc); refused != nil {
			checkHint(t, query, refused)
			return
		}
		start := time.Now()
		valid := Validate(schema, doc) == nil
		if took := time.Since(start); took > time.Second {
			t.Errorf("%q takes %v to validate", query, took)
		}
		for _, op := range doc.Operations {
			if valid {
				if rows, values := costOf(schema, op, doc.Fragments, nil, false); rows < 0 || values < 0 || rows > ceiling ||
					values > ceiling {
					t.Errorf("%q costs %d rows, %d values", query, rows, values)
				}
			}
		}
	})
}

// Variables are refused if and only if they are too deep or have too many entries, as determined by decoding.
func FuzzCheckVariables(f *testing.F) {
	for _, text := range []string{`{"a":[1,2,{"b":null}]}`, `{"a":"\"]}","b":[[],{}]}`, `[[[[[[1]]]]]]`,
		`{"a":[1,1,1,1,1,1,1,1,1]}`, "{", `{"a":[,,,]}`, `{"a":1,"a":2}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		l := tight()
		refused := l.CheckVariables(raw)
		if refused != nil {
			checkHint(t, string(raw), refused)
		}
		if !json.Valid(raw) || len(raw) > l.Variables {
			return
		}
		depth, entries := entriesOf(raw)
		if want := depth > l.VariablesDepth || entries[0] > l.ListSize || entries[1] > l.ListSize; want != (refused != nil) {
			t.Errorf("%q has depth %d and entries %v; refused: %v", raw, depth, entries, refused)
		}
	})
}

// entriesOf counts with the decoder: the nesting depth of JSON, and the entries of the outermost list or object and
// of all others.
func entriesOf(raw []byte) (depth int, entries [2]int) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	level, key := 0, []bool{}
	for {
		token, err := dec.Token()
		if err != nil {
			return depth, entries
		}
		if delim, ok := token.(json.Delim); ok && (delim == '}' || delim == ']') {
			level--
			key = key[:level]
			continue
		}
		if level > 0 && key[level-1] { // a key: its value follows
			if token, err = dec.Token(); err != nil {
				return depth, entries
			}
		}
		if level > 0 {
			entries[min(level-1, 1)]++
		}
		if delim, ok := token.(json.Delim); ok {
			level, key = level+1, append(key, delim == '{')
			depth = max(depth, level)
		}
	}
}

// checkHint requires that an error has the limit, and a value over it.
func checkHint(t *testing.T, input string, err *gqlerror.Error) {
	t.Helper()
	limit, isInt := err.Extensions["limit"].(int)
	value, isIntToo := err.Extensions["value"].(int)
	if code, ok := err.Extensions["code"].(string); !ok || code == "" || !isInt || !isIntToo || value <= limit {
		t.Errorf("%q was refused by %v; want a code, a limit and a value over it", input, err.Extensions)
	}
}
