package demo

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/accounts"
	"agora/internal/store/posts"
	"agora/internal/text"
)

// Seeded is the demo data with their ids in the store.
type Seeded struct {
	Data
	// users, topics and comments are the ids of the entries of Data, by index.
	users    []forum.UserID
	topics   []forum.TopicID
	comments []forum.CommentID
	builder  *builder
}

// Seed writes the demo data through the store's own mutations. passwordHash is that of Users[0] and
// of staff; other users cannot sign in.
func Seed(ctx context.Context, s *store.Store, passwordHash string) (Seeded, error) {
	seeded := Seeded{builder: build(s.Engine.Now())}
	seeded.Data = seeded.builder.data
	return seeded, seeded.write(ctx, s, passwordHash)
}

func (m *Seeded) write(ctx context.Context, s *store.Store, passwordHash string) error {
	var err error
	if m.users, err = seedUsers(ctx, s, m.Data, passwordHash); err != nil {
		return err
	}
	categories, err := seedCategories(ctx, s, m.Data)
	if err != nil {
		return err
	}
	bulk := s.Bulk()
	if m.topics, err = seedTopics(ctx, bulk, m.Data, m.users, categories); err != nil {
		return err
	}
	if m.comments, err = seedComments(ctx, bulk, m.Data, m.users, m.topics); err != nil {
		return err
	}
	if err := seedVotes(ctx, bulk, m.Data, m.users, m.topics); err != nil {
		return err
	}
	if err := seedStatuses(ctx, bulk, m.Data, m.users); err != nil {
		return err
	}
	if err := s.Flush(ctx); err != nil {
		return err
	}
	if err := seedFollows(ctx, s, m.Data, m.users, categories); err != nil {
		return err
	}
	if err := seedLists(ctx, s, m.Data, m.users); err != nil {
		return err
	}
	return s.Flush(ctx)
}

func seedUsers(ctx context.Context, s *store.Store, data Data, passwordHash string) ([]forum.UserID, error) {
	ids := make([]forum.UserID, len(data.Users))
	for i, u := range data.Users {
		login, loginFold, err := text.Login(nil, u.Login)
		if err != nil {
			return nil, fmt.Errorf("demo user %s: %w", u.Login, err)
		}
		in := accounts.NewUser{Login: login, LoginFold: loginFold, Name: u.Name, Email: u.Email,
			EmailFold: text.FoldEmail(u.Email), CreatedAt: u.CreatedAt}
		if i == 0 || u.Role != forum.RoleUser {
			in.PasswordHash = passwordHash
		}
		if ids[i], err = s.Accounts.Register(ctx, in); err != nil {
			return nil, fmt.Errorf("demo user %s: %w", u.Login, err)
		}
		if u.Role != forum.RoleUser {
			if err := s.Accounts.SetRole(ctx, ids[i], u.Role); err != nil {
				return nil, fmt.Errorf("demo user %s: %w", u.Login, err)
			}
		}
	}
	return ids, nil
}

func seedCategories(ctx context.Context, s *store.Store, data Data) ([]forum.CategoryID, error) {
	ids := make([]forum.CategoryID, len(data.Categories))
	for i, c := range data.Categories {
		var err error
		if ids[i], err = s.Categories.CreateCategory(ctx, c.Name, text.Fold(c.Name), c.Description); err != nil {
			return nil, fmt.Errorf("demo category %s: %w", c.Name, err)
		}
	}
	for _, t := range data.Tabs {
		var of []forum.CategoryID
		for _, c := range t.Categories {
			of = append(of, ids[c])
		}
		if _, err := s.Categories.CreateTab(ctx, t.Name, text.Fold(t.Name), of); err != nil {
			return nil, fmt.Errorf("demo tab %s: %w", t.Name, err)
		}
	}
	return ids, nil
}

