package store_test

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
	"agora/internal/test/must"
	built "agora/internal/test/site"
	"agora/internal/test/testlevel"
)

// marker is in all that ann writes on an eraseSite.
const marker = "annswords"

// eraseSite is a site on which ann has written whatever a user can, in any state.
type eraseSite struct {
	*moderatedSite
	theirs       forum.TopicID   // bob's
	shown        []forum.Subject // ann's posts that everybody can read
	bobs, answer forum.CommentID // bob's, on a topic of ann's and to a comment of ann's
}

func newEraseSite(t testing.TB) *eraseSite {
	t.Helper()
	w := &eraseSite{moderatedSite: newModeratedSite(t)}
	long := marker + strings.Repeat(" and more", 200) // has a key of its own
	post := func(change func(*posts.NewTopic)) forum.TopicID {
		in := discussion(w.ann, w.a)
		in.Title, in.Content, in.Tags = marker, marker, labels("tag-"+marker)
		change(&in)
		w.clock.Advance(time.Second)
		return w.Post(in)
	}
	say := func(on forum.TopicID, held bool) forum.CommentID {
		in := remark(on, 0)
		in.Content, in.Held = marker, held
		id := w.Reply(w.ann, in)
		if !held {
			w.clock.Advance(time.Hour)
			wantOK(t, "UpdateComment", w.Posts.UpdateComment(w.ctx, w.ann, id, posts.CommentChange{Content: long}))
		}
		return id
	}
	edit := func(id forum.TopicID) forum.TopicID {
		w.clock.Advance(time.Hour)
		title := marker + " edited"
		wantOK(t, "UpdateTopic", w.Posts.UpdateTopic(w.ctx, w.ann, id, posts.TopicChange{Title: &title,
			Content: &long}))
		return id
	}
	none, held := func(*posts.NewTopic) {}, func(in *posts.NewTopic) { in.Held = true }
	open, locked := edit(post(none)), edit(post(none))
	w.moderate(w.mod, forum.Subject{Topic: locked}, forum.ActLock)
	w.hide(w.mod, forum.Subject{Topic: edit(post(none))})
	post(held)
	w.hide(w.mod, forum.Subject{Topic: post(held)}) // refuses it
	wantOK(t, "DeleteTopic", w.Posts.DeleteTopic(w.ctx, w.ann, edit(post(none))))

	w.theirs = w.Topic(w.bob, w.b)
	comment := say(w.theirs, false)
	w.shown = []forum.Subject{{Topic: open}, {Topic: locked}, {Comment: comment}}
	say(open, false)
	w.hide(w.mod, forum.Subject{Comment: say(w.theirs, false)})
	say(w.theirs, true)
	hidden, deleted := w.Topic(w.bob, w.b), w.Topic(w.bob, w.b)
	say(hidden, false)
	say(deleted, false)
	w.hide(w.mod, forum.Subject{Topic: hidden})
	wantOK(t, "DeleteTopic", w.Posts.DeleteTopic(w.ctx, w.bob, deleted))
	w.bobs, w.answer = w.Say(w.bob, open, "bob's words"), w.Comment(w.bob, w.theirs, comment)
	w.Cast(w.bob, open, forum.VoteUp)
	w.CastOn(w.bob, comment, forum.VoteUp)
	w.settle()
	return w
}

