package check

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// Look examines one target. What it reads is queued; Wait sends it, together with what the other looks of its group
// have queued, so that a group takes no more round trips than its longest look.
type Look struct {
	*Run
	*Reading
	On    Target
	Sweep Mark // by which a sweeper would repair what is found
	Tag   forum.TagID
	Wait  func()
}

// Together runs a look for each of all, a group at a time.
func Together[T any](ctx context.Context, r *Run, all []T, examine func(*Look, T)) error {
	return Groups(all, func(part []T) error {
		reading := r.Read(ctx)
		looks, stop := start(&Look{Run: r, Reading: reading}, part, examine)
		defer stop()
		for {
			if looks = step(looks); reading.Done() != nil || len(looks) == 0 {
				return reading.err
			}
		}
	})
}

// Groups calls do for groups of at most GroupSize.
func Groups[T any](all []T, do func([]T) error) error {
	for part := range slices.Chunk(all, GroupSize) {
		if err := do(part); err != nil {
			return err
		}
	}
	return nil
}

// Each runs a look for each part of the target, together with the other looks of the group.
func Each[T any](l *Look, all []T, examine func(*Look, T)) {
	for part := range slices.Chunk(all, GroupSize) {
		looks, stop := start(l, part, examine)
		for looks = step(looks); len(looks) > 0; looks = step(looks) {
			l.Wait()
		}
		stop()
	}
}

// next resumes a look until it waits again, or ends.
type next func() (_ struct{}, waits bool)

// start returns looks like l at a few targets. After stop they end on empty replies.
func start[T any](l *Look, part []T, examine func(*Look, T)) (looks []next, stop func()) {
	stops := make([]func(), len(part))
	for i, of := range part {
		resume, end := iter.Pull(func(yield func(struct{}) bool) {
			other := *l
			other.Wait = func() { yield(struct{}{}) }
			examine(&other, of)
		})
		looks, stops[i] = append(looks, resume), end
	}
	return looks, func() {
		for _, end := range stops {
			end()
		}
	}
}

// step resumes each look once, and returns those that wait.
func step(looks []next) []next {
	return slices.DeleteFunc(looks, func(resume next) bool {
		_, waits := resume()
		return !waits
	})
}

// Examine checks one target.
func (l *Look) Examine(on Target) {
	l.On, l.Sweep, l.Tag = on, Mark{}, 0
	l.kinds[on.Kind](l)
}

// Also has a target examined because of this one, which then is examined on its own.
func (l *Look) Also(on Target) {
	if !l.Again {
		l.also = append(l.also, on)
	}
}

// Add records an unconfirmed finding on the target. Details must not depend on the order of iteration or on time, so
// that a state found twice has the same details.
func (l *Look) Add(rule Rule, key string, x Fix, detail string, args ...any) {
	f := Finding{Rule: rule, Key: key, Detail: fmt.Sprintf(detail, args...)}
	l.Found[l.On] = append(l.Found[l.On], Found{Finding: f, On: l.On, Fix: x, Sweep: l.Sweep, Tag: l.Tag})
}

// Lose is Add for a finding that only people can repair, or a prune.
func (l *Look) Lose(loss Loss, rule Rule, key string, detail string, args ...any) {
	l.Add(rule, key, Fix{}, detail, args...)
	f := &l.Found[l.On][len(l.Found[l.On])-1]
	f.Prune, f.Loss = loss.Fix, loss.What
}

// Postpone records that the target cannot be checked now.
func (l *Look) Postpone() { l.Busy[l.On] = true }

// Marked queues the time of the mark by which a sweeper would repair what is found here.
func (l *Look) Marked(p forum.Partition, name string) *redis.FloatCmd {
	l.Sweep = Mark{key.Dirty(p), name}
	return l.Score(l.Sweep.List, name)
}

// Young reports whether a dirty mark excuses outdated indexes.
func (r *Run) Young(mark *redis.FloatCmd) bool {
	return Is(mark) && forum.Time(mark.Val())+LagLife > r.Engine.Now()
}

// Whole reads long sorted sets piece by piece.
func (l *Look) Whole(keys ...string) [][]redis.Z {
	const piece = 1000
	sets := make([][]redis.Z, len(keys))
	for from, more := int64(0), true; more; from += piece {
		cmds := make([]*redis.ZSliceCmd, len(keys))
		for i, k := range keys {
			cmds[i] = l.Next().ZRangeWithScores(l.Ctx, k, from, from+piece-1)
		}
		l.Wait()
		more = false
		for i, cmd := range cmds {
			sets[i] = append(sets[i], cmd.Val()...)
			more = more || len(cmd.Val()) == piece
		}
	}
	return sets
}

// Fetch reads some fields of a hash or object at once.
func (l *Look) Fetch(k string, names ...string) record.Fields {
	hash := l.Fields(k, names)
	l.Wait()
	return hash()
}

// Present returns those of the keys that exist.
func (l *Look) Present(keys []string) (present []string) {
	found := make([]*redis.IntCmd, len(keys))
	for i, k := range keys {
		found[i] = l.Exists(k)
	}
	l.Wait()
	for i, k := range keys {
		if Exists(found[i]) {
			present = append(present, k)
		}
	}
	return present
}

// CommentState reads a comment and its topic. lagging reports whether what follows may be outdated.
func (l *Look) CommentState(id forum.CommentID) (f record.Fields, _ record.CommentState,
	lagging bool) {
	p := id.Partition()
	hash := l.Fields(key.Comment(id), append([]string{"topic"}, script.CommentStateFields...))
	mark := l.Marked(p, "c:"+key.Itoa(id))
	l.Wait()
	f = hash()
	topic := forum.TopicID(f.Int("topic"))
	host, topicMark := l.Fields(key.Topic(topic), []string{"state", "audience"}), l.Score(key.Dirty(p),
		"t:"+key.Itoa(topic))
	task := l.Exists(key.Task(p, record.RetractTask(topic)))
	l.Wait()
	of := record.NewTopicState(topic, script.ReadTopicState(record.Values(host(), script.TopicStateFields)))
	return f, record.ParseCommentState(id, f, of), l.Young(mark) || task.Val() > 0 || !of.Public && l.Young(topicMark)
}
