package votes

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/change"
	"agora/internal/store/engine"
	"agora/internal/store/internal/index"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// Voted is the result of a vote, with the counts right after it.
type Voted struct {
	// Changed reports whether the vote differs from the previous one.
	Changed bool
	// Votes are the counts.
	Votes forum.VoteSummary
	// Topic is the topic, or that of the comment.
	Topic forum.TopicID
}

// VoteTopic sets the viewer's vote on a topic and moves the topic in all orders. It returns NOT_FOUND,
// LOCKED if the topic is deleted, VOTING_CLOSED, BLOCKED if its author has blocked the viewer, who may
// still withdraw a vote.
func (s *Store) VoteTopic(ctx context.Context, by *forum.Viewer, id forum.TopicID,
	want forum.VoteDirection) (Voted, error) {
	return s.VoteTopicAndReadBack(ctx, by, id, want, nil)
}

// VoteTopicAndReadBack is VoteTopic that adds reads to the round trip that writes the indexes, if the vote changes any.
func (s *Store) VoteTopicAndReadBack(ctx context.Context, by *forum.Viewer, id forum.TopicID, want forum.VoteDirection,
	readBack engine.ReadBack) (Voted, error) {
	p, now, task := id.Partition(), s.engine.Now(), record.VoteTask(id, by.ID)
	call := script.TopicVote{
		Topic: key.Topic(id), Upvoters: key.Upvoters(key.Topic(id)), Downvoters: key.Downvoters(key.Topic(id)),
		Dirty: key.Dirty(p), Due: key.Due(p), Task: key.Task(p, task),
		ID: id, User: by.ID, Now: now, Want: want, Rights: s.rules.Rights(ctx, by), MayReply: s.rules.MayReply(ctx, by),
		Window: int64(forum.VotingWindow), Grace: forum.ExpiryGrace, Lease: now + engine.FirstLease,
		TaskName: task, Users: key.UserPrefix(p),
	}
	s.engine.Step("topic_vote")
	vote, err := call.Result(s.engine.Client.Run(ctx, call).Result())
	if err != nil {
		return Voted{}, fmt.Errorf("vote on topic %d: %w", id, voteError(err))
	}
	state := record.NewTopicState(id, vote.Topic)
	if vote.Changed {
		state.Changed, state.Fresh = record.ChangedByVote, vote.Fresh
	}
	if vote.Changed || vote.Dirty {
		var logs []engine.Part
		if vote.Token != "0" {
			cursor := vote.Voted + " " + string(want)
			logs = append(logs, VoteLogEntry{s: s, Topic: id, User: by.ID, Cursor: cursor, token: vote.Token})
		}
		if _, err := s.changes.Write(ctx, change.Set{Topics: []record.TopicState{state}, Parts: logs,
			ReadBack: readBack, Written: engine.Written{Topic: id}}); err != nil {
			return Voted{}, fmt.Errorf("vote on topic %d: %w", id, err)
		}
	}
	topic := &forum.Topic{ID: id, State: forum.TopicOpen, Kind: forum.TopicKind(vote.Kind), CreatedAt: state.Created,
		Upvotes: state.Up, Downvotes: state.Down}
	return Voted{Changed: vote.Changed, Votes: topic.Votes(now), Topic: id}, nil
}

// VoteComment sets the viewer's vote on a comment. It returns NOT_FOUND, LOCKED if the comment or its topic
// is deleted, BLOCKED if the topic's author has blocked the viewer, who may still withdraw a vote.
// The author's karma follows in the background.
func (s *Store) VoteComment(ctx context.Context, by *forum.Viewer, id forum.CommentID,
	want forum.VoteDirection) (Voted, error) {
	at, err := record.LocateComment(ctx, s.engine.Client, id)
	if err != nil {
		return Voted{}, fmt.Errorf("vote on comment %d: %w", id, voteError(err))
	}
	k := key.Comment(id)
	call := script.CommentVote{
		CommentChanged: s.posts.Changed(at.Topic),
		Comment:        k, Topic: key.Topic(at.Topic), Upvoters: key.Upvoters(k), Downvoters: key.Downvoters(k),
		TopicVotes: key.CommentVotes(key.Topic(at.Topic)),
		ID:         id, User: by.ID, Rights: s.rules.Rights(ctx, by), MayReply: s.rules.MayReply(ctx, by), Want: want,
		Users: key.UserPrefix(id.Partition()),
	}
	if at.Parent != 0 {
		call.ParentVotes = key.CommentVotes(key.Comment(at.Parent))
	}
	s.engine.Step("comment_vote")
	vote, err := call.Result(s.engine.Client.Run(ctx, call).Result())
	if err != nil {
		return Voted{}, fmt.Errorf("vote on comment %d: %w", id, voteError(err))
	}
	if vote.Changed && !s.engine.Bulk {
		s.countVotes(id, vote)
	}
	c := forum.Comment{ID: id, State: forum.CommentOpen, Upvotes: int(vote.Up), Downvotes: int(vote.Down)}
	return Voted{Changed: vote.Changed, Votes: c.Votes(s.engine.Now()), Topic: at.Topic}, nil
}

