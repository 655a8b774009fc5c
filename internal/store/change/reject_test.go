package change_test

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
	"agora/internal/store/storetest"
	"agora/internal/test/site"
	"agora/internal/test/testlevel"
)

// A topic is commented on before its author's process, which is paused, learns that its category was
// deleted: the topic is deleted, whoever finds that out, with the comments. No call reports success.
func TestRejectedTopicTakesItsComments(t *testing.T) {
	w := storetest.NewThread(t)
	w.Clock.Advance(time.Second)
	var posted, first error
	in := site.Discussion(w.Ann, w.EmptyID)
	in.Tags = site.Tags("tea")
	wakeAuthor := w.Asleep("index", func(s *store.Store) { _, posted = s.Posts.CreateTopic(t.Context(), in) })
	topic := storetest.IDs[forum.TopicID](w.Site, listing.List{Name: "profile", Key: key.Profile(w.Ann.ID),
		Newest: true, Packed: true})[0]
	storetest.WantOK(t, "DeleteCategory", w.Categories.DeleteCategory(t.Context(), nil, w.EmptyID))
	wakeFirst := w.Asleep("index", func(s *store.Store) {
		_, first = s.Posts.CreateComment(t.Context(), w.Bob,
			site.Remark(topic, 0))
	})
	_, second := w.Posts.CreateComment(t.Context(), w.Bob, site.Remark(topic, 0))
	wakeFirst()
	wakeAuthor()
	storetest.WantCode(t, "CreateComment that finds the category deleted", second, forum.CodeNotFound)
	storetest.WantCode(t, "paused CreateComment", first, forum.CodeNotFound)
	storetest.WantCode(t, "paused CreateTopic", posted, forum.CodeNotFound)
	if got := w.Hash(key.Topic(topic)); got["title"]+got["content"]+got["tags"] != "" {
		t.Errorf("the topic is %v; want no title, text or tags", got)
	}
	w.Clock.Advance(time.Minute)
	w.WantClean()
}

// A commenter dies after the topic was rejected: only the task removes the comment from its author's list.
func TestRejectedTopicTakesCommentsOfLateWriters(t *testing.T) {
	w := storetest.NewThread(t)
	w.Clock.Advance(time.Second)
	wakeAuthor := w.Asleep("index", func(s *store.Store) {
		s.Posts.CreateTopic(t.Context(), site.Discussion(w.Ann,
			w.EmptyID))
	})
	topic := storetest.IDs[forum.TopicID](w.Site, listing.List{Name: "profile", Key: key.Profile(w.Ann.ID),
		Newest: true, Packed: true})[0]
	storetest.WantOK(t, "DeleteCategory", w.Categories.DeleteCategory(t.Context(), nil, w.EmptyID))
	w.Dies(2, func(s *store.Store) { s.Posts.CreateComment(t.Context(), w.Bob, site.Remark(topic, 0)) })
	comment := storetest.IDs[forum.CommentID](w.Site, listing.TopicComments(topic, false, forum.Oldest))[0]
	e := w.Engine.Entries()
	e.SetComment(record.CommentState{ID: comment, Rev: record.CommentPosted, Live: true, Created: w.Engine.Now(),
		Author: w.Bob.ID})
	storetest.WantOK(t, "write", w.Engine.WriteIndexes(t.Context(), e, func(*pipeline.Batch) {}))
	w.Engine.Clean(comment.Partition(), "c:"+key.Itoa(comment), key.Comment(comment), record.CommentPosted)
	w.Engine.Cleaner.Flush()
	wakeAuthor()
	w.Clock.Advance(engine.FirstLease * time.Millisecond)
	w.WantClean()
}

// A call that was refused because its category was deleted can be repeated with its key.
func TestRejectedTopicFreesItsKey(t *testing.T) {
	testlevel.Sequential(t)
	for n := 2; n < 5; n++ { // killed right after its script, after its index, or not at all
		w := storetest.NewThread(t)
		in := site.Discussion(w.Ann, w.EmptyID)
		in.Key = "k"
		storetest.WantOK(t, "DeleteCategory", w.Categories.DeleteCategory(t.Context(), nil, w.EmptyID))
		w.Dies(n, func(s *store.Store) { s.Posts.CreateTopic(t.Context(), in) })
		w.Clock.Advance(time.Minute)
		w.Settle()
		for range 2 {
			_, err := w.Posts.CreateTopic(t.Context(), in)
			storetest.WantCode(t, "CreateTopic again in a deleted category", err, forum.CodeNotFound)
		}
		w.WantClean()
	}
}

