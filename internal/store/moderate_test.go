package store_test

import (
	"fmt"
	"slices"
	"testing"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/moderation"
	"agora/internal/store/posts"
	"agora/internal/test/must"
	"agora/internal/test/testlevel"
)

// moderatedSite is a threadSite with a moderator.
type moderatedSite struct {
	*threadSite
	mod *forum.Viewer
}

func newModeratedSite(t testing.TB) *moderatedSite {
	t.Helper()
	w := &moderatedSite{threadSite: newThreadSite(t)}
	w.mod = w.User("mod")
	w.mod.Role = forum.RoleModerator
	return w
}

// acting returns what a moderator wants, without a note.
func acting(kind forum.ActKind) moderation.Moderation {
	return moderation.Moderation{Action: kind, Grounds: forum.Grounds{Reason: forum.ReasonSpam}, Place: forum.PinCategory}
}

// moderate acts on a topic or comment and returns the result.
func (w *moderatedSite) moderate(by *forum.Viewer, s forum.Subject, kind forum.ActKind) moderation.Moderated {
	w.t.Helper()
	return must.Do(w.Moderation.Moderate(w.ctx, by, s, acting(kind)))(w.t)
}

// shown is what everybody sees of the site: what lists and counts have, and karma.
func (w *moderatedSite) shown() string {
	w.t.Helper()
	w.settle()
	list := func(k string) []string { return w.rdb.ZRange(w.ctx, k, 0, -1).Val() }
	seen := fmt.Sprint(list(key.FrontContainer.Order(key.OrderCreated)),
		list(key.CategoryContainer(w.a).Order(key.OrderActive)),
		list(key.Profile(w.ann.ID)), list(key.UserCommentsContainer(w.bob.ID).Order(key.OrderCreated)),
		list(key.UserCommentsContainer(w.ann.ID).Order(key.OrderCreated)))
	for _, of := range []*forum.Viewer{w.ann, w.bob} {
		seen += " karma " + w.hash(key.User(of.ID))["karma"] + " topics " + w.hash(key.User(of.ID))["topics"]
	}
	stats := w.hash(key.Stats(w.topic.Partition()))
	topic := w.hash(key.Topic(w.topic))
	return seen + fmt.Sprint(" stats ", stats["topics"], stats["comments"], " comments ", topic["comments"],
		topic["dayComments"], list(key.Authors(w.topic)), list(key.Tombstones(w.topic)),
		w.hash(key.Comment(w.comment))["replies"])
}

// Each act changes what it says, is in the log, and its reverse restores everything; a repeated one changes nothing and
// names the act in force. What is found afterwards is sound.
func TestActsAreReversible(t *testing.T) {
	testlevel.Sequential(t)
	w := newModeratedSite(t)
	for _, by := range []*forum.Viewer{w.bob, w.mod} {
		w.CastOn(w.ann, w.comment, forum.VoteUp)
		w.Cast(by, w.topic, forum.VoteUp)
	}
	topic, comment := forum.Subject{Topic: w.topic}, forum.Subject{Comment: w.comment}
	for _, pair := range []struct {
		on       forum.Subject
		do, undo forum.ActKind
	}{
		{topic, forum.ActHide, forum.ActRestore}, {comment, forum.ActHide, forum.ActRestore},
		{topic, forum.ActLock, forum.ActUnlock}, {comment, forum.ActLock, forum.ActUnlock},
		{topic, forum.ActPin, forum.ActUnpin}, {topic, forum.ActHide, forum.ActRestore},
	} {
		before := w.shown()
		done := w.moderate(w.mod, pair.on, pair.do)
		w.wantClean()
		if hides := pair.do == forum.ActHide; (w.shown() != before) != hides {
			t.Errorf("%s of %v changed what is shown: %t; want %t", pair.do, pair.on, !hides, hides)
		}
		if again := w.moderate(w.mod, pair.on, pair.do); again.Changed || again.Act != done.Act || !done.Changed {
			t.Errorf("%s again = %+v after %+v; want nothing changed, and the same act", pair.do, again, done)
		}
		undone := w.moderate(w.mod, pair.on, pair.undo)
		w.wantClean()
		if after := w.shown(); after != before {
			t.Errorf("after %s and %s: %s; want %s", pair.do, pair.undo, after, before)
		}
		if got := w.hash(key.Act(done.Act))["reversedBy"]; got != key.Itoa(undone.Act) {
			t.Errorf("%s is reversed by %q; want %d", pair.do, got, undone.Act)
		}
		if !slices.Contains(w.rdb.ZRange(w.ctx, key.ModerationLog, 0, -1).Val(), record.Member(w.Engine.Now(),
			int64(done.Act))) {
			t.Errorf("%s is not in the log", pair.do)
		}
	}
}

