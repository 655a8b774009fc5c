package posts_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/catalogue"
	"agora/internal/store/engine"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/posts"
	"agora/internal/store/storetest"
	"agora/internal/test/must"
	"agora/internal/test/site"
	"agora/internal/test/testlevel"
)

// marker is in all that ann writes on an eraseSite.
const marker = "annswords"

// eraseSite is a site on which ann has written whatever a user can, in any state.
type eraseSite struct {
	*storetest.Moderated
	theirs       forum.TopicID   // bob's
	shown        []forum.Subject // ann's posts that everybody can read
	bobs, answer forum.CommentID // bob's, on a topic of ann's and to a comment of ann's
}

func newEraseSite(t testing.TB) *eraseSite {
	t.Helper()
	w := &eraseSite{Moderated: storetest.NewModerated(t)}
	long := marker + strings.Repeat(" and more", 200) // has a key of its own
	post := func(change func(*posts.NewTopic)) forum.TopicID {
		in := site.Discussion(w.Ann, w.A)
		in.Title, in.Content, in.Tags = marker, marker, site.Tags("tag-"+marker)
		change(&in)
		w.Clock.Advance(time.Second)
		return w.Post(in)
	}
	say := func(on forum.TopicID, held bool) forum.CommentID {
		in := site.Remark(on, 0)
		in.Content, in.Held = marker, held
		id := w.Reply(w.Ann, in)
		if !held {
			w.Clock.Advance(time.Hour)
			storetest.WantOK(t, "UpdateComment", w.Posts.UpdateComment(w.Ctx, w.Ann, id,
				posts.CommentChange{Content: long}))
		}
		return id
	}
	edit := func(id forum.TopicID) forum.TopicID {
		w.Clock.Advance(time.Hour)
		title := marker + " edited"
		storetest.WantOK(t, "UpdateTopic", w.Posts.UpdateTopic(w.Ctx, w.Ann, id, posts.TopicChange{Title: &title,
			Content: &long}))
		return id
	}
	none, held := func(*posts.NewTopic) {}, func(in *posts.NewTopic) { in.Held = true }
	open, locked := edit(post(none)), edit(post(none))
	w.Moderate(w.Mod, forum.Subject{Topic: locked}, forum.ActLock)
	w.Hide(w.Mod, forum.Subject{Topic: edit(post(none))})
	post(held)
	w.Hide(w.Mod, forum.Subject{Topic: post(held)}) // refuses it
	storetest.WantOK(t, "DeleteTopic", w.Posts.DeleteTopic(w.Ctx, w.Ann, edit(post(none))))

	w.theirs = w.Topic(w.Bob, w.B)
	comment := say(w.theirs, false)
	w.shown = []forum.Subject{{Topic: open}, {Topic: locked}, {Comment: comment}}
	say(open, false)
	w.Hide(w.Mod, forum.Subject{Comment: say(w.theirs, false)})
	say(w.theirs, true)
	hidden, deleted := w.Topic(w.Bob, w.B), w.Topic(w.Bob, w.B)
	say(hidden, false)
	say(deleted, false)
	w.Hide(w.Mod, forum.Subject{Topic: hidden})
	storetest.WantOK(t, "DeleteTopic", w.Posts.DeleteTopic(w.Ctx, w.Bob, deleted))
	w.bobs, w.answer = w.Say(w.Bob, open, "bob's words"), w.Comment(w.Bob, w.theirs, comment)
	w.Cast(w.Bob, open, forum.VoteUp)
	w.CastOn(w.Bob, comment, forum.VoteUp)
	w.Settle()
	return w
}

