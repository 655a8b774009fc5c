package notify_test

import (
	"context"
	"testing"

	"agora/internal/store/storetest"
	"agora/internal/test/site"
)

// Users are notified of a comment or topic in the round trip of its indexes, and of a follower in that of
// the reverse side.
func TestCostsOfNotifying(t *testing.T) {
	w := storetest.NewThread(t)
	carl := w.User("carl")
	w.Settle()
	// The script, then the indexes: front, category, the rank of the day and the author's list.
	w.WantCost("a comment that notifies no other user", func(ctx context.Context) error {
		_, err := w.Posts.CreateComment(ctx, w.Ann, site.Remark(w.TopicID, w.AnswerID))
		return err
	}, 2, 2)
	// The same, and the authors of the parent and the topic.
	w.WantCost("a reply", func(ctx context.Context) error {
		_, err := w.Posts.CreateComment(ctx, carl, site.Remark(w.TopicID, w.CommentID))
		return err
	}, 2, 4)
	// The script, then the indexes, the author's home, the followers of author and
	// category, and whether the topic is still as it was.
	w.WantCost("a topic", func(ctx context.Context) error {
		_, err := w.Posts.CreateTopic(ctx, site.Discussion(w.Bob, w.A))
		return err
	}, 2, 6)
	w.WantCost("a topic that mentions a user", func(ctx context.Context) error {
		in := site.Discussion(w.Bob, w.A)
		in.Mentions = naming(carl)
		_, err := w.Posts.CreateTopic(ctx, in)
		return err
	}, 2, 7)
}
