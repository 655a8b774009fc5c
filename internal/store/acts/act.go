package acts

import (
	"context"
	"fmt"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/engine"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
	"agora/internal/store/internal/section"
	"agora/internal/store/notify"
	"agora/internal/store/script"
)

// The script that does what a moderator wants also writes the act, with a dirty mark. The lists that have it are only
// added to, and nobody is notified twice, so that writing them again, or late, changes nothing.

// Recording returns what a script needs to record an act.
func (s *Store) Recording(p forum.Partition, by *forum.Viewer, why forum.Grounds) (script.Creation, script.Act) {
	act := script.Act{ActReason: string(why.Reason), ActNote: why.Note, ActAt: s.engine.Now()}
	if by != nil { // otherwise the command line
		act.ActBy = by.ID
	}
	return engine.Creation(p, key.ActPrefix(p)), act
}

// SectionRecorder returns what a script needs to record an act on a category or tab; by is nil for the command line, of
// which it records none.
func (s *Store) SectionRecorder(by *forum.Viewer) section.Recorder {
	_, act := s.Recording(0, by, forum.Grounds{Reason: forum.ReasonOther})
	return section.Recorder{Act: act, Creation: script.Creation{Sequence: key.SectionActSequence,
		Prefix: key.SectionActPrefix, Partition: forum.MaxID, Partitions: 1, Largest: forum.MaxSectionActID}}
}

// SiteRecorder is SectionRecorder for the site itself.
func (s *Store) SiteRecorder(by *forum.Viewer) section.Recorder {
	r := s.SectionRecorder(by)
	r.Creation = script.Creation{Sequence: key.SiteActSequence, Prefix: key.SiteActPrefix,
		Partition: forum.MaxSectionActID, Partitions: 1, Largest: forum.MaxActID}
	return r
}

// ListAct adds an act on what is in no partition that was recorded, "0" for none, to the lists that have it.
func (s *Store) ListAct(ctx context.Context, id string, kind forum.ActKind, on forum.Subject,
	r section.Recorder) error {
	if err := s.engine.WriteParts(ctx, s.Listing(Recorded(id, kind, on, 0, r.Act)...)); err != nil {
		return fmt.Errorf("list act %s: %w", id, err)
	}
	return nil
}

// Recorded returns the act that a script has recorded, "0" for none, for the lists that have it.
func Recorded(id string, kind forum.ActKind, subject forum.Subject, member forum.UserID, as script.Act) []*forum.Act {
	n := record.Atoi(id)
	if n == 0 {
		return nil
	}
	return []*forum.Act{{ID: forum.ActID(n), Kind: kind, Subject: subject, Member: member, By: as.ActBy,
		CreatedAt: as.ActAt, Grounds: forum.Grounds{Reason: forum.Reason(as.ActReason), Note: as.ActNote}}}
}

// listedAct is an act that is added to the lists that have it.
type listedAct struct {
	s *Store
	*forum.Act
}

// Listing returns the part of a mutation that lists acts.
func (s *Store) Listing(acts ...*forum.Act) []engine.Part {
	parts := make([]engine.Part, len(acts))
	for i, a := range acts {
		parts[i] = listedAct{s, a}
	}
	return parts
}

// Queue queues adding the act.
func (a listedAct) Queue(ctx context.Context, b *pipeline.Batch) { a.s.queueAct(ctx, b, a.Act) }

// Written removes the dirty mark of the act.
func (a listedAct) Written() { a.s.cleanAct(a.ID) }

// queueAct queues adding an act to the lists that have it, and notifying the member concerned.
func (s *Store) queueAct(ctx context.Context, b *pipeline.Batch, a *forum.Act) {
	entry := redis.Z{Score: float64(a.CreatedAt), Member: record.Member(a.CreatedAt, int64(a.ID))}
	if a.Kind == forum.ActApprove && a.Member != 0 {
		b.Run(ctx, script.UserApproved{User: key.User(a.Member), Approved: key.Approved(a.Member),
			About: record.EncodeActSubject(a.Subject)})
	}
	for _, list := range key.ActLists(a) {
		b.ZAdd(ctx, list, entry)
	}
	queueModerator(ctx, b, a)
	if a.Tells() {
		notify.Note{To: a.Member, Reason: a.Kind.Reason(), Actor: a.By, Subject: forum.Subject{Act: a.ID},
			Created: a.CreatedAt}.Queue(ctx, b, s.engine.Limits.Notifications, s.engine.Now())
	}
}

