package loader

import (
	"context"

	"agora/breadth"
	"agora/internal/forum"
	"agora/internal/store/listing"
)

// rereads is how often a post is read again because others edit it meanwhile.
const rereads = 3

// post is a topic or comment of which the text is read.
type post struct {
	subject forum.Subject
	status  status
	content string
	long    int
	number  int // of the revision
}

func postOfTopic(t *Topic) post {
	return post{forum.Subject{Topic: t.ID}, t.status, t.Content, t.Long, t.PresentNumber()}
}

func postOfComment(c *Comment) post {
	return post{forum.Subject{Comment: c.ID}, c.status, c.Content, c.Long, c.PresentNumber()}
}

// Texts returns the texts of topics, with an error for those that the response has no room for.
func (l *Loaders) Texts(ctx context.Context, ts []*Topic) ([]string, []error) {
	l.NeedTopics(ctx, ts)
	return l.texts(ctx, len(ts), func(i int) post { return postOfTopic(ts[i]) }, func(again []int) {
		l.NeedTopics(ctx, forgotten(&l.topicHandles, ts, again))
	})
}

// CommentTexts is Texts for comments.
func (l *Loaders) CommentTexts(ctx context.Context, cs []*Comment) ([]string, []error) {
	l.NeedComments(ctx, cs)
	return l.texts(ctx, len(cs), func(i int) post { return postOfComment(cs[i]) }, func(again []int) {
		l.NeedComments(ctx, forgotten(&l.commentHandles, cs, again))
	})
}

// forgotten returns some of the objects, which are read again when next needed.
func forgotten[ID ~int64, O, T any](h *handles[ID, O, T], objs []*T, which []int) []*T {
	some := make([]*T, len(which))
	for n, i := range which {
		some[n] = objs[i]
		h.again(objs[i])
	}
	return some
}

// texts returns the texts of n posts that were read. Short ones are in the posts. Long ones are charged by their length
// before they are read, in one more round trip. reread reads posts again, which were edited between these two.
func (l *Loaders) texts(ctx context.Context, n int, of func(i int) post, reread func(again []int)) ([]string,
	[]error) {
	texts := make([]string, n)
	var left []int
	for i := range texts {
		p := of(i)
		if texts[i] = p.content; p.long != 0 && p.status == statusWhole {
			left = append(left, i)
		}
	}
	var errs []error
	for try := 0; len(left) > 0; try++ {
		posts := make([]post, len(left))
		for k, i := range left {
			posts[k] = of(i)
		}
		found, failed := l.longTexts(ctx, posts)
		var again []int
		for k, i := range left {
			switch p := posts[k]; {
			case at(failed, k) != nil:
				errs = addError(errs, n, i, failed[k])
			case p.long == 0: // it became short
				texts[i] = p.content
			case found[k].Revision == p.number:
				texts[i] = found[k].Content
			case try == rereads:
				errs = addError(errs, n, i, errEdited)
			default:
				delete(l.longs.cells, p.subject)
				again = append(again, i)
			}
		}
		if left = again; len(again) > 0 {
			reread(again)
		}
	}
	return texts, errs
}

// longTexts reads the long texts of those posts, and charges them.
func (l *Loaders) longTexts(ctx context.Context, posts []post) ([]listing.LongText, []error) {
	meter := breadth.MeterFrom(ctx)
	subjects := make([]forum.Subject, 0, len(posts))
	texts := make([]listing.LongText, len(posts))
	var errs []error
	for k, p := range posts {
		if l.longs.cells[p.subject] == nil { // charged once
			if err := meter.Charge(p.long, p.long); err != nil {
				errs = addError(errs, len(posts), k, err)
				continue
			}
			l.longs.ask([]forum.Subject{p.subject})
		}
		subjects = append(subjects, p.subject)
	}
	found, failed := l.longs.many(ctx, subjects)
	n := 0
	for k := range posts {
		if at(errs, k) != nil {
			continue
		}
		texts[k] = found[n]
		errs = addError(errs, len(posts), k, at(failed, n))
		n++
	}
	return texts, errs
}

// errEdited reports that others edit a text faster than it can be read.
var errEdited = &forum.Error{Code: forum.CodeConflict, Message: "This text is being edited all the time. Try again."}
