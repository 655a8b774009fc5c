package importer

import (
	"context"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"agora/internal/forum"
	"agora/internal/store/bulk"
	"agora/internal/store/posts"
	"agora/internal/text"
)

// job is a comment to post.
type job struct {
	record  Record
	comment *Comment
	topic   forum.TopicID
	parent  string // "" for the topic itself
	// placed are the comments posted so far, by their source ids.
	placed map[string]forum.CommentID
}

// thread is what comments that are records of their own reply to.
type thread struct {
	// topics maps topics and comments of the source to the topic here; 0 accepts no comments.
	topics map[string]forum.TopicID
	// placed are the posted comments; 0 for a topic.
	placed map[string]forum.CommentID
	// higher maps skipped records to the new parents of their replies.
	higher map[string]string
}

func newThread() thread {
	return thread{topics: map[string]forum.TopicID{}, placed: map[string]forum.CommentID{}, higher: map[string]string{}}
}

// above returns the parent for a reply to parent. One step is enough, because higher was resolved
// when parent was skipped.
func (t *thread) above(parent string) string {
	if _, here := t.topics[parent]; !here && t.higher[parent] != "" {
		return t.higher[parent]
	}
	return parent
}

// settle records the topic here of a topic of the source, unless there was one of that number before.
func (t *thread) settle(id string, topic forum.TopicID) {
	if _, met := t.topics[id]; !met {
		t.topics[id], t.placed[id] = topic, 0
	}
}

// Reasons for which valid comments are left out.
const (
	skippedDeleted = "comment on a topic that is left out or deleted"
	skippedOrphan  = "comment on something that is not in the data"
)

// jobs lists the comments of a chunk in order.
func (w *writer) jobs(c chunk, made []bulk.Imported[forum.TopicID]) []job {
	var jobs []job
	for _, r := range c.records {
		switch {
		case r.Topic != nil:
			jobs = append(jobs, w.jobsOf(r, made[0])...)
			made = made[1:]
		case r.Comment != nil:
			if j, ok := w.jobAlone(r); ok {
				jobs = append(jobs, j)
			}
		case r.SkippedParent != "": // its replies move to its own parent
			w.thread.higher[r.SkippedID] = w.thread.above(r.SkippedParent)
		case r.SkippedID != "":
			w.thread.settle(r.SkippedID, 0)
		}
	}
	return jobs
}

// jobsOf lists the comments in the record of a topic that exists now.
func (w *writer) jobsOf(r Record, topic bulk.Imported[forum.TopicID]) []job {
	takes := topic.ID
	if topic.Err != nil {
		takes = 0
	}
	if w.o.Format == HackerNews {
		w.thread.settle(r.Topic.ID, takes)
	}
	if takes == 0 {
		w.skip(skippedDeleted, len(r.Topic.Comments))
		return nil
	}
	jobs := make([]job, len(r.Topic.Comments))
	placed := map[string]forum.CommentID{}
	for i := range jobs {
		comment := &r.Topic.Comments[i]
		jobs[i] = job{r, comment, takes, comment.Parent, placed}
	}
	return jobs
}

// jobAlone returns the job of a comment that is a record of its own; false if it has no place.
func (w *writer) jobAlone(r Record) (job, bool) {
	if _, met := w.thread.topics[r.Comment.ID]; met { // a duplicate, perhaps with another parent: the first one is used
		w.sum.Known++
		return job{}, false
	}
	parent := w.thread.above(r.Comment.Parent)
	topic, known := w.thread.topics[parent]
	if !known {
		w.skip(skippedOrphan, 1)
		return job{}, false
	}
	w.thread.topics[r.Comment.ID] = topic
	if topic == 0 {
		w.skip(skippedDeleted, 1)
	}
	return job{r, r.Comment, topic, parent, w.thread.placed}, topic != 0
}

func (w *writer) skip(reason string, n int) {
	if n > 0 {
		w.sum.Skipped[reason] += n
	}
}

