package importer

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/accounts"
	"agora/internal/store/categories"
	"agora/internal/store/posts"
	"agora/internal/test/must"
	"agora/internal/test/testlevel"
)

// A second run finds everything and changes no key.
func TestImportAgainChangesNothing(t *testing.T) {
	for _, s := range small {
		t.Run(string(s.format), func(t *testing.T) {
			x := newSite(t)
			x.load(s.sum, Options{Format: s.format}, lines(s.records...))
			x.settle()
			before := x.keys()
			again := Summary{
				Records: s.sum.Records,
				Known:   s.sum.Topics + s.sum.Comments,
				Skipped: s.sum.Skipped,
				Missing: s.sum.Missing,
				Changes: s.sum.Changes,
			}
			x.load(again, Options{Format: s.format}, lines(s.records...))
			x.settle()
			if diff := cmp.Diff(before, x.keys()); diff != "" {
				t.Errorf("a second run changes keys (-before +after):\n%s", diff)
			}
		})
	}
}

// A run with more records than the previous one adds those.
func TestImportAddsWhatIsNew(t *testing.T) {
	testlevel.Usual(t)
	for _, s := range small {
		t.Run(string(s.format), func(t *testing.T) {
			for n := range s.records {
				x := newSite(t)
				if _, err := x.run(x.ctx, x.Store, Options{Format: s.format}, lines(s.records[:n]...)); err != nil {
					t.Fatalf("Run = %v; want no error", err)
				}
				if _, err := x.run(x.ctx, x.Store, Options{Format: s.format},
					lines(s.records...)); err != nil || len(x.reported) > 0 {
					t.Fatalf("Run = %v, reported %q; want no errors", err, x.reported)
				}
				x.settle()
				wantShown(t, x, s.shown)
			}
		})
	}
}

// An imported topic gets the posts that were added later.
func TestImportAddsPostsToAKnownTopic(t *testing.T) {
	x := newSite(t)
	posts := []obj{
		postBy(1, 0, 0, "ann", "one", 0),
		postBy(2, 0, 1, "bob", "two", 0),
		postBy(3, 2, 2, "ann", "three", 0),
		postBy(4, 0, 3, "bob", "four", 0),
	}
	x.load(
		Summary{Records: 2, Topics: 1, Comments: 1, Users: 2, Categories: 1},
		Options{Format: Discourse},
		lines(threadOf(1, 0, 6, posts[:2]...)),
	)
	x.load(Summary{Records: 4, Known: 2, Comments: 2}, Options{Format: Discourse}, lines(threadOf(1, 0, 6, posts...)))
	x.settle()
	y := newSite(t)
	y.load(
		Summary{Records: 4, Topics: 1, Comments: 3, Users: 2, Categories: 1},
		Options{Format: Discourse},
		lines(threadOf(1, 0, 6, posts...)),
	)
	wantShown(t, x, y.shown())
}

// Another source is another site, even if all ids are the same. Its categories and tabs join those
// with the same names.
func TestImportOfASecondSource(t *testing.T) {
	testlevel.Usual(t)
	for _, s := range small {
		t.Run(string(s.format), func(t *testing.T) {
			x := newSite(t)
			x.load(s.sum, Options{Format: s.format}, lines(s.records...))
			second := s.sum
			second.Categories = max(0, second.Categories-1) // Imported belongs to no site
			x.load(second, Options{Format: s.format, Source: "second"}, lines(s.records...))
			x.settle()
			stats, err := x.Stats(x.ctx)
			want := store.Stats{
				Users:    2 * s.sum.Users,
				Topics:   2 * s.sum.Topics,
				Comments: 2 * s.sum.Comments,
			}
			if stats != want || err != nil {
				t.Errorf("Stats = %+v, %v; want %+v", stats, err, want)
			}
			before := x.keys()
			for _, source := range []string{"", "second"} {
				x.load(
					Summary{
						Records: s.sum.Records,
						Known:   s.sum.Topics + s.sum.Comments,
						Skipped: s.sum.Skipped,
						Missing: s.sum.Missing,
						Changes: s.sum.Changes,
					},
					Options{Format: s.format, Source: source},
					lines(s.records...),
				)
			}
			x.settle()
			if diff := cmp.Diff(before, x.keys()); diff != "" {
				t.Errorf("further runs change keys (-before +after):\n%s", diff)
			}
		})
	}
}

