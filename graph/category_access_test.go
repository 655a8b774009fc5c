package graph_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"agora/internal/test/must"
)

// setAccess changes who may do what in a category, "" for topics without one.
func (b *fullSite) setAccess(category, posts, replies string) {
	b.t.Helper()
	in := input{"posts": posts, "replies": replies}
	if category != "" {
		in["category"] = input{"id": category}
	}
	b.wantVerdict("updateAccess", b.mutate(b.root, "updateAccess", in, "access { posts replies }"), "")
}

// accessPlace is a category, or none, with a topic and a comment there. path is the field that says where to post.
type accessPlace struct{ name, category, topic, comment, path string }

// What the rules of a category permit, viewerCan lists and mutations accept; of the rest neither.
func TestAccessToCategories(t *testing.T) {
	b := newFullSite(t)
	b.root = b.admin("ada")
	cat := b.categoryModerator("cat", b.tea)
	status := b.mutate(b.bob, "createTopic", input{"kind": "STATUS", "content": "Hello"}, "topic { id }").
		text("createTopic", "topic", "id")
	tea := accessPlace{"a category", b.tea, b.topic, b.comment, "category"}
	none := accessPlace{"no category", "", status, b.site.comment(b.bob, status, "", "A remark"), "kind"}
	moderators := map[string]bool{b.mod: true, b.root: true}
	for _, place := range []accessPlace{tea, none} {
		for _, permission := range []string{"NOBODY", "MODERATORS", "EVERYBODY"} {
			b.setAccess(place.category, permission, permission)
			for name, viewer := range map[string]string{"a member": b.ann, "its moderator": cat, "a moderator": b.mod,
				"an administrator": b.root} {
				permitted := permission == "EVERYBODY" ||
					permission == "MODERATORS" && (moderators[viewer] || viewer == cat && place == tea)
				b.clock.Advance(60 * second)
				b.wantAccess(fmt.Sprintf("%s: %s in %s", permission, name, place.name), viewer, place, permitted)
			}
		}
	}
	b.setAccess(b.tea, "MODERATORS", "EVERYBODY")
	moved := b.site.topic(b.ann, "Ink", "Pens")
	move := input{"topicId": moved, "category": input{"id": b.tea}, "reason": "OTHER"}
	b.wantVerdict("move by its author", b.mutate(b.ann, "updateTopic", move, ""), "FORBIDDEN input.category")
	edit := input{"topicId": b.topic, "category": input{"id": b.tea}, "title": "Another title"}
	b.wantVerdict("an edit that moves nothing", b.mutate(b.ann, "updateTopic", edit, ""), "")
	b.wantVerdict("move by a moderator", b.mutate(b.mod, "updateTopic", move, ""), "")
}

// wantAccess checks whether the viewer may post, reply and vote in a place. Votes can always be withdrawn.
func (b *fullSite) wantAccess(name, viewer string, place accessPlace, permitted bool) {
	b.t.Helper()
	refused := func(path string) string {
		if permitted {
			return ""
		}
		return "FORBIDDEN input." + path
	}
	post := input{"kind": "STATUS", "content": "Words " + name}
	if place.category != "" {
		post = input{"title": "A title", "content": "Words " + name, "category": input{"id": place.category}}
	}
	b.wantVerdict(name+": post", b.mutate(viewer, "createTopic", post, "topic { id }"), refused(place.path))
	b.wantVerdict(name+": reply", b.mutate(viewer, "createComment",
		input{"topicId": place.topic, "content": "Words " + name}, "comment { id }"), refused("topicId"))
	for _, subject := range []string{place.topic, place.comment} {
		b.wantVerdict(name+": vote", b.vote(viewer, subject, "UP"), refused("subjectId"))
		b.wantVerdict(name+": withdraw", b.vote(viewer, subject, "NONE"), "")
	}
	b.wantListed(name, viewer, place.category, place.topic, permitted)
}

