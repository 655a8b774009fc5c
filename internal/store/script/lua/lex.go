package lua

import (
	"fmt"
	"strings"
)

// kind is the kind of a token of Lua.
type kind int

const (
	name   kind = iota // an identifier or a keyword
	text               // a quoted string
	number             // a number
	symbol             // an operator or a bracket
)

// token is one token of Lua.
type token struct {
	kind kind
	text string
	// space is the space before the token: "", " ", or "\n" if it begins a line.
	space string
	line  int
}

// is reports whether the token is that name or symbol.
func (t token) is(s string) bool { return (t.kind == name || t.kind == symbol) && t.text == s }

// symbols are those of two or more characters, the longest first.
var symbols = []string{"...", "..", "==", "~=", "<=", ">="}

// lex returns the tokens of Lua code whose first line has number line. It drops comments and indentation.
func lex(code string, line int) ([]token, error) {
	var all []token
	space := ""
	for i := 0; i < len(code); {
		switch c := code[i]; {
		case c == '\n':
			space = "\n"
			line++
			i++
		case c == ' ' || c == '\t' || c == '\r':
			if space == "" {
				space = " "
			}
			i++
		case strings.HasPrefix(code[i:], "--"):
			for i < len(code) && code[i] != '\n' {
				i++
			}
		default:
			k, n, err := scan(code[i:])
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", line, err)
			}
			all = append(all, token{kind: k, text: code[i : i+n], space: space, line: line})
			space = ""
			i += n
		}
	}
	return all, nil
}

// scan returns the kind and length of the token that code begins with.
func scan(code string) (kind, int, error) {
	switch c := code[0]; {
	case isLetter(c):
		return name, 1 + span(code[1:], func(c byte) bool { return isLetter(c) || isDigit(c) }), nil
	case isDigit(c):
		return number, 1 + span(code[1:], func(c byte) bool { return isLetter(c) || isDigit(c) || c == '.' }), nil
	case c == '"' || c == '\'':
		for n := 1; n < len(code) && code[n] != '\n'; n++ {
			if code[n] == '\\' {
				n++
			} else if code[n] == c {
				return text, n + 1, nil
			}
		}
		return text, 0, fmt.Errorf("unterminated string")
	case strings.HasPrefix(code, "[[") || strings.HasPrefix(code, "[="):
		return text, 0, fmt.Errorf("long strings are not supported")
	}
	for _, s := range symbols {
		if strings.HasPrefix(code, s) {
			return symbol, len(s), nil
		}
	}
	return symbol, 1, nil
}

// span returns the number of bytes at the start of s that are of a class.
func span(s string, class func(byte) bool) int {
	for i := range len(s) {
		if !class(s[i]) {
			return i
		}
	}
	return len(s)
}

func isLetter(c byte) bool { return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// join formats tokens as text.
func join(tokens []token) string {
	var b strings.Builder
	for i, t := range tokens {
		if i > 0 {
			b.WriteString(t.space)
		}
		b.WriteString(t.text)
	}
	return b.String()
}