func seedTopics(ctx context.Context, s *store.Store, data Data, users []forum.UserID,
	categories []forum.CategoryID) ([]forum.TopicID, error) {
	ids := make([]forum.TopicID, len(data.Topics))
	partition := func(i int) forum.Partition { return users[data.Topics[i].Author].Partition() }
	return ids, byPartition(len(ids), partition, func(i int) error {
		t := data.Topics[i]
		in := posts.NewTopic{Author: users[t.Author], Kind: t.Kind, Title: t.Title, Content: t.Content, Format: t.Format,
			Link:      t.Link,
			CreatedAt: t.CreatedAt, Upvotes: t.Upvotes, Downvotes: t.Downvotes, Clicks: t.Clicks}
		if t.Category >= 0 {
			in.Category = categories[t.Category]
		}
		var err error
		if in.Tags, err = text.Tags(nil, t.Tags); err != nil {
			return fmt.Errorf("demo topic %q: %w", t.Title, err)
		}
		if t.Number != 0 {
			if err := s.StartSequence(ctx, in.Author.Partition(), t.Number/forum.Partitions-1); err != nil {
				return fmt.Errorf("demo topic %d: %w", t.Number, err)
			}
		}
		if ids[i], err = s.Posts.CreateTopic(ctx, in); err != nil {
			return fmt.Errorf("demo topic %q: %w", t.Title, err)
		}
		return nil
	})
}

func seedComments(ctx context.Context, s *store.Store, data Data, users []forum.UserID,
	topics []forum.TopicID) ([]forum.CommentID, error) {
	known := known(data, users)
	ids := make([]forum.CommentID, len(data.Comments))
	partition := func(i int) forum.Partition { return topics[data.Comments[i].Topic].Partition() }
	return ids, byPartition(len(ids), partition, func(i int) error {
		c := data.Comments[i]
		in := posts.NewComment{Topic: topics[c.Topic], Content: c.Content, Format: c.Format, CreatedAt: c.CreatedAt,
			Upvotes: c.Upvotes, Downvotes: c.Downvotes}
		if c.Parent >= 0 {
			in.Parent = ids[c.Parent]
		}
		in.Mentions = known.mentionedIn(c)
		var err error
		if ids[i], err = s.Posts.CreateComment(ctx, &forum.Viewer{ID: users[c.Author], Role: forum.RoleUser},
			in); err != nil {
			return fmt.Errorf("demo comment %d: %w", i, err)
		}
		return nil
	})
}

// logins maps logins in lower case to users.
type logins map[string]forum.UserID

func known(data Data, users []forum.UserID) logins {
	known := make(logins, len(users))
	for i, u := range data.Users {
		known[strings.ToLower(u.Login)] = users[i]
	}
	return known
}

// mentionedIn returns the users whom a comment mentions.
func (known logins) mentionedIn(c Comment) forum.Mentions {
	var found forum.Mentions
	mentioned, quoted := text.MentionedLogins(c.Content, c.Format)
	for i, fold := range append(mentioned, quoted...) {
		if id, ok := known[fold]; ok {
			found = append(found, forum.Mention{Fold: fold, User: id, Quoted: i >= len(mentioned)})
		}
	}
	return found
}

func seedVotes(ctx context.Context, s *store.Store, data Data, users []forum.UserID, topics []forum.TopicID) error {
	partition := func(i int) forum.Partition { return topics[data.Votes[i].Topic].Partition() }
	return byPartition(len(data.Votes), partition, func(i int) error {
		v, direction := data.Votes[i], forum.VoteUp
		if v.Against {
			direction = forum.VoteDown
		}
		if _, err := s.Votes.VoteTopic(ctx, &forum.Viewer{ID: users[v.User], Role: forum.RoleUser}, topics[v.Topic],
			direction); err != nil {
			return fmt.Errorf("demo vote %d: %w", i, err)
		}
		return nil
	})
}

// byPartition calls do for 0 to n-1: sequentially within a partition, so that ids are reproducible,
// concurrently across partitions. It returns when all its goroutines have ended.
func byPartition(n int, partition func(int) forum.Partition, do func(int) error) error {
	groups := map[forum.Partition][]int{}
	for i := range n {
		groups[partition(i)] = append(groups[partition(i)], i)
	}
	var wg sync.WaitGroup
	room := make(chan struct{}, 16)
	errs := make(chan error, len(groups))
	for _, group := range groups {
		wg.Go(func() {
			room <- struct{}{}
			defer func() { <-room }()
			for _, i := range group {
				if err := do(i); err != nil {
					errs <- err
					return
				}
			}
		})
	}
	wg.Wait()
	close(errs)
	return <-errs
}
