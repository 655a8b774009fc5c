package notify_test

import (
	"context"
	"testing"

	"agora/internal/store"
	"agora/internal/store/storetest"
	"agora/internal/test/site"
)

// Users are notified of a comment or topic in the round trip of its indexes, and of a follower in that of
// the reverse side.
func TestCostsOfNotifying(t *testing.T) {
	w := storetest.NewThread(t)
	carl := w.User("carl")
	w.Settle()
	tests := []struct {
		name            string
		do              func(context.Context) error
		trips, commands int64
	}{
		// The script, then the indexes: front, category, the rank of the day and the author's list.
		{"a comment that notifies no other user", func(ctx context.Context) error {
			_, err := w.Posts.CreateComment(ctx, w.Ann, site.Remark(w.TopicID, w.AnswerID))
			return err
		}, 2, 2},
		// The same, and the authors of the parent and the topic.
		{"a reply", func(ctx context.Context) error {
			_, err := w.Posts.CreateComment(ctx, carl, site.Remark(w.TopicID, w.CommentID))
			return err
		}, 2, 4},
		// The script, then the indexes, the author's home, the followers of author and
		// category, and whether the topic is still as it was.
		{"a topic", func(ctx context.Context) error {
			_, err := w.Posts.CreateTopic(ctx, site.Discussion(w.Bob, w.A))
			return err
		}, 2,
			6},
		{"a topic that mentions a user", func(ctx context.Context) error {
			in := site.Discussion(w.Bob, w.A)
			in.Mentions = naming(carl)
			_, err := w.Posts.CreateTopic(ctx, in)
			return err
		}, 2, 7},
	}
	for _, tt := range tests {
		var usage store.Usage
		if err := tt.do(store.WithUsage(t.Context(), &usage)); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		if r, c := usage.RoundTrips.Load(), usage.Commands.Load(); r != tt.trips || c != tt.commands {
			t.Errorf("%s: %d round trips, %d commands; want %d and %d", tt.name, r, c, tt.trips, tt.commands)
		}
		w.Settle()
	}
}
