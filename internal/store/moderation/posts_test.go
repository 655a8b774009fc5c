package moderation_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store/engine"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/moderation"
	"agora/internal/store/posts"
	"agora/internal/store/storetest"
	"agora/internal/test/must"
	"agora/internal/test/testlevel"
)

// spamSite is a site on which bob has posted two topics, the second of which is locked, and comments on the first one
// and on ann's.
type spamSite struct {
	*storetest.Moderated
	first, locked forum.TopicID
	own           forum.CommentID // bob's, on the first one
	anns          forum.CommentID // ann's answer to that
}

func newSpamSite(t testing.TB) *spamSite {
	t.Helper()
	w := &spamSite{Moderated: storetest.NewModerated(t)}
	tick := func() { w.Clock.Advance(time.Second) }
	tick()
	w.first = w.Topic(w.Bob, w.B)
	tick()
	w.locked = w.Topic(w.Bob, w.A)
	tick()
	w.own = w.Comment(w.Bob, w.first, 0)
	tick()
	w.anns = w.Comment(w.Ann, w.first, w.own)
	w.CastOn(w.Ann, w.CommentID, forum.VoteUp)
	w.Cast(w.Ann, w.first, forum.VoteUp)
	w.Moderate(w.Mod, forum.Subject{Topic: w.locked}, forum.ActLock)
	w.Settle()
	return w
}

// hidePosts hides bob's posts and returns the act. The task is left.
func (w *spamSite) hidePosts(since forum.Time) forum.ActID {
	w.T.Helper()
	done := must.Do(w.Moderation.HidePosts(w.Ctx, w.Mod, w.Bob.ID, since, storetest.Because))(w.T)
	return done.Act
}

// restorePosts reverts an act and returns the act that does so. The task is left.
func (w *spamSite) restorePosts(act forum.ActID) forum.ActID {
	w.T.Helper()
	done := must.Do(w.Moderation.Revert(w.Ctx, w.Mod, act, storetest.Because))(w.T)
	if !done.Changed {
		w.T.Errorf("Revert(%d) = %+v; want a change", act, done)
	}
	return done.By
}

// carryOut runs the task of an act once more.
func (w *spamSite) carryOut(act forum.ActID) {
	w.T.Helper()
	storetest.WantOK(w.T, "CarryOut", w.Moderation.CarryOutAct(w.Ctx, act))
	w.Settle()
}

// state returns the state of a topic or comment.
func (w *spamSite) state(on forum.Subject) string {
	w.T.Helper()
	if on.Topic != 0 {
		return string(w.OneTopic(on.Topic).State)
	}
	return string(w.OneComment(on.Comment).State)
}

// states returns the states of bob's posts: the topics, and the comments on ann's and on his.
func (w *spamSite) states() string {
	w.T.Helper()
	return strings.Join([]string{w.state(forum.Subject{Topic: w.first}), w.state(forum.Subject{Topic: w.locked}),
		w.state(forum.Subject{Comment: w.CommentID}), w.state(forum.Subject{Comment: w.own})}, " ")
}

// wantStates fails the test unless bob's posts have these states.
func (w *spamSite) wantStates(when, want string) {
	w.T.Helper()
	if got := w.states(); got != want {
		w.T.Errorf("%s: bob's posts are %s; want %s", when, got, want)
	}
}

