package store

import (
	"context"
	"errors"
	"maps"
	"math/bits"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
)

// kind is a type of object that is read field by field.
type kind[ID ~int64, T any] struct {
	base, all forum.Fields
	// fields are the fields of the Go type for the bits of its forum.Fields, in order.
	fields []string
	// ids are of objects that together have a value in every field.
	ids    []ID
	whole  func(*Read, []ID) func() ([]*T, error)
	fill   func(*Read, []*T) func()
	make   func(ID) *T
	handle func(*T) *forum.Handle
}

// field returns one field of an object by its bit.
func (k kind[ID, T]) field(o *T, bit int) reflect.Value {
	whole, part, _ := strings.Cut(k.fields[bit], ".")
	v := reflect.ValueOf(o).Elem().FieldByName(whole)
	if part != "" {
		v = v.FieldByName(part)
	}
	return v
}

// derived are fields that follow from others.
var derived = map[string]string{"AuthorID": "WriterID", "State": "Unlisted"}

// asking returns handles that ask for fields.
func (k kind[ID, T]) asking(want forum.Fields, ids ...ID) []*T {
	objs := make([]*T, len(ids))
	for i, id := range ids {
		objs[i] = k.make(id)
		*k.handle(objs[i]) = forum.Handle{Status: forum.Named, Asked: want}
	}
	return objs
}

// read fills objects in one pipeline.
func (k kind[ID, T]) read(ctx context.Context, s *Store, objs []*T) error {
	r := s.Read(ctx)
	filled := k.fill(r, objs)
	err := r.Exec()
	filled()
	return err
}

// only returns an object with some fields of another and nothing else.
func (k kind[ID, T]) only(whole *T, id ID, which forum.Fields) *T {
	o := k.make(id)
	*k.handle(o) = forum.Handle{Status: forum.Named, Known: which}
	for bit := range k.fields {
		if which&(1<<bit) != 0 {
			k.field(o, bit).Set(k.field(whole, bit))
			if other := reflect.ValueOf(o).Elem().FieldByName(derived[k.fields[bit]]); other.IsValid() {
				other.Set(reflect.ValueOf(whole).Elem().FieldByName(derived[k.fields[bit]]))
			}
		}
	}
	return o
}

// check runs all tests of one type.
func (k kind[ID, T]) check(t *testing.T, x *site) {
	if n := bits.OnesCount32(uint32(k.all)); n != len(k.fields) || k.all != 1<<n-1 || k.base&^k.all != 0 {
		t.Fatalf("fields %b with base %b; want one bit for each of %v, from the lowest", k.all, k.base, k.fields)
	}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[T]()) {
		if name := f.Name; f.Index[0] > 0 && !f.Anonymous && name != "ID" && name != "Tombstone" &&
			!slices.Contains(slices.Collect(maps.Values(derived)), name) && !slices.Contains(k.fields, name) && name != "Ban" {
			t.Errorf("%v has the field %s; want only %v", reflect.TypeFor[T](), name, k.fields)
		}
	}
	var held forum.Fields
	for _, id := range k.ids {
		r := x.Read(x.ctx)
		whole := one(x, r, k.whole(r, []ID{id}))
		if h := *k.handle(whole); h != (forum.Handle{}) {
			t.Errorf("%v %d, read whole: %+v; want a handle that says so", reflect.TypeFor[T](), id, h)
		}
		for bit := range k.fields {
			if !k.field(whole, bit).IsZero() {
				held |= 1 << bit
			}
			k.checkBit(t, x, whole, id, 1<<bit)
		}
	}
	if held != k.all {
		t.Errorf("the objects have values in %b; want all of %b", held, k.all)
	}
	k.checkMissing(t, x)
	k.checkFailed(t, x)
}

