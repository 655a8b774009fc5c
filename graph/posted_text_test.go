package graph_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"agora/internal/test/testlevel"
)

// setRules sets rules of the site.
func (s *site) setRules(set input) {
	s.t.Helper()
	ada := s.signedInAs("ada")
	s.wantVerdict("updateRules", s.mutate(ada, "updateRules", set, ""), "")
}

// signedInAs returns the token of an administrator, who is registered at the first call.
func (s *site) signedInAs(admin string) string {
	s.t.Helper()
	if a := s.must("", `query($l: String!) { user(by: {login: $l}) { id } }`, input{"l": admin}); a.at("user") == nil {
		return s.admin(admin)
	}
	return s.signIn(admin)
}

const newMemberError = `errors { ... on NewMemberError { rule limit retryAfterSeconds missingSeconds missingKarma }
	... on BlockedTextError { kind value } }`

// tries posts a comment on the topic.
func (b *fullSite) tries(token, content string) answer {
	b.t.Helper()
	return b.mutate(token, "createComment", input{"topicId": b.topic, "content": content},
		"comment { id } "+newMemberError)
}

func TestRulesForNewMembers(t *testing.T) {
	b := newFullSite(t)
	b.clock.Advance(time.Hour)
	b.setRules(input{"newMemberSeconds": 3600, "newMemberLinks": 1, "newMemberMentions": 1, "newMemberPostsPerDay": 3,
		"refuseDuplicates": true})
	eve, fay := b.user("eve"), b.user("fay")
	refused := func(what string, a answer, rule string, limit any) map[string]any {
		t.Helper()
		b.wantVerdict(what, a, "NEW_MEMBER ")
		e := a.at("createComment", "errors", 0).(map[string]any)
		wantEqual(t, what, fmt.Sprint(e["rule"], " ", e["limit"]), fmt.Sprint(rule, " ", limit))
		return e
	}
	e := refused("two links", b.tries(eve, "https://a.example https://b.example"), "LINKS", 1)
	wantEqual(t, "missing", fmt.Sprint(e["missingSeconds"], " ", e["missingKarma"], " ", e["retryAfterSeconds"]),
		"3600 <nil> <nil>")
	refused("two mentions", b.tries(eve, "@ann and @bob"), "MENTIONS", 1)
	const long = "A text that is long enough to be compared with what others wrote."
	b.wantVerdict("one link, one mention", b.tries(eve, "https://a.example @ann"), "")
	b.wantVerdict("a long text", b.tries(eve, long), "")
	refused("the same again", b.tries(eve, strings.ToUpper(long)), "DUPLICATES", nil)
	refused("the same by another", b.tries(fay, long), "DUPLICATES", nil)
	titled := b.mutate(fay, "createTopic", input{"title": "Another title", "content": long,
		"category": input{"name": "Tea"}}, "errors { code ... on NewMemberError { rule } }")
	wantEqual(t, "the same under a title", titled.at("createTopic", "errors", 0, "rule"), any("DUPLICATES"))
	b.wantVerdict("a short one", b.tries(eve, "short"), "")
	b.wantVerdict("the same short one by another", b.tries(fay, "short"), "")
	e = refused("a fourth on one day", b.tries(eve, "once more"), "POSTS_PER_DAY", 3)
	if wait, _ := e["retryAfterSeconds"].(float64); wait <= 0 || wait > 86400 {
		t.Errorf("retryAfterSeconds = %v; want what is left of the day", wait)
	}
	b.wantVerdict("an old member", b.tries(b.bob, "https://a.example https://b.example https://c.example"), "")
	b.clock.Advance(time.Hour)
	eve = b.signIn("eve")
	b.wantVerdict("no longer new", b.tries(eve, "https://a.example https://b.example "+long), "")
}

func TestRulesByKarma(t *testing.T) {
	b := newFullSite(t)
	b.setRules(input{"newMemberKarma": 2, "newMemberLinks": 0})
	a := b.tries(b.bob, "https://a.example")
	b.wantVerdict("without karma", a, "NEW_MEMBER ")
	wantEqual(t, "missingKarma", a.at("createComment", "errors", 0, "missingKarma"), any(2.0))
	b.wantVerdict("a moderator", b.tries(b.mod, "https://a.example"), "")
}

// A call that is repeated with its key counts once, and is no duplicate of itself; one that is refused does not count.
func TestRepeatedCallsOfNewMembers(t *testing.T) {
	b := newFullSite(t)
	b.setRules(input{"newMemberSeconds": 3600, "newMemberPostsPerDay": 1, "refuseDuplicates": true})
	eve := b.user("eve")
	b.wantVerdict("a post that is refused", b.mutate(eve, "createComment",
		input{"topicId": b.deleted, "content": "Words", "idempotencyKey": "k"}, ""), "NOT_FOUND input.topicId")
	in := input{"topicId": b.topic, "content": "Words", "idempotencyKey": "k"}
	first := b.mutate(eve, "createComment", in, "comment { id }")
	b.wantVerdict("the same where it may be", first, "")
	second := b.mutate(eve, "createComment", in, "comment { id }")
	b.wantVerdict("repeated", second, "")
	wantEqual(t, "the same comment", second.text("createComment", "comment", "id"),
		first.text("createComment", "comment", "id"))
	b.wantVerdict("another", b.tries(eve, "Others"), "NEW_MEMBER ")
}