// One act hides all posts of a user, wherever they are, and one more restores them as they were. Each is logged once, and
// the user is told once.
func TestPostsOfAUserAreHiddenAndRestored(t *testing.T) {
	w := newSpamSite(t)
	before, logged := shown(w.Moderated), w.Redis.ZCard(w.Ctx, key.ModerationLog).Val()
	act := w.hidePosts(0)
	want := []string{"t" + key.Itoa(w.locked), "t" + key.Itoa(w.first), "c" + key.Itoa(w.own), "c" +
		key.Itoa(w.CommentID)}
	if got := w.Redis.ZRange(w.Ctx, key.ActPosts(act), 0, -1).Val(); !slices.Equal(got, want) {
		t.Errorf("the act hides %v; want %v", got, want)
	}
	w.wantStates("before the task", "OPEN LOCKED OPEN OPEN")
	w.WantClean()
	w.wantStates("after the task", "HIDDEN HIDDEN HIDDEN HIDDEN")
	if shown(w.Moderated) == before {
		t.Error("nothing is hidden")
	}
	if got := w.state(forum.Subject{Comment: w.anns}); got != "OPEN" {
		t.Errorf("ann's answer is %s; want OPEN", got)
	}
	undo := w.restorePosts(act)
	w.WantClean()
	w.wantStates("after the undo", "OPEN LOCKED OPEN OPEN")
	if after := shown(w.Moderated); after != before {
		t.Errorf("after the undo: %s; want %s", after, before)
	}
	if n := w.Redis.ZCard(w.Ctx, key.ModerationLog).Val(); n != logged+2 {
		t.Errorf("%d acts are logged; want 2", n-logged)
	}
	for id, want := range map[forum.ActID]map[string]string{
		act:  {"kind": "HIDE_POSTS", "detail": "4 0", "reversedBy": key.Itoa(undo)},
		undo: {"kind": "RESTORE_POSTS", "detail": "4 0", "reverses": key.Itoa(act)},
	} {
		for name, value := range want {
			if got := w.Hash(key.Act(id))[name]; got != value {
				t.Errorf("%s of act %d = %q; want %q", name, id, got, value)
			}
		}
		if !w.Redis.HExists(w.Ctx, key.Note(w.Bob.ID), "m"+key.Itoa(id)).Val() {
			t.Errorf("bob was not notified of act %d", id)
		}
	}
	done, err := w.Moderation.HidePosts(w.Ctx, w.Mod, w.Ann.ID, w.Engine.Now()+1, storetest.Because)
	if err != nil || done != (moderation.HiddenPosts{}) {
		t.Errorf("HidePosts of nothing = %+v, %v; want no act", done, err)
	}
}

// What others do to single posts stays, whenever they do it, and however often and late a task is repeated.
func TestOthersActOnPostsThatAreHidden(t *testing.T) {
	testlevel.Sequential(t)
	act := func(kinds ...forum.ActKind) func(*spamSite, forum.Subject) {
		return func(w *spamSite, on forum.Subject) {
			for _, kind := range kinds {
				w.Moderate(w.Mod, on, kind)
			}
		}
	}
	erase := func(w *spamSite, on forum.Subject) {
		if on.Topic != 0 {
			storetest.WantOK(w.T, "DeleteTopic", w.Posts.DeleteTopic(w.Ctx, w.Bob, on.Topic))
		} else {
			storetest.WantOK(w.T, "DeleteComment", w.Posts.DeleteComment(w.Ctx, w.Bob, on.Comment))
		}
	}
	for _, tt := range []struct {
		name                    string
		before, during, between func(*spamSite, forum.Subject) // during is after the act, before its task
		hidden, restored        string                         // the state between the two acts, and at the end
	}{
		{"nothing", nil, nil, nil, "HIDDEN", "OPEN"},
		{"locked before", act(forum.ActLock), nil, nil, "HIDDEN", "LOCKED"},
		{"hidden before", act(forum.ActHide), nil, nil, "HIDDEN", "HIDDEN"},
		{"hidden before, restored since", act(forum.ActHide), nil, act(forum.ActRestore), "OPEN", "OPEN"},
		{"hidden and restored before", act(forum.ActHide, forum.ActRestore), nil, nil, "HIDDEN", "OPEN"},
		{"hidden during", nil, act(forum.ActHide), nil, "HIDDEN", "HIDDEN"},
		{"locked during", nil, act(forum.ActLock), nil, "HIDDEN", "LOCKED"},
		{"deleted during", nil, erase, nil, "DELETED", "DELETED"},
		{"restored since", nil, nil, act(forum.ActRestore), "OPEN", "OPEN"},
		{"restored and hidden since", nil, nil, act(forum.ActRestore, forum.ActHide), "HIDDEN", "HIDDEN"},
		{"hidden since", nil, nil, act(forum.ActHide), "HIDDEN", "OPEN"}, // it was, so this is no act
		{"locked since", nil, nil, act(forum.ActLock), "HIDDEN", "LOCKED"},
		{"deleted since", nil, nil, erase, "DELETED", "DELETED"},
	} {
		for _, kind := range []string{"topic", "comment"} {
			t.Run(tt.name+", a "+kind, func(t *testing.T) {
				w := newSpamSite(t)
				on := forum.Subject{Comment: w.CommentID}
				if kind == "topic" {
					on = forum.Subject{Topic: w.first}
				}
				w.tamper(tt.before, on)
				hide := w.hidePosts(0)
				if tt.during != nil {
					tt.during(w, on)
				}
				w.Settle()
				w.tamper(tt.between, on)
				for _, again := range []forum.ActID{0, hide} {
					if again != 0 {
						w.carryOut(again)
					}
					if got := w.state(on); got != tt.hidden {
						t.Errorf("between, after act %d: %s; want %s", again, got, tt.hidden)
					}
				}
				undo := w.restorePosts(hide)
				w.Settle()
				for _, again := range []forum.ActID{0, undo, hide} {
					if again != 0 {
						w.carryOut(again)
					}
					if got := w.state(on); got != tt.restored {
						t.Errorf("at the end, after act %d: %s; want %s", again, got, tt.restored)
					}
				}
				if by := w.Hash(key.Act(hide))["reversedBy"]; by != key.Itoa(undo) {
					t.Errorf("the act is reversed by %q; want %d alone", by, undo)
				}
				w.WantClean()
			})
		}
	}
}

