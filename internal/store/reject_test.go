package store_test

import (
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/engine"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
	"agora/internal/store/listing"
	"agora/internal/store/posts"
	"agora/internal/test/testlevel"
)

// A topic is commented on before its author's process, which is paused, learns that its category was
// deleted: the topic is deleted, whoever finds that out, with the comments. No call reports success.
func TestRejectedTopicTakesItsComments(t *testing.T) {
	w := newThreadSite(t)
	w.clock.Advance(time.Second)
	var posted, first error
	in := discussion(w.ann, w.empty)
	in.Tags = labels("tea")
	wakeAuthor := w.asleep("index", func(s *store.Store) { _, posted = s.Posts.CreateTopic(t.Context(), in) })
	topic := ids[forum.TopicID](w.site, listing.List{Name: "profile", Key: key.Profile(w.ann.ID), Newest: true, Packed: true})[0]
	wantOK(t, "DeleteCategory", w.Categories.DeleteCategory(t.Context(), nil, w.empty))
	wakeFirst := w.asleep("index", func(s *store.Store) {
		_, first = s.Posts.CreateComment(t.Context(), w.bob,
			remark(topic, 0))
	})
	_, second := w.Posts.CreateComment(t.Context(), w.bob, remark(topic, 0))
	wakeFirst()
	wakeAuthor()
	wantCode(t, "CreateComment that finds the category deleted", second, forum.CodeNotFound)
	wantCode(t, "paused CreateComment", first, forum.CodeNotFound)
	wantCode(t, "paused CreateTopic", posted, forum.CodeNotFound)
	if got := w.hash(key.Topic(topic)); got["title"]+got["content"]+got["tags"] != "" {
		t.Errorf("the topic is %v; want no title, text or tags", got)
	}
	w.clock.Advance(time.Minute)
	w.wantClean()
}

// A commenter dies after the topic was rejected: only the task removes the comment from its author's list.
func TestRejectedTopicTakesCommentsOfLateWriters(t *testing.T) {
	w := newThreadSite(t)
	w.clock.Advance(time.Second)
	wakeAuthor := w.asleep("index", func(s *store.Store) {
		s.Posts.CreateTopic(t.Context(), discussion(w.ann,
			w.empty))
	})
	topic := ids[forum.TopicID](w.site, listing.List{Name: "profile", Key: key.Profile(w.ann.ID), Newest: true, Packed: true})[0]
	wantOK(t, "DeleteCategory", w.Categories.DeleteCategory(t.Context(), nil, w.empty))
	w.dies(2, func(s *store.Store) { s.Posts.CreateComment(t.Context(), w.bob, remark(topic, 0)) })
	comment := ids[forum.CommentID](w.site, listing.TopicComments(topic, false, forum.Oldest))[0]
	e := w.Engine.Entries()
	e.SetComment(record.CommentState{ID: comment, Rev: record.CommentPosted, Live: true, Created: w.Engine.Now(),
		Author: w.bob.ID})
	wantOK(t, "write", w.Engine.WriteIndexes(t.Context(), e, func(*pipeline.Batch) {}))
	w.Engine.Clean(comment.Partition(), "c:"+key.Itoa(comment), key.Comment(comment), record.CommentPosted)
	w.Engine.Cleaner.Flush()
	wakeAuthor()
	w.clock.Advance(engine.FirstLease * time.Millisecond)
	w.wantClean()
}

// A call that was refused because its category was deleted can be repeated with its key.
func TestRejectedTopicFreesItsKey(t *testing.T) {
	testlevel.Sequential(t)
	for n := 2; n < 5; n++ { // killed right after its script, after its index, or not at all
		w := newThreadSite(t)
		in := discussion(w.ann, w.empty)
		in.Key = "k"
		wantOK(t, "DeleteCategory", w.Categories.DeleteCategory(t.Context(), nil, w.empty))
		w.dies(n, func(s *store.Store) { s.Posts.CreateTopic(t.Context(), in) })
		w.clock.Advance(time.Minute)
		w.settle()
		for range 2 {
			_, err := w.Posts.CreateTopic(t.Context(), in)
			wantCode(t, "CreateTopic again in a deleted category", err, forum.CodeNotFound)
		}
		w.wantClean()
	}
}