func TestBlocklist(t *testing.T) {
	b := newFullSite(t)
	list := func(kind string, add, remove []string) answer {
		return b.mutate(b.mod, "updateBlocklist", input{"kind": kind, "add": add, "remove": remove}, "entries")
	}
	a := list("WORD", []string{"Viagra", "buy  now", "viagra"}, nil)
	b.wantVerdict("words", a, "")
	wantEqual(t, "entries", a.at("updateBlocklist", "entries"), any([]any{"buy now", "viagra"}))
	lines := strings.Join(b.securityLines(), "\n")
	if want := `kind=WORD added="[viagra buy now]" removed=[]`; !strings.Contains(lines, want) {
		t.Errorf("the security log says %q; want %q", lines, want)
	}
	b.wantVerdict("domains", list("DOMAIN", []string{"Spam.example"}, nil), "")
	wantEqual(t, "blocklist", b.must(b.mod, `{ blocklist(kind: DOMAIN) }`, nil).at("blocklist"),
		any([]any{"spam.example"}))
	for token, want := range map[string]string{"": "UNAUTHENTICATED", b.ann: "FORBIDDEN"} {
		wantEqual(t, "blocklist", b.ask(token, `{ blocklist(kind: WORD) }`, nil).code(), want)
	}
	blocked := func(what, path string, a answer) {
		t.Helper()
		b.wantVerdict(what, a, "BLOCKED_TEXT "+path)
	}
	blocked("a comment", "input.content", b.tries(b.bob, "Cheap V1agrа"))
	blocked("a link", "input.content", b.tries(b.bob, "[x](https://shop.spam.example/)"))
	topic := input{"title": "A title", "content": "Text", "category": input{"name": "Tea"}}
	blocked("a tag", "input.tags.1", b.mutate(b.bob, "createTopic", with(topic, "tags", []string{"tea", "viagra"}), ""))
	blocked("tagging", "input.add.0",
		b.mutate(b.ann, "tagTopic", input{"topicId": b.topic, "add": []string{"viagra"}}, ""))
	account := func(login, name string) input {
		return input{"login": login, "name": name, "email": "new@example.com", "password": "a good password"}
	}
	blocked("a new login", "input.login", b.mutate("", "register", account("V1agra-shop", "Ann"), ""))
	blocked("a new account's name", "input.name", b.mutate("", "register", account("newcomer", "Cheap V1agrа"), ""))
	b.wantVerdict("a moderator", b.tries(b.mod, "viagra"), "")
	b.wantVerdict("removed", list("WORD", nil, []string{"VIAGRA", "unknown"}), "")
	b.wantVerdict("allowed again", b.tries(b.bob, "viagra"), "")
	tests := []struct {
		name, kind, entry, want string
	}{
		{"no domain", "DOMAIN", "example", "INVALID input.add.0"},
		{"an address", "DOMAIN", "https://a.example/", "INVALID input.add.0"},
		{"no letters", "WORD", "!!!", "INVALID input.add.0"},
		{"empty", "WORD", " ", "TOO_SHORT input.add.0"},
		{"long", "WORD", strings.Repeat("x", 101), "TOO_LONG input.add.0"},
	}
	for _, tt := range tests {
		b.wantVerdict(tt.name, list(tt.kind, []string{tt.entry}, nil), tt.want)
	}
	for part := range 10 {
		many := make([]string, 100)
		for i := range many {
			many[i] = fmt.Sprintf("word%d", 100*part+i)
		}
		want := ""
		if part == 9 { // one is there already
			want = "TOO_LONG input.add"
		}
		b.wantVerdict("many", list("WORD", many, nil), want)
	}
}

