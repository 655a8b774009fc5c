package posts_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/internal/key"
	"agora/internal/store/listing"
	"agora/internal/store/storetest"
	"agora/internal/test/site"
	"agora/internal/test/testlevel"
)

// tagName reads the name of a tag; "" if no topic has it.
func tagName(x *storetest.Site, id forum.TagID) string {
	x.T.Helper()
	r := x.Read(x.Ctx)
	get := r.Listing.Tags([]forum.TagID{id})
	storetest.WantOK(x.T, "Exec", r.Exec())
	tags, errs := get()
	storetest.WantOK(x.T, "Tags", errors.Join(errs...))
	if tags[0] == nil {
		return ""
	}
	return tags[0].Name
}

// Behaviours B17, B18: topics get tags when they are posted and afterwards; a tag keeps its first spelling
// for as long as a topic has it.
func TestTagTopic(t *testing.T) {
	x := storetest.New(t)
	ann, bob, mod, room := x.User("ann"), x.User("bob"), x.Moderator("mod"), x.Category("go")
	article, topic := x.Post(site.Link(ann, "Go", "Redis")), x.Topic(bob, room)
	x.Give(mod, topic, site.Tags("GO", "GraphQL"), nil)
	if got := x.OneTopic(topic).Tags.Names(); got != "GO, GraphQL" {
		t.Errorf("tags of the topic = %s; want them as they were given", got)
	}
	for name, want := range map[string]string{"go": "Go", "redis": "Redis", "graphql": "GraphQL"} {
		if got := tagName(x, storetest.Label(name)); got != want {
			t.Errorf("name of %s = %q; want %q, as it was first written", name, got, want)
		}
	}
	if got, want := storetest.IDs[forum.TopicID](x, listing.TagTopics(storetest.Label("go"))),
		[]forum.TopicID{article, topic}; len(got) != 2 || !slices.Contains(got, want[0]) ||
		!slices.Contains(got, want[1]) {
		t.Errorf("topics of go = %v; want %v", got, want)
	}
	rev := x.Hash(key.Topic(topic))["rev"]
	x.Give(bob, topic, site.Tags("go"), site.Tags("unknown"))
	if got := x.Hash(key.Topic(topic))["rev"]; got != rev {
		t.Errorf("an empty change created revision %s from %s", got, rev)
	}
	x.Give(bob, topic, site.Tags("redis"), site.Tags("Go"))
	if got := x.OneTopic(topic).Tags.Names(); got != "GraphQL, redis" {
		t.Errorf("tags of the topic = %s; want GraphQL, redis", got)
	}
	x.Give(ann, article, nil, site.Tags("go", "redis"))
	if got := tagName(x, storetest.Label("go")); got != "" {
		t.Errorf("name of an unused tag = %q", got)
	}
	if got := tagName(x, storetest.Label("redis")); got != "Redis" {
		t.Errorf("name of redis = %q; want it kept as it was first written", got)
	}
	x.WantClean()
	storetest.WantOK(t, "DeleteTopic", x.Posts.DeleteTopic(x.Ctx, bob, topic))
	if got := tagName(x, storetest.Label("redis")) + tagName(x, storetest.Label("graphql")); got != "" {
		t.Errorf("names of the tags of a deleted topic = %q; want none", got)
	}
	x.WantClean()
}

