package dataset

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"agora/internal/forum"
	"agora/internal/store/bulk"
	"agora/internal/store/posts"
)

// thread is a topic being written.
type thread struct {
	index    int
	random   *rand.Rand
	id       forum.TopicID
	posted   time.Time
	left     int
	comments []forum.CommentID
}

// posts writes topics with their comments, a batch of topics at a time.
func (w *seeder) posts(ctx context.Context) error {
	for from := 0; from < w.p.Topics; from += batch {
		threads, made, err := w.writeTopics(ctx, from, min(from+batch, w.p.Topics))
		if err != nil {
			return err
		}
		if err := w.writeComments(ctx, threads, made); err != nil {
			return err
		}
	}
	return nil
}

func (w *seeder) writeTopics(ctx context.Context, from, to int) ([]*thread, []bulk.Imported[forum.TopicID], error) {
	var in []posts.NewTopic
	var threads []*thread
	for i := from; i < to; i++ {
		// The latest topics are the same in forums of any size.
		age := w.p.Topics - i
		th := &thread{
			index:  i,
			random: rand.New(rand.NewPCG(1, uint64(age))),
			posted: last.Add(-time.Duration(age) * step),
			left:   w.p.Comments(i),
		}
		threads = append(threads, th)
		t := posts.NewTopic{
			Author: w.author(
				th,
			), Kind: forum.Discussion, Title: fmt.Sprintf("Topic %d: %s", age, th.words(4)), Content: th.text(60),
			Format:   forum.Markdown,
			Category: w.data.Categories[age%len(w.data.Categories)], CreatedAt: at(th.posted), Source: fmt.Sprint("bench:", i),
			Upvotes: th.random.IntN(30), Downvotes: th.random.IntN(5), Clicks: th.random.IntN(1000),
		}
		if age%10 == 3 {
			t.Kind, t.Link, t.Category = forum.Article, fmt.Sprint("https://example.com/", i), 0
		}
		in = append(in, t)
	}
	made, err := w.im.Topics(ctx, in)
	if err != nil {
		return nil, nil, err
	}
	for n, m := range made {
		if m.Err != nil {
			return nil, nil, m.Err
		}
		threads[n].id = m.ID
		w.topics = append(w.topics, m.ID)
	}
	w.add(len(made))
	return threads, made, nil
}

func (w *seeder) author(t *thread) forum.UserID {
	return w.data.Users[t.random.IntN(len(w.data.Users))]
}

// writeComments writes the comments of threads, a few of each at a time, and adds all to their lists.
func (w *seeder) writeComments(ctx context.Context, threads []*thread, topics []bulk.Imported[forum.TopicID]) error {
	var comments []bulk.Imported[forum.CommentID]
	var all []bulk.NewReply
	for {
		var in []bulk.NewReply
		var of []*thread
		room := max(batch/max(len(open(threads)), 1), 1)
		for _, t := range open(threads) {
			for n := range min(room, t.left) {
				in, of = append(in, w.reply(t, n)), append(of, t)
			}
		}
		if len(in) == 0 {
			break
		}
		made, err := w.im.Comments(ctx, in)
		if err != nil {
			return err
		}
		for i, m := range made {
			if m.Err != nil {
				return m.Err
			}
			of[i].comments = append(of[i].comments, m.ID)
			of[i].left--
			if (w.done+i)%499 == 7 {
				w.comments = append(w.comments, m.ID)
			}
		}
		comments, all = append(comments, made...), append(all, in...)
		w.add(len(made))
	}
	for _, t := range threads {
		if t.index == w.p.Long {
			w.data.Long, w.data.LongComments = t.id, t.comments
		}
	}
	return w.im.Publish(ctx, topics, comments, all)
}

// open returns the threads that need more comments.
func open(threads []*thread) []*thread {
	var left []*thread
	for _, t := range threads {
		if t.left > 0 {
			left = append(left, t)
		}
	}
	return left
}

// reply returns the comment n after those already written; every third answers one of those.
func (w *seeder) reply(t *thread, n int) bulk.NewReply {
	number := len(t.comments) + n
	r := bulk.NewReply{Author: w.author(t), NewComment: posts.NewComment{
		Topic: t.id, Content: t.text(20), Format: forum.Markdown,
		CreatedAt: at(t.posted.Add(time.Duration(number+1) * time.Second / 8)),
		Source:    fmt.Sprintf("bench:%d-%d", t.index, number), Upvotes: t.random.IntN(10), Downvotes: t.random.IntN(3),
	}}
	if len(t.comments) > 0 && number%3 == 2 {
		r.Parent = t.comments[t.random.IntN(len(t.comments))]
	}
	return r
}

// vocabulary has letters of several alphabets, and some that JSON escapes.
var vocabulary = strings.Fields(
	`the a reply agrees with what "somebody" wrote and adds one thought before anybody is bored
	servers queries lists Redis keys \o/ commands pipelines faster slower naïve 问题 вопрос measured twice *once* because of C:\temp`,
)

func (t *thread) words(n int) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(vocabulary[t.random.IntN(len(vocabulary))])
	}
	return b.String()
}

// text returns n words, with a paragraph now and then.
func (t *thread) text(n int) string {
	half := t.random.IntN(n) + 1
	return t.words(half) + "\n\n" + t.words(n-half+1)
}