// Refused topics leave nothing behind, nor do refused articles.
func TestRejectedArticle(t *testing.T) {
	w := storetest.NewThread(t)
	in := posts.NewTopic{Author: w.Ann.ID, Kind: forum.Article, Title: "t", Link: "https://example.org",
		Format: forum.Markdown}
	article := w.Post(in)
	storetest.WantOK(t, "DeleteCategory", w.Categories.DeleteCategory(t.Context(), nil, w.EmptyID))
	in.Category = w.EmptyID
	_, err := w.Posts.CreateTopic(t.Context(), in)
	storetest.WantCode(t, "CreateTopic in a deleted category", err, forum.CodeNotFound)
	err = w.Posts.UpdateTopic(t.Context(), w.Ann, article, posts.TopicChange{Category: &w.EmptyID})
	storetest.WantCode(t, "UpdateTopic to a deleted category", err, forum.CodeNotFound)
	w.WantClean()
	if got := w.Counts(w.Ann.ID).Topics; got != 2 {
		t.Errorf("TopicCount = %d; want 2, without the refused article", got)
	}
	if got := w.OneTopic(article); got.State != forum.TopicOpen || got.CategoryID != 0 {
		t.Errorf("article after a refused move = %+v; want it OPEN without category", got)
	}
}

// A topic is moved on while its author's process is paused and its category is deleted: it was posted.
func TestCreatedTopicMovedOnBeforeItsCategoryIsDeleted(t *testing.T) {
	w := storetest.NewThread(t)
	w.Clock.Advance(time.Second)
	var posted error
	wake := w.Asleep("index", func(s *store.Store) {
		_, posted = s.Posts.CreateTopic(t.Context(), site.Discussion(w.Ann,
			w.EmptyID))
	})
	topic := storetest.IDs[forum.TopicID](w.Site, listing.List{Name: "profile", Key: key.Profile(w.Ann.ID),
		Newest: true, Packed: true})[0]
	storetest.WantOK(t, "UpdateTopic", w.Posts.UpdateTopic(t.Context(), w.Ann, topic,
		posts.TopicChange{Category: &w.B}))
	storetest.WantOK(t, "DeleteCategory", w.Categories.DeleteCategory(t.Context(), nil, w.EmptyID))
	wake()
	storetest.WantOK(t, "paused CreateTopic", posted)
	w.WantClean()
}

// A topic is posted and moved on while both categories are deleted: it never existed.
func TestTopicLosesBothCategories(t *testing.T) {
	w := storetest.NewThread(t)
	w.Clock.Advance(time.Second)
	var posted, moved error
	wakePoster := w.Asleep("index", func(s *store.Store) {
		_, posted = s.Posts.CreateTopic(t.Context(),
			site.Discussion(w.Ann, w.EmptyID))
	})
	topic := storetest.IDs[forum.TopicID](w.Site, listing.List{Name: "profile", Key: key.Profile(w.Ann.ID),
		Newest: true, Packed: true})[0]
	wakeMover := w.Asleep("index", func(s *store.Store) {
		moved = s.Posts.UpdateTopic(t.Context(), w.Ann, topic, posts.TopicChange{Category: &w.B})
	})
	storetest.WantOK(t, "DeleteCategory", w.Categories.DeleteCategory(t.Context(), nil, w.EmptyID))
	storetest.WantOK(t, "DeleteCategory", w.Categories.DeleteCategory(t.Context(), nil, w.B))
	wakeMover()
	wakePoster()
	storetest.WantCode(t, "CreateTopic", posted, forum.CodeNotFound)
	storetest.WantCode(t, "UpdateTopic", moved, forum.CodeNotFound)
	w.WantClean()
}

// A move into a category that is deleted concurrently is refused completely: the texts of the same call
// stay unchanged.
func TestRejectedMoveChangesNothing(t *testing.T) {
	w := storetest.NewThread(t)
	w.Clock.Advance(time.Second)
	topic := w.Topic(w.Ann, w.Category("Home"))
	before := w.OneTopic(topic)
	title := "Another title"
	var moved error
	wake := w.Asleep("index", func(s *store.Store) {
		moved = s.Posts.UpdateTopic(t.Context(), w.Ann, topic, posts.TopicChange{Title: &title, Category: &w.EmptyID})
	})
	storetest.WantOK(t, "DeleteCategory", w.Categories.DeleteCategory(t.Context(), nil, w.EmptyID))
	wake()
	storetest.WantCode(t, "UpdateTopic into a deleted category", moved, forum.CodeNotFound)
	if after := w.OneTopic(topic); after.Title != before.Title || after.CategoryID != before.CategoryID {
		t.Errorf("the topic is %q in category %d now; want %q in %d", after.Title, after.CategoryID, before.Title,
			before.CategoryID)
	}
	w.WantClean()
}