// tamper does something to a post, unless it is nil, and settles the site.
func (w *spamSite) tamper(do func(*spamSite, forum.Subject), on forum.Subject) {
	w.T.Helper()
	if do != nil {
		do(w, on)
	}
	w.Settle()
}

// What waits for approval goes on waiting, and what is posted later is not hidden.
func TestHidePostsLeavesHeldAndLaterPosts(t *testing.T) {
	w := newSpamSite(t)
	held, err := w.Posts.CreateComment(w.Ctx, w.Bob, posts.NewComment{Topic: w.TopicID, Content: "Held",
		Format: forum.Markdown,
		Held:   true})
	storetest.WantOK(t, "CreateComment", err)
	hide := w.hidePosts(0)
	later := w.Comment(w.Bob, w.TopicID, 0)
	w.Settle()
	undo := func() { w.restorePosts(hide) }
	for _, step := range []func(){func() {}, undo} {
		step()
		w.WantClean()
		for id, want := range map[forum.CommentID]string{held: "HELD", later: "OPEN"} {
			if got := w.state(forum.Subject{Comment: id}); got != want {
				t.Errorf("comment %d is %s; want %s", id, got, want)
			}
		}
	}
}

// An act hides at most MaxHiddenPosts, topics first, none that is older than was asked for.
func TestBoundsOfHidePosts(t *testing.T) {
	testlevel.Sequential(t)
	w := newSpamSite(t)
	first, last := w.OneTopic(w.first).CreatedAt, w.OneComment(w.own).CreatedAt
	for since, want := range map[forum.Time]int{first: 3, first + 1: 2, last: 1, last + 1: 0} {
		x := newSpamSite(t)
		done, err := x.Moderation.HidePosts(x.Ctx, x.Mod, x.Bob.ID, since, storetest.Because)
		if err != nil || done.Count != want || done.Left != 0 || (done.Act == 0) != (want == 0) {
			t.Errorf("HidePosts since %d = %+v, %v; want %d posts", since, done, err, want)
		}
	}
	for n, left := range map[int]int{forum.MaxHiddenPosts - 2: 0, forum.MaxHiddenPosts - 1: 1, forum.MaxHiddenPosts +
		7: 9} {
		x := newSpamSite(t)
		x.Redis.Del(x.Ctx, key.Profile(x.Bob.ID))
		for i := range n {
			x.Redis.ZAdd(x.Ctx, key.Profile(x.Bob.ID), storetest.Entry(forum.Time(i+1),
				record.Member(forum.Time(i+1), int64(i+1))))
		}
		done, err := x.Moderation.HidePosts(x.Ctx, x.Mod, x.Bob.ID, 0, storetest.Because)
		if err != nil || done.Count != n+2-left || done.Left != left {
			t.Errorf("HidePosts of %d topics and 2 comments = %+v, %v; want %d, and %d left", n, done, err, n+2-left,
				left)
		}
		if size := x.Redis.ZCard(x.Ctx, key.ActPosts(done.Act)).Val(); int(size) != done.Count {
			t.Errorf("%d posts are listed; want %d", size, done.Count)
		}
	}
}

// While a task is not done, no other act on the posts of the user begins, except the undo of the same one.
func TestActsOnPostsDoNotMeet(t *testing.T) {
	w := newSpamSite(t)
	since := w.OneComment(w.own).CreatedAt
	first := w.hidePosts(since)
	_, err := w.Moderation.HidePosts(w.Ctx, w.Mod, w.Bob.ID, 0, storetest.Because)
	storetest.WantCode(t, "HidePosts before the task", err, forum.CodeStale)
	w.Settle()
	second := w.hidePosts(0)
	_, err = w.Moderation.Revert(w.Ctx, w.Mod, first, storetest.Because)
	storetest.WantCode(t, "Revert of the first before the task of the second", err, forum.CodeStale)
	w.restorePosts(second)
	w.wantStates("at once after the undo", "OPEN LOCKED OPEN HIDDEN")
	w.WantClean()
	w.wantStates("after its task", "OPEN LOCKED OPEN HIDDEN")
	w.carryOut(second)
	w.wantStates("after a late pass of what was undone", "OPEN LOCKED OPEN HIDDEN")
	w.restorePosts(first)
	w.WantClean()
	w.wantStates("after the undo of the first", "OPEN LOCKED OPEN OPEN")
	for _, act := range []forum.ActID{first, second} {
		if done, err := w.Moderation.Revert(w.Ctx, w.Mod, act, storetest.Because); err != nil || done.Changed ||
			done.By == 0 {
			t.Errorf("Revert(%d) again = %+v, %v; want the act that did so", act, done, err)
		}
	}
}

