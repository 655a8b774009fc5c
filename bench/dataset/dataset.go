// Package dataset creates the forum that the benchmark uses: the same one each time, written like an import.
package dataset

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/bulk"
	"agora/internal/text"
)

// Plan is the size of the forum.
type Plan struct {
	Users, Topics int
	// Comments returns how many comments a topic gets; topics are numbered from 0, the oldest.
	Comments func(topic int) int
	// Long is the topic whose comments Data lists; -1 for none.
	Long int
	// Losses deletes a few accounts, topics and comments at the end.
	Losses bool
}

// LongTopic is the number of comments of the long topic.
const LongTopic = 1000

// Standard is the forum of most measurements: 2,000 users, 20,000 topics and 200,000 comments, times scale. The topic
// in the middle has LongTopic comments, or half of all in a forum that is too small for that.
func Standard(scale float64) Plan {
	n := func(of int) int { return max(int(float64(of)*scale), 1) }
	topics, comments := max(n(20_000), 100), max(n(200_000), 1000)
	long, middle := min(LongTopic, comments/2), topics/2
	share, rest := (comments-long)/(topics-1), (comments-long)%(topics-1)
	return Plan{
		Users: max(n(2_000), 20), Topics: topics, Long: middle, Losses: true,
		Comments: func(topic int) int {
			if topic == middle {
				return long
			}
			if topic > middle {
				topic--
			}
			count := share
			if topic < rest {
				count++
			}
			// Neighbours have more and less.
			swing := topic / 2 % (share/2 + 1)
			if topic == topics-2 && topics%2 == 0 {
				swing = 0 // it has no neighbour
			}
			if topic%2 == 0 {
				return count + swing
			}
			return count - swing
		},
	}
}

// Sparse is a forum in which only the latest topics have comments, five each.
func Sparse(topics int) Plan {
	return Plan{Users: 200, Topics: topics, Long: -1, Comments: func(topic int) int {
		if topic < topics-50 {
			return 0
		}
		return 5
	}}
}

// Count returns how many users, topics and comments the plan has.
func (p Plan) Count() int {
	n := p.Users + p.Topics
	for i := range p.Topics {
		n += p.Comments(i)
	}
	return n
}

// Data is what was created.
type Data struct {
	// Users are the active accounts, Topics the open topics.
	Users      []forum.UserID
	Categories []forum.CategoryID
	Topics     []forum.TopicID
	// Long is the topic with most comments, LongComments are these by number.
	Long         forum.TopicID
	LongComments []forum.CommentID
}

const (
	// batch is how many entities are written in one pipeline.
	batch = 250
	// step is the time between two topics.
	step = 5 * time.Minute
)

// first is when the users joined, last is after the last topic.
var (
	first = time.Date(2010, 1, 1, 0, 0, 0, 0, time.UTC)
	last  = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
)

// seeder writes one forum.
type seeder struct {
	s      *store.Store
	im     *bulk.Import
	p      Plan
	data   *Data
	topics []forum.TopicID
	// comments are some that were written, to be deleted.
	comments []forum.CommentID
	done     int
	progress func(done int)
}

// Seed writes the forum into an empty store, and calls progress with the number of entities written.
func Seed(ctx context.Context, s *store.Store, p Plan, progress func(done int)) (*Data, error) {
	w := &seeder{s: s, im: s.Import(), p: p, data: &Data{}, progress: progress}
	for _, step := range []func(context.Context) error{w.rooms, w.users, w.posts, w.losses, s.Flush} {
		if err := step(ctx); err != nil {
			return nil, fmt.Errorf("seed: %w", err)
		}
	}
	return w.data, nil
}

func (w *seeder) add(n int) {
	w.done += n
	w.progress(w.done)
}

// rooms creates sixteen categories in four tabs.
func (w *seeder) rooms(ctx context.Context) error {
	for i := range 16 {
		name := fmt.Sprint("Category ", i)
		id, err := w.s.Categories.CreateCategory(ctx, name, text.Fold(name), "")
		if err != nil {
			return err
		}
		w.data.Categories = append(w.data.Categories, id)
	}
	for i := range 4 {
		name := fmt.Sprint("Tab ", i)
		if _, err := w.s.Categories.CreateTab(ctx, name, text.Fold(name), w.data.Categories[4*i:4*i+4]); err != nil {
			return err
		}
	}
	return nil
}

func (w *seeder) users(ctx context.Context) error {
	fold := func(login string) string {
		folded, _ := text.FoldLogin(login)
		return folded
	}
	for from := 0; from < w.p.Users; from += batch {
		var in []bulk.ImportUser
		for i := from; i < min(from+batch, w.p.Users); i++ {
			in = append(in, bulk.ImportUser{Source: fmt.Sprint("bench:", i), Logins: one(fmt.Sprint("member", i)),
				Name: fmt.Sprint("Member ", i), CreatedAt: at(first)})
		}
		ids, _, err := w.im.Users(ctx, in, fold)
		if err != nil {
			return err
		}
		w.data.Users = append(w.data.Users, ids...)
		w.add(len(ids))
	}
	return nil
}

func one(s string) iter.Seq[string] { return slices.Values([]string{s}) }

func at(t time.Time) forum.Time { return forum.Time(t.UnixMilli()) }

// losses deletes a few accounts, topics and comments.
func (w *seeder) losses(ctx context.Context) error {
	if !w.p.Losses {
		w.data.Topics = w.topics
		return nil
	}
	for _, id := range w.comments {
		if err := Lose(ctx, w.s, forum.Subject{Comment: id}); err != nil {
			return err
		}
	}
	for i, id := range w.topics {
		if i%499 != 17 || id == w.data.Long {
			w.data.Topics = append(w.data.Topics, id)
		} else if err := Lose(ctx, w.s, forum.Subject{Topic: id}); err != nil {
			return err
		}
	}
	var active []forum.UserID
	for i, id := range w.data.Users {
		if i%97 != 5 {
			active = append(active, id)
		} else if err := w.s.Accounts.DeleteAccount(ctx, id, ""); err != nil {
			return err
		}
	}
	w.data.Users = active
	return nil
}

// After returns the comment of the long topic with a number, counted from 1; 1 if it has none.
func (d *Data) After(number int) forum.CommentID {
	if number > len(d.LongComments) {
		return 1
	}
	return d.LongComments[number-1]
}

// Lose has the author of a topic or comment delete it.
func Lose(ctx context.Context, s *store.Store, subject forum.Subject) error {
	r := s.Read(ctx)
	topics := r.Listing.Topics([]forum.TopicID{subject.Topic})
	comments := r.Listing.Comments([]forum.CommentID{subject.Comment})
	if err := r.Exec(); err != nil {
		return err
	}
	if found, _ := topics(); found[0] != nil {
		return s.Posts.DeleteTopic(ctx, &forum.Viewer{ID: found[0].AuthorID}, subject.Topic)
	}
	found, _ := comments()
	return s.Posts.DeleteComment(ctx, &forum.Viewer{ID: found[0].WriterID}, subject.Comment)
}
