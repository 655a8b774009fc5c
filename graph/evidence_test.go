package graph_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/test/must"
)

const evidenceFields = `evidence { cause revision title content isTruncated format link tags login name avatarUrl
	author { login } takenAt }`

// copies returns the causes and texts of what is kept in the case of a subject, latest first.
func (b *fullSite) copies(subject string) (author any, copies []string) {
	b.t.Helper()
	a := b.must(b.mod, `{ reportQueue { nodes { subjectId author { login } `+evidenceFields+` } } }`, nil)
	for _, row := range a.at("reportQueue", "nodes").([]any) {
		c := row.(map[string]any)
		if c["subjectId"] != subject {
			continue
		}
		for _, e := range c["evidence"].([]any) {
			copies = append(copies, brief(e.(map[string]any)))
		}
		return c["author"].(map[string]any)["login"], copies
	}
	b.t.Fatalf("%s is not in the queue: %s", subject, a.body)
	return nil, nil
}

// brief returns what a copy says, without what is null.
func brief(e map[string]any) string {
	parts := []string{fmt.Sprint(e["cause"])}
	for _, name := range []string{"revision", "title", "content", "tags", "login", "name", "avatarUrl", "link"} {
		if value := e[name]; value != nil && fmt.Sprint(value) != "[]" {
			parts = append(parts, fmt.Sprint(value))
		}
	}
	return strings.Join(append(parts, fmt.Sprint(e["author"].(map[string]any)["login"])), "|")
}

// revisions returns the texts of all revisions of a post, latest first.
func (b *fullSite) revisions(id, field string) string {
	b.t.Helper()
	a := b.must(b.mod, fmt.Sprintf(`{ node(id: %q) { ... on Topic { revisions { nodes { number title content } } }
		... on Comment { revisions { nodes { number content } } } } }`, id), nil)
	return strings.Join(a.texts(field, "node", "revisions", "nodes"), ",")
}

// What was reported stays in the case, whatever its author does to it afterwards.
func TestReportsKeepEvidence(t *testing.T) {
	b := newFullSite(t)
	topic := b.mutate(b.ann, "createTopic", input{"kind": "ARTICLE", "title": "Threat", "link": "https://a.example/",
		"content": "I will", "category": input{"id": b.tea}, "tags": []string{"Kill"}}, "topic { id }").
		text("createTopic", "topic", "id")
	b.wantVerdict("profile", b.mutate(b.ann, "updateProfile", input{"name": "Kill bob", "bio": "Threat\nmore"}, ""), "")
	for _, subject := range []string{topic, b.comment, userID(b.ann)} {
		b.wantVerdict("report", b.report(b.bob, subject), "")
	}
	b.clock.Advance(second)
	b.wantVerdict("edit", b.mutate(b.ann, "updateTopic",
		input{"topicId": topic, "title": "Fine", "content": "Well"}, ""), "")
	b.wantVerdict("tag", b.mutate(b.ann, "tagTopic", input{"topicId": topic, "remove": []string{"Kill"}}, ""), "")
	b.wantVerdict("edit", b.mutate(b.ann, "updateComment", input{"commentId": b.comment, "content": "Fine"}, ""), "")
	b.wantVerdict("profile", b.mutate(b.ann, "updateProfile", input{"name": "Ann", "bio": ""}, ""), "")
	wantEqual(t, "revisions", b.revisions(topic, "title"), "Fine,Threat")
	wantEqual(t, "revisions", b.revisions(b.comment, "content"), "Fine,Some words")

	b.wantVerdict("delete", b.mutate(b.ann, "deleteComment", input{"commentId": b.comment}, ""), "")
	b.wantVerdict("delete", b.mutate(b.ann, "deleteTopic", input{"topicId": topic}, ""), "")
	for subject, want := range map[string][]string{
		topic: {"DELETE|2|Fine|Well|https://a.example/|ann",
			"REPORT|1|Threat|I will|[Kill]|https://a.example/|ann"},
		b.comment:     {"DELETE|2|Fine|ann", "REPORT|1|Some words|ann"},
		userID(b.ann): {"REPORT|Threat\nmore|ann|Kill bob|ann"},
	} {
		author, copies := b.copies(subject)
		wantEqual(t, "author", author, any("ann"))
		wantEqual(t, "copies", copies, want)
	}
	gone := b.must(b.mod, fmt.Sprintf(`{ node(id: %q) { ... on Comment { content author { login } } } }`, b.comment), nil)
	wantEqual(t, "the tombstone", gone.at("node"),
		any(map[string]any{"content": "", "author": map[string]any{"login": "ghost"}}))
}

