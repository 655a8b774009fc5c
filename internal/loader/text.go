package loader

import (
	"context"
	"errors"
	"runtime"

	"golang.org/x/sync/semaphore"

	"agora/breadth"
	"agora/internal/forum"
	"agora/internal/store"
)

const (
	// longestText is the maximum length of a text, in bytes.
	longestText = 4 * forum.MaxContent
	// eventTexts is how many bytes of long texts an event may read without waiting for its turn.
	eventTexts = 8 * longestText
	// rereads is how often a post is read again because others edit it meanwhile.
	rereads = 3
)

// underWay limits the long texts that are being read, by all responses, in bytes: 32 MiB on two cores.
var (
	maxTexts = 64 * longestText * int64(max(2, runtime.GOMAXPROCS(0)))
	underWay = semaphore.NewWeighted(maxTexts)
)

// inTurn waits until there is room for so many bytes of long texts among those that all responses read at a time. When
// they were read, the caller calls done.
func inTurn(ctx context.Context, bytes int) (done func()) {
	if bytes == 0 || bytes <= eventTexts && store.IsCoalesced(ctx) {
		return func() {}
	}
	turn := min(int64(bytes), maxTexts)
	if underWay.Acquire(ctx, turn) != nil { // ctx is done: all reads fail with its error
		return func() {}
	}
	return func() { underWay.Release(turn) }
}

// post is what a text is read for: a topic or comment.
type post struct {
	subject forum.Subject
	handle  *forum.Handle
	content *string
	long    *int
	revised *forum.Revised
}

func postOfTopic(t *forum.Topic) post {
	return post{forum.Subject{Topic: t.ID}, &t.Handle, &t.Content, &t.Long, &t.Revised}
}

func postOfComment(c *forum.Comment) post {
	return post{forum.Subject{Comment: c.ID}, &c.Handle, &c.Content, &c.Long, &c.Revised}
}

// Texts returns the texts of topics, with an error for those that the response has no room for.
func (l *Loaders) Texts(ctx context.Context, ts []*forum.Topic) ([]string, []error) {
	l.NeedTopics(ctx, ts)
	return l.texts(ctx, posts(ts, postOfTopic), func(again []int) {
		some := make([]*forum.Topic, len(again))
		for n, i := range again {
			some[n] = l.topicHandles.again(ts[i])
		}
		l.NeedTopics(ctx, some)
	})
}

// CommentTexts is Texts for comments.
func (l *Loaders) CommentTexts(ctx context.Context, cs []*forum.Comment) ([]string, []error) {
	l.NeedComments(ctx, cs)
	return l.texts(ctx, posts(cs, postOfComment), func(again []int) {
		some := make([]*forum.Comment, len(again))
		for n, i := range again {
			some[n] = l.commentHandles.again(cs[i])
		}
		l.NeedComments(ctx, some)
	})
}

func posts[T any](objs []*T, of func(*T) post) []post {
	all := make([]post, len(objs))
	for i, o := range objs {
		all[i] = of(o)
	}
	return all
}

// texts returns texts of posts that were read. Short ones are in the posts. Long ones are charged by their length
// before they are read, in one more round trip. reread reads posts again, which were edited between these two.
func (l *Loaders) texts(ctx context.Context, all []post, reread func(again []int)) ([]string, []error) {
	texts := make([]string, len(all))
	var errs []error
	left := make([]int, 0, len(all))
	for i, p := range all {
		if texts[i] = *p.content; *p.long != 0 && p.handle.Status == forum.Whole {
			left = append(left, i)
		}
	}
	for n := 0; len(left) > 0; n++ {
		var again []int
		found, failed := l.longTexts(ctx, all, left)
		for k, i := range left {
			switch p := all[i]; {
			case at(failed, k) != nil:
				errs = addError(errs, len(all), i, failed[k])
			case *p.long == 0: // it became short
				texts[i] = *p.content
			case found[k].Revision == max(p.revised.Revision, 1):
				texts[i] = found[k].Content
			default:
				again = append(again, i)
			}
		}
		if len(again) == 0 {
			break
		}
		if n == rereads {
			for _, i := range again {
				errs = addError(errs, len(all), i, errEdited)
			}
			break
		}
		for _, i := range again {
			delete(l.longs.cells, all[i].subject)
		}
		reread(again)
		left = again
	}
	return texts, errs
}

// longTexts reads the long texts of those posts, and charges them.
func (l *Loaders) longTexts(ctx context.Context, all []post, which []int) ([]store.LongText, []error) {
	meter := breadth.MeterFrom(ctx)
	subjects := make([]forum.Subject, 0, len(which))
	texts := make([]store.LongText, len(which))
	var errs []error
	for k, i := range which {
		p := all[i]
		if l.longs.cells[p.subject] == nil { // charged once
			err := meter.Work(*p.long)
			if err == nil {
				err = meter.Hold(*p.long)
			}
			if err != nil {
				errs = addError(errs, len(which), k, err)
				continue
			}
			l.bytes += *p.long
			l.longs.ask([]forum.Subject{p.subject})
		}
		subjects = append(subjects, p.subject)
	}
	found, failed := l.longs.many(ctx, subjects)
	n := 0
	for k := range which {
		if at(errs, k) != nil {
			continue
		}
		texts[k] = found[n]
		errs = addError(errs, len(which), k, at(failed, n))
		n++
	}
	return texts, errs
}

var errEdited = errors.New("the text is being edited all the time")
