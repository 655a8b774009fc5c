package listing_test

import (
	"context"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/accounts"
	"agora/internal/store/catalogue"
	"agora/internal/store/categories"
	"agora/internal/store/internal/key"
	"agora/internal/store/listing"
	"agora/internal/store/posts"
	"agora/internal/store/storetest"
	"agora/internal/test/must"
	"agora/internal/test/site"
)

// notRead are fields that are not stored: they follow from others, or from the viewer.
var notRead = []string{"ID", "Tombstone", "Unlisted"}

// checkRead reads objects, of which some have a value in every field, some that do not exist, and some while Redis does
// not answer.
func checkRead[ID ~int64, T any](t *testing.T, x *storetest.Site, table *catalogue.Table[T], key func(ID) string,
	queue func(*store.Read, []ID) func() ([]*T, []error), ids ...ID) {
	t.Helper()
	read := func(ctx context.Context, ids ...ID) ([]*T, []error, error) {
		r := x.Read(ctx)
		take := queue(r, ids)
		err := r.Exec()
		found, errs := take()
		return found, errs, err
	}
	empty := map[string]bool{}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[T]()) {
		if !f.Anonymous && !slices.Contains(notRead, f.Name) {
			empty[f.Name] = true
		}
	}
	const none = 7 * forum.Partitions << 8
	for _, id := range ids {
		found, errs, err := read(x.Ctx, none, id, none+1)
		storetest.WantOK(t, "Exec", err)
		if found[0] != nil || found[1] == nil || found[2] != nil || errs != nil {
			t.Fatalf("%v: %v, %v; want only the second", reflect.TypeFor[T](), found, errs)
		}
		for name := range empty {
			if !reflect.ValueOf(found[1]).Elem().FieldByName(name).IsZero() {
				delete(empty, name)
			}
		}
	}
	if len(empty) > 0 {
		t.Errorf("no object of %v has a value in %v", reflect.TypeFor[T](), slices.Collect(maps.Keys(empty)))
	}
	wantFieldsRead(t, x, table, key, ids, func(id ID) *T {
		found, _, err := read(x.Ctx, id)
		storetest.WantOK(t, "Exec", err)
		return found[0]
	})
	called, cancel := context.WithCancel(x.Ctx)
	cancel()
	found, errs, err := read(called, ids[0], 99)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("Exec = %v; want %v", err, context.Canceled)
	}
	for i := range found {
		if found[i] != nil || errs == nil || !errors.Is(errs[i], context.Canceled) {
			t.Errorf("%v: %v, %v; want errors, with the reason", reflect.TypeFor[T](), found, errs)
		}
	}
}

// wantFieldsRead takes each field of objects away in turn, as a reader that forgets it would, and expects another
// object.
func wantFieldsRead[ID ~int64, T any](t *testing.T, x *storetest.Site, table *catalogue.Table[T], key func(ID) string,
	ids []ID,
	read func(ID) *T) {
	t.Helper()
	needed := map[string]bool{}
	for _, id := range ids {
		k, whole := key(id), read(id)
		for name, value := range x.Redis.HGetAll(x.Ctx, k).Val() {
			x.Redis.HDel(x.Ctx, k, name)
			needed[name] = needed[name] || !reflect.DeepEqual(read(id), whole)
			x.Redis.HSet(x.Ctx, k, name, value)
		}
	}
	for _, f := range table.Shown {
		if !needed[f.Name] {
			t.Errorf("without %s a %s is read as with it", f.Name, table.Name)
		}
	}
}

