package store_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/listing"
)

func TestScriptErrorsBecomeCodes(t *testing.T) {
	tests := []struct {
		text string
		want forum.Code
		path []string
	}{
		{"NOT_FOUND topicId", forum.CodeNotFound, forum.Path("topicId")},
		{"ERR NOT_FOUND parentId", forum.CodeNotFound, forum.Path("parentId")},
		{"FORBIDDEN commentId", forum.CodeForbidden, forum.Path("commentId")},
		{"LOCKED topicId", forum.CodeLocked, forum.Path("topicId")},
		{"TAKEN name", forum.CodeTaken, forum.Path("name")},
		{"TOO_LONG_TABS addCategories.3", forum.CodeTooLong, forum.Path("addCategories", "3")},
		{"TOO_LONG_TAB addCategories", forum.CodeTooLong, forum.Path("addCategories")},
		{"IDEMPOTENCY_CONFLICT idempotencyKey", forum.CodeIdempotencyConflict, forum.Path("idempotencyKey")},
		{"UNAUTHENTICATED", forum.CodeUnauthenticated, nil},
		{"EXHAUSTED", "", nil},
		{"ERR something else", "", nil},
	}
	for _, tt := range tests {
		err := record.ScriptError(errors.New(tt.text))
		if got := forum.CodeOf(err); got != tt.want || !slices.Equal(pathOf(err), tt.path) {
			t.Errorf("record.ScriptError(%q) = %v; want code %q at %v", tt.text, err, tt.want, tt.path)
		}
	}
	if err := record.ScriptError(nil); err != nil {
		t.Errorf("record.ScriptError(nil) = %v; want nil", err)
	}
}

// A restarted Redis or a promoted replica has no scripts.
func TestForgottenScriptsAreSentAgain(t *testing.T) {
	w := newThreadSite(t)
	w.settle()
	forget := func() { wantOK(t, "SCRIPT FLUSH", w.rdb.ScriptFlush(t.Context()).Err()) }
	forget()
	w.Comment(w.bob, w.topic, 0)
	forget()
	after := &forum.Position{Score: 1, Member: key.Itoa(w.comment)}
	page := w.page(listing.TopicComments(w.topic, false, forum.Oldest), forum.Window{Count: 10, After: after})
	if len(page.Rows) != 2 {
		t.Errorf("page after SCRIPT FLUSH = %+v; want two rows", page)
	}
	forget()
	wantOK(t, "DeleteTopic", w.Posts.DeleteTopic(t.Context(), w.ann, w.topic))
	w.wantClean()
}

// A cancelled request sends nothing more to Redis and changes nothing.
func TestCancelledRequestChangesNothing(t *testing.T) {
	w := newThreadSite(t)
	w.settle()
	before := w.keysLike("")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := w.Posts.CreateTopic(ctx, discussion(w.ann, w.a)); !errors.Is(err, context.Canceled) {
		t.Errorf("CreateTopic = %v; want context canceled", err)
	}
	r := w.Read(ctx)
	get := r.Listing.Topics([]forum.TopicID{w.topic})
	if err := r.Exec(); !errors.Is(err, context.Canceled) {
		t.Errorf("Exec = %v; want context canceled", err)
	}
	if got, err := get(); err == nil {
		t.Errorf("result of a read that failed = %v, nil; want its error", got)
	}
	if after := w.keysLike(""); !slices.Equal(before, after) {
		t.Errorf("keys = %v; want %v as before", after, before)
	}
}
