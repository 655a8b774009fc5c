package store

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"agora/internal/forum"
	"agora/internal/store/internal/record"
)

// The constants of forum name the fields whose bits are tested above.
func TestFieldsAreInTheOrderOfTheColumns(t *testing.T) {
	topics := []forum.Fields{forum.TopicFieldState, forum.TopicFieldAuthor, forum.TopicFieldKind, forum.TopicFieldTitle,
		forum.TopicFieldContent, forum.TopicFieldFormat, forum.TopicFieldLink, forum.TopicFieldCategory,
		forum.TopicFieldCreated, forum.TopicFieldEdited, forum.TopicFieldDeletedAt, forum.TopicFieldActive,
		forum.TopicFieldClicks,
		forum.TopicFieldComments, forum.TopicFieldUp, forum.TopicFieldDown, forum.TopicFieldTags, forum.TopicFieldDay,
		forum.TopicFieldDayComments, forum.TopicFieldDayBefore, forum.TopicFieldMentions, forum.TopicFieldRevision,
		forum.TopicFieldEditor, forum.TopicFieldSince, forum.TopicFieldHiddenAt}
	if len(topics) != len(record.TopicColumns) {
		t.Errorf("%d fields of topics are listed here; want all %d", len(topics), len(record.TopicColumns))
	}
	comments := []forum.Fields{forum.CommentFieldTopic, forum.CommentFieldDeletedAt, forum.CommentFieldAuthor,
		forum.CommentFieldParent, forum.CommentFieldDepth, forum.CommentFieldNumber, forum.CommentFieldContent,
		forum.CommentFieldFormat,
		forum.CommentFieldCreated, forum.CommentFieldEdited, forum.CommentFieldReplies, forum.CommentFieldMentions,
		forum.CommentFieldUp,
		forum.CommentFieldDown, forum.CommentFieldRevision, forum.CommentFieldEditor, forum.CommentFieldSince,
		forum.CommentFieldState,
		forum.CommentFieldHiddenAt, forum.CommentFieldSeen}
	users := []forum.Fields{forum.UserFieldState, forum.UserFieldLogin, forum.UserFieldFold, forum.UserFieldName,
		forum.UserFieldRole, forum.UserFieldCreated, forum.UserFieldTopics, forum.UserFieldFollowers,
		forum.UserFieldFollowing,
		forum.UserFieldBio, forum.UserFieldWebsite, forum.UserFieldAvatar, forum.UserFieldKarma, forum.UserFieldOldFold,
		forum.UserFieldBan, forum.UserFieldBanUntil, forum.UserFieldBanReason, forum.UserFieldBanAct,
		forum.UserFieldModerates}
	sections := []forum.Fields{forum.CategoryFieldName, forum.CategoryFieldDescription, forum.CategoryFieldPosition}
	for _, list := range [][]forum.Fields{topics, comments, users, sections,
		{forum.TabFieldName, forum.TabFieldCategoryCount, forum.TabFieldPosition},
		{forum.ListFieldOwner, forum.ListFieldName}} {
		for i, f := range list {
			if f != 1<<i {
				t.Errorf("field %d of %b is %b; want bit %d", i, list, f, i)
			}
		}
	}
	if forum.CommentFieldSeen&forum.CommentAll != 0 {
		t.Error("CommentFieldSeen is among the fields that are read")
	}
}

// The fields for counts and texts suffice to compute them, and the base suffices to decide who may see an
// object.
func TestMasksSuffice(t *testing.T) {
	x := newSite(t)
	ann := x.user("ann")
	open, deleted := x.fullTopics(ann, x.category("go"))
	live, tombstone := x.fullComments(ann, open)
	now := x.Now()
	for _, id := range []forum.TopicID{open, deleted} {
		whole := x.oneTopic(id)
		o := &forum.Topic{ID: id, Handle: forum.Handle{Status: forum.Named}}
		read := func(want forum.Fields) *forum.Topic {
			*o = forum.Topic{ID: id, Handle: forum.Handle{Status: forum.Named, Asked: forum.TopicBase | want}}
			r := x.Read(x.ctx)
			filled := r.FillTopics([]*forum.Topic{o})
			wantOK(t, "Exec", r.Exec())
			filled()
			return o
		}
		if got, want := read(forum.TopicVotes).Votes(now), whole.Votes(now); got != want || want.ClosesAt == 0 {
			t.Errorf("votes of topic %d = %+v; want %+v", id, got, want)
		}
		if got := read(forum.TopicText); got.Content != whole.Content || got.Format != whole.Format {
			t.Errorf("text of topic %d = %+v; want that of %+v", id, got, whole)
		}
		for _, v := range []*forum.Viewer{nil, ann, {ID: 99, Role: forum.RoleUser}, {ID: 99, Role: forum.RoleModerator}} {
			if got, want := read(0).VisibleTo(v), whole.VisibleTo(v); got != want {
				t.Errorf("topic %d visible to %+v = %t; want %t", id, v, got, want)
			}
		}
	}
	for _, id := range []forum.CommentID{live, tombstone} {
		whole := x.oneComment(id)
		o := &forum.Comment{ID: id,
			Handle: forum.Handle{Status: forum.Named, Asked: forum.CommentBase | forum.CommentVotes | forum.CommentText}}
		r := x.Read(x.ctx)
		filled := r.FillComments([]*forum.Comment{o})
		wantOK(t, "Exec", r.Exec())
		filled()
		if got, want := o.Votes(now), whole.Votes(now); got != want {
			t.Errorf("votes of comment %d = %+v; want %+v", id, got, want)
		}
		if o.Content != whole.Content || o.Format != whole.Format || !cmp.Equal(o.Mentions, whole.Mentions) {
			t.Errorf("text of comment %d = %+v; want that of %+v", id, o, whole)
		}
	}
}