// fullTopics returns an open topic and a deleted one, with a value in every field.
func fullTopics(x *storetest.Site, by *forum.Viewer, category forum.CategoryID) (open, deleted forum.TopicID) {
	x.T.Helper()
	in := site.Discussion(by, category)
	in.Kind, in.Link, in.Upvotes, in.Downvotes, in.Clicks = forum.Article, "https://example.org/", 5, 2, 9
	in.Tags, in.Mentions = site.Tags("Go", "Redis"), forum.Mentions{{Fold: "ann", User: by.ID}}
	var created []forum.TopicID
	for range 2 {
		id := x.Post(in)
		x.Clock.Advance(1e9)
		x.Comment(by, id, 0)
		x.Clock.Advance(24 * time.Hour)
		x.Comment(by, id, 0)
		x.Clock.Advance(1e9)
		title := "another title"
		storetest.WantOK(x.T, "UpdateTopic", x.Posts.UpdateTopic(x.Ctx, by, id, posts.TopicChange{Title: &title}))
		created = append(created, id)
	}
	storetest.WantOK(x.T, "DeleteTopic", x.Posts.DeleteTopic(x.Ctx, by, created[1]))
	return created[0], created[1]
}

// fullComments returns a comment and a tombstone.
func fullComments(x *storetest.Site, by *forum.Viewer, on forum.TopicID) (live, tombstone forum.CommentID) {
	x.T.Helper()
	in := site.Remark(on, x.Comment(by, on, 0))
	in.Upvotes, in.Downvotes = 3, 1
	var created []forum.CommentID
	for range 2 {
		id := must.Do(x.Posts.CreateComment(x.Ctx, by, in))(x.T)
		x.Comment(by, on, id)
		x.Clock.Advance(1e9)
		change := posts.CommentChange{Content: "for @ann", Mentions: forum.Mentions{{Fold: "ann", User: by.ID}}}
		storetest.WantOK(x.T, "UpdateComment", x.Posts.UpdateComment(x.Ctx, by, id, change))
		created = append(created, id)
	}
	storetest.WantOK(x.T, "DeleteComment", x.Posts.DeleteComment(x.Ctx, by, created[1]))
	return created[0], created[1]
}

// Every field of an object that readers are shown is read.
func TestObjectsAreRead(t *testing.T) {
	x := storetest.New(t)
	ann, category := x.User("ann"), x.Category("go")
	text, place := "what belongs here", 7
	storetest.WantOK(t, "UpdateCategory", x.Categories.UpdateCategory(x.Ctx, category,
		categories.CategoryChange{Description: &text, Position: &place}))
	bot := true
	profile := accounts.ProfileChange{IsBot: &bot}
	for _, p := range catalogue.User.Posted() {
		if p != forum.PostedLogin && p != forum.PostedName {
			profile.Texts = append(profile.Texts, accounts.ProfileText{Of: p, Value: &text})
		}
	}
	storetest.WantOK(t, "UpdateProfile", x.Accounts.UpdateProfile(x.Ctx, ann.ID, profile))
	storetest.WantOK(t, "ChangeLogin", x.Accounts.ChangeLogin(x.Ctx, ann.ID, "hash of ann", "annabel", "annabel"))
	open, deleted := fullTopics(x, ann, category)
	live, tombstone := fullComments(x, ann, open)
	storetest.WantOK(t, "HSET", x.Redis.HSet(x.Ctx, key.User(ann.ID), "ban", "POST", "banUntil", 5, "banReason", "SPAM",
		"banAct", 7,
		"moderates", "3", "roleUntil", 5).Err())
	hidden, obscured, mod := x.Topic(ann, category), x.Comment(ann, open, 0), x.Moderator("mod")
	x.Hide(mod, forum.Subject{Topic: hidden})
	x.Hide(mod, forum.Subject{Comment: obscured})
	text = strings.Repeat("x", catalogue.MaxShort+1)
	longTopic, longComment := site.Discussion(ann, category), site.Remark(open, 0)
	longTopic.Content, longComment.Content = text, text
	long := x.Post(longTopic)
	longer := must.Do(x.Posts.CreateComment(x.Ctx, ann, longComment))(t)
	bob := x.User("bob")
	x.Turn(ann, forum.Target{User: bob.ID}, true)
	x.Turn(bob, forum.Target{User: ann.ID}, true)
	checkRead(t, x, catalogue.Topic, key.Topic, store.From(listing.On, listing.Read.Topics), open, deleted, hidden,
		long)
	checkRead(t, x, catalogue.Comment, key.Comment, store.From(listing.On, listing.Read.Comments), live, tombstone,
		obscured, longer)
	checkRead(t, x, catalogue.Category, key.Category, store.From(listing.On, listing.Read.Categories), category)
	checkRead(t, x, catalogue.User, key.User, store.From(listing.On, listing.Read.Users), ann.ID)
	list := must.Do(x.Follows.CreateList(x.Ctx, ann.ID, "Friends", "friends"))(t)
	checkRead(t, x, catalogue.UserList, key.List, store.From(listing.On, listing.Read.Lists), list)
	all := x.Tab("all", category)
	storetest.WantOK(t, "UpdateTab", x.Categories.UpdateTab(x.Ctx, all, categories.TabChange{Position: &place}))
	checkRead(t, x, catalogue.Tab, key.Tab, store.From(listing.On, listing.Read.Tabs), all)
}

