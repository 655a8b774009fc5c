package bulk_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/internal/key"
	"agora/internal/store/listing"
	"agora/internal/store/sessions"
	"agora/internal/store/storetest"
	"agora/internal/test/must"
	"agora/internal/test/site"
	"agora/internal/test/testlevel"
)

// mustImport imports everything and settles.
func mustImport(x *storetest.Site) storetest.ImportResult {
	x.T.Helper()
	h := must.Do(x.ImportAll(x.Store))(x.T)
	for _, m := range h.Topics {
		storetest.WantOK(x.T, "import of a topic", m.Err)
	}
	for _, m := range h.Comments {
		storetest.WantOK(x.T, "import of a comment", m.Err)
	}
	return h
}

// wantOldOnce fails the test unless the site "old" was imported exactly once.
func wantOldOnce(x *storetest.Site) {
	x.T.Helper()
	x.WantClean()
	stats, err := x.Process().Stats(x.Ctx)
	if want := (store.Stats{Users: 3, Topics: 4, Comments: 4}); err != nil || stats != want {
		x.T.Errorf("Stats = %+v, %v; want %+v", stats, err, want)
	}
	if n := len(x.FrontTopics()); n != 4 {
		x.T.Errorf("the front has %d topics; want 4", n)
	}
	r := x.Read(x.Ctx)
	sections := r.Listing.Lengths([]listing.List{listing.AllCategories(), listing.AllTabs()})
	storetest.WantOK(x.T, "Exec", r.Exec())
	if got, err := sections(); err != nil || !slices.Equal(got, []int{2, 1}) {
		x.T.Errorf("%v categories and tabs, %v; want 2 and 1", got, err)
	}
	if keys := x.KeysLike(":src:"); len(keys) != 13 { // 3 users, 4 topics, 4 comments; categories, tabs
		x.T.Errorf("%d records: %v; want 13", len(keys), keys)
	}
}

func TestImportReadsBackAsGiven(t *testing.T) {
	x := storetest.New(t)
	h := mustImport(x)
	wantOldOnce(x)
	c := h.Rooms.Categories["old:c"]
	want := &forum.Topic{
		ID: h.Topic(0), Kind: forum.Discussion, State: forum.TopicOpen, Audience: forum.Public, Title: "title of old:1",
		Content:  "text of old:1",
		Format:   forum.HTML,
		AuthorID: h.Users[0], CategoryID: c, CreatedAt: site.ImportedAt, LastActiveAt: site.ImportedAt +
			1000, ClickCount: 40,
		CommentCount: 2,
		Day:          forum.DayOf(site.ImportedAt+1000, x.Engine.Location), DayComments: 2,
	}
	if diff := cmp.Diff(want, x.OneTopic(h.Topic(0))); diff != "" {
		t.Errorf("topic (-want +got):\n%s", diff)
	}
	if got := x.OneTopic(h.Topic(2)); got.State != forum.TopicLocked {
		t.Errorf("topic that was locked there = %+v; want it locked", got)
	}
	if n, err := x.Import().Pinned(x.Ctx, h.Rooms.Categories["old:d"]); n != 1 || err != nil {
		t.Errorf("Pinned = %d, %v; want the topic that was pinned there", n, err)
	}
	user := &forum.User{Active: true, ID: h.Users[1], Login: "yan", LoginFold: "yan", Name: "YAN", Role: forum.RoleUser,
		CreatedAt: site.ImportedAt}
	if diff := cmp.Diff(user, x.OneUser(h.Users[1])); diff != "" {
		t.Errorf("user (-want +got):\n%s", diff)
	}
	if got := x.Counts(user.ID); got.Topics != 2 {
		t.Errorf("counts = %+v; want two topics", got)
	}
	reply := x.OneComment(h.Comment(2))
	if reply.ParentID != h.Comment(0) || reply.Depth != 1 || reply.AuthorID != 0 || reply.Number != 2 {
		t.Errorf("reply of the ghost = %+v; want the second number, under %d", reply, h.Comment(0))
	}
	if got := storetest.IDs[forum.CommentID](x, listing.UserComments(h.Users[0])); !slices.Equal(got,
		[]forum.CommentID{h.Comment(3)}) {
		t.Errorf("comments of zoe = %v; want %d", got, h.Comment(3))
	}
	if got := x.Hash(key.Topic(h.Topic(0))); got["src"] != "old:1" || got["clickBase"] != "40" {
		t.Errorf("src %q, clickBase %q; want old:1 and 40", got["src"], got["clickBase"])
	}
	if c, err := x.Sessions.Credentials(t.Context(), "zoe",
		false); err != nil || c != (sessions.Credentials{User: h.Users[0]}) {
		t.Errorf("Credentials = %+v, %v; want no password", c, err)
	}
}

