package moderation_test

import (
	"fmt"
	"slices"
	"testing"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/posts"
	"agora/internal/store/storetest"
	"agora/internal/test/testlevel"
)

// shown is what everybody sees of the site: what lists and counts have, and karma.
func shown(w *storetest.Moderated) string {
	w.T.Helper()
	w.Settle()
	list := func(k string) []string { return w.Redis.ZRange(w.Ctx, k, 0, -1).Val() }
	seen := fmt.Sprint(list(key.FrontContainer.Order(key.OrderCreated)),
		list(key.CategoryContainer(w.A).Order(key.OrderActive)),
		list(key.Profile(w.Ann.ID)), list(key.UserCommentsContainer(w.Bob.ID).Order(key.OrderCreated)),
		list(key.UserCommentsContainer(w.Ann.ID).Order(key.OrderCreated)))
	for _, of := range []*forum.Viewer{w.Ann, w.Bob} {
		seen += " karma " + w.Hash(key.User(of.ID))["karma"] + " topics " + w.Hash(key.User(of.ID))["topics"]
	}
	stats := w.Hash(key.Stats(w.TopicID.Partition()))
	topic := w.Hash(key.Topic(w.TopicID))
	return seen + fmt.Sprint(" stats ", stats["topics"], stats["comments"], " comments ", topic["comments"],
		topic["dayComments"], list(key.Authors(w.TopicID)), list(key.Tombstones(w.TopicID)),
		w.Hash(key.Comment(w.CommentID))["replies"])
}

// Each act changes what it says, is in the log, and its reverse restores everything; a repeated one changes nothing and
// names the act in force. What is found afterwards is sound.
func TestActsAreReversible(t *testing.T) {
	testlevel.Sequential(t)
	w := storetest.NewModerated(t)
	for _, by := range []*forum.Viewer{w.Bob, w.Mod} {
		w.CastOn(w.Ann, w.CommentID, forum.VoteUp)
		w.Cast(by, w.TopicID, forum.VoteUp)
	}
	topic, comment := forum.Subject{Topic: w.TopicID}, forum.Subject{Comment: w.CommentID}
	for _, pair := range []struct {
		on       forum.Subject
		do, undo forum.ActKind
	}{
		{topic, forum.ActHide, forum.ActRestore}, {comment, forum.ActHide, forum.ActRestore},
		{topic, forum.ActLock, forum.ActUnlock}, {comment, forum.ActLock, forum.ActUnlock},
		{topic, forum.ActPin, forum.ActUnpin}, {topic, forum.ActHide, forum.ActRestore},
	} {
		before := shown(w)
		done := w.Moderate(w.Mod, pair.on, pair.do)
		w.WantClean()
		if hides := pair.do == forum.ActHide; (shown(w) != before) != hides {
			t.Errorf("%s of %v changed what is shown: %t; want %t", pair.do, pair.on, !hides, hides)
		}
		if again := w.Moderate(w.Mod, pair.on, pair.do); again.Changed || again.Act != done.Act || !done.Changed {
			t.Errorf("%s again = %+v after %+v; want nothing changed, and the same act", pair.do, again, done)
		}
		undone := w.Moderate(w.Mod, pair.on, pair.undo)
		w.WantClean()
		if after := shown(w); after != before {
			t.Errorf("after %s and %s: %s; want %s", pair.do, pair.undo, after, before)
		}
		if got := w.Hash(key.Act(done.Act))["reversedBy"]; got != key.Itoa(undone.Act) {
			t.Errorf("%s is reversed by %q; want %d", pair.do, got, undone.Act)
		}
		if !slices.Contains(w.Redis.ZRange(w.Ctx, key.ModerationLog, 0, -1).Val(), record.Member(w.Engine.Now(),
			int64(done.Act))) {
			t.Errorf("%s is not in the log", pair.do)
		}
	}
}

