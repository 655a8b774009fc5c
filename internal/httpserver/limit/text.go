package limit

import (
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/lexer"

	"agora/internal/httpserver/jsontext"
)

// nesting returns how deep brackets of a document may be nested: fields need braces, and so do inline fragments
// around them, and arguments need more.
func (l Limits) nesting() int { return 4 * l.Depth }

// CheckText refuses a document that is too much for the parser, which recurses. A text that is not a document is left
// to the parser, which stops at the same position.
func (l Limits) CheckText(query string) *gqlerror.Error {
	lex := lexer.New(&ast.Source{Input: query})
	nested := 0
	for n := 1; ; n++ {
		token, err := lex.ReadToken()
		if err != nil || token.Kind == lexer.EOF {
			return nil
		}
		if n > l.Tokens {
			return located(Exceeded("TOO_MANY_TOKENS", "The document has too many tokens", l.Tokens, n), &token.Pos)
		}
		switch token.Kind {
		case lexer.Name, lexer.Int, lexer.Float:
			if len(token.Value) > l.NameLength {
				return located(Exceeded("NAME_TOO_LONG", "The document has a name or number of too many characters", l.NameLength,
					len(token.Value)), &token.Pos)
			}
		case lexer.BraceL, lexer.BracketL, lexer.ParenL:
			if nested++; nested > l.nesting() {
				return located(Exceeded("TOO_DEEP", "The document has too many brackets inside each other", l.nesting(), nested),
					&token.Pos)
			}
		case lexer.BraceR, lexer.BracketR, lexer.ParenR:
			nested = max(nested-1, 0)
		}
	}
}

// CheckVariables refuses a JSON text of variables that is too large, too deep or has too many entries. A text that is
// not JSON is left to the decoder.
func (l Limits) CheckVariables(raw []byte) *gqlerror.Error {
	if len(raw) > l.Variables {
		return Exceeded("VARIABLES_TOO_LARGE", "The variables have too many bytes", l.Variables, len(raw))
	}
	return l.checkJSON("variables", raw)
}

// maxExtensions is the longest JSON text of a request's extensions, in bytes:
// clients send hashes and trace ids in them.
const maxExtensions = 16 << 10

// CheckExtensions is CheckVariables for the extensions, with the same limits except for the bytes.
func (l Limits) CheckExtensions(raw []byte) *gqlerror.Error {
	if len(raw) > maxExtensions {
		return Exceeded("EXTENSIONS_TOO_LARGE", "The extensions have too many bytes", maxExtensions, len(raw))
	}
	return l.checkJSON("extensions", raw)
}

func (l Limits) checkJSON(what string, raw []byte) *gqlerror.Error {
	nested, opened := 0, false
	var entries [2]int // the outermost ones, and all others
	count := func() int {
		inside := min(max(nested-1, 0), 1)
		entries[inside]++
		return entries[inside]
	}
	for i := 0; i < len(raw); i++ {
		c := raw[i]
		seen := 0
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			continue
		case c == ',', opened && c != '}' && c != ']':
			seen = count()
		}
		opened = c == '{' || c == '['
		switch c {
		case '"':
			i = jsontext.ClosingQuote(raw, i)
		case '{', '[':
			nested++
		case '}', ']':
			nested = max(nested-1, 0)
		}
		if nested > l.VariablesDepth {
			return Exceeded(
				"VARIABLES_TOO_DEEP",
				"The "+what+" have too many lists and objects inside each other",
				l.VariablesDepth,
				nested,
			)
		}
		if seen > l.ListSize {
			return Exceeded("LIST_TOO_LONG", "The lists and objects of the "+what+" have too many entries", l.ListSize, seen)
		}
	}
	return nil
}
