package loader

import (
	"context"
	"fmt"
	"testing"

	"agora/internal/forum"
	"agora/internal/store"
)

// keepShared fails the test if a response has changed an object that it read: others may use it.
func keepShared(t testing.TB, l *Loaders) {
	watch(t, &l.topicHandles)
	watch(t, &l.commentHandles)
	watch(t, &l.userHandles)
	watch(t, &l.categoryHandles)
	watch(t, &l.tabHandles)
	watch(t, &l.tagHandles)
	watch(t, &l.listHandles)
}

func watch[ID ~int64, O, T any](t testing.TB, h *handles[ID, O, T]) {
	read := h.read
	h.read = func(r *store.Read, ids []ID) func() ([]*O, []error) {
		take := read(r, ids)
		return func() ([]*O, []error) {
			found, errs := take()
			for _, o := range found {
				if o == nil {
					continue
				}
				was := fmt.Sprintf("%+v", *o)
				t.Cleanup(func() {
					if now := fmt.Sprintf("%+v", *o); now != was {
						t.Errorf("an object was changed:\n%s\nwas\n%s", now, was)
					}
				})
			}
			return found, errs
		}
	}
}

// Votes and clicks that a response has just counted are its own.
func TestResponsesChangeNothingThatIsShared(t *testing.T) {
	x := newSite(t)
	ctx, l, _ := x.response(x.ann)
	l.voted = forum.VoteSummary{Topic: x.topic, Up: 77}
	l.ClickedTopics([]forum.TopicID{x.topic}, []int{99})
	topic := l.Topics([]forum.TopicID{x.topic})
	inResponse(t, ctx, l, func(ctx context.Context) { l.NeedTopics(ctx, topic) })
	if topic[0].Upvotes != 77 || topic[0].ClickCount != 99 {
		t.Errorf("the topic has %d votes and %d clicks; want 77 and 99", topic[0].Upvotes, topic[0].ClickCount)
	}
	ctx, l, _ = x.response(x.bob)
	comments := l.Comments([]forum.CommentID{x.comment, x.buried})
	inResponse(t, ctx, l, func(ctx context.Context) { l.NeedComments(ctx, comments) })
	l.Voted(forum.VoteSummary{Comment: x.comment, Up: 55}, forum.VoteUp)
	if comments[0].Upvotes != 55 {
		t.Errorf("the comment has %d votes; want 55", comments[0].Upvotes)
	}
}