// admin registers an admin, who was not imported.
func (x *site) admin() *forum.Viewer {
	x.t.Helper()
	id := must.Do(x.Accounts.Register(x.ctx, accounts.NewUser{Login: "Root", LoginFold: "root", Name: "Root"}))(x.t)
	return &forum.Viewer{ID: id, Role: forum.RoleAdmin}
}

// called returns the id of the imported object with this name.
func called[ID ~int64](x *site, ids func(*view) []ID, name string) ID {
	x.t.Helper()
	v := x.view()
	for _, id := range ids(v) {
		if v.sources[int64(id)] == name {
			return id
		}
	}
	x.t.Fatalf("there is no %s", name)
	return 0
}

func topics(v *view) []forum.TopicID     { return v.topics }
func comments(v *view) []forum.CommentID { return v.comments }
func users(v *view) []forum.UserID       { return v.users }

func wantOK(t testing.TB, call string, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %v", call, err)
	}
}

// Local edits, moves and deletions are kept.
func TestImportAgainKeepsLocalChanges(t *testing.T) {
	x := newSite(t)
	by := x.admin()
	x.load(smallDiscourseSum, Options{Format: Discourse}, lines(smallDiscourse()...))
	first, third := called(x, topics, "discourse:1@1577836800000"), called(x, topics, "discourse:3@1577838000000")
	post := called(x, comments, "discourse:1@1577836800000#4")
	elsewhere := must.Do(x.Categories.CreateCategory(x.ctx, "Elsewhere", "elsewhere", ""))(t)
	title := "Edited"
	wantOK(t, "UpdateTopic", x.Posts.UpdateTopic(x.ctx, by, first, posts.TopicChange{Title: &title,
		Category: &elsewhere,
		Why:      forum.Grounds{Reason: forum.ReasonOther}}))
	x.remove(forum.Subject{Comment: post})
	x.remove(forum.Subject{Topic: third})
	x.settle()
	before := x.keys()
	x.load(
		Summary{Records: 9, Known: 6, Skipped: smallDiscourseSum.Skipped, Changes: smallDiscourseSum.Changes},
		Options{Format: Discourse},
		lines(smallDiscourse()...),
	)
	x.settle()
	if diff := cmp.Diff(before, x.keys()); diff != "" {
		t.Errorf("a second run changes keys (-before +after):\n%s", diff)
	}
}

// Posts added after their topic was deleted here are skipped; they are not invalid.
func TestImportOfPostsOnATopicDeletedHere(t *testing.T) {
	x := newSite(t)
	posts := []obj{
		postBy(1, 0, 0, "ann", "one", 0),
		postBy(2, 0, 1, "bob", "two", 0),
		postBy(3, 2, 2, "ann", "three", 0),
		postBy(4, 0, 3, "", "four", 0),
	}
	x.load(
		Summary{Records: 2, Topics: 1, Comments: 1, Users: 2, Categories: 1},
		Options{Format: Discourse},
		lines(threadOf(1, 0, 6, posts[:2]...)),
	)
	x.remove(forum.Subject{Topic: called(x, topics, "discourse:1@1577836800000")})
	x.load(
		Summary{Records: 4, Known: 2, Skipped: map[string]int{skippedDeleted: 2}},
		Options{Format: Discourse},
		lines(threadOf(1, 0, 6, posts...)),
	)
	x.settle()
}