// What waits for a moderator is nowhere until it is approved, and then everywhere.
func TestHeldPosts(t *testing.T) {
	w := newModeratedSite(t)
	before := w.shown()
	id, err := w.Posts.CreateTopic(w.ctx, posts.NewTopic{Author: w.ann.ID, Kind: forum.Discussion, Title: "Held",
		Content: "x",
		Format:  forum.Markdown, Category: w.a, Held: true, Mentions: forum.Mentions{{Fold: "bob", User: w.bob.ID}}})
	wantOK(t, "CreateTopic", err)
	comment, err := w.Posts.CreateComment(w.ctx, w.bob, posts.NewComment{Topic: w.topic, Parent: w.comment,
		Content: "Held",
		Format:  forum.Markdown, Held: true})
	wantOK(t, "CreateComment", err)
	if after := w.shown(); after != before {
		t.Errorf("with held posts: %s; want %s", after, before)
	}
	w.wantClean()
	unread := w.rdb.ZCard(w.ctx, key.Unread(w.bob.ID)).Val()
	for _, s := range []forum.Subject{{Topic: id}, {Comment: comment}} {
		w.moderate(w.mod, s, forum.ActHide) // refused, and then approved after all
		w.wantClean()
		done := w.moderate(w.mod, s, forum.ActRestore)
		if got := w.hash(key.Act(done.Act))["kind"]; got != string(forum.ActApprove) {
			t.Errorf("the act on %v is %s; want APPROVE", s, got)
		}
		w.wantClean()
	}
	if got := w.hash(key.Comment(comment)); got["floor"] == "0" || got["state"] != "" {
		t.Errorf("the approved comment has number %s, state %q; want a number, and none", got["floor"], got["state"])
	}
	if n := w.rdb.ZCard(w.ctx, key.Unread(w.bob.ID)).Val(); n != unread+3 {
		t.Errorf("bob has %d unread notifications; want %d: he was mentioned, refused and approved", n, unread+3)
	}
	if w.shown() == before {
		t.Error("nothing is shown of what was approved")
	}
}

// What was hidden can be restored for HiddenLife, and is erased a moment later.
func TestHiddenPostsEnd(t *testing.T) {
	w := newModeratedSite(t)
	topic, comment := forum.Subject{Topic: w.topic}, forum.Subject{Comment: w.comment}
	w.moderate(w.mod, comment, forum.ActHide)
	w.moderate(w.mod, topic, forum.ActHide)
	w.clock.Advance(90 * 24 * 3600 * 1e9)
	if n, err := w.Purge(w.ctx); n != 0 || err != nil {
		t.Errorf("Purge at the end = %d, %v; want 0", n, err)
	}
	w.moderate(w.mod, comment, forum.ActRestore)
	w.moderate(w.mod, comment, forum.ActHide)
	w.clock.Advance(1e9)
	for _, s := range []forum.Subject{topic} {
		_, err := w.Moderation.Moderate(w.ctx, w.mod, s, acting(forum.ActRestore))
		wantCode(t, "RESTORE too late", err, forum.CodeNotFound)
	}
	if n, err := w.Purge(w.ctx); n != 2 || err != nil {
		t.Errorf("Purge after the end = %d, %v; want 2: the topic, and the copy of it", n, err)
	}
	if f := w.hash(key.Topic(w.topic)); f["state"] != "DELETED" || f["title"]+f["content"]+f["mentions"] != "" {
		t.Errorf("the purged topic = %v; want it deleted, without texts", f)
	}
	w.wantClean()
	w.clock.Advance(91 * 24 * 3600 * 1e9)
	if n, err := w.Purge(w.ctx); n != 2 || err != nil {
		t.Errorf("Purge of the comment = %d, %v; want 2", n, err)
	}
	if f := w.hash(key.Comment(w.comment)); f["deleted"] == "" || f["content"]+f["hidden"]+f["state"] != "" {
		t.Errorf("the purged comment = %v; want a tombstone", f)
	}
	w.wantClean()
}