// checkBit reads one field with the base, then the remaining ones, then everything again.
func (k kind[ID, T]) checkBit(t *testing.T, x *site, whole *T, id ID, bit forum.Fields) {
	t.Helper()
	first := k.base | bit
	objs := k.asking(first, id)
	for _, step := range []struct {
		name        string
		asked, want forum.Fields
	}{{"first", first, first}, {"then the rest", k.all &^ first, k.all}, {"then all again", k.all, k.all}} {
		if step.asked == 0 {
			continue
		}
		k.handle(objs[0]).Asked = step.asked
		wantOK(t, "Exec", k.read(x.ctx, x.Store, objs))
		if diff := cmp.Diff(k.only(whole, id, step.want), objs[0]); diff != "" {
			t.Errorf("%v %d with %b %s (-want +got):\n%s", reflect.TypeFor[T](), id, bit, step.name, diff)
		}
	}
}

// checkMissing reads missing objects together with existing ones.
func (k kind[ID, T]) checkMissing(t *testing.T, x *site) {
	t.Helper()
	const none = 7 * forum.Partitions << 8
	for _, want := range []forum.Fields{k.base, k.all} {
		objs := k.asking(want, none, k.ids[0], none+1)
		wantOK(t, "Exec", k.read(x.ctx, x.Store, objs))
		for i, status := range []forum.HandleStatus{forum.Absent, forum.Named, forum.Absent} {
			if h := k.handle(objs[i]); h.Status != status || h.Asked != 0 || h.Failure != nil ||
				h.Missing() != (status == forum.Absent) {
				t.Errorf("%v, position %d: %+v; want status %d", reflect.TypeFor[T](), i, *h, status)
			}
		}
	}
}

// checkFailed reads when Redis does not answer: first, and for a further field.
func (k kind[ID, T]) checkFailed(t *testing.T, x *site) {
	t.Helper()
	called, cancel := context.WithCancel(x.ctx)
	cancel()
	objs := k.asking(k.base, k.ids[0], 99)
	if err := k.read(called, x.Store, objs); !errors.Is(err, context.Canceled) {
		t.Errorf("Exec = %v; want %v", err, context.Canceled)
	}
	known := k.asking(k.base, k.ids[0])
	wantOK(t, "Exec", k.read(x.ctx, x.Store, known))
	before := *known[0]
	k.handle(known[0]).Asked = k.all
	k.read(called, x.Store, known)
	for _, o := range append(objs, known...) {
		h := k.handle(o)
		if h.Status != forum.Failed || !errors.Is(h.Failure, context.Canceled) || h.Asked != 0 || h.Missing() {
			t.Errorf("%v: %+v; want it failed, with the reason", reflect.TypeFor[T](), *h)
		}
		h.Status, h.Failure = forum.Named, nil
	}
	for _, pair := range [][2]*T{{k.only(new(T), k.ids[0], 0), objs[0]}, {&before, known[0]}} {
		if diff := cmp.Diff(pair[0], pair[1]); diff != "" {
			t.Errorf("%v after a failure (-want +got):\n%s", reflect.TypeFor[T](), diff)
		}
	}
}

// fullTopics returns an open topic and a deleted one, with a value in every field.
func (x *site) fullTopics(by *forum.Viewer, category forum.CategoryID) (open, deleted forum.TopicID) {
	x.t.Helper()
	in := discussion(by, category)
	in.Kind, in.Link, in.Upvotes, in.Downvotes, in.Clicks = forum.Article, "https://example.org/", 5, 2, 9
	in.Tags, in.Mentions = labels("Go", "Redis"), forum.Mentions{{Fold: "ann", User: by.ID}}
	var created []forum.TopicID
	for range 2 {
		id, err := x.CreateTopic(x.ctx, in)
		wantOK(x.t, "CreateTopic", err)
		x.clock.Advance(1e9)
		x.comment(by, id, 0)
		x.clock.Advance(24 * time.Hour)
		x.comment(by, id, 0)
		x.clock.Advance(1e9)
		title := "another title"
		wantOK(x.t, "UpdateTopic", x.UpdateTopic(x.ctx, by, id, TopicChange{Title: &title}))
		created = append(created, id)
	}
	wantOK(x.t, "DeleteTopic", x.DeleteTopic(x.ctx, by, created[1]))
	return created[0], created[1]
}

