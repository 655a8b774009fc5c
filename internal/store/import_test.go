package store_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/accounts"
	"agora/internal/store/internal/key"
	"agora/internal/store/listing"
	"agora/internal/test/must"
	"agora/internal/test/testlevel"
)

// mustImport imports everything and settles.
func (x *site) mustImport() importResult {
	x.t.Helper()
	h := must.Do(x.importAll(x.Store))(x.t)
	for _, m := range h.topics {
		wantOK(x.t, "import of a topic", m.Err)
	}
	for _, m := range h.comments {
		wantOK(x.t, "import of a comment", m.Err)
	}
	return h
}

// wantOldOnce fails the test unless the site "old" was imported exactly once.
func (x *site) wantOldOnce() {
	x.t.Helper()
	x.wantClean()
	stats, err := x.process().Stats(x.ctx)
	if want := (store.Stats{Users: 3, Topics: 4, Comments: 4}); err != nil || stats != want {
		x.t.Errorf("Stats = %+v, %v; want %+v", stats, err, want)
	}
	if n := len(x.frontTopics()); n != 4 {
		x.t.Errorf("the front has %d topics; want 4", n)
	}
	r := x.Read(x.ctx)
	sections := r.Listing.Lengths([]listing.List{listing.AllCategories(), listing.AllTabs()})
	wantOK(x.t, "Exec", r.Exec())
	if got, err := sections(); err != nil || !slices.Equal(got, []int{2, 1}) {
		x.t.Errorf("%v categories and tabs, %v; want 2 and 1", got, err)
	}
	if keys := x.keysLike(":src:"); len(keys) != 13 { // 3 users, 4 topics, 4 comments; categories, tabs
		x.t.Errorf("%d records: %v; want 13", len(keys), keys)
	}
}

func TestImportReadsBackAsGiven(t *testing.T) {
	x := newSite(t)
	h := x.mustImport()
	x.wantOldOnce()
	c := h.rooms.Categories["old:c"]
	want := &forum.Topic{
		ID: h.topic(0), Kind: forum.Discussion, State: forum.TopicOpen, Audience: forum.Public, Title: "title of old:1",
		Content:  "text of old:1",
		Format:   forum.HTML,
		AuthorID: h.users[0], CategoryID: c, CreatedAt: importedAt, LastActiveAt: importedAt + 1000, ClickCount: 40,
		CommentCount: 2,
		Day:          forum.DayOf(importedAt+1000, x.Engine.Zone()), DayComments: 2,
	}
	if diff := cmp.Diff(want, x.oneTopic(h.topic(0))); diff != "" {
		t.Errorf("topic (-want +got):\n%s", diff)
	}
	if got := x.oneTopic(h.topic(2)); got.State != forum.TopicLocked {
		t.Errorf("topic that was locked there = %+v; want it locked", got)
	}
	if n, err := x.Import().Pinned(x.ctx, h.rooms.Categories["old:d"]); n != 1 || err != nil {
		t.Errorf("Pinned = %d, %v; want the topic that was pinned there", n, err)
	}
	user := &forum.User{Active: true, ID: h.users[1], Login: "yan", LoginFold: "yan", Name: "YAN", Role: forum.RoleUser,
		CreatedAt: importedAt}
	if diff := cmp.Diff(user, x.oneUser(h.users[1])); diff != "" {
		t.Errorf("user (-want +got):\n%s", diff)
	}
	if got := x.counts(user.ID); got.Topics != 2 {
		t.Errorf("counts = %+v; want two topics", got)
	}
	reply := x.oneComment(h.comment(2))
	if reply.ParentID != h.comment(0) || reply.Depth != 1 || reply.AuthorID != 0 || reply.Number != 2 {
		t.Errorf("reply of the ghost = %+v; want the second number, under %d", reply, h.comment(0))
	}
	if got := ids[forum.CommentID](x, listing.UserComments(h.users[0])); !slices.Equal(got, []forum.CommentID{h.comment(3)}) {
		t.Errorf("comments of zoe = %v; want %d", got, h.comment(3))
	}
	if got := x.hash(key.Topic(h.topic(0))); got["src"] != "old:1" || got["clickBase"] != "40" {
		t.Errorf("src %q, clickBase %q; want old:1 and 40", got["src"], got["clickBase"])
	}
	if c, err := x.Accounts.Credentials(t.Context(), "zoe",
		false); err != nil || c != (accounts.Credentials{User: h.users[0]}) {
		t.Errorf("Credentials = %+v, %v; want no password", c, err)
	}
}

// Two imports of one site run concurrently: one is paused at each step while the other completes.
func TestConcurrentImports(t *testing.T) {
	testlevel.LongSequential(t)
	for _, step := range []string{"claim_get", "user_create", "claim_set", "user_activate", "import_topics",
		"import_comments", "index"} {
		for _, late := range []bool{false, true} {
			x := newSite(t)
			wake := x.asleep(step, func(s *store.Store) {
				must.Do(x.importAll(s))(t)
			})
			if late {
				x.clock.Advance(time.Minute)
				x.settle()
			}
			x.mustImport()
			wake()
			x.clock.Advance(time.Minute)
			x.wantOldOnce()
			x.mustImport()
			x.wantOldOnce()
			if t.Failed() {
				t.Fatalf("one paused before %s, swept %t", step, late)
			}
		}
	}
}

// Topics and comments of the ghost can be replied to, opened and deleted like others.
func TestGhostTopic(t *testing.T) {
	x := newSite(t)
	mod, ann := x.Moderator("mod"), x.User("ann")
	h := x.mustImport()
	ghosts := h.topic(1)
	reply := x.Comment(ann, ghosts, h.comment(1))
	x.Comment(ann, h.topic(0), h.comment(2))
	x.clock.Advance(time.Second)
	wantCode(t, "DeleteTopic by a user", x.Posts.DeleteTopic(t.Context(), ann, ghosts), forum.CodeForbidden)
	counts, err := x.Votes.RecordClicks(t.Context(), nil, "visitor", []forum.TopicID{ghosts})
	if err != nil || !slices.Equal(counts, []int{1}) {
		t.Errorf("RecordClicks = %v, %v; want 1", counts, err)
	}
	x.wantClean()
	x.hide(mod, forum.Subject{Comment: h.comment(2)})
	x.hide(mod, forum.Subject{Topic: ghosts})
	x.wantClean()
	if got := ids[forum.CommentID](x, listing.UserComments(ann.ID)); slices.Contains(got, reply) {
		t.Errorf("comments of ann = %v; want none on the hidden topic", got)
	}
	counts, err = x.Votes.RecordClicks(t.Context(), nil, "another", []forum.TopicID{ghosts})
	if err != nil || !slices.Equal(counts, []int{-1}) {
		t.Errorf("RecordClicks on a hidden topic = %v, %v; want -1", counts, err)
	}
	x.mustImportKnown()
	x.wantClean()
}

// mustImportKnown imports everything again; comments may be refused.
func (x *site) mustImportKnown() {
	x.t.Helper()
	h := must.Do(x.importAll(x.Store))(x.t)
	for i, m := range h.topics {
		if !m.Known {
			x.t.Errorf("topic %d = %+v; want it known", i, m)
		}
	}
	for i, m := range h.comments {
		if !m.Known {
			x.t.Errorf("comment %d = %+v; want it known", i, m)
		}
	}
}