// Objects read back as they were written: no two columns are mixed up.
func TestColumnsReadBackAsWritten(t *testing.T) {
	x := storetest.New(t)
	ann, category := x.User("ann"), x.Category("go")
	start := x.Engine.Now()
	_, deleted := fullTopics(x, ann, category)
	const day = 86_400_000
	posted := start + day + 2000 // after the day and two seconds of the first
	want := &forum.Topic{
		ID: deleted, Kind: forum.Article, State: forum.TopicDeleted, Audience: forum.Public, Format: forum.Markdown,
		AuthorID:   ann.ID,
		CategoryID: category, CreatedAt: posted,
		EditedAt:  posted + day + 2000,
		DeletedAt: posted + day + 2000, LastActiveAt: posted + day + 1000, ClickCount: 9, CommentCount: 2, Downvotes: 2,
		Upvotes: 6, // including the author's own
		Revised: forum.Revised{Revision: 2, EditorID: ann.ID, Since: posted + day + 2000},
		Day:     forum.DayOf(posted+day+1000, x.Engine.Location), DayComments: 1, DayBefore: 1,
	}
	if diff := cmp.Diff(want, x.OneTopic(deleted)); diff != "" {
		t.Errorf("topic (-want +got):\n%s", diff)
	}
	on := x.Topic(ann, category)
	live, _ := fullComments(x, ann, on)
	whole := x.OneComment(live)
	comment := &forum.Comment{
		ID: live, TopicID: on, State: forum.CommentOpen, WriterID: ann.ID, AuthorID: ann.ID,
		Revised:  forum.Revised{Revision: 2, EditorID: ann.ID, Since: posted + day + 3000}, // others had voted
		ParentID: whole.ParentID, Depth: 1, Number: 2, Content: "for @ann",
		Format:    forum.Markdown,
		CreatedAt: posted + day + 2000, EditedAt: posted + day + 3000, ReplyCount: 1,
		Mentions: forum.Mentions{{Fold: "ann", User: ann.ID}}, Upvotes: 3, Downvotes: 1,
	}
	if diff := cmp.Diff(comment, whole); diff != "" || whole.ParentID == 0 {
		t.Errorf("comment (-want +got):\n%s", diff)
	}
	about, page, picture := "about me", "https://a.example/", "https://a.example/a.png"
	bot := true
	profile := accounts.ProfileChange{IsBot: &bot, Texts: []accounts.ProfileText{{Of: forum.PostedBio, Value: &about},
		{Of: forum.PostedWebsite, Value: &page}, {Of: forum.PostedAvatar, Value: &picture}}}
	storetest.WantOK(t, "UpdateProfile", x.Accounts.UpdateProfile(x.Ctx, ann.ID, profile))
	user := &forum.User{ID: ann.ID, Active: true, Login: "ann", LoginFold: "ann", Name: "ann", Role: forum.RoleUser,
		CreatedAt: start, Bio: about, Website: page, AvatarURL: picture, IsBot: true}
	if diff := cmp.Diff(user, x.OneUser(ann.ID)); diff != "" {
		t.Errorf("user (-want +got):\n%s", diff)
	}
	if got, want := x.Counts(ann.ID), (forum.UserCounts{Topics: 2, Karma: 5}); got != want {
		t.Errorf("counts = %+v; want %+v", got, want)
	}
}