// fullComments returns a comment and a tombstone.
func (x *site) fullComments(by *forum.Viewer, on forum.TopicID) (live, tombstone forum.CommentID) {
	x.t.Helper()
	in := remark(on, x.comment(by, on, 0))
	in.Upvotes, in.Downvotes = 3, 1
	var created []forum.CommentID
	for range 2 {
		id, err := x.CreateComment(x.ctx, by, in)
		wantOK(x.t, "CreateComment", err)
		x.comment(by, on, id)
		x.clock.Advance(1e9)
		change := CommentChange{Content: "for @ann", Mentions: forum.Mentions{{Fold: "ann", User: by.ID}}}
		wantOK(x.t, "UpdateComment", x.UpdateComment(x.ctx, by, id, change))
		created = append(created, id)
	}
	wantOK(x.t, "DeleteComment", x.DeleteComment(x.ctx, by, created[1]))
	return created[0], created[1]
}

// Each bit of a type's fields reads one field of the Go type and no other; in any number of steps, the
// result is that of a read of the whole object.
func TestEachFieldHasAColumn(t *testing.T) {
	x := newSite(t)
	ann, category := x.user("ann"), x.category("go")
	text, place := "what belongs here", 7
	wantOK(t, "UpdateCategory", x.UpdateCategory(x.ctx, category, CategoryChange{Description: &text, Position: &place}))
	profile := ProfileChange{Bio: &text, Website: &text, AvatarURL: &text}
	wantOK(t, "UpdateProfile", x.UpdateProfile(x.ctx, ann.ID, profile))
	wantOK(t, "ChangeLogin", x.ChangeLogin(x.ctx, ann.ID, "hash of ann", "annabel", "annabel"))
	open, deleted := x.fullTopics(ann, category)
	live, tombstone := x.fullComments(ann, open)
	wantOK(t, "HSET", x.rdb.HSet(x.ctx, key.User(ann.ID), "ban", "POST", "banUntil", 5, "banReason", "SPAM", "banAct", 7,
		"moderates", "3").Err())
	hidden, obscured, mod := x.topic(ann, category), x.comment(ann, open, 0), x.moderator("mod")
	x.hide(mod, forum.Subject{Topic: hidden})
	x.hide(mod, forum.Subject{Comment: obscured})
	bob := x.user("bob")
	x.follow(ann, forum.Target{User: bob.ID}, true)
	x.follow(bob, forum.Target{User: ann.ID}, true)
	kind[forum.TopicID, forum.Topic]{
		base: forum.TopicBase, all: forum.TopicAll, ids: []forum.TopicID{open, deleted, hidden},
		whole: (*Read).Topics, fill: (*Read).FillTopics,
		make:   func(id forum.TopicID) *forum.Topic { return &forum.Topic{ID: id} },
		handle: func(o *forum.Topic) *forum.Handle { return &o.Handle },
		fields: []string{"State", "AuthorID", "Kind", "Title", "Content", "Format", "Link", "CategoryID", "CreatedAt",
			"EditedAt", "DeletedAt", "LastActiveAt", "ClickCount", "CommentCount", "Upvotes", "Downvotes",
			"Tags", "Day", "DayComments", "DayBefore", "Mentions", "Revision", "EditorID", "Since", "HiddenAt"},
	}.check(t, x)
	kind[forum.CommentID, forum.Comment]{
		base: forum.CommentBase, all: forum.CommentAll, ids: []forum.CommentID{live, tombstone, obscured},
		whole: (*Read).Comments, fill: (*Read).FillComments,
		make:   func(id forum.CommentID) *forum.Comment { return &forum.Comment{ID: id} },
		handle: func(o *forum.Comment) *forum.Handle { return &o.Handle },
		fields: []string{"TopicID", "DeletedAt", "AuthorID", "ParentID", "Depth", "Number", "Content", "Format", "CreatedAt",
			"EditedAt", "ReplyCount", "Mentions", "Upvotes", "Downvotes", "Revision", "EditorID", "Since", "State", "HiddenAt"},
	}.check(t, x)
	kind[forum.CategoryID, forum.Category]{
		base: forum.CategoryFieldName, all: forum.CategoryAll, ids: []forum.CategoryID{category},
		whole: (*Read).Categories, fill: (*Read).FillCategories,
		make:   func(id forum.CategoryID) *forum.Category { return &forum.Category{ID: id} },
		handle: func(o *forum.Category) *forum.Handle { return &o.Handle },
		fields: []string{"Name", "Description", "Position"},
	}.check(t, x)
	kind[forum.UserID, forum.User]{
		base: forum.UserBase, all: forum.UserAll, ids: []forum.UserID{ann.ID},
		whole: (*Read).Users, fill: (*Read).FillUsers,
		make:   func(id forum.UserID) *forum.User { return &forum.User{ID: id} },
		handle: func(o *forum.User) *forum.Handle { return &o.Handle },
		fields: []string{"Active", "Login", "LoginFold", "Name", "Role", "CreatedAt", "TopicCount", "FollowerCount",
			"FollowingCount", "Bio", "Website", "AvatarURL", "Karma", "OldFold", "Ban.Scope", "Ban.Until", "Ban.Reason",
			"Ban.Act", "Moderates"},
	}.check(t, x)
	list, err := x.CreateList(x.ctx, ann.ID, "Friends", "friends")
	wantOK(t, "CreateList", err)
	kind[forum.ListID, forum.UserList]{
		base: forum.ListFieldOwner, all: forum.ListAll, ids: []forum.ListID{list},
		whole: (*Read).Lists, fill: (*Read).FillLists,
		make:   func(id forum.ListID) *forum.UserList { return &forum.UserList{ID: id} },
		handle: func(o *forum.UserList) *forum.Handle { return &o.Handle },
		fields: []string{"OwnerID", "Name"},
	}.check(t, x)
	all := x.tab("all", category)
	wantOK(t, "UpdateTab", x.UpdateTab(x.ctx, all, TabChange{Position: &place}))
	kind[forum.TabID, forum.Tab]{
		base: forum.TabFieldName, all: forum.TabAll, ids: []forum.TabID{all},
		whole: (*Read).Tabs, fill: (*Read).FillTabs,
		make:   func(id forum.TabID) *forum.Tab { return &forum.Tab{ID: id} },
		handle: func(o *forum.Tab) *forum.Handle { return &o.Handle },
		fields: []string{"Name", "CategoryCount", "Position"},
	}.check(t, x)
}