// countVotes counts the votes on a live comment in its author's karma, and then removes its dirty mark.
func (s *Store) countVotes(id forum.CommentID, vote script.CommentVoteResult) {
	m := engine.Marked(id.Partition(), "c:"+key.Itoa(id), key.Comment(id), vote.Listing)
	m.Mark.Votes = strconv.FormatInt(vote.Rev, 10)
	m.First = func(ctx context.Context, b *pipeline.Batch) {
		index.QueueKarma(ctx, b, vote.Author, id, record.CommentVotes{Rev: vote.Rev, Net: int(vote.Net)})
	}
	s.engine.Later(m)
}

// voteError sets the path of an error, and parses the time after VOTING_CLOSED.
func voteError(err error) error {
	var known *forum.Error
	if forum.CodeOf(err) == forum.CodeNotFound {
		return forum.NotFound(forum.Path("subjectId"), forum.SubjectNoun)
	}
	if errors.As(err, &known) {
		return known.At(forum.Path("subjectId")...)
	}
	if rest, closed := strings.CutPrefix(strings.TrimPrefix(err.Error(), "ERR "), "VOTING_CLOSED subjectId "); closed {
		at, _ := strconv.ParseInt(rest, 10, 64)
		return &forum.Error{Code: forum.CodeVotingClosed, Path: forum.Path("subjectId"), ClosedAt: forum.Time(at),
			Message: "Voting has closed."}
	}
	return record.ScriptError(err)
}

// VoteLogEntry is a vote on an article, to be recorded in its user's log. A task in the topic's partition
// does this unless the mutation does it first.
type VoteLogEntry struct {
	s      *Store
	Topic  forum.TopicID
	User   forum.UserID
	Cursor string // "time direction": when the user voted, and how
	token  string // token of the task
}

func (l VoteLogEntry) task() engine.Task {
	return engine.Task{Partition: l.Topic.Partition(), Name: record.VoteTask(l.Topic, l.User), Token: l.token}
}

// Queue queues the write. It is idempotent and may come late.
func (l VoteLogEntry) Queue(ctx context.Context, b *pipeline.Batch) {
	at, direction, _ := strings.Cut(l.Cursor, " ")
	b.Run(ctx, script.VotelogSet{
		Votes: key.VoteLog(l.User), User: key.User(l.User), Topic: l.Topic,
		Entry: record.PackVote(forum.Time(record.Atoi(at)), forum.VoteDirection(direction)), Most: forum.VoteLog,
	})
}

// Written ends the task of the vote.
func (l VoteLogEntry) Written() { l.s.engine.Finish(l.task()) }

// runVote runs the task of a vote: it records the vote.
func (s *Store) runVote(ctx context.Context, topic forum.TopicID, user forum.UserID, cursor string) error {
	b := s.engine.Client.Batch()
	VoteLogEntry{s: s, Topic: topic, User: user, Cursor: cursor}.Queue(ctx, b)
	return b.Exec(ctx)
}

// VotesBy reads one user's votes on topics and comments. For articles that accept no more votes it also
// reads the user's vote log, because their sets of voters have been deleted.
func (r Read) VotesBy(user forum.UserID, subjects []Subject) func() ([]forum.VoteDirection, error) {
	up := make([]*redis.FloatCmd, len(subjects))
	down := make([]*redis.FloatCmd, len(subjects))
	log := make([]*redis.FloatCmd, len(subjects))
	for i, s := range subjects {
		of := key.Subject(s.Subject)
		up[i] = r.read.Batch.ZScore(r.read.Ctx, key.Upvoters(of), key.Itoa(user))
		down[i] = r.read.Batch.ZScore(r.read.Ctx, key.Downvoters(of), key.Itoa(user))
		if s.closed != 0 {
			log[i] = r.read.Batch.ZScore(r.read.Ctx, key.VoteLog(user), key.Itoa(s.closed))
		}
	}
	return func() ([]forum.VoteDirection, error) {
		if r.read.Err != nil {
			return nil, r.read.Err
		}
		votes := make([]forum.VoteDirection, len(subjects))
		for i := range subjects {
			switch {
			case up[i].Err() == nil:
				votes[i] = forum.VoteUp
			case down[i].Err() == nil:
				votes[i] = forum.VoteDown
			case log[i] != nil && log[i].Err() == nil:
				_, votes[i] = record.UnpackVote(log[i].Val())
			default:
				votes[i] = forum.VoteNone
			}
		}
		return votes, nil
	}
}

// SubjectOf returns the subject of a summary of votes.
func SubjectOf(v forum.VoteSummary, now forum.Time) Subject {
	if v.Comment != 0 {
		return Subject{Subject: forum.Subject{Comment: v.Comment}}
	}
	s := Subject{Subject: forum.Subject{Topic: v.Topic}}
	if v.ClosesAt != 0 && now >= v.ClosesAt {
		s.closed = v.Topic
	}
	return s
}

// Subject is something that accepts votes.
type Subject struct {
	forum.Subject
	closed forum.TopicID // the topic, if it accepts no more votes
}
