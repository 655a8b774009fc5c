package store

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
)

var (
	topicVote   = newScript("topic_vote")
	commentVote = newScript("comment_vote")
	voteLogSet  = newScript("votelog_set")
)

// Voted is what came of a vote: the counts as the script that wrote left them.
type Voted struct {
	// Changed tells whether the vote is another than before.
	Changed bool
	// Votes are the counts.
	Votes forum.VoteSummary
	// Topic is the topic that was voted on, or whose comment was. Of the first, state,
	// author, kind, category and the times of posting and activity are known.
	Topic *forum.Topic
}

// VoteTopic sets the viewer's vote on a topic and moves the topic in all orders. It
// returns NOT_FOUND, LOCKED when it is deleted, VOTING_CLOSED, BLOCKED when its author has
// blocked the viewer, who may still take a vote back.
func (s *Store) VoteTopic(ctx context.Context, by *forum.Viewer, id forum.TopicID, want forum.VoteDirection) (Voted, error) {
	p, now, task := id.Partition(), s.Now(), record.VoteTask(id, by.ID)
	keys := []string{key.Topic(id), key.Upvoters(key.Topic(id)), key.Downvoters(key.Topic(id)), key.Dirty(p), key.Due(p), key.Task(p, task)}
	s.step("topic_vote")
	reply, err := s.rdb.Run(ctx, topicVote, keys, key.Itoa(id), key.Itoa(by.ID), flag(by.Has(forum.RoleModerator)), int64(now), string(want),
		int64(forum.VotingWindow), forum.ExpiryGrace.Milliseconds(), int64(now+firstLease), task, key.UserPrefix(p)).Slice()
	if err != nil {
		return Voted{}, fmt.Errorf("vote on topic %d: %w", id, voteError(err))
	}
	changed, dirty := reply[0] == int64(1), reply[1] == int64(1)
	at, _ := reply[2].(string)
	n, _ := reply[3].(string)
	kind, _ := reply[4].(string)
	state := record.ParseTopicState(id, reply[5:])
	if changed || dirty {
		var logs []voteLogEntry
		if n != "0" {
			logs = append(logs, voteLogEntry{topic: id, user: by.ID, cursor: at + " " + string(want), token: n})
		}
		if _, err := s.indexAll(ctx, changes{topics: []record.TopicState{state}, logs: logs}); err != nil {
			return Voted{}, fmt.Errorf("vote on topic %d: %w", id, err)
		}
	}
	topic := &forum.Topic{ID: id, State: forum.TopicOpen, Kind: forum.TopicKind(kind), AuthorID: state.Author, CategoryID: state.Category,
		CreatedAt: state.Created, LastActiveAt: state.Active, Upvotes: state.Up, Downvotes: state.Down}
	return Voted{Changed: changed, Votes: topic.Votes(now), Topic: topic}, nil
}

// VoteComment sets the viewer's vote on a comment. It returns NOT_FOUND, LOCKED when
// the comment or its topic is deleted, BLOCKED when the topic's author has blocked the
// viewer, who may still take a vote back.
func (s *Store) VoteComment(ctx context.Context, by *forum.Viewer, id forum.CommentID, want forum.VoteDirection) (Voted, error) {
	at, err := s.place(ctx, id)
	if err != nil {
		return Voted{}, fmt.Errorf("vote on comment %d: %w", id, voteError(err))
	}
	k := key.Comment(id)
	keys := []string{k, key.Topic(at.topic), key.Upvoters(k), key.Downvoters(k), key.CommentVotes(key.Topic(at.topic))}
	if at.parent != 0 {
		keys = append(keys, key.CommentVotes(key.Comment(at.parent)))
	}
	s.step("comment_vote")
	reply, err := s.rdb.Run(ctx, commentVote, keys, key.Itoa(id), key.Itoa(by.ID), flag(by.Has(forum.RoleModerator)), string(want), key.UserPrefix(id.Partition())).Int64Slice()
	if err != nil {
		return Voted{}, fmt.Errorf("vote on comment %d: %w", id, voteError(err))
	}
	c := forum.Comment{ID: id, Upvotes: int(reply[1]), Downvotes: int(reply[2])}
	return Voted{Changed: reply[0] == 1, Votes: c.Votes(s.Now()), Topic: &forum.Topic{ID: at.topic}}, nil
}

// voteError names the field, and reads the time after VOTING_CLOSED.
func voteError(err error) error {
	var known *forum.Error
	if errors.As(err, &known) {
		return known.At(forum.Input("subjectId")...)
	}
	if rest, closed := strings.CutPrefix(strings.TrimPrefix(err.Error(), "ERR "), "VOTING_CLOSED subjectId "); closed {
		at, _ := strconv.ParseInt(rest, 10, 64)
		return &forum.Error{Code: forum.CodeVotingClosed, Path: forum.Input("subjectId"), ClosedAt: forum.Time(at), Message: "The time for voting is over."}
	}
	return scriptError(err)
}

// voteLogEntry is a vote on an article, to be noted in its user's log. A task in the
// topic's partition sees to it, unless the mutation comes so far itself.
type voteLogEntry struct {
	topic  forum.TopicID
	user   forum.UserID
	cursor string // "time direction": when the user voted, and how
	token  string // of the task
}

func (l voteLogEntry) task() claimedTask {
	return claimedTask{partition: l.topic.Partition(), name: record.VoteTask(l.topic, l.user), token: l.token}
}

// queue queues the write. It may be repeated, and come late.
func (l voteLogEntry) queue(ctx context.Context, b *pipeline.Batch) {
	at, direction, _ := strings.Cut(l.cursor, " ")
	b.Run(ctx, voteLogSet, []string{key.VoteLog(l.user), key.User(l.user)},
		key.Itoa(l.topic), record.PackVote(forum.Time(record.Atoi(at)), forum.VoteDirection(direction)), forum.VoteLog)
}

// passVote is a run of the task of a vote: it notes the vote.
func (s *Store) passVote(ctx context.Context, topic forum.TopicID, user forum.UserID, cursor string) error {
	b := s.rdb.Batch()
	voteLogEntry{topic: topic, user: user, cursor: cursor}.queue(ctx, b)
	return b.Exec(ctx)
}
