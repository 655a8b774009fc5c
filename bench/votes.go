package main

import (
	"context"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"agora/internal/forum"
	"agora/internal/loader"
	"agora/internal/store/listing"
)

const (
	// votesPerSecond is how many votes are cast beside the queries of a document.
	votesPerSecond = 1000
	// voters is how many members vote at a time.
	voters = 4
)

// vote has members vote on the topics of the front page, as another process does, until the function that it returns is
// called. That returns how many votes were cast.
func (s *site) vote(ctx context.Context) (stop func() (int64, error), err error) {
	topics, err := s.votable(ctx)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	tick := time.NewTicker(time.Second / (votesPerSecond / voters))
	var voting errgroup.Group // ends with ctx
	var cast atomic.Int64
	turns := make(chan int, votesPerSecond)
	for range voters {
		voting.Go(func() error {
			for n := range turns {
				by := &forum.Viewer{ID: s.data.Users[n/len(topics)%len(s.data.Users)], Role: forum.RoleUser}
				direction := []forum.VoteDirection{forum.VoteUp, forum.VoteDown}[n/len(topics)/len(s.data.Users)%2]
				if _, err := s.store.Votes.VoteTopic(ctx, by, topics[n%len(topics)],
					direction); err != nil && ctx.Err() == nil {
					return err
				}
				cast.Add(1)
			}
			return nil
		})
	}
	done := make(chan struct{})
	go func() { // ends with ctx
		defer close(done)
		defer close(turns)
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				for range voters {
					select {
					case turns <- s.votes:
						s.votes++
					default: // they cannot keep up
					}
				}
			}
		}
	}()
	return func() (int64, error) {
		tick.Stop()
		cancel()
		<-done
		err := voting.Wait()
		return cast.Load(), err
	}, nil
}

// score makes the store write the scores of the topics that bare replied to: it sends what was recorded, with the score
// that the topic had before others voted. Articles on which voting is over are refused; nobody voted on these.
func (s *site) score(ctx context.Context) error {
	by := &forum.Viewer{ID: s.data.Users[0], Role: forum.RoleUser}
	for _, topics := range s.topics {
		for _, id := range topics {
			for _, direction := range []forum.VoteDirection{forum.VoteUp, forum.VoteNone} {
				if _, err := s.store.Votes.VoteTopic(ctx, by, id, direction); err != nil && forum.CodeOf(err) == "" {
					return err
				}
			}
		}
	}
	return nil
}

// votable returns those of the topics on the front page that accept votes: articles no longer do.
func (s *site) votable(ctx context.Context) ([]forum.TopicID, error) {
	front := forum.Timeline{Kind: forum.FrontTimeline, Order: forum.ByActive, Direction: forum.Descending}
	r := s.store.Read(ctx)
	page := r.Listing.Page(listing.TimelineLists(front, nil)[0], forum.Window{Count: frontTopics})
	if err := r.Exec(); err != nil {
		return nil, err
	}
	rows, err := page()
	if err != nil {
		return nil, err
	}
	latest := loader.IDs[forum.TopicID](&rows)
	r = s.store.Read(ctx)
	read := r.Listing.Topics(latest)
	if err := r.Exec(); err != nil {
		return nil, err
	}
	found, _ := read() // all, as Exec did not fail
	var topics []forum.TopicID
	for _, t := range found {
		if t.Kind != forum.Article {
			topics = append(topics, t.ID)
		}
	}
	return topics, nil
}