// wantListed checks what the viewer may do in a category, "" for none, and to a topic there, as viewerCan lists it.
func (b *fullSite) wantListed(name, token, category, topic string, permitted bool) {
	b.t.Helper()
	a := b.must(token, `query($topic: ID!) { site { uncategorised { viewerCan } }
		node(id: $topic) { ... on Topic { viewerCan category { access { viewerCan } } } } }`, input{"topic": topic})
	listed := a.at("site", "uncategorised", "viewerCan")
	if category != "" {
		listed = a.at("node", "category", "access", "viewerCan")
	}
	want := []any{}
	if permitted {
		want = []any{"POST", "COMMENT", "VOTE"}
	}
	wantEqual(b.t, name+": viewerCan", listed, any(want))
	onTopic := a.at("node", "viewerCan").([]any)
	for _, action := range []string{"COMMENT", "VOTE"} {
		if slices.Contains(onTopic, any(action)) != permitted {
			b.t.Errorf("%s: viewerCan of the topic is %v, want %s: %t", name, onTopic, action, permitted)
		}
	}
}

func TestUpdateAccess(t *testing.T) {
	b := newFullSite(t)
	b.root = b.admin("ada")
	b.settle()
	b.wantRefused([]refusal{
		{"signed out", "", "updateAccess", input{"posts": "NOBODY"}, "UNAUTHENTICATED"},
		{"a member", b.ann, "updateAccess", input{"posts": "NOBODY"}, "FORBIDDEN"},
		{"a moderator", b.mod, "updateAccess", input{"posts": "NOBODY"}, "FORBIDDEN"},
		{"no such category", b.root, "updateAccess", input{"posts": "NOBODY", "category": input{"name": "Nowhere"}},
			"NOT_FOUND input.category.name"},
	})
	const selected = "access { posts replies }"
	access := func(posts, replies any) any { return map[string]any{"posts": posts, "replies": replies} }
	a := b.mutate(b.root, "updateAccess", input{"category": input{"id": b.tea}, "posts": "MODERATORS"}, selected)
	wantEqual(t, "payload", a.at("updateAccess", "access"), access("MODERATORS", "EVERYBODY"))
	a = b.mutate(b.root, "updateAccess", input{"replies": "NOBODY"}, selected)
	wantEqual(t, "payload", a.at("updateAccess", "access"), access("EVERYBODY", "NOBODY"))
	wantEqual(t, "rules", b.rules(), []string{"posts:" + numberOf(t, b.tea) + " MODERATORS", "replies:0 NOBODY"})

	acts := b.must(b.mod, `{ moderationLog(first: 2) { nodes { id action subjectId subject { ... on Category { name } }
		before { posts replies } after { posts replies } } } }`, nil).at("moderationLog", "nodes").([]any)
	second, first := acts[0].(map[string]any), acts[1].(map[string]any)
	wantEqual(t, "the second act", []any{second["action"], second["subjectId"], second["before"], second["after"]},
		[]any{"UPDATE_ACCESS", nil, access(nil, "EVERYBODY"), access(nil, "NOBODY")})
	wantEqual(t, "the first act", []any{first["action"], first["subjectId"], first["before"], first["after"]},
		[]any{"UPDATE_ACCESS", b.tea, access("EVERYBODY", nil), access("MODERATORS", nil)})
	if log := b.log.String(); !strings.Contains(log, "access.posts=MODERATORS") {
		t.Errorf("the security log does not say that access was changed: %s", log)
	}

	revert := input{"actId": first["id"], "reason": "OTHER"}
	b.wantVerdict("revert by a moderator", b.mutate(b.mod, "revertAct", revert, "changed"), "FORBIDDEN input.actId")
	b.wantVerdict("revert", b.mutate(b.root, "revertAct", revert, "changed"), "")
	wantEqual(t, "rules after the revert", b.rules(), []string{"replies:0 NOBODY"})
	b.setAccess("", "EVERYBODY", "NOBODY")
	b.setAccess("", "EVERYBODY", "EVERYBODY")
	b.wantVerdict("revert what was changed since", b.mutate(b.root, "revertAct",
		input{"actId": second["id"], "reason": "OTHER"}, "changed"), "CONFLICT input.actId")

	b.setAccess(b.ink, "NOBODY", "MODERATORS")
	b.wantVerdict("delete", b.mutate(b.root, "deleteCategory", input{"category": input{"id": b.ink}}, ""), "")
	wantEqual(t, "rules after the category was deleted", b.rules(), []string(nil))
}

// rules returns what is stored of the rules of the site.
func (b *fullSite) rules() []string {
	var rules []string
	for name, value := range must.Do(b.redis.HGetAll(b.t.Context(), "{mod}:rules").Result())(b.t) {
		rules = append(rules, name+" "+value)
	}
	slices.Sort(rules)
	return rules
}
