package store

import (
	"context"
	"testing"

	"agora/internal/forum"
)

// A vote takes one round trip until it is safe and one more until all orders show it.
func TestCostsOfVotes(t *testing.T) {
	w := newWorld(t)
	article := NewTopic{Author: w.ann.ID, Kind: forum.Article, Title: "link", Link: "https://example.org/", Format: forum.Markdown, Category: w.a}
	var err error
	article.Tags = forum.TopicTags{{ID: 7, Name: "seven"}, {ID: 8, Name: "eight"}}
	id, err := w.CreateTopic(t.Context(), article)
	wantOK(t, "CreateTopic", err)
	w.settle()
	tests := []struct {
		name            string
		do              func(context.Context) error
		trips, commands int64
	}{
		// The script, then front, category and the board of the day, since it was commented on:
		// whoever takes a dirty mark away has written everything, also what others left behind.
		{"a vote on a discussion", func(ctx context.Context) error {
			_, err := w.VoteTopic(ctx, w.bob, w.topic, forum.VoteUp)
			return err
		}, 2, 4},
		{"the same again", func(ctx context.Context) error {
			_, err := w.VoteTopic(ctx, w.bob, w.topic, forum.VoteUp)
			return err
		}, 1, 1},
		// The script, then front, category, two tags with their names, and the voter's log.
		{"a vote on an article with two tags", func(ctx context.Context) error {
			_, err := w.VoteTopic(ctx, w.bob, id, forum.VoteDown)
			return err
		}, 2, 8},
		// Where the comment stands, then the script, which is all.
		{"a vote on a comment", func(ctx context.Context) error {
			_, err := w.VoteComment(ctx, w.bob, w.comment, forum.VoteUp)
			return err
		}, 2, 2},
		// The script, then front, category and two tags with their names; in each of the
		// partitions that homes take no older state; the author's home, and who follows the
		// author, the category and three tags.
		{"a tag given", func(ctx context.Context) error {
			return w.TagTopic(ctx, w.ann, id, forum.TopicTags{{ID: 9, Name: "nine"}}, nil)
		}, 2, 271},
		// That, then the index of the tag that was taken and its name, then the mark that remembers it.
		{"a tag taken", func(ctx context.Context) error {
			return w.TagTopic(ctx, w.ann, id, nil, forum.TopicTags{{ID: 9, Name: "nine"}})
		}, 4, 272},
	}
	for _, tt := range tests {
		var tally Tally
		if err := tt.do(WithTally(t.Context(), &tally)); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		if r, c := tally.RoundTrips.Load(), tally.Commands.Load(); r != tt.trips || c != tt.commands {
			t.Errorf("%s: %d round trips, %d commands; want %d and %d", tt.name, r, c, tt.trips, tt.commands)
		}
		w.settle()
	}
}
