package fsck

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/kind"
	"agora/internal/store/internal/record"
)

// historyView is the kept revisions of a topic or comment: numbers, and which of them have a text.
type historyView struct {
	of      forum.Subject
	numbers *redis.ZSliceCmd
	texts   *redis.StringSliceCmd
	subject func() record.Fields
}

// queueHistory queues reading the history to which a key belongs; nil for other keys.
func queueHistory(ctx context.Context, r *reading, name string, k kind.Key) *historyView {
	of := forum.Subject{Topic: forum.TopicID(k.ID)}
	switch {
	case !strings.HasSuffix(name, ":revisions") && !strings.HasSuffix(name, ":texts"):
		return nil
	case k.Object == kind.OfComment:
		of = forum.Subject{Comment: forum.CommentID(k.ID)}
	case k.Object != kind.OfTopic:
		return nil
	}
	return &historyView{of: of, numbers: r.next().ZRangeWithScores(ctx, key.Revisions(of), 0, -1),
		texts:   r.next().HKeys(ctx, key.Texts(of)),
		subject: r.hmget(key.Subject(of), []string{"revision", "state", "deleted"})}
}

// checkHistory checks that the last revision is the present one, and that each other has a text.
func (c *checker) checkHistory(on target, h *historyView) {
	numbers, texts := key.Revisions(h.of), key.Texts(h.of)
	present, without, found := h.subject()["revision"], []string{}, map[string]bool{}
	for i, z := range h.numbers.Val() {
		number, _ := z.Member.(string)
		found[number] = true
		last := i == len(h.numbers.Val())-1
		if record.Atoi(number) != int64(z.Score) || last != (number == present) ||
			!last && !slices.Contains(h.texts.Val(), number) {
			without = append(without, number)
		}
	}
	extra := slices.DeleteFunc(slices.Clone(h.texts.Val()), func(number string) bool {
		return found[number] && number != present
	})
	if len(without)+len(extra) == 0 && (present != "" || len(found) == 0) && len(found) <= forum.MaxRevisions {
		return
	}
	restore := fix{watch: []string{numbers, texts, key.Subject(h.of)},
		do: func(ctx context.Context, pipe redis.Pipeliner) {
			for _, number := range without {
				pipe.ZRem(ctx, numbers, number)
			}
			if len(extra) > 0 {
				pipe.HDel(ctx, texts, extra...)
			}
			if n, err := strconv.ParseFloat(present, 64); err == nil {
				pipe.ZAdd(ctx, numbers, redis.Z{Score: n, Member: present})
			}
		}}
	c.add(on, RuleRevisions, numbers, restore, "revision %q is present; %q have no text or place, %q no revision", present,
		without, extra)
}
