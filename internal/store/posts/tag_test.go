package posts_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
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
