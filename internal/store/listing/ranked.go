package listing

import (
	"agora/internal/forum"
	"agora/internal/store/internal/commentpage"
	"agora/internal/store/internal/key"
)

// comments reads pages of comments in the pipeline of r.
func (r Read) comments() commentpage.Reader {
	return commentpage.Reader{Batch: r.read.Batch, Now: r.read.Engine.Now(), Err: func() error { return r.read.Err },
		Charge: r.read.Charge}
}

// rankedEntries is how many comments and votes a topic is assumed to have when these are ranked.
const rankedEntries = 4000

// commentsPage reads a page of comments by votes, around a number, or of a thread; nil if it is none of these.
func (r Read) commentsPage(l List, w forum.Window) func() (forum.Page, error) {
	of := commentpage.List{Key: l.Key, Newest: l.Newest, Ranked: l.ranked, Votes: key.CommentVotes(key.Subject(l.of))}
	if l.of.Topic != 0 {
		of.Entries = rankedEntries
	}
	switch {
	case l.thread != 0:
		return r.comments().Thread(r.read.Ctx, of, commentpage.Tree{Topic: l.thread, Deepest: l.deepest}, w)
	case l.ranked != "":
		return r.comments().Ranked(r.read.Ctx, of, w)
	case w.Around != 0:
		return r.comments().Around(r.read.Ctx, of, w.Around, w.Count)
	}
	return nil
}

// RankedCost is what ranking a comment of a list costs.
const RankedCost = commentpage.RankedCost

// Ranked reports whether the list is in an order by votes: to read any page of it, all of it is read.
func (l List) Ranked() bool { return l.ranked != "" }

// Keep stores rankings for as long as readers who began with them may continue. If Redis refuses to store
// them, their cursors expire immediately.
func (r Read) Keep(ks []forum.Ranking) func() ([]struct{}, error) {
	for _, k := range ks {
		r.read.Optional = append(r.read.Optional,
			r.read.Batch.Set(r.read.Ctx, key.Ranking(k.List, k.Sum), k.IDs, forum.SnapshotLife+forum.SnapshotEvery))
	}
	return func() ([]struct{}, error) { return make([]struct{}, len(ks)), r.read.Err }
}

// LastComments finds the newest live comment of each topic; 0 for none.
func (r Read) LastComments(topics []forum.TopicID) func() ([]forum.CommentID, error) {
	of := make([]MarkedTopic, len(topics))
	for i, id := range topics {
		of[i] = MarkedTopic{ID: id, Number: MaxNumber}
	}
	return r.nearest(of, true, 0)
}

// FirstUnread finds the first live comment of each topic above the number that the user did not write; 0 for none.
func (r Read) FirstUnread(by forum.UserID, topics []MarkedTopic) func() ([]forum.CommentID, error) {
	return r.nearest(topics, false, by)
}

func (r Read) nearest(of []MarkedTopic, backward bool, except forum.UserID) func() ([]forum.CommentID, error) {
	gets := make([]func() (forum.CommentID, error), len(of))
	for i, t := range of {
		gets[i] = r.comments().Nearest(r.read.Ctx, t.ID, t.Number, backward, except)
	}
	return func() ([]forum.CommentID, error) {
		ids := make([]forum.CommentID, len(of))
		for i, get := range gets {
			var err error
			if ids[i], err = get(); err != nil {
				return nil, err
			}
		}
		return ids, nil
	}
}

// ReadMark names a topic or timeline that a user may have marked as read. It is a value.
type ReadMark string

// TopicMark is the mark of a topic; its value is the number of the last comment read.
func TopicMark(id forum.TopicID) ReadMark { return ReadMark("t" + key.Itoa(id)) }

// MarkedTopic is a topic that a user has read up to a comment number.
type MarkedTopic struct {
	ID     forum.TopicID
	Number int64
}

// MaxNumber is above all comment numbers: each comment has an id of its own.
const MaxNumber = 1<<32 - 1
