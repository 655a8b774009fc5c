package graph_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"agora/internal/forum"
	"agora/internal/globalid"
	"agora/internal/test/gqltext"
	"agora/internal/test/must"
)

// promise is a mutation whose payload has an object.
type promise struct {
	field  string
	in     input
	object string // the field of the payload and its selection
	row    string // the key of the object, or of the one it depends on; "" if its id is created by the mutation
}

// userRow returns the key of the owner of a token.
func userRow(token string) string {
	id := userOf(token)
	return fmt.Sprintf("{p%02x}:u:%d", id%forum.Partitions, id)
}

// promises are all mutations whose payload has an object that can be deleted before it is read.
func (b *fullSite) promises() []promise {
	topic, comment := row(b.t, b.topic), row(b.t, b.comment)
	list := b.newList("friends")
	b.report(b.mod, b.id("bob"))
	_, key, _ := globalid.Split(list)
	number := must.Do(forum.ParseID[forum.ListID](key))(b.t)
	listRow := fmt.Sprintf("{p%02x}:l:%s", number.Partition(), key)
	b.mutate(b.mod, "updateCategory", input{"category": input{"id": b.tea}, "position": 3}, "")
	act := b.latestAct(b.mod)
	_, actKey, _ := globalid.Split(act)
	crew := b.crew()
	text := "topic { title author { login } }"
	return []promise{
		{"revertAct", input{"actId": act, "reason": "OTHER"}, "act { action } changed", "{cat}:m:" + actKey},
		{"updateTopic", input{"topicId": b.topic, "title": "Another"}, text, topic},
		{"tagTopic", input{"topicId": b.topic, "add": []string{"red"}}, text, topic},
		{"bookmark", input{"topicId": b.topic}, text + " changed", topic},
		{"watch", input{"topicId": b.topic}, text + " changed", topic},
		{"vote", input{"subjectId": b.topic, "direction": "UP"}, "subject { ... on Topic { title } } changed", topic},
		{"vote", input{"subjectId": b.comment, "direction": "UP"}, "subject { ... on Comment { content } } changed", comment},
		{"markRead", input{"topicId": b.topic}, "target { ... on Topic { title } }", topic},
		{"createComment", input{"topicId": b.topic, "content": "Words"}, "comment { content topic { title } }", topic},
		{"createComment", input{"topicId": b.topic, "parentId": b.comment, "content": "Words"}, "comment { content }", topic},
		{"updateComment", input{"commentId": b.comment, "content": "Other words"}, "comment { content }", comment},
		{"updateComment", input{"commentId": b.comment, "content": "More words"}, "comment { content }", topic},
		{"deleteComment", input{"commentId": b.reply}, "comment { content }", row(b.t, b.reply)},
		{"updateCategory", input{"category": input{"id": b.ink}, "name": "Inks"}, "category { name }", row(b.t, b.ink)},
		{"updateTab", input{"tabId": b.tab, "name": "Both"}, "tab { name }", row(b.t, b.tab)},
		{"updateList", input{"listId": list, "name": "foes"}, "list { name }", listRow},
		{"updateListMembers", input{"listId": list, "add": []string{b.id("ann")}}, "list { name }", listRow},
		{"follow", input{"targetId": b.id("ann")}, "target { ... on User { login } } changed", userRow(b.ann)},
		{"follow", input{"targetId": b.tea}, "target { ... on Category { name } } changed", row(b.t, b.tea)},
		{"block", input{"userId": b.id("bob")}, "user { login } changed", userRow(b.bob)},
		{"report", input{"subjectId": b.topic, "reason": "SPAM"}, "subject { ... on Topic { title } }", topic},
		{"report", input{"subjectId": b.comment, "reason": "SPAM"}, "subject { ... on Comment { content } }", comment},
		{"resolveReports", input{"subjectId": b.id("bob"), "throughReport": 1, "outcome": "UPHELD"},
			"case { state } act { id } changed", userRow(b.bob) + ":case"},
		{"warn", input{"userId": b.id("bob"), "reason": "SPAM"}, "user { login } act { id }", userRow(b.bob)},
		{"ban", input{"userId": b.id("bob"), "reason": "SPAM"}, "user { login } changed act { id }", userRow(b.bob)},
		{"unban", input{"userId": b.id("bob"), "reason": "SPAM"}, "user { login } changed", userRow(b.bob)},
		{"hidePosts", input{"userId": b.id("bob"), "reason": "SPAM"}, "user { login } act { id } postCount", userRow(b.bob)},
		{"setCategoryModerators", input{"category": map[string]any{"id": b.tea}, "add": []string{b.id("bob")}},
			"category { name } changed", row(b.t, b.tea)},
		{"updateGroup", input{"group": input{"id": crew}, "description": "We"}, "group { name }", row(b.t, crew)},
		{"setGroupManagers", input{"group": input{"id": crew}, "add": []input{{"login": "bob"}}}, "group { name } changed",
			row(b.t, crew)},
		{"setGroupMembers", input{"group": input{"id": crew}, "add": []input{{"user": input{"login": "bob"}}}},
			"group { name } changed", row(b.t, crew)},
		{"deactivateUser", input{"userId": b.id("bob"), "deactivated": false}, "user { login }", userRow(b.bob)},
		{"releaseValues", input{"userId": b.id("bob"), "values": []string{"ROLE"}}, "user { login }", userRow(b.bob)},
		{"endSessions", input{"userId": b.id("bob")}, "user { login }", userRow(b.bob)},
		{"setUserRole", input{"userId": b.id("bob"), "role": "USER"}, "user { role }", userRow(b.bob)},
	}
}

