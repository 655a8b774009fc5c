package store_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"agora/internal/store"
	"agora/internal/store/listing"
	"agora/internal/test/testlevel"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
)

// tagName reads the name of a tag; "" if no topic has it.
func (x *site) tagName(id forum.TagID) string {
	x.t.Helper()
	r := x.Read(x.ctx)
	get := r.Listing.Tags([]forum.TagID{id})
	wantOK(x.t, "Exec", r.Exec())
	tags, errs := get()
	wantOK(x.t, "Tags", errors.Join(errs...))
	if tags[0] == nil {
		return ""
	}
	return tags[0].Name
}

// Behaviours B17, B18: topics get tags when they are posted and afterwards; a tag keeps its first spelling
// for as long as a topic has it.
func TestTagTopic(t *testing.T) {
	x := newSite(t)
	ann, bob, mod, room := x.User("ann"), x.User("bob"), x.Moderator("mod"), x.Category("go")
	article, topic := x.Post(link(ann, "Go", "Redis")), x.Topic(bob, room)
	x.Give(mod, topic, labels("GO", "GraphQL"), nil)
	if got := x.oneTopic(topic).Tags.Names(); got != "GO, GraphQL" {
		t.Errorf("tags of the topic = %s; want them as they were given", got)
	}
	for name, want := range map[string]string{"go": "Go", "redis": "Redis", "graphql": "GraphQL"} {
		if got := x.tagName(label(name)); got != want {
			t.Errorf("name of %s = %q; want %q, as it was first written", name, got, want)
		}
	}
	if got, want := ids[forum.TopicID](x, listing.TagTopics(label("go"))),
		[]forum.TopicID{article, topic}; len(got) != 2 || !slices.Contains(got, want[0]) || !slices.Contains(got, want[1]) {
		t.Errorf("topics of go = %v; want %v", got, want)
	}
	rev := x.hash(key.Topic(topic))["rev"]
	x.Give(bob, topic, labels("go"), labels("unknown"))
	if got := x.hash(key.Topic(topic))["rev"]; got != rev {
		t.Errorf("an empty change created revision %s from %s", got, rev)
	}
	x.Give(bob, topic, labels("redis"), labels("Go"))
	if got := x.oneTopic(topic).Tags.Names(); got != "GraphQL, redis" {
		t.Errorf("tags of the topic = %s; want GraphQL, redis", got)
	}
	x.Give(ann, article, nil, labels("go", "redis"))
	if got := x.tagName(label("go")); got != "" {
		t.Errorf("name of an unused tag = %q", got)
	}
	if got := x.tagName(label("redis")); got != "Redis" {
		t.Errorf("name of redis = %q; want it kept as it was first written", got)
	}
	x.wantClean()
	wantOK(t, "DeleteTopic", x.Posts.DeleteTopic(x.ctx, bob, topic))
	if got := x.tagName(label("redis")) + x.tagName(label("graphql")); got != "" {
		t.Errorf("names of the tags of a deleted topic = %q; want none", got)
	}
	x.wantClean()
}