// Those who do not moderate a post see no copy of it, also not with the act that they can see.
func TestEvidenceOfActs(t *testing.T) {
	b := newFullSite(t)
	cat, other, root := b.user("cat"), b.user("other"), b.admin("ada")
	for category, user := range map[string]string{b.tea: cat, b.ink: other} {
		b.wantVerdict("appoint", b.mutate(root, "setCategoryModerators",
			input{"category": input{"id": category}, "add": []string{userID(user)}}, ""), "")
	}
	b.wantVerdict("rules", b.mutate(root, "updateRules", input{"publicModerationLog": true}, ""), "")
	acts := map[string]string{}
	for _, action := range []string{"LOCK", "HIDE"} {
		a := b.mutate(b.mod, "moderate", input{"subjectId": b.comment, "action": action, "reason": "ABUSE"}, "act { id }")
		acts[action] = a.text("moderate", "act", "id")
	}
	acts["WARN"] = b.mutate(b.mod, "warn", input{"userId": userID(b.ann), "reason": "ABUSE"}, "act { id }").
		text("warn", "act", "id")
	b.wantVerdict("delete", b.mutate(b.ann, "deleteComment", input{"commentId": b.comment}, ""), "")
	sees := func(token, action string) any {
		a := b.must(token, fmt.Sprintf(`{ node(id: %q) { ... on ModerationAct { action evidence { cause content } } } }`,
			acts[action]), nil)
		wantEqual(t, "action", a.at("node", "action"), any(action))
		return a.at("node", "evidence")
	}
	one := func(cause, content string) any { return map[string]any{"cause": cause, "content": content} }
	for _, token := range []string{b.mod, cat} {
		wantEqual(t, "the comment", sees(token, "HIDE"), any([]any{one("LOCK", "Some words")}))
	}
	wantEqual(t, "the user", sees(b.mod, "WARN"), any([]any{one("WARN", "")}))
	for who, token := range map[string]string{"bob": b.bob, "the author": b.ann, "a guest": "", "another": other} {
		wantEqual(t, "seen by "+who, sees(token, "LOCK"), nil)
	}
	wantEqual(t, "the user by a category's moderator", sees(cat, "WARN"), nil)
}

// An edit is not merged into a text that others have reacted to, or that somebody else has edited.
func TestEditsThatAreNotMerged(t *testing.T) {
	b := newFullSite(t)
	edit := func(text string) {
		b.clock.Advance(second)
		b.wantVerdict("edit", b.mutate(b.ann, "updateComment", input{"commentId": b.comment, "content": text}, ""), "")
	}
	b.clock.Advance(2 * forum.MergeEdits)
	edit("1")
	edit("2")
	b.wantVerdict("vote", b.vote(b.bob, b.comment, "UP"), "")
	edit("3")
	edit("4")
	b.site.comment(b.bob, b.topic, b.comment, "A reply")
	edit("5")
	b.wantVerdict("report", b.report(b.bob, b.comment), "")
	edit("6")
	edit("7")
	wantEqual(t, "revisions", b.revisions(b.comment, "content"), "7,5,4,2,Some words")

	for _, title := range []string{"Defamed", "A topic"} {
		b.clock.Advance(second)
		b.wantVerdict("edit", b.mutate(b.mod, "updateTopic",
			input{"topicId": b.other, "title": title, "reason": "OTHER"}, ""), "")
	}
	wantEqual(t, "revisions", b.revisions(b.other, "title"), "A topic,Defamed,A topic")
}