// marked returns which keys have the marker, without partitions and ids.
func (w *eraseSite) marked() []string {
	w.T.Helper()
	var found []string
	for k, value := range w.Contents() {
		if strings.Contains(k+fmt.Sprint(value), marker) {
			kind := strings.Map(func(r rune) rune {
				if '0' <= r && r <= '9' {
					return -1
				}
				return r
			}, k[strings.Index(k, ":")+1:])
			found = append(found, kind)
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// finish runs all tasks to their ends, which takes a few turns.
func (w *eraseSite) finish() {
	w.T.Helper()
	for range 10 {
		w.Clock.Advance(time.Minute)
		if w.Settle(); len(w.KeysLike(":due")) == 0 {
			break
		}
	}
}

// wantErased fails the test unless nothing of ann's is left but evidence, and what others wrote is.
func (w *eraseSite) wantErased(when string) {
	w.T.Helper()
	if got, want := w.marked(), []string{"c::evidence", "t::evidence"}; !slices.Equal(got, want) {
		w.T.Errorf("%s: ann's words are in %v; want %v", when, got, want)
	}
	for _, id := range []forum.CommentID{w.bobs, w.answer} {
		if got := w.Hash(key.Comment(id)); got["content"] == "" || got["deleted"] != "" {
			w.T.Errorf("%s: comment %d of bob's is %v; want it as it was", when, id, got)
		}
	}
	if w.OneComment(w.answer).State != forum.CommentOpen {
		w.T.Errorf("%s: bob's answer to ann's comment is not open", when)
	}
	if got := w.Hash(key.User(w.Ann.ID)); got["topics"] != "0" || got["erase"] != "" {
		w.T.Errorf("%s: ann's account is %v; want no topics, and nothing to erase", when, got)
	}
	w.WantSound()
}

// An account is deleted with all that was written with it, wherever and in what state it is. What moderators must be
// able to see is kept for its time.
func TestEraseLeavesNoText(t *testing.T) {
	w := newEraseSite(t)
	before := w.marked()
	for _, kind := range []string{"t:", "t::text", "t::texts", "t::evidence", "c:", "c::texts", "c::evidence",
		"c::text"} {
		if !slices.Contains(before, kind) {
			t.Errorf("ann's words are not in %s, but in %v", kind, before)
		}
	}
	logged := w.Redis.ZCard(w.Ctx, key.ModerationLog).Val()
	storetest.WantOK(t, "DeleteUser", w.Accounts.DeleteUser(w.Ctx, w.Ann.ID, true))
	w.Settle()
	w.Clock.Advance(time.Second)
	w.Settle()
	for _, on := range w.shown {
		if w.Hash(key.Subject(on))["deleted"] == "" {
			t.Errorf("%v was not deleted in the first turns", on)
		}
	}
	w.finish()
	w.wantErased("after the task")
	if n := w.Redis.ZCard(w.Ctx, key.ModerationLog).Val(); n != logged {
		t.Errorf("%d acts were logged; want none", n-logged)
	}
	w.Clock.Advance(time.Duration(forum.HiddenLife) * time.Millisecond)
	w.Clock.Advance(time.Hour)
	must.Do(w.Purge(t.Context()))(t)
	if got := w.marked(); len(got) > 0 {
		t.Errorf("at the end ann's words are in %v; want nowhere", got)
	}
	w.finish()
	w.WantSound()
}

// Nothing of an object survives its deletion that its table does not say is kept, and nothing of what a member wrote:
// each field has a value, as if the member had used all that there is.
func TestDeletionLeavesWhatTheTableSays(t *testing.T) {
	testlevel.Sequential(t)
	w := newEraseSite(t)
	topic, comment := w.shown[0], w.shown[2]
	goes := map[string][]string{} // by hash
	fill(w, key.User(w.Ann.ID), catalogue.User, goes)
	fill(w, key.Subject(topic), catalogue.Topic, goes)
	fill(w, key.Subject(comment), catalogue.Comment, goes)
	storetest.WantOK(t, "DeleteUser", w.Accounts.DeleteUser(w.Ctx, w.Ann.ID, true))
	w.finish()
	for k, fields := range goes {
		left := w.Hash(k)
		for _, field := range fields {
			if value := left[field]; value != "" {
				t.Errorf("%s still has %s: %q; its table does not say why it is kept", k, field, value)
			}
		}
	}
	if got, want := w.marked(), []string{"c::evidence", "t::evidence"}; !slices.Equal(got, want) {
		t.Errorf("ann's words are in %v; want %v", got, want)
	}
}

// fill gives each field of an object that goes with it a value, if it has none, and adds its name to goes.
func fill[T any](w *eraseSite, k string, of *catalogue.Table[T], goes map[string][]string) {
	w.T.Helper()
	for _, field := range slices.Concat(of.Shown, of.Others) {
		hash := catalogue.KeyOf(k, field.Name)
		if field.Kept != "" && field.Kept != catalogue.Emptied {
			continue
		}
		goes[hash] = append(goes[hash], field.Name)
		for _, value := range []string{marker, "1", engine.NewNonce(), forum.External{}.Hash()} {
			if field.Valid(value) {
				w.Redis.HSetNX(w.Ctx, hash, field.Name, value)
				break
			}
		}
	}
}

// A process may be killed before any step of the mutation and of its task: once the account is deleted, so is all that
// was written with it.
func TestCrashOfErase(t *testing.T) {
	testlevel.Sequential(t)
	for n, died := 1, true; died && !t.Failed(); n++ {
		t.Run(fmt.Sprintf("before step %d", n), func(t *testing.T) {
			w := newEraseSite(t)
			died = w.Dies(n, func(s *store.Store) {
				s.Accounts.DeleteUser(w.Ctx, w.Ann.ID, true)
				for range 3 {
					s.Engine.RunDueTasks(w.Ctx)
					w.Clock.Advance(time.Minute)
				}
			})
			w.finish()
			if w.Hash(key.User(w.Ann.ID))["state"] == "ACTIVE" {
				storetest.WantOK(t, "DeleteUser again", w.Accounts.DeleteUser(w.Ctx, w.Ann.ID, true))
				w.finish()
			}
			w.wantErased("at the end")
		})
	}
}

// What a member who has deleted the account wrote can be deleted later, however often that is ordered. An account that
// is not to be erased is not, even if there is a task.
func TestEraseOfADeletedAccount(t *testing.T) {
	testlevel.Sequential(t)
	w := newEraseSite(t)
	storetest.WantOK(t, "DeleteAccount", w.Accounts.DeleteAccount(w.Ctx, w.Ann.ID, "hash of ann"))
	w.finish()
	p, task := w.Ann.ID.Partition(), record.EraseTask(w.Ann.ID)
	before := w.marked()
	w.Redis.HSet(w.Ctx, key.Task(p, task), "n", 1, "attempts", 0, "cursor", "")
	w.Redis.ZAdd(w.Ctx, key.Due(p), storetest.Entry(0, task))
	w.finish()
	if after := w.marked(); !slices.Equal(after, before) {
		t.Errorf("a task that nobody ordered left ann's words in %v; want %v", after, before)
	}
	storetest.WantCode(t, "DeleteUser, keeping the posts", w.Accounts.DeleteUser(w.Ctx, w.Ann.ID, false),
		forum.CodeNotFound)
	for range 2 {
		storetest.WantOK(t, "DeleteUser", w.Accounts.DeleteUser(w.Ctx, w.Ann.ID, true))
	}
	w.finish()
	w.wantErased("after the order")
	storetest.WantOK(t, "DeleteUser after the end", w.Accounts.DeleteUser(w.Ctx, w.Ann.ID, true))
	ending, held, err := w.Engine.ClaimTask(w.Ctx, p, task)
	if err != nil || !held {
		t.Fatalf("ClaimTask = %t, %v; want the task", held, err)
	}
	w.Redis.HDel(w.Ctx, key.Internal(key.User(w.Ann.ID)), "erase") // the last turn has done so
	storetest.WantOK(t, "DeleteUser before the task ends", w.Accounts.DeleteUser(w.Ctx, w.Ann.ID, true))
	storetest.WantOK(t, "TaskDone", w.Engine.Client.Run(w.Ctx, ending.Ended()).Err())
	if !w.Exists(key.Task(p, task)) {
		t.Error("the end of the task before took the new one")
	}
	w.finish()
	w.wantErased("after a repeated order")
}

// What a request posts while the account is deleted is deleted, too.
func TestEraseOfLatePosts(t *testing.T) {
	testlevel.Sequential(t)
	w := newEraseSite(t)
	wake := w.Asleep("comment_create", func(s *store.Store) {
		in := site.Remark(w.theirs, 0)
		in.Content = marker
		must.Do(s.Posts.CreateComment(w.Ctx, w.Ann, in))(t)
	})
	storetest.WantOK(t, "DeleteUser", w.Accounts.DeleteUser(w.Ctx, w.Ann.ID, true))
	for range 29 {
		w.Settle()
		w.Clock.Advance(time.Second)
	}
	wake()
	w.finish()
	w.wantErased("after a late comment")
}

// A turn deletes at most 200 posts, and passes over ids that were never assigned.
func TestEraseInTurns(t *testing.T) {
	testlevel.Sequential(t)
	x := storetest.New(t)
	storetest.WantOK(t, "ReserveIDs", x.ReserveIDs(x.Ctx, 1_000_000_000))
	storetest.WantOK(t, "Consume", x.Engine.Consume(x.Ctx)) // consumers begin before there is anything to walk over
	ann := x.User("ann")
	bob := x.UserElsewhere(ann.ID.Partition())
	topic := x.Topic(bob, x.Category("a"))
	const comments = 650 // all at the same time, so that the list shows a part of them
	bulk := site.On(t, x.Bulk())
	for range comments {
		bulk.Comment(ann, topic, 0)
	}
	x.Settle()
	storetest.WantOK(t, "DeleteUser", x.Accounts.DeleteUser(x.Ctx, ann.ID, true))
	live := func() int64 { return x.Redis.ZCard(x.Ctx, key.Authors(topic)).Val() }
	for before, turns := live(), 0; before > 0; turns++ {
		x.Clock.Advance(time.Minute)
		x.RunDue()
		if after := live(); before-after > 200 || turns > 6 {
			t.Fatalf("turn %d left %d comments of %d; want at most 200 deleted, and all after 6", turns, after, before)
		} else {
			before = after
		}
	}
	x.Clock.Advance(time.Minute)
	x.Settle()
	x.WantClean()
}