func TestTagTopicIsRefused(t *testing.T) {
	x := newSite(t)
	ann, bob, mod, room := x.User("ann"), x.User("bob"), x.Moderator("mod"), x.Category("go")
	topic, deleted := x.Topic(ann, room), x.Topic(ann, room)
	wantOK(t, "DeleteTopic", x.Posts.DeleteTopic(x.ctx, ann, deleted))
	var ten []string
	for n := range forum.MaxTopicTags {
		ten = append(ten, fmt.Sprint("tag", n))
	}
	x.Give(ann, topic, labels(ten...), nil)
	tests := []struct {
		name        string
		by          *forum.Viewer
		id          forum.TopicID
		add, remove forum.TopicTags
		want        forum.Code
	}{
		{"no topic", ann, 512, labels("a"), nil, forum.CodeNotFound},
		{"another user's", bob, topic, labels("a"), nil, forum.CodeForbidden},
		{"deleted", ann, deleted, labels("a"), nil, forum.CodeLocked},
		{"deleted, to a stranger", bob, deleted, labels("a"), nil, forum.CodeNotFound},
		{"an eleventh", mod, topic, labels("a"), nil, forum.CodeTooLong},
		{"two for one", mod, topic, labels("a", "b"), labels("tag0"), forum.CodeTooLong},
	}
	before := x.hash(key.Topic(topic))
	for _, tt := range tests {
		why := forum.Grounds{Reason: forum.ReasonOther}
		wantCode(t, "RetagTopic, "+tt.name, x.Posts.RetagTopic(x.ctx, tt.by, tt.id, tt.add, tt.remove, why), tt.want)
	}
	if got := x.hash(key.Topic(topic)); got["tags"] != before["tags"] || got["rev"] != before["rev"] {
		t.Errorf("after refusals the topic = %v; want %v", got, before)
	}
	x.Give(ann, topic, labels("tag3"), nil) // has it already
	x.Give(ann, topic, labels("a"), labels("tag0"))
	if got := len(x.oneTopic(topic).Tags); got != 10 {
		t.Errorf("one for one leaves %d tags; want 10", got)
	}
	x.wantClean()
}

// The last topic of a tag is removed while another is added: whichever write is last, the tag has a name
// exactly if a topic has it.
func TestLastTopicOfATagRemovedWhileAnotherIsAdded(t *testing.T) {
	testlevel.Usual(t)
	goes := map[string]func(*store.Store, *voteSite) error{
		"is untagged": func(s *store.Store, e *voteSite) error {
			return s.Posts.TagTopic(e.ctx, e.bob, e.article, nil, labels("redis"))
		},
		"is deleted": func(s *store.Store, e *voteSite) error { return s.Posts.DeleteTopic(e.ctx, e.bob, e.article) },
	}
	comes := map[string]func(*store.Store, *voteSite) error{
		"is tagged": func(s *store.Store, e *voteSite) error {
			return s.Posts.TagTopic(e.ctx, e.ann, e.topic, labels("REDIS"), nil)
		},
		"is posted": func(s *store.Store, e *voteSite) error {
			_, err := s.Posts.CreateTopic(e.ctx, link(e.ann, "REDIS"))
			return err
		},
	}
	for how, leave := range goes {
		for what, come := range comes {
			for _, sleeper := range []string{"index", "leave", "come"} {
				t.Run("one "+how+", one "+what+", paused before "+sleeper, func(t *testing.T) {
					if sleeper == "leave" && how == "is deleted" {
						return // which has no such step
					}
					e := newVoteSite(t)
					first, second, step := leave, come, sleeper
					if sleeper == "come" {
						first, second, step = come, leave, "index"
					}
					wake := e.asleep(step, func(s *store.Store) {
						wantOK(t, how, first(s,
							e))
						s.Engine.Cleaner.Flush()
					})
					wantOK(t, what, second(e.Store, e))
					wake()
					e.wantClean()
					if got := e.tagName(label("redis")); got != "redis" && got != "REDIS" {
						t.Errorf("name of the tag = %q; want redis", got)
					}
				})
			}
		}
	}
}

// A tag is removed by a process that dies half way, and added again: the topic keeps it, and nothing of the
// removal remains.
func TestTagRemovedByADeadProcessAndAddedAgain(t *testing.T) {
	for step := 2; step <= 3; step++ {
		e := newVoteSite(t)
		if !e.dies(step, func(s *store.Store) { s.Posts.TagTopic(e.ctx, e.ann, e.topic, nil, labels("go")) }) {
			t.Fatalf("TagTopic has no step %d", step)
		}
		e.Give(e.ann, e.topic, labels("go"), nil)
		e.clock.Advance(time.Minute)
		e.wantClean()
		if !slices.Contains(e.oneTopic(e.topic).Tags.IDs(), label("go")) {
			t.Errorf("killed before step %d, added again: the topic lacks its tag", step)
		}
	}
}