func TestTagTopicIsRefused(t *testing.T) {
	x := storetest.New(t)
	ann, bob, mod, room := x.User("ann"), x.User("bob"), x.Moderator("mod"), x.Category("go")
	topic, deleted := x.Topic(ann, room), x.Topic(ann, room)
	storetest.WantOK(t, "DeleteTopic", x.Posts.DeleteTopic(x.Ctx, ann, deleted))
	var ten []string
	for n := range forum.MaxTopicTags {
		ten = append(ten, fmt.Sprint("tag", n))
	}
	x.Give(ann, topic, site.Tags(ten...), nil)
	tests := []struct {
		name        string
		by          *forum.Viewer
		id          forum.TopicID
		add, remove forum.TopicTags
		want        forum.Code
	}{
		{"no topic", ann, 512, site.Tags("a"), nil, forum.CodeNotFound},
		{"another user's", bob, topic, site.Tags("a"), nil, forum.CodeForbidden},
		{"deleted", ann, deleted, site.Tags("a"), nil, forum.CodeLocked},
		{"deleted, to a stranger", bob, deleted, site.Tags("a"), nil, forum.CodeNotFound},
		{"an eleventh", mod, topic, site.Tags("a"), nil, forum.CodeTooLong},
		{"two for one", mod, topic, site.Tags("a", "b"), site.Tags("tag0"), forum.CodeTooLong},
	}
	before := x.Hash(key.Topic(topic))
	for _, tt := range tests {
		why := forum.Grounds{Reason: forum.ReasonOther}
		storetest.WantCode(t, "RetagTopic, "+tt.name, x.Posts.RetagTopic(x.Ctx, tt.by, tt.id, tt.add, tt.remove, why),
			tt.want)
	}
	if got := x.Hash(key.Topic(topic)); got["tags"] != before["tags"] || got["rev"] != before["rev"] {
		t.Errorf("after refusals the topic = %v; want %v", got, before)
	}
	x.Give(ann, topic, site.Tags("tag3"), nil) // has it already
	x.Give(ann, topic, site.Tags("a"), site.Tags("tag0"))
	if got := len(x.OneTopic(topic).Tags); got != 10 {
		t.Errorf("one for one leaves %d tags; want 10", got)
	}
	x.WantClean()
}

// The last topic of a tag is removed while another is added: whichever write is last, the tag has a name
// exactly if a topic has it.
func TestLastTopicOfATagRemovedWhileAnotherIsAdded(t *testing.T) {
	testlevel.Usual(t)
	goes := map[string]func(*store.Store, *storetest.Voting) error{
		"is untagged": func(s *store.Store, e *storetest.Voting) error {
			return s.Posts.TagTopic(e.Ctx, e.Bob, e.Article, nil, site.Tags("redis"))
		},
		"is deleted": func(s *store.Store, e *storetest.Voting) error {
			return s.Posts.DeleteTopic(e.Ctx, e.Bob, e.Article)
		},
	}
	comes := map[string]func(*store.Store, *storetest.Voting) error{
		"is tagged": func(s *store.Store, e *storetest.Voting) error {
			return s.Posts.TagTopic(e.Ctx, e.Ann, e.TopicID, site.Tags("REDIS"), nil)
		},
		"is posted": func(s *store.Store, e *storetest.Voting) error {
			_, err := s.Posts.CreateTopic(e.Ctx, site.Link(e.Ann, "REDIS"))
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
					e := storetest.NewVoting(t)
					first, second, step := leave, come, sleeper
					if sleeper == "come" {
						first, second, step = come, leave, "index"
					}
					wake := e.Asleep(step, func(s *store.Store) {
						storetest.WantOK(t, how, first(s,
							e))
						s.Engine.Cleaner.Flush()
					})
					storetest.WantOK(t, what, second(e.Store, e))
					wake()
					e.WantClean()
					if got := tagName(e.Site, storetest.Label("redis")); got != "redis" && got != "REDIS" {
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
		e := storetest.NewVoting(t)
		if !e.Dies(step, func(s *store.Store) { s.Posts.TagTopic(e.Ctx, e.Ann, e.TopicID, nil, site.Tags("go")) }) {
			t.Fatalf("TagTopic has no step %d", step)
		}
		e.Give(e.Ann, e.TopicID, site.Tags("go"), nil)
		e.Clock.Advance(time.Minute)
		e.WantClean()
		if !slices.Contains(e.OneTopic(e.TopicID).Tags.IDs(), storetest.Label("go")) {
			t.Errorf("killed before step %d, added again: the topic lacks its tag", step)
		}
	}
}