// Refused topics leave nothing behind, nor do refused articles.
func TestRejectedArticle(t *testing.T) {
	w := newThreadSite(t)
	in := posts.NewTopic{Author: w.ann.ID, Kind: forum.Article, Title: "t", Link: "https://example.org", Format: forum.Markdown}
	article := w.Post(in)
	wantOK(t, "DeleteCategory", w.Categories.DeleteCategory(t.Context(), nil, w.empty))
	in.Category = w.empty
	_, err := w.Posts.CreateTopic(t.Context(), in)
	wantCode(t, "CreateTopic in a deleted category", err, forum.CodeNotFound)
	err = w.Posts.UpdateTopic(t.Context(), w.ann, article, posts.TopicChange{Category: &w.empty})
	wantCode(t, "UpdateTopic to a deleted category", err, forum.CodeNotFound)
	w.wantClean()
	if got := w.counts(w.ann.ID).Topics; got != 2 {
		t.Errorf("TopicCount = %d; want 2, without the refused article", got)
	}
	if got := w.oneTopic(article); got.State != forum.TopicOpen || got.CategoryID != 0 {
		t.Errorf("article after a refused move = %+v; want it OPEN without category", got)
	}
}

// A topic is moved on while its author's process is paused and its category is deleted: it was posted.
func TestCreatedTopicMovedOnBeforeItsCategoryIsDeleted(t *testing.T) {
	w := newThreadSite(t)
	w.clock.Advance(time.Second)
	var posted error
	wake := w.asleep("index", func(s *store.Store) {
		_, posted = s.Posts.CreateTopic(t.Context(), discussion(w.ann,
			w.empty))
	})
	topic := ids[forum.TopicID](w.site, listing.List{Name: "profile", Key: key.Profile(w.ann.ID), Newest: true, Packed: true})[0]
	wantOK(t, "UpdateTopic", w.Posts.UpdateTopic(t.Context(), w.ann, topic, posts.TopicChange{Category: &w.b}))
	wantOK(t, "DeleteCategory", w.Categories.DeleteCategory(t.Context(), nil, w.empty))
	wake()
	wantOK(t, "paused CreateTopic", posted)
	w.wantClean()
}

// A topic is posted and moved on while both categories are deleted: it never existed.
func TestTopicLosesBothCategories(t *testing.T) {
	w := newThreadSite(t)
	w.clock.Advance(time.Second)
	var posted, moved error
	wakePoster := w.asleep("index", func(s *store.Store) {
		_, posted = s.Posts.CreateTopic(t.Context(),
			discussion(w.ann, w.empty))
	})
	topic := ids[forum.TopicID](w.site, listing.List{Name: "profile", Key: key.Profile(w.ann.ID), Newest: true, Packed: true})[0]
	wakeMover := w.asleep("index", func(s *store.Store) {
		moved = s.Posts.UpdateTopic(t.Context(), w.ann, topic, posts.TopicChange{Category: &w.b})
	})
	wantOK(t, "DeleteCategory", w.Categories.DeleteCategory(t.Context(), nil, w.empty))
	wantOK(t, "DeleteCategory", w.Categories.DeleteCategory(t.Context(), nil, w.b))
	wakeMover()
	wakePoster()
	wantCode(t, "CreateTopic", posted, forum.CodeNotFound)
	wantCode(t, "UpdateTopic", moved, forum.CodeNotFound)
	w.wantClean()
}

// A move into a category that is deleted concurrently is refused completely: the texts of the same call
// stay unchanged.
func TestRejectedMoveChangesNothing(t *testing.T) {
	w := newThreadSite(t)
	w.clock.Advance(time.Second)
	topic := w.Topic(w.ann, w.Category("Home"))
	before := w.oneTopic(topic)
	title := "Another title"
	var moved error
	wake := w.asleep("index", func(s *store.Store) {
		moved = s.Posts.UpdateTopic(t.Context(), w.ann, topic, posts.TopicChange{Title: &title, Category: &w.empty})
	})
	wantOK(t, "DeleteCategory", w.Categories.DeleteCategory(t.Context(), nil, w.empty))
	wake()
	wantCode(t, "UpdateTopic into a deleted category", moved, forum.CodeNotFound)
	if after := w.oneTopic(topic); after.Title != before.Title || after.CategoryID != before.CategoryID {
		t.Errorf("the topic is %q in category %d now; want %q in %d", after.Title, after.CategoryID, before.Title,
			before.CategoryID)
	}
	w.wantClean()
}