// cleanAct records that the lists have an act.
func (s *Store) cleanAct(id forum.ActID) {
	mark := "m:" + key.Itoa(id)
	if id > forum.MaxID { // of what is in no partition; acts never change
		s.engine.Later(engine.Cleanup{Then: func(ctx context.Context, b *pipeline.Batch) {
			b.ZRem(ctx,
				key.ActMarks(id), mark)
		}})
		return
	}
	s.engine.Clean(id.Partition(), mark, key.Act(id), 1)
}

// sweepSharedActs adds acts on what is in no partition, which have marks in a set, to their lists.
func (s *Store) sweepSharedActs(ctx context.Context, set string, marks []string) (handled int, err error) {
	var acts []forum.ActID
	for _, mark := range marks {
		id, err := forum.ParseActID(strings.TrimPrefix(mark, "m:"))
		if err != nil || mark != "m:"+key.Itoa(id) || key.ActMarks(id) != set {
			if err := s.engine.Client.Redis.ZRem(ctx, set, mark).Err(); err != nil {
				return 0, err
			}
			continue
		}
		acts = append(acts, id)
	}
	return len(marks), s.SweepActs(ctx, 0, acts)
}

// SweepActs adds acts to their lists.
func (s *Store) SweepActs(ctx context.Context, _ forum.Partition, ids []forum.ActID) error {
	acts, err := s.Acts(ctx, ids)
	if err != nil {
		return err
	}
	b := s.engine.Client.Batch()
	for i, a := range acts {
		if a == nil {
			b.ZRem(ctx, key.ActMarks(ids[i]), "m:"+key.Itoa(ids[i]))
			continue
		}
		s.queueAct(ctx, b, a)
	}
	if b.Len() == 0 {
		return nil
	}
	if err := b.Exec(ctx); err != nil {
		return fmt.Errorf("list acts: %w", err)
	}
	for _, a := range acts {
		if a != nil {
			s.cleanAct(a.ID)
		}
	}
	return nil
}

// Acts reads acts; nil for those that do not exist.
func (r Read) Acts(ids []forum.ActID) func() ([]*forum.Act, error) {
	cmds := make([]*redis.SliceCmd, len(ids))
	for i, id := range ids {
		cmds[i] = r.read.Batch.HMGet(r.read.Ctx, key.Act(id), record.ActFields...)
	}
	return func() ([]*forum.Act, error) {
		if r.read.Err != nil {
			return nil, r.read.Err
		}
		acts := make([]*forum.Act, len(ids))
		for i, cmd := range cmds {
			if a, err := record.ParseAct(ids[i], record.HMGet(record.ActFields, cmd)); err == nil {
				acts[i] = a
			}
		}
		return acts, nil
	}
}

// Told reads which acts a user was notified of, as far as the notifications are kept.
func (r Read) Told(user forum.UserID, ids []forum.ActID) func() ([]bool, error) {
	cmds := make([]*redis.BoolCmd, len(ids))
	for i, id := range ids {
		cmds[i] = r.read.Batch.HExists(r.read.Ctx, key.Note(user), record.EncodeSubject(forum.Subject{Act: id}))
	}
	return func() ([]bool, error) {
		told := make([]bool, len(ids))
		for i, cmd := range cmds {
			told[i] = r.read.Err == nil && cmd.Val()
		}
		return told, r.read.Err
	}
}

// Acts reads acts; nil for those that do not exist.
func (s *Store) Acts(ctx context.Context, ids []forum.ActID) ([]*forum.Act, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	r := s.engine.Read(ctx)
	acts := On(r).Acts(ids)
	if err := r.Exec(); err != nil {
		return nil, fmt.Errorf("read acts: %w", err)
	}
	return acts()
}
