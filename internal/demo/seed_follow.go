package demo

import (
	"context"
	"fmt"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/posts"
	"agora/internal/text"
)

func seedStatuses(ctx context.Context, s *store.Store, data Data, users []forum.UserID) error {
	partition := func(i int) forum.Partition { return users[data.Statuses[i].Author].Partition() }
	return byPartition(len(data.Statuses), partition, func(i int) error {
		v := data.Statuses[i]
		in := posts.NewTopic{Author: users[v.Author], Kind: forum.Status,
			Title: text.StatusTitle(v.Content, forum.Markdown), Content: v.Content, Format: forum.Markdown,
			CreatedAt: v.CreatedAt}
		var err error
		if in.Tags, err = text.Tags(nil, v.Tags); err != nil {
			return fmt.Errorf("demo status %d: %w", i, err)
		}
		if _, err = s.Posts.CreateTopic(ctx, in); err != nil {
			return fmt.Errorf("demo status %d: %w", i, err)
		}
		return nil
	})
}

// seedFollows requires that all topics are in their lists, from which homes are filled. It is
// sequential, so that the order of followers is reproducible.
func seedFollows(ctx context.Context, s *store.Store, data Data, users []forum.UserID,
	categories []forum.CategoryID) error {
	for i, f := range data.Follows {
		var target forum.Target
		switch {
		case f.Whom != none:
			target.User = users[f.Whom]
		case f.Category != none:
			target.Category = categories[f.Category]
		default:
			tag, err := text.Tag(nil, f.Tag)
			if err != nil {
				return fmt.Errorf("demo follow %d: %w", i, err)
			}
			target.Tag = tag.ID
		}
		if _, err := s.Follows.Follow(ctx, users[f.User], target, true); err != nil {
			return fmt.Errorf("demo follow %d: %w", i, err)
		}
	}
	return nil
}

func seedLists(ctx context.Context, s *store.Store, data Data, users []forum.UserID) error {
	for _, l := range data.Lists {
		id, err := s.Follows.CreateList(ctx, users[l.Owner], l.Name, text.Fold(l.Name))
		if err != nil {
			return fmt.Errorf("demo list %s: %w", l.Name, err)
		}
		var members []forum.UserID
		for _, m := range l.Members {
			members = append(members, users[m])
		}
		if err := s.Follows.UpdateListMembers(ctx, users[l.Owner], id, members, nil); err != nil {
			return fmt.Errorf("demo list %s: %w", l.Name, err)
		}
	}
	return nil
}
