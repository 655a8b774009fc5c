package posts_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/listing"
	"agora/internal/store/posts"
	"agora/internal/store/storetest"
	"agora/internal/test/site"
)

// The keys are spelled out, so that a change of the layout is noticed.
func TestCreateTopicWritesExactlyItsKeys(t *testing.T) {
	x := storetest.New(t)
	author, category := x.User("ann"), x.Category("go")
	x.Settle()
	before := x.Keys()
	in := site.Discussion(author, category)
	in.Key = "k"
	id := x.Post(in)
	x.Settle()

	p := key.PartitionPrefix(author.ID.Partition())
	topic := p + "t:" + key.Itoa(id)
	want := []string{
		topic, key.Internal(topic), p + "u:" + key.Itoa(author.ID) + ":profile", key.Home(author.ID),
		key.Idempotency(id.Partition(), author.ID, "topic:k"),
		"{ix:front}:created", "{ix:front}:active", "{ix:front}:score", "{ix:front}:hot", "{ix:front}:rev",
		"{ix:c1}:created", "{ix:c1}:active", "{ix:c1}:score", "{ix:c1}:hot", "{ix:c1}:rev",
	}
	got := x.Keys()
	maps.DeleteFunc(got, func(k string, _ bool) bool { return before[k] })
	if diff := cmp.Diff(slices.Sorted(slices.Values(want)), slices.Sorted(maps.Keys(got))); diff != "" {
		t.Errorf("new keys (-want +got):\n%s", diff)
	}
	now := key.Itoa(x.Engine.Now())
	hash := map[string]string{
		"state": "OPEN", "audience": "PUBLIC", "kind": "DISCUSSION", "title": "a title", "content": "a text",
		"format": "MARKDOWN",
		"author": key.Itoa(author.ID), "category": "1", "created": now, "active": now, "comments": "0", "floor": "0",
		"rev": "1",
	}
	if diff := cmp.Diff(hash, x.Hash(topic)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", topic, diff)
	}
	if got := x.Counts(author.ID).Topics; got != 1 {
		t.Errorf("TopicCount = %d; want 1", got)
	}
	x.WantSound()
}

func TestCreateTopicNeedsAnAccount(t *testing.T) {
	x := storetest.New(t)
	category := x.Category("go")
	_, err := x.Posts.CreateTopic(t.Context(), site.Discussion(&forum.Viewer{ID: 256}, category))
	storetest.WantCode(t, "CreateTopic of a missing user", err, forum.CodeUnauthenticated)
	if x.Exists(key.Sequence(0)) || x.Exists(key.Topic(256)) {
		t.Error("a refused topic left keys")
	}
}

// Redis deletes the record an hour after it becomes invalid; each repeated call extends it.
func TestIdempotencyRecordExpires(t *testing.T) {
	x := storetest.New(t)
	author := x.User("ann")
	in := posts.NewTopic{Author: author.ID, Kind: forum.Article, Key: "k"}
	for range 2 {
		x.Post(in)
		at, err := x.Redis.ExpireTime(t.Context(), key.Idempotency(author.ID.Partition(), author.ID,
			"topic:k")).Result()
		want := time.Duration(x.Clock.Now().Add(25*time.Hour).Unix()) * time.Second
		if err != nil || at != want {
			t.Errorf("EXPIRETIME of the record = %v, %v; want %v", at, err, want)
		}
		x.Clock.Advance(time.Hour)
	}
}

func TestUpdateTopicChangesOnlyWhatIsGiven(t *testing.T) {
	x := storetest.New(t)
	author := x.User("ann")
	id := x.Topic(author, x.Category("go"))
	want := x.OneTopic(id)
	x.Clock.Advance(time.Minute)

	same := "a title"
	storetest.WantOK(t, "UpdateTopic", x.Posts.UpdateTopic(t.Context(), author, id, posts.TopicChange{Title: &same}))
	if diff := cmp.Diff(want, x.OneTopic(id)); diff != "" {
		t.Errorf("the same title again (-want +got):\n%s", diff)
	}
	content, format := "<b>new</b>", forum.HTML
	storetest.WantOK(t, "UpdateTopic", x.Posts.UpdateTopic(t.Context(), author, id, posts.TopicChange{Content: &content,
		Format: &format}))
	want.Content, want.Format, want.EditedAt = content, format, x.Engine.Now()
	want.Revision, want.EditorID, want.Since = 2, author.ID, want.CreatedAt
	if diff := cmp.Diff(want, x.OneTopic(id)); diff != "" {
		t.Errorf("new content (-want +got):\n%s", diff)
	}
}