// A payload has the object that it promises, or only says why not, also if the object disappears before any of the
// mutation's steps.
func TestPayloadsShowAnObjectOrAnError(t *testing.T) {
	b := newFullSite(t)
	b.promote(b.mod, forum.RoleAdmin)
	m := b.watch()
	ctx := context.Background()
	for _, p := range b.promises() {
		name, _, _ := strings.Cut(p.object, " ")
		without := 0 // calls that found no object
		for step, last := 1, false; !last; step++ {
			last = true
			m.during(func(n int) error {
				if n == step {
					last = false
					return b.redis.Rename(ctx, p.row, p.row+":away").Err()
				}
				return nil
			})
			a := b.mutate(b.mod, p.field, p.in, p.object)
			m.leave()
			if !last {
				b.redis.Del(ctx, p.row)
				must.OK(t, b.redis.Rename(ctx, p.row+":away", p.row).Err())
			}
			what := fmt.Sprintf("%s with %s away from pipeline %d on", p.field, p.row, step)
			if a.code() != "" {
				t.Errorf("%s: %s", what, a.body)
				continue
			}
			object, refused := a.at(p.field, name), a.verdict()
			if (object == nil) == (refused == "") {
				t.Errorf("%s: %s is %v, errors %q; want one of both", what, name, object, refused)
			}
			if object == nil {
				without++
				for name, v := range a.at(p.field).(map[string]any) {
					if name != "errors" && says(v) {
						t.Errorf("%s: failed, with %s = %v", what, name, v)
					}
				}
			}
			b.clock.Advance(second)
		}
		if without == 0 {
			t.Errorf("%s with %s away always shows its object; the test shows little", p.field, p.row)
		}
	}
}

// The test above covers every mutation that promises an object. Mutations that create one are repeated with their
// keys below, or no other user can delete it.
func TestPromisesAreComplete(t *testing.T) {
	b := newFullSite(t)
	known := []string{"createTopic", "createCategory", "createTab", "createGroup", "createList", "register", "login", "changePassword",
		"changeEmail", "moderate", "updateProfile", "changeLogin", "updateRules", "updateAccess",
		"redactRevision", "upsertUser", "linkAccount", "unlinkAccount", "startSession", "createToken",
		"createInvitation", "revokeInvitation", "resolveApplication"}
	for _, p := range b.promises() {
		known = append(known, p.field)
	}
	var want []string
	for _, f := range gqltext.Schema(t).Mutation.Fields {
		payload := gqltext.Schema(t).Types[f.Type.Name()]
		if slices.ContainsFunc(payload.Fields, func(f *ast.FieldDefinition) bool {
			kind := gqltext.Schema(t).Types[f.Type.Name()].Kind
			return f.Name != "query" && f.Type.Elem == nil && (kind == ast.Object || kind == ast.Interface || kind == ast.Union)
		}) {
			want = append(want, f.Name)
		}
	}
	slices.Sort(known)
	slices.Sort(want)
	wantEqual(t, "mutations that promise an object, each in promises, or in known if it creates one",
		slices.Compact(known), want)
}

// A repetition does not return a post that was deleted since, and that is an error.
func TestRepetitionsAfterDeletion(t *testing.T) {
	b := newFullSite(t)
	topic := input{"title": "Once", "category": input{"name": "Tea"}, "idempotencyKey": "t"}
	posted := b.mutate(b.bob, "createTopic", topic, "topic { id }").text("createTopic", "topic", "id")
	comment := input{"topicId": posted, "content": "Once", "idempotencyKey": "c"}
	b.wantVerdict("a comment", b.mutate(b.ann, "createComment", comment, "comment { id }"), "")
	b.wantVerdict("its topic is deleted", b.mutate(b.bob, "deleteTopic", input{"topicId": posted}, ""), "")
	a := b.mutate(b.ann, "createComment", comment, "comment { id number content } ")
	b.wantVerdict("the comment once more", a, "NOT_FOUND input.topicId")
	wantEqual(t, "the comment", a.at("createComment", "comment"), nil)
	// A deleted topic is still visible to its author.
	a = b.mutate(b.bob, "createTopic", topic, "topic { id deletedAt }")
	b.wantVerdict("the topic once more", a, "")
	wantEqual(t, "the topic", a.text("createTopic", "topic", "id"), posted)
	a = b.mutate(b.ann, "bookmark", input{"topicId": posted}, "topic { id } changed")
	b.wantVerdict("a bookmark", a, "NOT_FOUND input.topicId")
}

// A vote whose subject is not selected forgets what was read before it, too.
func TestVotesForgetWhatWasRead(t *testing.T) {
	b := newFullSite(t)
	const seen = `{ changed query { node(id: $id) { ... on Topic { votes { up down } } } } }`
	a := b.must(b.mod, `mutation($id: ID!) {
		a: vote(input: {subjectId: $id, direction: UP}) `+seen+`
		b: vote(input: {subjectId: $id, direction: DOWN}) `+seen+` }`, input{"id": b.topic})
	before := a.at("a", "query", "node", "votes", "down").(float64)
	wantEqual(t, "down", a.at("b", "query", "node", "votes", "down"), any(before+1))
}
