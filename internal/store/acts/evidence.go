package acts

import (
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// evidenceSooner is how much sooner than other copies those are erased that only an author's haste has caused.
const evidenceSooner = time.Duration(forum.HiddenLife)*time.Millisecond - forum.HastyLife

// Evidence returns what a script needs to keep copies of a subject.
func Evidence(of forum.Subject) script.Evidence {
	return script.Evidence{Copies: key.Evidence(of), HiddenItems: key.Hidden(of.Partition()),
		CopiesMost: forum.EvidenceCopies, CopyMost: forum.MaxEvidence, Sooner: evidenceSooner}
}

// Evidence reads the copies that are kept of subjects, latest first.
func (r Read) Evidence(of []forum.Subject) func() ([][]*forum.Evidence, error) {
	cmds := make([]*redis.MapStringStringCmd, len(of))
	for i, s := range of {
		cmds[i] = r.read.Batch.HGetAll(r.read.Ctx, key.Evidence(s))
	}
	return func() ([][]*forum.Evidence, error) {
		if r.read.Err != nil {
			return nil, r.read.Err
		}
		all := make([][]*forum.Evidence, len(of))
		for i, cmd := range cmds {
			all[i] = []*forum.Evidence{}
			var numbers []int
			for number := range cmd.Val() {
				n, _ := strconv.Atoi(number)
				numbers = append(numbers, n)
			}
			slices.Sort(numbers)
			for _, n := range slices.Backward(numbers) {
				if e, err := record.ParseEvidence(of[i], cmd.Val()[strconv.Itoa(n)]); err == nil {
					all[i] = append(all[i], e)
				}
			}
		}
		return all, nil
	}
}

// DropEvidence erases the copies of a subject, if its case was closed before a time; otherwise it returns NOT_FOUND.
func (s *Store) DropEvidence(ctx context.Context, of forum.Subject, before forum.Time) error {
	s.engine.Step("evidence_drop")
	dropped, err := s.engine.Client.Run(ctx, script.EvidenceDrop{Evidence: key.Evidence(of), Case: key.Case(of),
		HiddenItems: key.Hidden(of.Partition()), About: record.EncodeActSubject(of), Now: s.engine.Now(),
		Before: before}).Bool()
	if err == nil && !dropped {
		return forum.NotFound(nil, "evidence")
	}
	return err
}