func TestDeleteTopic(t *testing.T) {
	x := storetest.New(t)
	author, other, category := x.User("ann"), x.User("bob"), x.Category("go")
	id := x.Topic(author, category)
	x.Comment(other, id, 0)
	x.Comment(author, id, 0)

	storetest.WantCode(t, "DeleteTopic by a stranger", x.Posts.DeleteTopic(t.Context(), other, id), forum.CodeForbidden)
	storetest.WantCode(t, "DeleteTopic of a missing topic", x.Posts.DeleteTopic(t.Context(), author,
		id+forum.Partitions*100),
		forum.CodeNotFound)
	x.Engine.Cleaner.Flush() // completes the notifications of the comments
	x.Clock.Advance(time.Minute)
	storetest.WantOK(t, "DeleteTopic", x.Posts.DeleteTopic(t.Context(), author, id))
	deletedAt := x.Engine.Now()

	if topic := x.OneTopic(id); topic.State != forum.TopicDeleted || topic.DeletedAt != deletedAt ||
		topic.CommentCount != 2 {
		t.Errorf("topic = %+v; want it DELETED at %d, its comments counted", topic, deletedAt)
	}
	for name, list := range map[string]listing.List{"ann's comments": listing.UserComments(author.ID),
		"bob's comments": listing.UserComments(other.ID)} {
		if got := storetest.IDs[forum.CommentID](x, list); len(got) != 0 {
			t.Errorf("%s = %v; want none", name, got)
		}
	}
	if f, c := x.FrontTopics(), x.CategoryTopics(category); len(f)+len(c) != 0 {
		t.Errorf("front %v, category %v; want nothing", f, c)
	}
	if got := x.Counts(author.ID).Topics; got != 0 {
		t.Errorf("TopicCount = %d; want 0", got)
	}
	x.Engine.Cleaner.Flush()
	for key := range x.Keys() {
		if strings.Contains(key, "task:") || strings.HasSuffix(key, ":due") {
			t.Errorf("%s is left of a finished task", key)
		}
	}

	x.Clock.Advance(time.Minute)
	storetest.WantOK(t, "DeleteTopic again", x.Posts.DeleteTopic(t.Context(), author, id))
	if topic := x.OneTopic(id); topic.DeletedAt != deletedAt {
		t.Errorf("DeletedAt after a repeated call = %d; want %d", topic.DeletedAt, deletedAt)
	}
	storetest.WantCode(t, "DeleteTopic again by a stranger", x.Posts.DeleteTopic(t.Context(), other, id),
		forum.CodeNotFound)
	x.WantClean()
	storetest.WantOK(t, "DeleteCategory", x.Categories.DeleteCategory(t.Context(), nil, category))
}

func TestChangesOfPostsAreRefused(t *testing.T) {
	x := storetest.New(t)
	ann, bob, mod, category := x.User("ann"), x.User("bob"), x.Moderator("mod"), x.Category("go")
	open, deleted := x.Topic(ann, category), x.Topic(ann, category)
	tomb, buried := x.Comment(ann, open, 0), x.Comment(ann, deleted, 0)
	storetest.WantOK(t, "DeleteComment", x.Posts.DeleteComment(t.Context(), ann, tomb))
	storetest.WantOK(t, "DeleteTopic", x.Posts.DeleteTopic(t.Context(), ann, deleted))
	title, change := posts.TopicChange{Title: new("new")}, posts.CommentChange{Content: "new"}
	storetest.WantCode(t, "DeleteTopic by a moderator", x.Posts.DeleteTopic(t.Context(), mod, open), forum.CodeForbidden)
	storetest.WantCode(t, "UpdateTopic of a deleted one by another",
		x.Posts.UpdateTopic(t.Context(), bob, deleted, title), forum.CodeNotFound)
	storetest.WantCode(t, "UpdateComment of a deleted one", x.Posts.UpdateComment(t.Context(), ann, tomb, change),
		forum.CodeLocked)
	storetest.WantCode(t, "UpdateComment on a deleted topic", x.Posts.UpdateComment(t.Context(), ann, buried, change),
		forum.CodeLocked)
}