// moderations are acts on topics and comments.
var moderations = []mutation{
	{"hide a topic", actOn(forum.ActHide, false), "", nil},
	{"restore a topic", actOn(forum.ActRestore, false), "",
		func(w *moderatedSite) { w.moderate(w.mod, forum.Subject{Topic: w.topic}, forum.ActHide) }},
	{"hide a comment", actOn(forum.ActHide, true), "", nil},
	{"restore a comment", actOn(forum.ActRestore, true), "",
		func(w *moderatedSite) { w.moderate(w.mod, forum.Subject{Comment: w.comment}, forum.ActHide) }},
	{"lock a topic", actOn(forum.ActLock, false), "", nil},
	{"pin a topic", actOn(forum.ActPin, false), "", nil},
	{"have a topic moved", func(s *store.Store, w *moderatedSite) error {
		m := acting(forum.ActMove)
		m.Category = w.b
		_, err := s.Moderation.Moderate(w.ctx, w.mod, forum.Subject{Topic: w.topic}, m)
		return err
	}, "", nil},
	{"purge", func(s *store.Store, w *moderatedSite) error {
		_, err := s.Purge(w.ctx)
		return err
	}, "", func(w *moderatedSite) {
		w.moderate(w.mod, forum.Subject{Topic: w.topic}, forum.ActHide)
		w.clock.Advance(91 * 24 * 3600 * 1e9)
	}},
	{"edit the title of another", func(s *store.Store, w *moderatedSite) error {
		title := "Tidied"
		return s.Posts.UpdateTopic(w.ctx, w.mod, w.topic, posts.TopicChange{Title: &title, Why: acting("").Grounds})
	}, "", nil},
}

// actOn acts on the topic or comment.
func actOn(kind forum.ActKind, onComment bool) func(*store.Store, *moderatedSite) error {
	return func(s *store.Store, w *moderatedSite) error {
		subject := forum.Subject{Topic: w.topic}
		if onComment {
			subject = forum.Subject{Comment: w.comment}
		}
		_, err := s.Moderation.Moderate(w.ctx, w.mod, subject, acting(kind))
		return err
	}
}

// postsActs are acts on all posts of a user.
var postsActs = []mutation{
	{"hide all posts of a user", func(s *store.Store, w *moderatedSite) error { return hideAll(s, w) }, "", nil},
	{"restore all posts of a user", func(s *store.Store, w *moderatedSite) error {
		member := w.rdb.ZRange(w.ctx, key.ModerationLogOf(forum.ActHidePosts), -1, -1).Val()
		id, _, err := record.ParseMember(member[0])
		if err != nil {
			return err
		}
		if _, err = s.Moderation.Revert(w.ctx, w.mod, forum.ActID(id), because); err != nil {
			return err
		}
		_, err = s.Engine.RunDueTasks(w.ctx)
		return err
	}, "", func(w *moderatedSite) {
		wantOK(w.t, "HidePosts", hideAll(w.Store, w))
		w.settle()
	}},
}

func TestCrashAtEveryStepOfModerations(t *testing.T) {
	testlevel.Sequential(t)
	crashAtEveryStep(t, slices.Concat(moderations, postsActs)...)
}

// hideAll hides all posts of ann's: a topic, and an answer in it.
func hideAll(s *store.Store, w *moderatedSite) error {
	if _, err := s.Moderation.HidePosts(w.ctx, w.mod, w.ann.ID, 0, because); err != nil {
		return err
	}
	_, err := s.Engine.RunDueTasks(w.ctx)
	return err
}

// hide has a moderator hide a topic or comment.
func (x *site) hide(by *forum.Viewer, s forum.Subject) {
	x.t.Helper()
	must.Do(x.Moderation.Moderate(x.ctx, by, s, acting(forum.ActHide)))(x.t)
}

// listedTopic reports whether a topic with these fields is in lists.
func listedTopic(h map[string]string) bool { return h["state"] == "OPEN" || h["state"] == "LOCKED" }

// writer returns the author of a topic.
func (x *site) writer(id forum.TopicID) *forum.Viewer {
	x.t.Helper()
	return &forum.Viewer{ID: x.oneTopic(id).AuthorID}
}