// Copies are erased 90 days after the case was closed, not before.
func TestEvidenceIsErased(t *testing.T) {
	b := newFullSite(t)
	day := 24 * time.Hour
	b.wantVerdict("report", b.report(b.bob, b.comment), "")
	key := func() int {
		n := 0
		for name := range b.contents() {
			if strings.HasSuffix(name, ":evidence") {
				n++
			}
		}
		return n
	}
	purge := func(after time.Duration) {
		b.clock.Advance(after)
		must.Do(b.store.Purge(context.Background()))(t)
	}
	purge(200 * day)
	wantEqual(t, "while the case is open", key(), 1)
	mod := b.signIn("mia")
	b.wantVerdict("resolve", b.mutate(mod, "resolveReports",
		input{"subjectId": b.comment, "throughReport": 1, "outcome": "UPHELD"}, ""), "")
	purge(90 * day)
	wantEqual(t, "after 90 days", key(), 1)
	purge(time.Millisecond)
	wantEqual(t, "later", key(), 0)
}

// What somebody may have been shown live, and its author edited or deleted at once, stays visible to moderators for 30
// days, and to nobody else.
func TestHastyEditsStayVisible(t *testing.T) {
	b := newFullSite(t)
	topic := b.mutate(b.ann, "createTopic", input{"title": "Threat", "content": "I will", "category": input{"id": b.tea}},
		"topic { id }").text("createTopic", "topic", "id")
	comment := b.tries(b.ann, "Threat").text("createComment", "comment", "id")
	b.clock.Advance(second)
	b.wantVerdict("edit", b.mutate(b.ann, "updateTopic", input{"topicId": topic, "title": "Fine"}, ""), "")
	b.wantVerdict("edit", b.mutate(b.ann, "updateComment", input{"commentId": comment, "content": "Fine"}, ""), "")
	b.clock.Advance(forum.MergeEdits - second)
	b.wantVerdict("delete", b.mutate(b.ann, "deleteComment", input{"commentId": comment}, ""), "")
	b.wantVerdict("delete", b.mutate(b.ann, "deleteTopic", input{"topicId": topic}, ""), "")
	sees := func(token, id string) any {
		return b.must(token, fmt.Sprintf(`{ node(id: %q) { ... on Topic { evidence { cause title } }
			... on Comment { evidence { cause content } } } }`, id), nil).at("node")
	}
	copies := func(field string, texts ...string) any {
		var all []any
		for i, cause := range []string{"DELETE", "EDIT"} {
			all = append(all, map[string]any{"cause": cause, field: texts[i]})
		}
		return map[string]any{"evidence": all}
	}
	wantEqual(t, "the comment", sees(b.mod, comment), copies("content", "Fine", "Threat"))
	wantEqual(t, "the topic", sees(b.mod, topic), copies("title", "Fine", "Threat"))
	for who, token := range map[string]string{"its author": b.ann, "a member": b.bob, "a guest": ""} {
		wantEqual(t, "the comment, seen by "+who, sees(token, comment), any(map[string]any{"evidence": nil}))
	}
	b.clock.Advance(forum.HastyLife)
	b.mod = b.signIn("mia")
	must.Do(b.store.Purge(context.Background()))(t)
	wantEqual(t, "after 30 days", sees(b.mod, comment), copies("content", "Fine", "Threat"))
	b.clock.Advance(time.Millisecond)
	must.Do(b.store.Purge(context.Background()))(t)
	for _, id := range []string{comment, topic} {
		wantEqual(t, "later", sees(b.mod, id), any(map[string]any{"evidence": []any{}}))
	}
}

// Edits at once are merged only while there is room for copies: each text is in a copy or in a revision.
func TestManyHastyEdits(t *testing.T) {
	b := newFullSite(t)
	b.clock.Advance(second)
	for n := range 8 {
		b.wantVerdict("edit", b.mutate(b.ann, "updateComment",
			input{"commentId": b.comment, "content": fmt.Sprint(n)}, ""), "")
	}
	b.wantVerdict("report", b.report(b.bob, b.comment), "")
	_, copies := b.copies(b.comment)
	wantEqual(t, "copies", copies,
		[]string{"REPORT|9|7|ann", "EDIT|5|3|ann", "EDIT|4|2|ann", "EDIT|3|1|ann", "EDIT|2|0|ann"})
	wantEqual(t, "revisions", b.revisions(b.comment, "content"), "7,6,5,4,Some words")
}
