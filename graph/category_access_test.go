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

// What the rules of a category permit, viewerCan lists and mutations accept; of the rest neither.
func TestAccessToCategories(t *testing.T) {
	b := newFullSite(t)
	b.root = b.admin("ada")
	cat := b.categoryModerator("cat", b.tea)
	status := b.mutate(b.bob, "createTopic", input{"kind": "STATUS", "content": "Hello"}, "topic { id }").
		text("createTopic", "topic", "id")
	elsewhere := b.site.topic(b.ann, "Ink", "Pens")
	viewers := []struct {
		name, token string
		rank        int
	}{{"member", b.ann, 0}, {"its moderator", cat, 1}, {"moderator", b.mod, 2}, {"administrator", b.root, 2}}
	ranks := map[string]int{"EVERYBODY": 0, "MODERATORS": 1, "NOBODY": 3}
	places := []struct {
		name, id, topic, comment, path string
	}{{"a category", b.tea, b.topic, b.comment, "category"}, {"no category", "", status, b.site.comment(b.bob, status, "", "A remark"), "kind"}}
	for _, place := range places {
		for permission, least := range ranks {
			if place.id == "" && least == 1 {
				least = 2
			}
			b.setAccess(place.id, permission, permission)
			for _, v := range viewers {
				name := fmt.Sprintf("%s: %s in %s", permission, v.name, place.name)
				b.clock.Advance(60 * second)
				post, reply, vote := "", "", ""
				if v.rank < least {
					post, reply, vote = "FORBIDDEN input."+place.path, "FORBIDDEN input.topicId", "FORBIDDEN input.subjectId"
				}
				in := input{"kind": "STATUS", "content": "Words " + name}
				if place.id != "" {
					in = input{"title": "A title", "content": "Words " + name, "category": input{"id": place.id}}
					if v.rank > 0 && v.token != cat {
						b.wantVerdict(name+": move", b.mutate(v.token, "updateTopic", input{"topicId": elsewhere, "reason": "OTHER",
							"category": input{"id": place.id}}, ""), post)
						b.mutate(b.root, "updateTopic", input{"topicId": elsewhere, "reason": "OTHER", "category": input{"name": "Ink"}}, "")
					}
				}
				b.wantVerdict(name+": post", b.mutate(v.token, "createTopic", in, "topic { id }"), post)
				b.wantVerdict(name+": reply", b.mutate(v.token, "createComment",
					input{"topicId": place.topic, "content": "Words " + name}, "comment { id }"), reply)
				for _, subject := range []string{place.topic, place.comment} {
					b.wantVerdict(name+": vote", b.vote(v.token, subject, "UP"), vote)
					b.wantVerdict(name+": withdraw", b.vote(v.token, subject, "NONE"), "")
				}
				b.wantListed(name, v.token, place.id, place.topic, v.rank >= least)
			}
		}
		b.setAccess(place.id, "EVERYBODY", "EVERYBODY")
	}
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
	a := b.mutate(b.root, "updateAccess", input{"category": input{"id": b.tea}, "posts": "MODERATORS"}, selected)
	wantEqual(t, "payload", a.at("updateAccess", "access"), any(map[string]any{"posts": "MODERATORS", "replies": "EVERYBODY"}))
	a = b.mutate(b.root, "updateAccess", input{"replies": "NOBODY"}, selected)
	wantEqual(t, "payload", a.at("updateAccess", "access"), any(map[string]any{"posts": "EVERYBODY", "replies": "NOBODY"}))
	id := numberOf(t, b.tea)
	wantEqual(t, "rules", b.rules(), []string{"posts:" + id + " MODERATORS", "replies:0 NOBODY"})

	acts := b.must(b.mod, `{ moderationLog(first: 2) { nodes { id action subjectId subject { ... on Category { name } }
		before { posts replies } after { posts replies } } } }`, nil).at("moderationLog", "nodes").([]any)
	second, first := acts[0].(map[string]any), acts[1].(map[string]any)
	wantEqual(t, "the second act", []any{second["action"], second["subjectId"], second["before"], second["after"]},
		[]any{"UPDATE_ACCESS", nil, map[string]any{"posts": nil, "replies": "EVERYBODY"}, map[string]any{"posts": nil, "replies": "NOBODY"}})
	wantEqual(t, "the first act", []any{first["action"], first["subjectId"], first["before"], first["after"]},
		[]any{"UPDATE_ACCESS", b.tea, map[string]any{"posts": "EVERYBODY", "replies": nil}, map[string]any{"posts": "MODERATORS", "replies": nil}})
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