// What waits for a moderator is nowhere until it is approved, and then everywhere.
func TestHeldPosts(t *testing.T) {
	w := storetest.NewModerated(t)
	before := shown(w)
	id, err := w.Posts.CreateTopic(w.Ctx, posts.NewTopic{Author: w.Ann.ID, Kind: forum.Discussion, Title: "Held",
		Content: "x",
		Format:  forum.Markdown, Category: w.A, Held: true, Mentions: forum.Mentions{{Fold: "bob", User: w.Bob.ID}}})
	storetest.WantOK(t, "CreateTopic", err)
	comment, err := w.Posts.CreateComment(w.Ctx, w.Bob, posts.NewComment{Topic: w.TopicID, Parent: w.CommentID,
		Content: "Held",
		Format:  forum.Markdown, Held: true})
	storetest.WantOK(t, "CreateComment", err)
	if after := shown(w); after != before {
		t.Errorf("with held posts: %s; want %s", after, before)
	}
	w.WantClean()
	unread := w.Redis.ZCard(w.Ctx, key.Unread(w.Bob.ID)).Val()
	for _, s := range []forum.Subject{{Topic: id}, {Comment: comment}} {
		w.Moderate(w.Mod, s, forum.ActHide) // refused, and then approved after all
		w.WantClean()
		done := w.Moderate(w.Mod, s, forum.ActRestore)
		if got := w.Hash(key.Act(done.Act))["kind"]; got != string(forum.ActApprove) {
			t.Errorf("the act on %v is %s; want APPROVE", s, got)
		}
		w.WantClean()
	}
	if got := w.Hash(key.Comment(comment)); got["floor"] == "0" || got["state"] != "" {
		t.Errorf("the approved comment has number %s, state %q; want a number, and none", got["floor"], got["state"])
	}
	if n := w.Redis.ZCard(w.Ctx, key.Unread(w.Bob.ID)).Val(); n != unread+3 {
		t.Errorf("bob has %d unread notifications; want %d: he was mentioned, refused and approved", n, unread+3)
	}
	if shown(w) == before {
		t.Error("nothing is shown of what was approved")
	}
}

// What was hidden can be restored for HiddenLife, and is erased a moment later.
func TestHiddenPostsEnd(t *testing.T) {
	w := storetest.NewModerated(t)
	topic, comment := forum.Subject{Topic: w.TopicID}, forum.Subject{Comment: w.CommentID}
	w.Moderate(w.Mod, comment, forum.ActHide)
	w.Moderate(w.Mod, topic, forum.ActHide)
	w.Clock.Advance(90 * 24 * 3600 * 1e9)
	if n, err := w.Purge(w.Ctx); n != 0 || err != nil {
		t.Errorf("Purge at the end = %d, %v; want 0", n, err)
	}
	w.Moderate(w.Mod, comment, forum.ActRestore)
	w.Moderate(w.Mod, comment, forum.ActHide)
	w.Clock.Advance(1e9)
	for _, s := range []forum.Subject{topic} {
		_, err := w.Moderation.Moderate(w.Ctx, w.Mod, s, storetest.Acting(forum.ActRestore))
		storetest.WantCode(t, "RESTORE too late", err, forum.CodeNotFound)
	}
	if n, err := w.Purge(w.Ctx); n != 2 || err != nil {
		t.Errorf("Purge after the end = %d, %v; want 2: the topic, and the copy of it", n, err)
	}
	if f := w.Hash(key.Topic(w.TopicID)); f["state"] != "DELETED" || f["title"]+f["content"]+f["mentions"] != "" {
		t.Errorf("the purged topic = %v; want it deleted, without texts", f)
	}
	w.WantClean()
	w.Clock.Advance(91 * 24 * 3600 * 1e9)
	if n, err := w.Purge(w.Ctx); n != 2 || err != nil {
		t.Errorf("Purge of the comment = %d, %v; want 2", n, err)
	}
	if f := w.Hash(key.Comment(w.CommentID)); f["deleted"] == "" || f["content"]+f["hidden"]+f["state"] != "" {
		t.Errorf("the purged comment = %v; want a tombstone", f)
	}
	w.WantClean()
}

