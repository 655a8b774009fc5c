package graph_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"agora/internal/store"
	"agora/internal/store/engine"
	"agora/internal/test/must"
)

// consumed follows a site, in a process of its own.
type consumed struct {
	*site
	store *store.Store
	seen  []engine.Change
}

// changeNames are the names of the kinds of objects.
var changeNames = map[engine.ChangeKind]string{engine.TopicChanges: "topic", engine.CommentChanges: "comment",
	engine.UserChanges: "user", engine.ActChanges: "act", engine.CaseChanges: "case", engine.CategoryChanges: "category",
	engine.TabChanges: "tab"}

// heard returns the changes since the last call, sorted: of each the kind of object, and the word if it has one.
func (f *consumed) heard() string {
	f.t.Helper()
	f.seen = nil
	f.clock.Advance(time.Second)
	must.OK(f.t, f.store.Engine.Consume(f.t.Context()))
	f.store.Engine.WaitForConsumers()
	var all []string
	for _, c := range f.seen {
		all = append(all, strings.TrimSpace(changeNames[c.Kind]+" "+c.Word))
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}

// A consumer hears of what is created, edited and deleted, of each kind and in all slots of a cluster, once, and with
// rising numbers for each object.
func TestConsumerHearsOfAllChanges(t *testing.T) {
	f := &consumed{site: newSite(t)}
	last := map[string]int64{}
	follow := func(e *engine.Engine) {
		e.OnChange("copy", slices.Collect(maps.Keys(changeNames)), func(_ context.Context, some []engine.Change) error {
			for _, c := range some {
				of := fmt.Sprintf("%s %+v", changeNames[c.Kind], c.Subject)
				if c.Number <= last[of] {
					t.Errorf("change %d of %s came after change %d", c.Number, of, last[of])
				}
				last[of] = c.Number
			}
			f.seen = append(f.seen, some...)
			return nil
		})
	}
	f.store = must.Do(store.Open(t.Context(), store.Over(f.redis), store.Layout{}, store.WithClock(f.clock.Now),
		follow))(t)
	t.Cleanup(f.store.Close)
	f.heard() // joins
	f.heard() // walks
	admin := f.admin("ada")
	if got, want := f.heard(), "act CREATED, user, user CREATED"; got != want {
		t.Errorf("an administrator: heard %q; want %q", got, want)
	}
	ann := f.user("ann")
	f.heard()
	var category, tab, topic, comment string
	made := func(by, field, object string, in input) string {
		a := f.mutate(by, field, in, object+" { id }")
		f.wantVerdict(field, a, "")
		return a.text(field, object, "id")
	}
	did := func(by, field string, in input) { f.wantVerdict(field, f.mutate(by, field, in, ""), "") }
	for _, tt := range []struct {
		name string
		do   func()
		want string
	}{
		{"a category", func() {
			category = made(admin, "createCategory", "category", input{"name": "Tea"})
		}, "act CREATED, category"},
		{"a tab", func() {
			tab = made(admin, "createTab", "tab", input{"name": "Drinks", "categories": refs(category)})
		}, "act CREATED, tab"},
		{"a topic", func() { topic = f.topic(admin, "Tea", "Tea") }, "topic CREATED"},
		{"a comment", func() {
			comment = made(ann, "createComment", "comment", input{"topicId": topic, "content": "Milk"})
		}, "comment CREATED, topic"},
		{"a profile", func() { did(ann, "updateProfile", input{"bio": "Tea"}) }, "user"},
		{"a title", func() { did(admin, "updateTopic", input{"topicId": topic, "title": "Coffee"}) }, "topic"},
		{"a text", func() { did(ann, "updateComment", input{"commentId": comment, "content": "Sugar"}) }, "comment"},
		{"votes", func() { did(ann, "vote", input{"subjectId": topic, "direction": "UP"}) }, "topic"},
		{"a report", func() { f.wantVerdict("report", f.report(admin, comment), "") }, "case"},
		{"a hidden comment", func() {
			did(admin, "moderate", input{"subjectId": comment, "action": "HIDE", "reason": "SPAM"})
		}, "act CREATED, comment STATE, topic"},
		{"a word of the blocklist", func() {
			did(admin, "updateBlocklist", input{"kind": "WORD", "add": []string{"milk"}})
		}, "act CREATED"},
		{"a moderator", func() {
			did(admin, "setCategoryModerators",
				input{"category": input{"id": category}, "add": []string{f.userID(ann)}, "reason": "OTHER"})
		}, "act CREATED, user"},
		{"a topic less", func() { did(admin, "deleteTopic", input{"topicId": topic}) }, "topic DELETED"},
		{"a tab less", func() { did(admin, "deleteTab", input{"tabId": tab}) }, "act CREATED, tab"},
	} {
		tt.do()
		if got := f.heard(); got != tt.want {
			t.Errorf("%s: heard %q; want %q", tt.name, got, tt.want)
		}
	}
}