// Two imports of one site run concurrently: one is paused at each step while the other completes.
func TestConcurrentImports(t *testing.T) {
	testlevel.LongSequential(t)
	for _, step := range []string{"claim_get", "user_create", "claim_set", "user_activate", "import_topics",
		"import_comments", "index"} {
		for _, late := range []bool{false, true} {
			x := storetest.New(t)
			wake := x.Asleep(step, func(s *store.Store) {
				must.Do(x.ImportAll(s))(t)
			})
			if late {
				x.Clock.Advance(time.Minute)
				x.Settle()
			}
			mustImport(x)
			wake()
			x.Clock.Advance(time.Minute)
			wantOldOnce(x)
			mustImport(x)
			wantOldOnce(x)
			if t.Failed() {
				t.Fatalf("one paused before %s, swept %t", step, late)
			}
		}
	}
}

// Topics and comments of the ghost can be replied to, opened and deleted like others.
func TestGhostTopic(t *testing.T) {
	x := storetest.New(t)
	mod, ann := x.Moderator("mod"), x.User("ann")
	h := mustImport(x)
	ghosts := h.Topic(1)
	reply := x.Comment(ann, ghosts, h.Comment(1))
	x.Comment(ann, h.Topic(0), h.Comment(2))
	x.Clock.Advance(time.Second)
	storetest.WantCode(t, "DeleteTopic by a user", x.Posts.DeleteTopic(t.Context(), ann, ghosts), forum.CodeForbidden)
	counts, err := x.Votes.RecordClicks(t.Context(), nil, "visitor", []forum.TopicID{ghosts})
	if err != nil || !slices.Equal(counts, []int{1}) {
		t.Errorf("RecordClicks = %v, %v; want 1", counts, err)
	}
	x.WantClean()
	x.Hide(mod, forum.Subject{Comment: h.Comment(2)})
	x.Hide(mod, forum.Subject{Topic: ghosts})
	x.WantClean()
	if got := storetest.IDs[forum.CommentID](x, listing.UserComments(ann.ID)); slices.Contains(got, reply) {
		t.Errorf("comments of ann = %v; want none on the hidden topic", got)
	}
	counts, err = x.Votes.RecordClicks(t.Context(), nil, "another", []forum.TopicID{ghosts})
	if err != nil || !slices.Equal(counts, []int{-1}) {
		t.Errorf("RecordClicks on a hidden topic = %v, %v; want -1", counts, err)
	}
	mustImportKnown(x)
	x.WantClean()
}

// mustImportKnown imports everything again; comments may be refused.
func mustImportKnown(x *storetest.Site) {
	x.T.Helper()
	h := must.Do(x.ImportAll(x.Store))(x.T)
	for i, m := range h.Topics {
		if !m.Known {
			x.T.Errorf("topic %d = %+v; want it known", i, m)
		}
	}
	for i, m := range h.Comments {
		if !m.Known {
			x.T.Errorf("comment %d = %+v; want it known", i, m)
		}
	}
}
