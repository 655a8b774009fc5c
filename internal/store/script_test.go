package store_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/listing"
	"agora/internal/store/storetest"
	"agora/internal/test/site"
)

// A restarted Redis or a promoted replica has no scripts.
func TestForgottenScriptsAreSentAgain(t *testing.T) {
	w := storetest.NewThread(t)
	w.Settle()
	forget := func() { storetest.WantOK(t, "SCRIPT FLUSH", w.Redis.ScriptFlush(t.Context()).Err()) }
	forget()
	w.Comment(w.Bob, w.TopicID, 0)
	forget()
	after := &forum.Position{Score: 1, Member: key.Itoa(w.CommentID)}
	page := w.Page(listing.TopicComments(w.TopicID, false, forum.Oldest), forum.Window{Count: 10, After: after})
	if len(page.Rows) != 2 {
		t.Errorf("page after SCRIPT FLUSH = %+v; want two rows", page)
	}
	forget()
	storetest.WantOK(t, "DeleteTopic", w.Posts.DeleteTopic(t.Context(), w.Ann, w.TopicID))
	w.WantClean()
}

// A cancelled request sends nothing more to Redis and changes nothing.
func TestCancelledRequestChangesNothing(t *testing.T) {
	w := storetest.NewThread(t)
	w.Settle()
	before := w.KeysLike("")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := w.Posts.CreateTopic(ctx, site.Discussion(w.Ann, w.A)); !errors.Is(err, context.Canceled) {
		t.Errorf("CreateTopic = %v; want context canceled", err)
	}
	r := w.Read(ctx)
	get := r.Listing.Topics([]forum.TopicID{w.TopicID})
	if err := r.Exec(); !errors.Is(err, context.Canceled) {
		t.Errorf("Exec = %v; want context canceled", err)
	}
	if got, err := get(); err == nil {
		t.Errorf("result of a read that failed = %v, nil; want its error", got)
	}
	if after := w.KeysLike(""); !slices.Equal(before, after) {
		t.Errorf("keys = %v; want %v as before", after, before)
	}
}