// moderations are acts on topics and comments.
var moderations = []storetest.Mutation{
	{Name: "hide a topic", Run: actOn(forum.ActHide, false)},
	{Name: "restore a topic", Run: actOn(forum.ActRestore, false),
		Prepare: func(w *storetest.Moderated) { w.Moderate(w.Mod, forum.Subject{Topic: w.TopicID}, forum.ActHide) }},
	{Name: "hide a comment", Run: actOn(forum.ActHide, true)},
	{Name: "restore a comment", Run: actOn(forum.ActRestore, true),
		Prepare: func(w *storetest.Moderated) {
			w.Moderate(w.Mod, forum.Subject{Comment: w.CommentID}, forum.ActHide)
		}},
	{Name: "lock a topic", Run: actOn(forum.ActLock, false)},
	{Name: "pin a topic", Run: actOn(forum.ActPin, false)},
	{Name: "have a topic moved", Run: func(s *store.Store, w *storetest.Moderated) error {
		m := storetest.Acting(forum.ActMove)
		m.Category = w.B
		_, err := s.Moderation.Moderate(w.Ctx, w.Mod, forum.Subject{Topic: w.TopicID}, m)
		return err
	}},
	{Name: "purge", Run: func(s *store.Store, w *storetest.Moderated) error {
		_, err := s.Purge(w.Ctx)
		return err
	}, Prepare: func(w *storetest.Moderated) {
		w.Moderate(w.Mod, forum.Subject{Topic: w.TopicID}, forum.ActHide)
		w.Clock.Advance(91 * 24 * 3600 * 1e9)
	}},
	{Name: "edit the title of another", Run: func(s *store.Store, w *storetest.Moderated) error {
		title := "Tidied"
		return s.Posts.UpdateTopic(w.Ctx, w.Mod, w.TopicID, posts.TopicChange{Title: &title,
			Why: storetest.Acting("").Grounds})
	}},
}

// actOn acts on the topic or comment.
func actOn(kind forum.ActKind, onComment bool) func(*store.Store, *storetest.Moderated) error {
	return func(s *store.Store, w *storetest.Moderated) error {
		subject := forum.Subject{Topic: w.TopicID}
		if onComment {
			subject = forum.Subject{Comment: w.CommentID}
		}
		_, err := s.Moderation.Moderate(w.Ctx, w.Mod, subject, storetest.Acting(kind))
		return err
	}
}

// postsActs are acts on all posts of a user.
var postsActs = []storetest.Mutation{
	{Name: "hide all posts of a user", Run: func(s *store.Store, w *storetest.Moderated) error {
		return hideAll(s, w)
	}},
	{Name: "restore all posts of a user", Run: func(s *store.Store, w *storetest.Moderated) error {
		member := w.Redis.ZRange(w.Ctx, key.ModerationLogOf(forum.ActHidePosts), -1, -1).Val()
		id, _, err := record.ParseMember(member[0])
		if err != nil {
			return err
		}
		if _, err = s.Moderation.Revert(w.Ctx, w.Mod, forum.ActID(id), storetest.Because); err != nil {
			return err
		}
		_, err = s.Engine.RunDueTasks(w.Ctx)
		return err
	}, Prepare: func(w *storetest.Moderated) {
		storetest.WantOK(w.T, "HidePosts", hideAll(w.Store, w))
		w.Settle()
	}},
}

func TestCrashAtEveryStepOfModerations(t *testing.T) {
	testlevel.Sequential(t)
	storetest.CrashAtEveryStep(t, slices.Concat(moderations, postsActs)...)
}

// hideAll hides all posts of ann's: a topic, and an answer in it.
func hideAll(s *store.Store, w *storetest.Moderated) error {
	if _, err := s.Moderation.HidePosts(w.Ctx, w.Mod, w.Ann.ID, 0, storetest.Because); err != nil {
		return err
	}
	_, err := s.Engine.RunDueTasks(w.Ctx)
	return err
}
