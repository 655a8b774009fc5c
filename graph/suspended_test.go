package graph_test

import (
	"fmt"
	"strings"
	"testing"
)

// A ban suspends the role: what moderators may do or see, they may not while they are banned.
func TestABanSuspendsTheRole(t *testing.T) {
	b := newFullSite(t)
	root, cat := b.admin("ada"), b.user("cat")
	b.wantVerdict("appoint", b.mutate(root, "setCategoryModerators",
		input{"category": input{"id": b.tea}, "add": []string{userID(cat)}}, ""), "")
	b.wantVerdict("report", b.report(b.bob, b.comment), "")
	b.wantVerdict("hide", b.mutate(b.mod, "moderate",
		input{"subjectId": b.other, "action": "HIDE", "reason": "SPAM"}, ""), "")
	ban := func(scope any) {
		for _, token := range []string{b.mod, cat} {
			field, in := "ban", input{"userId": userID(token), "reason": "ABUSE"}
			if in["scope"] = scope; scope == nil {
				field = "unban"
				delete(in, "scope")
			}
			b.wantVerdict(field, b.mutate(root, field, in, ""), "")
		}
		b.settle()
	}
	sees := func(token string) string {
		query := fmt.Sprintf(`{ reportQueue(category: {id: %q}) { totalCount } }`, b.tea)
		node := b.ask(token, fmt.Sprintf(`{ node(id: %q) { ... on Topic { title } } }`, b.other), nil).at("node")
		return strings.Join([]string{b.ask(token, query, nil).verdict(), b.ask(token, `{ moderationLog { totalCount } }`,
			nil).verdict(), fmt.Sprint(node != nil)}, ",")
	}
	for _, token := range []string{b.mod, cat} {
		wantEqual(t, "before the ban", sees(token), ",,true")
	}
	ban("POST")
	for _, token := range []string{b.mod, cat} {
		wantEqual(t, "while banned", sees(token), "BANNED,BANNED,false")
	}
	b.wantVerdict("blocklist", b.ask(b.mod, `{ blocklist(kind: WORD) }`, nil), "BANNED")
	b.wantBarred(map[string]string{"a moderator": b.mod, "a category's moderator": cat})
	ban(nil)
	for _, token := range []string{b.mod, cat} {
		wantEqual(t, "after the ban", sees(token), ",,true")
	}
}

// wantBarred calls all mutations of the schema that MutationRules keep from those who are banned from posting.
func (b *fullSite) wantBarred(banned map[string]string) {
	b.t.Helper()
	inputs := map[string]input{
		"report":         {"subjectId": b.comment, "reason": "SPAM"},
		"resolveReports": {"subjectId": b.comment, "throughReport": 1, "outcome": "UPHELD"},
	}
	for name, rule := range ruledMutations(b.t) {
		if rule.WhileBanned {
			continue
		}
		in := inputs[name]
		if in == nil {
			in = leastInputOf(b.t, name)
		}
		for who, token := range banned {
			before := b.contents()
			a := b.mutate(token, name, in, "")
			if got := strings.TrimSpace(a.verdict()); got != "BANNED" {
				b.t.Errorf("%s by %s who is banned: %q; want BANNED", name, who, got)
			}
			b.wantUntouched(name, before, a)
		}
	}
}
