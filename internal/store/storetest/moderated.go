package storetest

import (
	"testing"

	"agora/internal/forum"
	"agora/internal/store/listing"
	"agora/internal/store/moderation"
	"agora/internal/store/posts"
	"agora/internal/test/must"
)

// Moderated is a Thread with a moderator.
type Moderated struct {
	*Thread
	Mod *forum.Viewer
}

// NewModerated creates a Moderated.
func NewModerated(t testing.TB) *Moderated {
	t.Helper()
	w := &Moderated{Thread: NewThread(t)}
	w.Mod = w.User("mod")
	w.Mod.Role = forum.RoleModerator
	return w
}

// Acting returns what a moderator wants, without a note.
func Acting(kind forum.ActKind) moderation.Moderation {
	return moderation.Moderation{Action: kind, Grounds: forum.Grounds{Reason: forum.ReasonSpam},
		Place: forum.PinCategory}
}

// Moderate acts on a topic or comment and returns the result.
func (w *Moderated) Moderate(by *forum.Viewer, s forum.Subject, kind forum.ActKind) moderation.Moderated {
	w.T.Helper()
	return must.Do(w.Moderation.Moderate(w.Ctx, by, s, Acting(kind)))(w.T)
}

// Hide has a moderator hide a topic or comment.
func (x *Site) Hide(by *forum.Viewer, s forum.Subject) {
	x.T.Helper()
	must.Do(x.Moderation.Moderate(x.Ctx, by, s, Acting(forum.ActHide)))(x.T)
}

// Writer returns the author of a topic.
func (x *Site) Writer(id forum.TopicID) *forum.Viewer {
	x.T.Helper()
	return &forum.Viewer{ID: x.OneTopic(id).AuthorID}
}

// Because is why moderators act in tests.
var Because = forum.Grounds{Reason: forum.ReasonSpam, Note: "Tea, again."}

// Sanctioned is a site with a moderator, a member and a category.
type Sanctioned struct {
	*Site
	Mia, Ann *forum.Viewer
	Tea      forum.CategoryID
}

// NewSanctioned creates a Sanctioned.
func NewSanctioned(t *testing.T) *Sanctioned {
	x := New(t)
	w := &Sanctioned{Site: x, Mia: x.Moderator("mia"), Ann: x.User("ann")}
	w.Tea = x.Category("Tea")
	return w
}

// BookmarksCounted returns how many bookmarks of a user count, and how many are there.
func (w *Moderated) BookmarksCounted(by *forum.Viewer) (count, there int) {
	w.T.Helper()
	r := w.Read(w.Ctx)
	t := forum.Timeline{Kind: forum.BookmarksTimeline, Owner: int64(by.ID), Direction: forum.Descending}
	list := listing.TimelineLists(t, nil)[0]
	page := r.Listing.Page(list, forum.Window{Count: 10})
	later := r.Posts.UnreadTopics([]posts.Unread{{List: list, Kind: t.Kind}})
	WantOK(w.T, "Exec", r.Exec())
	p := must.Do(page())(w.T)
	unread := must.Do(later())(w.T)
	if unread[0] != p.Total-p.Hidden {
		w.T.Errorf("%d bookmarks are unread; want %d less %d", unread[0], p.Total, p.Hidden)
	}
	return p.Total - p.Hidden, p.Total
}