func TestHeldPosts(t *testing.T) {
	b := newFullSite(t)
	b.setRules(input{"newMemberSeconds": 86400, "heldPosts": 1})
	eve := b.user("eve")
	a := b.mutate(eve, "createTopic", input{"title": "Held", "content": "Text", "category": input{"name": "Tea"}},
		"topic { id state }")
	b.wantVerdict("a topic", a, "")
	wantEqual(t, "state", a.at("createTopic", "topic", "state"), any("HELD"))
	topic := a.text("createTopic", "topic", "id")
	c := b.mutate(eve, "createComment", input{"topicId": b.topic, "content": "Held"}, "comment { id state number }")
	b.wantVerdict("a comment", c, "")
	wantEqual(t, "state of a comment", c.at("createComment", "comment", "state"), any("HELD"))
	comment := c.text("createComment", "comment", "id")
	rows := b.queue(b.mod, "")
	wantEqual(t, "cases", len(rows), 2)
	for _, row := range rows {
		got := row.(map[string]any)
		wantEqual(t, "case", fmt.Sprint(got["isHeld"], " ", got["reportCount"], " ", got["state"]), "true 0 OPEN")
	}
	see := func(token, id string) bool {
		return b.must(token, `query($i: ID!) { node(id: $i) { id } }`, input{"i": id}).at("node") != nil
	}
	for _, id := range []string{topic, comment} {
		wantEqual(t, "seen by author, moderator, others",
			fmt.Sprint(see(eve, id), see(b.mod, id), see(b.bob, id), see("", id)), "true true false false")
	}
	moderate := func(id, action string) {
		t.Helper()
		b.wantVerdict(action, b.mutate(b.mod, "moderate", input{"subjectId": id, "action": action, "reason": "SPAM"}, ""), "")
	}
	moderate(comment, "RESTORE")
	wantEqual(t, "cases after one is approved", len(b.queue(b.mod, "")), 1)
	wantEqual(t, "all see it", see("", comment), true)
	next := b.mutate(eve, "createComment", input{"topicId": b.topic, "content": "The next"}, "comment { state }")
	wantEqual(t, "the next is not held", next.at("createComment", "comment", "state"), any("OPEN"))
	moderate(topic, "HIDE")
	wantEqual(t, "cases after the other is hidden", len(b.queue(b.mod, "")), 0)
	wantEqual(t, "resolved", len(b.queue(b.mod, "(state: UPHELD)")), 0)
}

// A held post that its author deletes leaves the queue.
func TestHeldPostsAreDeleted(t *testing.T) {
	b := newFullSite(t)
	b.setRules(input{"newMemberSeconds": 86400, "heldPosts": 1})
	eve := b.user("eve")
	c := b.tries(eve, "Held").text("createComment", "comment", "id")
	b.wantVerdict("deleteComment", b.mutate(eve, "deleteComment", input{"commentId": c}, ""), "")
	b.settle()
	wantEqual(t, "cases", len(b.queue(b.mod, "")), 0)
}

// A wave of new accounts posts spam: nothing of it reaches a public list, and moderators clear it from the queue.
func TestAWaveOfSpam(t *testing.T) {
	b := newFullSite(t)
	accounts := 12
	if testlevel.All() {
		accounts = 200
	}
	b.setRules(input{"newMemberSeconds": 86400, "newMemberLinks": 1, "newMemberPostsPerDay": 3, "heldPosts": 1,
		"refuseDuplicates": true})
	b.wantVerdict("blocklist", b.mutate(b.mod, "updateBlocklist",
		input{"kind": "DOMAIN", "add": []string{"spam.example"}}, ""), "")
	held, verdicts := 0, map[string]int{}
	for i := range accounts {
		token := b.user(fmt.Sprintf("spam%d", i))
		for _, content := range []string{"Visit https://spam.example now", "https://a.example https://b.example",
			"The same advertisement as that of all the others, word for word", fmt.Sprint("Hello from number ", i)} {
			a := b.mutate(token, "createTopic", input{"title": fmt.Sprint("Title ", i%2), "content": content,
				"category": input{"name": "Tea"}}, "topic { state } ")
			if verdicts[a.verdict()]++; a.verdict() == "" {
				wantEqual(t, "state", a.at("createTopic", "topic", "state"), any("HELD"))
				held++
			}
		}
	}
	if verdicts["BLOCKED_TEXT input.content"] != accounts || verdicts["NEW_MEMBER "] < accounts || held < accounts {
		t.Errorf("verdicts = %v; want each account's first two refused, and its last one held", verdicts)
	}
	b.settle()
	a := b.must("", `{ front { topics(first: 100) { totalCount nodes { title } } } category(by: {name: "Tea"}) { topicCount } }`, nil)
	wantEqual(t, "topics on the front", a.at("front", "topics", "totalCount"), any(2.0))
	wantEqual(t, "topics of the category", a.at("category", "topicCount"), any(2.0))
	for left := held; left > 0; {
		a := b.must(b.mod, `{ reportQueue(first: 50) { totalCount nodes { subjectId } } }`, nil)
		wantEqual(t, "in the queue", a.number("reportQueue", "totalCount"), left)
		rows, _ := a.at("reportQueue", "nodes").([]any)
		for i := range rows {
			b.wantVerdict("hide", b.mutate(b.mod, "moderate", input{"subjectId": a.text("reportQueue", "nodes", i, "subjectId"),
				"action": "HIDE", "reason": "SPAM"}, ""), "")
		}
		left -= len(rows)
	}
	wantEqual(t, "the queue at last", len(b.queue(b.mod, "")), 0)
}
