package graph_test

import (
	"strings"
	"testing"
)

// An administrator deletes a user, with what that user wrote or without: until a worker has done so, it is under the ghost's
// name.
func TestDeleteUser(t *testing.T) {
	const kept = `{"comment":{"author":{"login":"ghost"},"content":"Buy here","state":"OPEN"},"front":{"topics":{"nodes":` +
		`[{"author":{"login":"ghost"},"title":"Cheap tea"},{"author":{"login":"ann"},"title":"Oolong"}]}}}`
	const erased = `{"comment":{"author":{"login":"ghost"},"content":"","state":"DELETED"},"front":{"topics":{"nodes":` +
		`[{"author":{"login":"ann"},"title":"Oolong"}]}}}`
	for _, tt := range []struct {
		in               input
		want, again, log string
	}{
		{input{}, kept, "NOT_FOUND input.userId", "KEEP"}, {input{"content": nil}, kept, "NOT_FOUND input.userId", "KEEP"},
		{input{"content": "KEEP"}, kept, "NOT_FOUND input.userId", "KEEP"}, {input{"content": "ERASE"}, erased, "", "ERASE"},
	} {
		p := newSpamSite(t)
		in := tt.in
		in["userId"] = userID(p.bob)
		shown := func() string {
			a := p.must(p.ann, `query($c: ID!) { front { topics(first: 9) { nodes { title author { login } } } }
				comment: node(id: $c) { ... on Comment { content state author { login } } } }`, input{"c": p.comment})
			return compact(t, a.at())
		}
		a := p.mutate(p.ada, "deleteUser", in, deleted)
		p.wantVerdict("deleteUser", a, "")
		if lines := p.securityLines(); len(lines) == 0 || !strings.HasSuffix(lines[len(lines)-1], " content="+tt.log) {
			t.Errorf("the security log says %q; want that the content is %s", lines, tt.log)
		}
		wantEqual(t, deleted, a.text("deleteUser", deleted), userID(p.bob))
		wantEqual(t, "right after deleteUser", shown(), kept)
		p.work()
		p.settle()
		wantEqual(t, "later", shown(), tt.want)
		p.wantVerdict("deleteUser again", p.mutate(p.ada, "deleteUser", in, deleted), tt.again)
	}
}