// Objects read back as they were written: no two columns are mixed up.
func TestColumnsReadBackAsWritten(t *testing.T) {
	x := newSite(t)
	ann, category := x.user("ann"), x.category("go")
	start := x.Now()
	_, deleted := x.fullTopics(ann, category)
	const day = 86_400_000
	posted := start + day + 2000 // after the day and two seconds of the first
	want := &forum.Topic{
		ID: deleted, Kind: forum.Article, State: forum.TopicDeleted, Format: forum.Markdown, AuthorID: ann.ID,
		CategoryID: category, CreatedAt: posted,
		EditedAt:  posted + day + 2000,
		DeletedAt: posted + day + 2000, LastActiveAt: posted + day + 1000, ClickCount: 9, CommentCount: 2, Downvotes: 2,
		Upvotes: 6, // including the author's own
		Revised: forum.Revised{Revision: 2, EditorID: ann.ID, Since: posted + day + 2000},
		Tags:    labels("Go", "Redis"), Day: forum.DayOf(posted+day+1000, x.Zone()), DayComments: 1, DayBefore: 1,
	}
	if diff := cmp.Diff(want, x.oneTopic(deleted)); diff != "" {
		t.Errorf("topic (-want +got):\n%s", diff)
	}
	on := x.topic(ann, category)
	live, _ := x.fullComments(ann, on)
	whole := x.oneComment(live)
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
	profile := ProfileChange{Bio: &about, Website: &page, AvatarURL: &picture}
	wantOK(t, "UpdateProfile", x.UpdateProfile(x.ctx, ann.ID, profile))
	user := &forum.User{ID: ann.ID, Active: true, Login: "ann", LoginFold: "ann", Name: "ann", Role: forum.RoleUser,
		CreatedAt: start, TopicCount: 2, Bio: about, Website: page, AvatarURL: picture, Karma: 5}
	if diff := cmp.Diff(user, x.oneUser(ann.ID)); diff != "" {
		t.Errorf("user (-want +got):\n%s", diff)
	}
}
