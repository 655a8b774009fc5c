package store_test

import (
	"context"
	"testing"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/posts"
)

// Users are notified of a comment or topic in the round trip of its indexes, and of a follower in that of
// the reverse side.
func TestCostsOfNotifying(t *testing.T) {
	w := newThreadSite(t)
	carl := w.User("carl")
	w.settle()
	tests := []struct {
		name            string
		do              func(context.Context) error
		trips, commands int64
	}{
		// The script, then the indexes: front, category, the rank of the day and the author's list.
		{"a comment that notifies no other user", func(ctx context.Context) error {
			_, err := w.Posts.CreateComment(ctx, w.ann, remark(w.topic, w.answer))
			return err
		}, 2, 2},
		// The same, and the authors of the parent and the topic.
		{"a reply", func(ctx context.Context) error {
			_, err := w.Posts.CreateComment(ctx, carl, remark(w.topic, w.comment))
			return err
		}, 2, 4},
		// The script, then the indexes, the author's home, the followers of author and
		// category, and whether the topic is still as it was.
		{"a topic", func(ctx context.Context) error {
			_, err := w.Posts.CreateTopic(ctx, discussion(w.bob, w.a))
			return err
		}, 2,
			6},
		{"a topic that mentions a user", func(ctx context.Context) error {
			in := discussion(w.bob, w.a)
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
		w.settle()
	}
}

// A vote takes one round trip until it is stored and one more until all orders show it.
func TestCostsOfVotes(t *testing.T) {
	w := newThreadSite(t)
	article := posts.NewTopic{Author: w.ann.ID, Kind: forum.Article, Title: "link", Link: "https://example.org/",
		Format: forum.Markdown, Category: w.a}
	article.Tags = forum.TopicTags{{ID: 7, Name: "seven"}, {ID: 8, Name: "eight"}}
	id := w.Post(article)
	w.settle()
	tests := []struct {
		name            string
		do              func(context.Context) error
		trips, commands int64
	}{
		// The script, then the indexes. The rank of the day is left out, as no other change was still to be indexed.
		{"a vote on a discussion", func(ctx context.Context) error {
			_, err := w.Votes.VoteTopic(ctx, w.bob, w.topic, forum.VoteUp)
			return err
		}, 2, 2},
		{"the same vote again", func(ctx context.Context) error {
			_, err := w.Votes.VoteTopic(ctx, w.bob, w.topic, forum.VoteUp)
			return err
		}, 1, 1},
		// The script, then the indexes, and the voter's log.
		{"a vote on an article with two tags", func(ctx context.Context) error {
			_, err := w.Votes.VoteTopic(ctx, w.bob, id, forum.VoteDown)
			return err
		}, 2, 3},
		// The location of the comment, then the script.
		{"a vote on a comment", func(ctx context.Context) error {
			_, err := w.Votes.VoteComment(ctx, w.bob, w.comment, forum.VoteUp)
			return err
		}, 2, 2},
		// The script, then the indexes, and the names of three tags; the author's home; the current
		// and recent followers of the author, the category and the tags; and whether the topic is
		// unchanged.
		{"a tag added", func(ctx context.Context) error {
			return w.Posts.TagTopic(ctx, w.ann, id, forum.TopicTags{{ID: 9, Name: "nine"}}, nil)
		}, 2, 17},
		// The same, with the followers of the removed tag; then its index and its name, and again its
		// followers, and whether the topic is unchanged.
		{"a tag removed", func(ctx context.Context) error {
			return w.Posts.TagTopic(ctx, w.ann, id, nil, forum.TopicTags{{ID: 9, Name: "nine"}})
		}, 3, 20},
	}
	for _, tt := range tests {
		var usage store.Usage
		if err := tt.do(store.WithUsage(t.Context(), &usage)); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		if r, c := usage.RoundTrips.Load(), usage.Commands.Load(); r != tt.trips || c != tt.commands {
			t.Errorf("%s: %d round trips, %d commands; want %d and %d", tt.name, r, c, tt.trips, tt.commands)
		}
		w.settle()
	}
}