// Categories and tabs that were deleted here, and categories removed from tabs, stay so if no new
// topic needs them.
func TestImportAgainKeepsSectionsDeleted(t *testing.T) {
	x := newSite(t)
	x.load(smallV2EXSum, Options{Format: V2EX}, lines(smallV2EX()...))
	tab := func(fold string) forum.TabID {
		read := x.Read(x.ctx)
		get := read.Categories.TabsNamed([]string{fold})
		wantOK(t, "Exec", read.Exec())
		ids, _ := get()
		return ids[0]
	}
	category := func(fold string) forum.CategoryID {
		read := x.Read(x.ctx)
		get := read.Categories.CategoriesNamed([]string{fold})
		wantOK(t, "Exec", read.Exec())
		ids, _ := get()
		return ids[0]
	}
	wantOK(t, "DeleteTab", x.Categories.DeleteTab(x.ctx, nil, tab("music")))
	wantOK(t, "UpdateTab", x.Categories.UpdateTab(x.ctx, tab("drinks"),
		categories.TabChange{Remove: []forum.CategoryID{category("tea")}}))
	x.remove(forum.Subject{Topic: called(x, topics, "v2ex:2")})
	wantOK(t, "DeleteCategory", x.Categories.DeleteCategory(x.ctx, nil, category("coffee")))
	x.settle()
	before := x.keys()
	x.load(Summary{Records: 6, Known: 5, Skipped: smallV2EXSum.Skipped, Missing: smallV2EXSum.Missing,
		Changes: smallV2EXSum.Changes}, Options{Format: V2EX}, lines(smallV2EX()...))
	x.settle()
	if diff := cmp.Diff(before, x.keys()); diff != "" {
		t.Errorf("a second run changes keys (-before +after):\n%s", diff)
	}
}

// An account deleted here stays deleted: its content is not imported again, and new content is the
// ghost's.
func TestImportAgainKeepsUsersDeleted(t *testing.T) {
	for _, s := range small {
		t.Run(string(s.format), func(t *testing.T) {
			x := newSite(t)
			x.load(s.sum, Options{Format: s.format}, lines(s.records...))
			for _, id := range x.view().users {
				wantOK(t, "DeleteAccount", x.Accounts.DeleteAccount(x.ctx, id, ""))
			}
			x.settle()
			before := x.keys()
			x.load(
				Summary{
					Records: s.sum.Records,
					Known:   s.sum.Topics + s.sum.Comments,
					Skipped: s.sum.Skipped,
					Missing: s.sum.Missing,
					Changes: s.sum.Changes,
				},
				Options{Format: s.format},
				lines(s.records...),
			)
			x.settle()
			if diff := cmp.Diff(before, x.keys()); diff != "" {
				t.Errorf("a second run changes keys (-before +after):\n%s", diff)
			}
		})
	}
}

func TestImportAttributesNewPostsOfDeletedUsersToTheGhost(t *testing.T) {
	x := newSite(t)
	first := threadOf(1, 0, 6, postBy(1, 0, 0, "ann", "one", 0))
	more := threadOf(2, 9, 6, postBy(1, 0, 9, "ann", "one", 0), postBy(2, 0, 10, "ann", "two", 0))
	x.load(Summary{Records: 1, Topics: 1, Users: 1, Categories: 1}, Options{Format: Discourse}, lines(first))
	wantOK(t, "DeleteAccount", x.Accounts.DeleteAccount(x.ctx, called(x, users, "discourse:name:ann"), ""))
	x.load(Summary{Records: 3, Known: 1, Topics: 1, Comments: 1}, Options{Format: Discourse}, lines(first, more))
	x.load(Summary{Records: 3, Known: 3}, Options{Format: Discourse}, lines(first, more))
	x.settle()
	shown := x.shown()
	for _, want := range []string{"user discourse:name:ann: deleted", `"Thread 2" by none in`,
		"0 users, 2 topics, 1 comments"} {
		if !strings.Contains(shown, want) {
			t.Errorf("the site lacks %q:\n%s", want, shown)
		}
	}
}
