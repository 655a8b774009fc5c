package store

import (
	"context"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
)

// Read is a set of reads that are sent as one pipeline, in one round trip. Its methods queue a read and
// return a function that returns the result after Exec. Reads of many ids return one entry per id, in
// order, nil where there is none. A Read is used once, by one goroutine.
type Read struct {
	s   *Store
	b   *pipeline.Batch
	ctx context.Context
	err error
	// failed are the errors of the commands, nil if no single one failed. They are kept because whoever takes a result
	// may free its commands.
	failed []error
	// optional are writes that Redis may refuse without failing the reads.
	optional []redis.Cmder
}

// Read begins a set of reads. ctx bounds the round trip.
func (s *Store) Read(ctx context.Context) *Read {
	return &Read{s: s, b: s.rdb.ReadBatch(ctx), ctx: ctx}
}

// readIn returns the reads that are queued on a pipeline, which the caller sends.
func (s *Store) readIn(ctx context.Context, b *pipeline.Batch) *Read {
	return &Read{s: s, b: b, ctx: ctx}
}

// FromReplicas returns a context in which replicas may serve what Read reads, if the store was connected for
// that. They lag behind their masters, usually by milliseconds.
func FromReplicas(ctx context.Context) context.Context { return pipeline.FromReplicas(ctx) }

// MayReadReplicas reports whether ctx was returned by FromReplicas.
func MayReadReplicas(ctx context.Context) bool { return pipeline.MayReadReplicas(ctx) }

// Part queues reads by queue. Their results, which the function that it returns takes, fail only if one of them
// does: in a cluster others may be away.
func (r *Read) Part(queue func() (take func())) (take func()) {
	from := r.b.Len()
	all := queue()
	to := r.b.Len()
	return func() {
		err := r.err
		if r.failed != nil {
			r.err = firstOf(r.failed[from:to])
		}
		all()
		r.err = err
	}
}

// Exec sends what was queued. If it fails, all results are its error, except for those of Part.
func (r *Read) Exec() error {
	cmds := r.b.Cmds()
	if r.err = r.b.Exec(r.ctx); r.err == nil {
		return nil
	}
	for _, cmd := range r.optional {
		if pipeline.RefusedNow(cmd.Err()) {
			cmd.SetErr(nil)
		}
	}
	failed := make([]error, len(cmds))
	for i, cmd := range cmds {
		failed[i] = pipeline.UnlessNil(cmd.Err())
	}
	switch first := firstOf(failed); {
	case first != nil:
		r.failed, r.err = failed, first
	case r.optional != nil: // only these were refused
		r.err = nil
	}
	return r.err
}

// firstOf returns the first error that is not nil.
func firstOf(errs []error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// LongText is the text of a topic or comment that is not in its hash.
type LongText struct {
	// Revision is the number of the revision whose text it is; 0 if there is none.
	Revision int
	Content  string
}

// LongTexts reads the texts of topics and comments that are not in their hashes.
func (r *Read) LongTexts(of []forum.Subject) func() ([]LongText, error) {
	cmds := make([]*redis.StringCmd, len(of))
	for i, s := range of {
		cmds[i] = r.b.Get(r.ctx, key.Text(key.Subject(s)))
	}
	return func() ([]LongText, error) {
		if r.err != nil {
			return nil, r.err
		}
		texts := make([]LongText, len(of))
		for i, cmd := range cmds {
			number, content, _ := strings.Cut(cmd.Val(), "\n")
			texts[i] = LongText{int(record.Atoi(number)), content}
		}
		return texts, nil
	}
}

// CategoriesNamed finds categories by folded name; 0 for none.
func (r *Read) CategoriesNamed(folds []string) func() ([]forum.CategoryID, error) {
	return named[forum.CategoryID](r, key.CategoryNames, folds)
}

// TabsNamed finds tabs by folded name; 0 for none.
func (r *Read) TabsNamed(folds []string) func() ([]forum.TabID, error) {
	return named[forum.TabID](r, key.TabNames, folds)
}

func named[ID ~int64](r *Read, key string, folds []string) func() ([]ID, error) {
	cmds := make([]*redis.StringCmd, len(folds))
	for i, fold := range folds {
		cmds[i] = r.b.HGet(r.ctx, key, fold)
	}
	return func() ([]ID, error) {
		if r.err != nil {
			return nil, r.err
		}
		ids := make([]ID, len(folds))
		for i, cmd := range cmds {
			n, _ := strconv.ParseInt(cmd.Val(), 10, 64)
			ids[i] = ID(n)
		}
		return ids, nil
	}
}

// UsersWithLogins finds users by folded login; 0 for none. A result may be a user who is still registering
// or is deleted: read the user too, and compare.
func (r *Read) UsersWithLogins(folds []string) func() ([]forum.UserID, error) {
	cmds := make([]*redis.StringCmd, len(folds))
	for i, fold := range folds {
		cmds[i] = r.b.Get(r.ctx, key.LoginClaim(fold))
	}
	return func() ([]forum.UserID, error) {
		if r.err != nil {
			return nil, r.err
		}
		ids := make([]forum.UserID, len(folds))
		for i, cmd := range cmds {
			ids[i], _ = record.ParseClaim(cmd.Val())
		}
		return ids, nil
	}
}

// VotesBy reads one user's votes on topics and comments. For articles that accept no more votes it also
// reads the user's vote log, because their sets of voters have been deleted.
func (r *Read) VotesBy(user forum.UserID, subjects []Subject) func() ([]forum.VoteDirection, error) {
	up := make([]*redis.FloatCmd, len(subjects))
	down := make([]*redis.FloatCmd, len(subjects))
	log := make([]*redis.FloatCmd, len(subjects))
	for i, s := range subjects {
		of := key.Subject(s.Subject)
		up[i] = r.b.ZScore(r.ctx, key.Upvoters(of), key.Itoa(user))
		down[i] = r.b.ZScore(r.ctx, key.Downvoters(of), key.Itoa(user))
		if s.closed != 0 {
			log[i] = r.b.ZScore(r.ctx, key.VoteLog(user), key.Itoa(s.closed))
		}
	}
	return func() ([]forum.VoteDirection, error) {
		if r.err != nil {
			return nil, r.err
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

// Subject is something that accepts votes.
type Subject struct {
	forum.Subject
	closed forum.TopicID // the topic, if it accepts no more votes
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
