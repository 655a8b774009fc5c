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

// erased rewrites ERASED.name.
func (r *rewriter) erased() ([]token, error) {
	t, fields := r.tokens[r.at], erased[r.peek(2).text]
	if fields == "" {
		return nil, r.fail("nothing is erased of %s", r.peek(2).text)
	}
	r.at += 3
	return []token{{symbol, fields, t.space, t.line}}, nil
}
