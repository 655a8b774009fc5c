package storetest

import (
	"strings"
	"testing"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/listing"
	"agora/internal/test/must"
	"agora/internal/test/site"
)

// Following is the site of the interleavings: ann and bob, of two partitions, and two categories.
type Following struct {
	*Site
	Ann, Bob *forum.Viewer
	A, B     forum.CategoryID
	Hides    bool // the first write is hidden
}

// NewFollowing creates a Following, whose homes have the sizes.
func NewFollowing(t testing.TB, of forum.Limits) *Following {
	t.Helper()
	w := &Following{Site: New(t, store.WithLimits(of))}
	w.Ann = w.User("ann")
	w.Bob = w.UserElsewhere(w.Ann.ID.Partition())
	w.A, w.B = w.Category("a"), w.Category("b")
	return w
}

// ToUser returns the target of those who follow a user.
func ToUser(v *forum.Viewer) forum.Target { return forum.Target{User: v.ID} }

// ToCategory returns the target of those who follow a category.
func ToCategory(id forum.CategoryID) forum.Target { return forum.Target{Category: id} }

// ToTag returns the target of those who follow a tag.
func ToTag(name string) forum.Target { return forum.Target{Tag: Label(name)} }

// DiesAt runs f in a process that is killed just before its nth step of that name.
func (x *Site) DiesAt(step string, n int, f func(*store.Store)) {
	x.T.Helper()
	s := x.Process(store.WithSteps(site.KillAt(step, n)), store.WithLimits(x.Engine.Limits))
	if !site.Killed(func() { f(s) }) {
		x.T.Errorf("the process never reached step %q", step)
	}
}

// Sleeps is Asleep in a process with the site's sizes, which continues when the sweeper has no work left
// from others.
func (w *Following) Sleeps(step string, f func(*store.Store)) (wake func()) {
	on := w.AsleepAt(step, 1, func(s *store.Store) { s.Engine.Limits = w.Engine.Limits; f(s) })
	return func() { w.Engine.Cleaner.Flush(); on() }
}

// FollowIn follows a target, or stops, in a process.
func (w *Following) FollowIn(s *store.Store, by *forum.Viewer, to forum.Target, want bool) {
	must.Do(s.Follows.Follow(w.Ctx, by.ID, to, want))(w.T)
	s.Engine.Cleaner.Flush()
}

// BlockIn blocks another user, or stops, in a process.
func (w *Following) BlockIn(s *store.Store, by, other *forum.Viewer, want bool) {
	must.Do(s.Follows.Block(w.Ctx, by.ID, other.ID, want))(w.T)
	s.Engine.Cleaner.Flush()
}

// PostIn posts an article of bob's in category a.
func (w *Following) PostIn(s *store.Store, tags ...string) forum.TopicID {
	in := site.Link(w.Bob, tags...)
	in.Category = w.A
	id := site.On(w.T, s).Post(in)
	s.Engine.Cleaner.Flush()
	return id
}

// Last returns bob's latest topic.
func (w *Following) Last() forum.TopicID {
	page := w.Page(listing.List{Name: "profile", Key: key.Profile(w.Bob.ID), Newest: true, Packed: true},
		forum.Window{Count: 1})
	return forum.TopicID(page.Rows[0].ID)
}

// Delete deletes a topic of bob's.
func (w *Following) Delete(id forum.TopicID) {
	w.T.Helper()
	WantOK(w.T, "DeleteTopic", w.Posts.DeleteTopic(w.Ctx, w.Bob, id))
}

// Retag adds and removes tags, separated by spaces, of a topic of bob's in a process.
func (w *Following) Retag(s *store.Store, id forum.TopicID, add, remove string) {
	WantOK(w.T, "TagTopic", s.Posts.TagTopic(w.Ctx, w.Bob, id, site.Tags(strings.Fields(add)...),
		site.Tags(strings.Fields(remove)...)))
	s.Engine.Cleaner.Flush()
}

// MakeUnkept makes a user's home one that is not kept, as after a long absence.
func (w *Following) MakeUnkept(v *forum.Viewer) {
	w.Redis.Del(w.Ctx, key.Home(v.ID))
	w.Redis.HSet(w.Ctx, key.Internal(key.User(v.ID)), "homeFloor", record.HomeNotKept)
}

// FillIn fills ann's home, as a task does.
func (w *Following) FillIn(s *store.Store) {
	WantOK(w.T, "fillHome", s.Homes.FillHome(w.Ctx, w.Ann.ID))
}
