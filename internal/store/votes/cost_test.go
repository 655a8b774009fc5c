package votes_test

import (
	"context"
	"testing"

	"agora/internal/forum"
	"agora/internal/store/posts"
	"agora/internal/store/storetest"
)

// A vote takes one round trip until it is stored and one more until all orders show it.
func TestCostsOfVotes(t *testing.T) {
	w := storetest.NewThread(t)
	article := posts.NewTopic{Author: w.Ann.ID, Kind: forum.Article, Title: "link", Link: "https://example.org/",
		Format: forum.Markdown, Category: w.A}
	article.Tags = forum.TopicTags{{ID: 7, Name: "seven"}, {ID: 8, Name: "eight"}}
	id := w.Post(article)
	w.Settle()
	// The script, then the indexes. The rank of the day is left out, as no other change was still to be indexed.
	w.WantCost("a vote on a discussion", func(ctx context.Context) error {
		_, err := w.Votes.VoteTopic(ctx, w.Bob, w.TopicID, forum.VoteUp)
		return err
	}, 2, 2)
	w.WantCost("the same vote again", func(ctx context.Context) error {
		_, err := w.Votes.VoteTopic(ctx, w.Bob, w.TopicID, forum.VoteUp)
		return err
	}, 1, 1)
	// The script, then the indexes, and the voter's log.
	w.WantCost("a vote on an article with two tags", func(ctx context.Context) error {
		_, err := w.Votes.VoteTopic(ctx, w.Bob, id, forum.VoteDown)
		return err
	}, 2, 3)
	// The location of the comment, then the script.
	w.WantCost("a vote on a comment", func(ctx context.Context) error {
		_, err := w.Votes.VoteComment(ctx, w.Bob, w.CommentID, forum.VoteUp)
		return err
	}, 2, 2)
	// The script, then the indexes, and the names of three tags; the author's home; the current
	// and recent followers of the author, the category and the tags; and whether the topic is
	// unchanged.
	w.WantCost("a tag added", func(ctx context.Context) error {
		return w.Posts.TagTopic(ctx, w.Ann, id, forum.TopicTags{{ID: 9, Name: "nine"}}, nil)
	}, 2, 17)
	// The same, with the followers of the removed tag; then its index and its name, and again its
	// followers, and whether the topic is unchanged.
	w.WantCost("a tag removed", func(ctx context.Context) error {
		return w.Posts.TagTopic(ctx, w.Ann, id, nil, forum.TopicTags{{ID: 9, Name: "nine"}})
	}, 3, 20)
}
