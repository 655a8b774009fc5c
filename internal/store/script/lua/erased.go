package lua

import (
	"strconv"
	"strings"

	"agora/internal/store/catalogue"
)

// erased are the fields that the deletion of an object erases, as arguments of HDEL, by the name after ERASED.
var erased = func() map[string]string {
	all := map[string]string{}
	for name, of := range map[string]func() (shown, others []string){
		"user": catalogue.User.Erased, "topic": catalogue.Topic.Erased, "comment": catalogue.Comment.Erased,
	} {
		shown, others := of()
		all[name], all[name+"_internal"] = quoted(shown), quoted(others)
	}
	return all
}()

func quoted(names []string) string {
	all := make([]string, len(names))
	for i, n := range names {
		all[i] = strconv.Quote(n)
	}
	return strings.Join(all, ",")
}

// rows are tables of the names of the parts of each row, by its name.
var rows = func() map[string]string {
	all := map[string]string{}
	for _, row := range catalogue.Rows {
		all[row.Name] = "{" + quoted(row.Parts()) + "}"
	}
	return all
}()

// changes is the text of the words of changes, each followed by its properties.
var changes = strconv.Quote(catalogue.ChangeWords())

// named rewrites NAME.name to the code that of has for a name.
func (r *rewriter) named(of map[string]string) ([]token, error) {
	t, code := r.tokens[r.at], of[r.peek(2).text]
	if code == "" {
		return nil, r.fail("the catalogue has no %s.%s", t.text, r.peek(2).text)
	}
	r.at += 3
	return []token{{symbol, code, t.space, t.line}}, nil
}
