package graph_test

import (
	"fmt"
	"strings"
	"testing"
)

// whileBanned has for each mutation whether those who are banned from posting may still use it.
var whileBanned = map[string]bool{
	"register": true, "login": true, "logout": true, "changePassword": true, "changeEmail": true, "deleteAccount": true,
	"deleteTopic": true, "deleteComment": true, "recordClicks": true, "block": true, "bookmark": true, "watch": true,
	"markRead": true, "createList": true, "updateList": true, "updateListMembers": true, "deleteList": true,

	"createTopic": false, "updateTopic": false, "createComment": false, "updateComment": false, "tagTopic": false,
	"vote": false, "follow": false, "report": false, "changeLogin": false, "updateProfile": false,
	"createCategory": false, "updateCategory": false, "deleteCategory": false, "createTab": false, "updateTab": false,
	"deleteTab": false, "setUserRole": false, "setCategoryModerators": false, "warn": false, "ban": false, "unban": false,
	"resolveReports": false, "updateBlocklist": false, "updateRules": false, "moderate": false, "redactRevision": false,
	"revertAct": false,
}

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

// wantBarred calls all mutations of the schema as those who are banned from posting.
func (b *fullSite) wantBarred(banned map[string]string) {
	b.t.Helper()
	schema := parsedSchema(b.t)
	inputs := map[string]input{
		"report":         {"subjectId": b.comment, "reason": "SPAM"},
		"resolveReports": {"subjectId": b.comment, "throughReport": 1, "outcome": "UPHELD"},
	}
	for _, f := range schema.Mutation.Fields {
		may, known := whileBanned[f.Name]
		if !known && !strings.HasPrefix(f.Name, "__") {
			b.t.Errorf("%s is not in whileBanned: say whether the banned may use it", f.Name)
		}
		if may || !known {
			continue
		}
		in := inputs[f.Name]
		if in == nil {
			in = leastInput(schema, schema.Types[f.Arguments[0].Type.Name()])
		}
		for who, token := range banned {
			before := b.contents()
			a := b.mutate(token, f.Name, in, "")
			if got := strings.TrimSpace(a.verdict()); got != "BANNED" {
				b.t.Errorf("%s by %s who is banned: %q; want BANNED", f.Name, who, got)
			}
			b.wantUntouched(f.Name, before, a)
		}
	}
}