// marked returns which keys have the marker, without partitions and ids.
func (w *eraseSite) marked() []string {
	w.t.Helper()
	var found []string
	for k, value := range w.contents() {
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
	w.t.Helper()
	for range 10 {
		w.clock.Advance(time.Minute)
		if w.settle(); len(w.keysLike(":due")) == 0 {
			break
		}
	}
}

// wantErased fails the test unless nothing of ann's is left but evidence, and what others wrote is.
func (w *eraseSite) wantErased(when string) {
	w.t.Helper()
	if got, want := w.marked(), []string{"c::evidence", "t::evidence"}; !slices.Equal(got, want) {
		w.t.Errorf("%s: ann's words are in %v; want %v", when, got, want)
	}
	for _, id := range []forum.CommentID{w.bobs, w.answer} {
		if got := w.hash(key.Comment(id)); got["content"] == "" || got["deleted"] != "" {
			w.t.Errorf("%s: comment %d of bob's is %v; want it as it was", when, id, got)
		}
	}
	if w.oneComment(w.answer).State != forum.CommentOpen {
		w.t.Errorf("%s: bob's answer to ann's comment is not open", when)
	}
	if got := w.hash(key.User(w.ann.ID)); got["topics"] != "0" || got["erase"] != "" {
		w.t.Errorf("%s: ann's account is %v; want no topics, and nothing to erase", when, got)
	}
	w.wantSound()
}

// An account is deleted with all that was written with it, wherever and in what state it is. What moderators must be able
// to see is kept for its time.
func TestEraseLeavesNoText(t *testing.T) {
	w := newEraseSite(t)
	before := w.marked()
	for _, kind := range []string{"t:", "t::text", "t::texts", "t::evidence", "c:", "c::texts", "c::evidence", "c::text"} {
		if !slices.Contains(before, kind) {
			t.Errorf("ann's words are not in %s, but in %v", kind, before)
		}
	}
	logged := w.rdb.ZCard(w.ctx, key.ModerationLog).Val()
	wantOK(t, "DeleteUser", w.Accounts.DeleteUser(w.ctx, w.ann.ID, true))
	w.settle()
	w.clock.Advance(time.Second)
	w.settle()
	for _, on := range w.shown {
		if w.hash(key.Subject(on))["deleted"] == "" {
			t.Errorf("%v was not deleted in the first turns", on)
		}
	}
	w.finish()
	w.wantErased("after the task")
	if n := w.rdb.ZCard(w.ctx, key.ModerationLog).Val(); n != logged {
		t.Errorf("%d acts were logged; want none", n-logged)
	}
	w.clock.Advance(time.Duration(forum.HiddenLife) * time.Millisecond)
	w.clock.Advance(time.Hour)
	must.Do(w.Purge(t.Context()))(t)
	if got := w.marked(); len(got) > 0 {
		t.Errorf("at the end ann's words are in %v; want nowhere", got)
	}
	w.finish()
	w.wantSound()
}

// Nothing of an object survives its deletion that its table does not say is kept, and nothing of what a member wrote: each
// field has a value, as if the member had used all that there is.
func TestDeletionLeavesWhatTheTableSays(t *testing.T) {
	testlevel.Sequential(t)
	w := newEraseSite(t)
	topic, comment := w.shown[0], w.shown[2]
	goes := map[string][]string{} // by hash
	fill(w, key.User(w.ann.ID), catalogue.User, goes)
	fill(w, key.Subject(topic), catalogue.Topic, goes)
	fill(w, key.Subject(comment), catalogue.Comment, goes)
	wantOK(t, "DeleteUser", w.Accounts.DeleteUser(w.ctx, w.ann.ID, true))
	w.finish()
	for k, fields := range goes {
		left := w.hash(k)
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
	w.t.Helper()
	for _, field := range slices.Concat(of.Shown, of.Others) {
		hash := catalogue.KeyOf(k, field.Name)
		if field.Kept != "" && field.Kept != catalogue.Emptied {
			continue
		}
		goes[hash] = append(goes[hash], field.Name)
		for _, value := range []string{marker, "1", engine.NewNonce(), forum.External{}.Hash()} {
			if field.Valid(value) {
				w.rdb.HSetNX(w.ctx, hash, field.Name, value)
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
			died = w.dies(n, func(s *store.Store) {
				s.Accounts.DeleteUser(w.ctx, w.ann.ID, true)
				for range 3 {
					s.Engine.RunDueTasks(w.ctx)
					w.clock.Advance(time.Minute)
				}
			})
			w.finish()
			if w.hash(key.User(w.ann.ID))["state"] == "ACTIVE" {
				wantOK(t, "DeleteUser again", w.Accounts.DeleteUser(w.ctx, w.ann.ID, true))
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
	wantOK(t, "DeleteAccount", w.Accounts.DeleteAccount(w.ctx, w.ann.ID, "hash of ann"))
	w.finish()
	p, task := w.ann.ID.Partition(), record.EraseTask(w.ann.ID)
	before := w.marked()
	w.rdb.HSet(w.ctx, key.Task(p, task), "n", 1, "attempts", 0, "cursor", "")
	w.rdb.ZAdd(w.ctx, key.Due(p), z(0, task))
	w.finish()
	if after := w.marked(); !slices.Equal(after, before) {
		t.Errorf("a task that nobody ordered left ann's words in %v; want %v", after, before)
	}
	wantCode(t, "DeleteUser, keeping the posts", w.Accounts.DeleteUser(w.ctx, w.ann.ID, false), forum.CodeNotFound)
	for range 2 {
		wantOK(t, "DeleteUser", w.Accounts.DeleteUser(w.ctx, w.ann.ID, true))
	}
	w.finish()
	w.wantErased("after the order")
	wantOK(t, "DeleteUser after the end", w.Accounts.DeleteUser(w.ctx, w.ann.ID, true))
	ending, held, err := w.Engine.ClaimTask(w.ctx, p, task)
	if err != nil || !held {
		t.Fatalf("ClaimTask = %t, %v; want the task", held, err)
	}
	w.rdb.HDel(w.ctx, key.Internal(key.User(w.ann.ID)), "erase") // the last turn has done so
	wantOK(t, "DeleteUser before the task ends", w.Accounts.DeleteUser(w.ctx, w.ann.ID, true))
	wantOK(t, "TaskDone", w.Engine.Client.Run(w.ctx, ending.Ended()).Err())
	if !w.exists(key.Task(p, task)) {
		t.Error("the end of the task before took the new one")
	}
	w.finish()
	w.wantErased("after a repeated order")
}

// What a request posts while the account is deleted is deleted, too.
func TestEraseOfLatePosts(t *testing.T) {
	testlevel.Sequential(t)
	w := newEraseSite(t)
	wake := w.asleep("comment_create", func(s *store.Store) {
		in := remark(w.theirs, 0)
		in.Content = marker
		must.Do(s.Posts.CreateComment(w.ctx, w.ann, in))(t)
	})
	wantOK(t, "DeleteUser", w.Accounts.DeleteUser(w.ctx, w.ann.ID, true))
	for range 29 {
		w.settle()
		w.clock.Advance(time.Second)
	}
	wake()
	w.finish()
	w.wantErased("after a late comment")
}

// A turn deletes at most 200 posts, and passes over ids that were never assigned.
func TestEraseInTurns(t *testing.T) {
	testlevel.Sequential(t)
	x := newSite(t)
	wantOK(t, "ReserveIDs", x.ReserveIDs(x.ctx, 1_000_000_000))
	wantOK(t, "Consume", x.Engine.Consume(x.ctx)) // consumers begin before there is anything to walk over
	ann := x.User("ann")
	bob := x.UserElsewhere(ann.ID.Partition())
	topic := x.Topic(bob, x.Category("a"))
	const comments = 650 // all at the same time, so that the list shows a part of them
	bulk := built.On(t, x.Bulk())
	for range comments {
		bulk.Comment(ann, topic, 0)
	}
	x.settle()
	wantOK(t, "DeleteUser", x.Accounts.DeleteUser(x.ctx, ann.ID, true))
	live := func() int64 { return x.rdb.ZCard(x.ctx, key.Authors(topic)).Val() }
	for before, turns := live(), 0; before > 0; turns++ {
		x.clock.Advance(time.Minute)
		x.runDue()
		if after := live(); before-after > 200 || turns > 6 {
			t.Fatalf("turn %d left %d comments of %d; want at most 200 deleted, and all after 6", turns, after, before)
		} else {
			before = after
		}
	}
	x.clock.Advance(time.Minute)
	x.settle()
	x.wantClean()
}