// addComments posts comments in rounds: a reply is posted in a round after its parent's, and so are
// later comments on the same topic.
func (w *writer) addComments(
	ctx context.Context,
	jobs []job,
) (all []bulk.NewReply, made []bulk.Imported[forum.CommentID], err error) {
	for len(jobs) > 0 {
		var round []job
		round, jobs = nextRound(jobs)
		batch := make([]bulk.NewReply, len(round))
		for i, j := range round {
			batch[i] = w.reply(j)
		}
		var results []bulk.Imported[forum.CommentID]
		err := w.try(ctx, func() (err error) {
			results, err = w.im.Comments(ctx, batch)
			return err
		})
		if err != nil {
			return nil, nil, err
		}
		for i, m := range results {
			round[i].placed[round[i].comment.ID] = m.ID // 0 if it failed: replies go to the topic
			switch {
			case onDeleted(m.Err):
				w.skip(skippedDeleted, 1)
			case m.Err != nil:
				w.bad(round[i].record, m.Err)
			case m.Known:
				w.sum.Known++
			default:
				w.sum.Comments++
			}
		}
		all, made = append(all, batch...), append(made, results...)
	}
	return all, made, nil
}

// onDeleted reports whether a comment was refused because its topic was deleted here.
func onDeleted(err error) bool {
	var refused *forum.Error
	return errors.As(err, &refused) && slices.Equal(refused.Path, forum.Path("topicId"))
}

// nextRound splits off the jobs that can be done now.
func nextRound(jobs []job) (round, left []job) {
	bytes := 0
	waiting := map[forum.TopicID]bool{} // topics whose next comment must wait
	for _, j := range jobs {
		_, placed := j.placed[j.parent]
		if waiting[j.topic] || j.parent != "" && !placed || len(round) >= pipelineSize || bytes >= pipelineBytes {
			waiting[j.topic] = true
			left = append(left, j)
			continue
		}
		round = append(round, j)
		bytes += len(j.comment.Content)
	}
	return round, left
}

func (w *writer) reply(j job) bulk.NewReply {
	c := j.comment
	return bulk.NewReply{Author: w.people[c.Author.ID], NewComment: posts.NewComment{
		Topic: j.topic, Parent: j.placed[j.parent], Content: c.Content, Format: c.Format, Mentions: w.mentions(c.Content, c.Format, c.Near),
		CreatedAt: c.CreatedAt, Source: w.source(c.ID), Upvotes: c.Upvotes, Downvotes: c.Downvotes,
	}}
}

// mentions returns the members whom a text mentions by their names on the other site. near are those
// who are meant first, the latest one last.
func (w *writer) mentions(content string, f forum.ContentFormat, near []Person) forum.Mentions {
	var found forum.Mentions
	mentioned, quoted := text.MentionedLogins(content, f)
	for i, fold := range append(mentioned, quoted...) {
		id := w.nearby(fold, near)
		if id == 0 {
			id = w.names[fold]
		}
		if id > 0 {
			found = append(found, forum.Mention{Fold: fold, User: id, Quoted: i >= len(mentioned)})
		}
	}
	return found
}

// leastPrefix is how many characters of a name suffice to mention a member on Stack Exchange.
// Source: meta.stackexchange.com, "How do comment @replies work?".
const leastPrefix = 3

// nearby returns the member nearby with a folded name, or else the latest one whose name begins with it;
// 0 if there is none.
func (w *writer) nearby(fold string, near []Person) (id forum.UserID) {
	for _, p := range slices.Backward(near) {
		switch name := w.fold(p.Name); {
		case name == "" || w.people[p.ID] == 0:
		case name == fold:
			return w.people[p.ID]
		case id == 0 && utf8.RuneCountInString(fold) >= leastPrefix && strings.HasPrefix(name, fold):
			id = w.people[p.ID]
		}
	}
	return id
}