// A pass that was late when the act was undone changes nothing, wherever it began.
func TestLatePassOfHidePosts(t *testing.T) {
	w := newSpamSite(t)
	hide := w.hidePosts(0)
	task, ok, err := w.Engine.ClaimTask(w.Ctx, w.Bob.ID.Partition(), record.PostsTask(w.Bob.ID))
	if err != nil || !ok {
		t.Fatalf("ClaimTask = %t, %v", ok, err)
	}
	w.restorePosts(hide)
	w.Settle()
	w.carryOut(hide)
	storetest.WantOK(t, "RunTask", w.Engine.RunTask(w.Ctx, task, 0))
	w.WantClean()
	w.wantStates("at the end", "OPEN LOCKED OPEN OPEN")
}

// What an act has hidden is restored for HiddenLife, also if the account was deleted, but not by peers.
func TestRestoringPostsHasAnEnd(t *testing.T) {
	testlevel.Sequential(t)
	w := newSpamSite(t)
	hide := w.hidePosts(0)
	w.Settle()
	storetest.WantOK(t, "SetRole", w.Accounts.SetRole(w.Ctx, w.Bob.ID, forum.RoleModerator))
	_, err := w.Moderation.Revert(w.Ctx, w.Mod, hide, storetest.Because)
	storetest.WantCode(t, "Revert for a peer", err, forum.CodeForbidden)
	_, err = w.Moderation.HidePosts(w.Ctx, w.Mod, w.Bob.ID, 0, storetest.Because)
	storetest.WantCode(t, "HidePosts of a peer", err, forum.CodeForbidden)
	storetest.WantOK(t, "SetRole", w.Accounts.SetRole(w.Ctx, w.Bob.ID, forum.RoleUser))
	storetest.WantOK(t, "DeleteAccount", w.Accounts.DeleteAccount(w.Ctx, w.Bob.ID,
		w.Hash(key.User(w.Bob.ID))["password"]))
	w.Settle()
	for _, tt := range []struct {
		wait forum.Time
		want forum.Code
	}{{forum.HiddenLife, ""}, {forum.HiddenLife + 1, forum.CodeStale}} {
		x := newSpamSite(t)
		act := x.hidePosts(0)
		x.Settle()
		x.Clock.Advance(time.Duration(tt.wait) * time.Millisecond)
		_, err := x.Moderation.Revert(x.Ctx, x.Mod, act, storetest.Because)
		if got := forum.CodeOf(err); got != tt.want || (err == nil) != (tt.want == "") {
			t.Errorf("Revert after %d ms = %v; want code %q", tt.wait, err, tt.want)
		}
	}
	w.restorePosts(hide)
	w.WantClean()
	w.wantStates("after the undo for a deleted account", "OPEN LOCKED OPEN OPEN")
	_, err = w.Moderation.HidePosts(w.Ctx, w.Mod, w.Bob.ID, 0, storetest.Because)
	storetest.WantCode(t, "HidePosts of a deleted account", err, forum.CodeNotFound)
}

// A topic whose category was deleted stays hidden, by an act of its own.
func TestRestorePostsIntoADeletedCategory(t *testing.T) {
	w := newSpamSite(t)
	hide := w.hidePosts(0)
	w.Settle()
	storetest.WantOK(t, "DeleteCategory", w.Categories.DeleteCategory(w.Ctx, nil, w.B))
	undo := w.restorePosts(hide)
	w.Settle()
	w.Clock.Advance(engine.FirstLease * time.Millisecond) // the task of the topic
	w.WantClean()
	w.wantStates("after the undo", "HIDDEN LOCKED OPEN OPEN")
	if by := w.Hash(key.Act(undo))["reversedBy"]; by != "" {
		t.Errorf("the undo is reversed by %q; want none", by)
	}
	acts := w.Redis.ZRange(w.Ctx, key.SubjectActs(forum.Subject{Topic: w.first}), 0, -1).Val()
	if len(acts) != 1 {
		t.Errorf("the topic's own acts = %v; want one", acts)
	}
}
