package lua

import "slices"

// functions returns the functions that an include declares.
func functions(code []token) []string {
	var all []string
	for i, t := range code {
		if t.is("local") && i+2 < len(code) && code[i+1].is("function") {
			all = append(all, code[i+2].text)
		}
	}
	return all
}

func mentions(code []token, word string) bool {
	return slices.ContainsFunc(code, func(t token) bool { return t.kind == name && t.text == word })
}

// locals returns the names that code declares: variables, functions and their parameters.
func locals(code []token) []string {
	var all []string
	list := func(i int) {
		for ; i < len(code) && (code[i].kind == name || code[i].is(",")); i++ {
			if code[i].kind != name {
				continue
			}
			if after := code[i-1]; after.kind == name && !after.is("local") && !after.is("for") {
				break // the next statement, or "in"
			}
			all = append(all, code[i].text)
		}
	}
	for i, t := range code {
		switch {
		case t.is("local") && i+1 < len(code) && !code[i+1].is("function"), t.is("for"):
			list(i + 1)
		case t.is("function"):
			if i+1 < len(code) && code[i+1].kind == name {
				all = append(all, code[i+1].text)
				i++
			}
			list(i + 2)
		}
	}
	return all
}
