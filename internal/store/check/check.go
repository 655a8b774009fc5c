// Package check is what the checks of data are written with. A subject of the store has the checks of its data, and the
// repairs, which use its own scripts and guards or are transactions that fail if the data they depend on change.
// Package fsck collects them, walks through all data, and confirms, reports and repairs what they find.
package check

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/engine"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// Rule names an invariant of the data.
type Rule string

// RuleOrphanKey: a list or counter belongs to an object that exists. Repair deletes lists that can be rebuilt from
// their members. It keeps the votes on a lost topic, and its comments.
const RuleOrphanKey Rule = "orphan-key"

// RuleSequence: no id is larger than its sequence. Repair raises the sequence.
const RuleSequence Rule = "sequence"

// RuleMarkOld: the sweeper clears a dirty mark within seconds. Repair does what it stands for.
const RuleMarkOld Rule = "mark-old"

// RuleCap: no list has more entries than its cap. Repair deletes the oldest sessions, API tokens, read marks and
// notifications, and refills a home; others are only reported.
const RuleCap Rule = "cap"

// RuleCount: a count, a last number or a last time is what it counts. Repair sets it.
const RuleCount Rule = "count"

// RuleValue: a record, or an entry of a list or hash, is well formed. Repair deletes it.
const RuleValue Rule = "value"

// RuleExpiryShort: a set of sessions or API tokens outlives the last of them, the voters of an article its voting,
// the rank of a day the next day, a fence its one or two hours. Repair lengthens the expiry.
const RuleExpiryShort Rule = "expiry-short"

// Finding is one broken invariant.
type Finding struct {
	Rule Rule
	// Key is the key on which it was found.
	Key string
	// Detail describes what is wrong.
	Detail string
	// Repaired reports that the repair succeeded: a later check did not find it.
	Repaired bool
	// Pending reports that nothing is broken: a mutation was interrupted, and the sweeper of a
	// server running on the data will finish it.
	Pending bool
	// Failed is the error of a failed repair; may be empty.
	Failed string
	// Loss describes the data that a prune would delete, or has deleted; "" if a repair can fix the
	// finding or only people can.
	Loss string
}

// Plain returns the finding without its outcome.
func (f Finding) Plain() Finding { return Finding{Rule: f.Rule, Key: f.Key, Detail: f.Detail} }

// Same reports whether two findings are the same, whatever their outcome.
func (f Finding) Same(g Finding) bool { return f.Plain() == g.Plain() }

// String formats the finding on one line.
func (f Finding) String() string {
	s := fmt.Sprintf("%s  %s  %s", f.Rule, f.Key, f.Detail)
	switch {
	case f.Repaired && f.Loss != "":
		s += " (deleted: " + f.Loss + ")"
	case f.Repaired:
		s += " (repaired)"
	case f.Pending:
		s += " (pending)"
	case f.Failed != "":
		s += " (repair failed: " + f.Failed + ")"
	}
	return s
}

// Found is a finding under investigation.
type Found struct {
	Finding
	On  Target
	Fix Fix
	// Prune deletes what cannot be repaired.
	Prune Fix
	// The sweeper repairs it with this mark, or with that of a topic which has or had this tag.
	Sweep Mark
	Tag   forum.TagID
}

// Loss is what a prune deletes because of a finding, if it is not repaired: none if people must decide.
type Loss struct {
	Fix  Fix
	What string
}

// Mark is a dirty mark: a member of a list of marks.
type Mark struct{ List, Name string }

const (
	// MarkLife is the maximum age of a mark on a topic, comment or category, in ms: the sweeper
	// handles marks after a second.
	MarkLife = 10_000
	// LagLife is how long indexes may be out of date after a change, in ms.
	LagLife = 5_000
	// readSize is the maximum number of commands of one pipeline.
	readSize = 500
	// GroupSize is how many objects are checked together.
	GroupSize = 64
)

// Run is one check of all data.
type Run struct {
	Engine *engine.Engine
	// Found has unconfirmed findings by what they were found on; Busy has what cannot be checked now.
	Found map[Target][]Found
	Busy  map[Target]bool
	// Later has what is examined once the objects of all partitions are, and Lists the lists whose entries are, by key.
	Later map[Target]bool
	Lists map[string]List
	// Refused are the names of users that would be refused today, and why: no findings, because they keep them.
	Refused map[forum.UserID][]string
	// Again is set once the targets that had findings are examined again.
	Again bool

	also     []Target
	subjects []Subject
	kinds    map[Kind]func(*Look)
	entries  map[Kind]func(*Look, Entry)
	tasks    map[record.TaskKind]Task
	lags     map[Kind]bool
}

// NewRun returns a run of the checks of these subjects, which has found nothing.
func NewRun(e *engine.Engine, subjects []Subject) *Run {
	r := &Run{Engine: e, Found: map[Target][]Found{}, Busy: map[Target]bool{}, Later: map[Target]bool{},
		Lists: map[string]List{}, Refused: map[forum.UserID][]string{}, subjects: subjects, kinds: map[Kind]func(*Look){},
		entries: map[Kind]func(*Look, Entry){}, tasks: map[record.TaskKind]Task{}, lags: map[Kind]bool{}}
	for _, s := range subjects {
		maps.Copy(r.kinds, s.Kinds)
		maps.Copy(r.entries, s.Entries)
		maps.Copy(r.tasks, s.Tasks)
		for _, kind := range s.Lags {
			r.lags[kind] = true
		}
		for _, on := range s.Site {
			r.Later[on] = true
		}
		for _, list := range s.Lists {
			r.Lists[list.Key] = list
		}
	}
	return r
}

// Subject is what a subject of the store has checked.
type Subject struct {
	// Kinds has how to check a target of each kind, whether for the first time or again. Entries has what is done first
	// with the entries of a list of such targets.
	Kinds   map[Kind]func(*Look)
	Entries map[Kind]func(*Look, Entry)
	// Keys has how to check keys on their own, by what they belong to.
	Keys map[catalogue.Object]func(*Look, catalogue.Key)
	// With says what else is examined with an object: targets, and the entries of lists.
	With map[Kind]func(Target) ([]Target, []List)
	// Scanned is called with each key, to say what is to be examined because of it.
	Scanned func(r *Run, name string, k catalogue.Key)
	// Site and Lists are examined once.
	Site  []Target
	Lists []List
	// Lags are the kinds of targets that may be ignored if they cannot be checked now, because they may lag behind.
	Lags []Kind
	// Tasks has how to check the tasks that the subject runs.
	Tasks map[record.TaskKind]Task
	// Swept are the rules whose violations the sweeper repairs on a marked object.
	Swept []Rule
}

// TaskCheck returns how to check the tasks of a kind, or nil.
func (r *Run) TaskCheck(kind record.TaskKind) Task { return r.tasks[kind] }

// Inspect examines targets and what is examined with them.
func (r *Run) Inspect(ctx context.Context, all []Target) error {
	return Groups(all, func(part []Target) error {
		targets, lists := slices.Clone(part), []List{}
		for _, on := range part {
			for _, s := range r.subjects {
				if with := s.With[on.Kind]; with != nil {
					some, others := with(on)
					targets, lists = append(targets, some...), append(lists, others...)
				}
			}
		}
		for len(targets) > 0 {
			if err := Together(ctx, r, targets, (*Look).Examine); err != nil {
				return err
			}
			targets, r.also = r.also, nil
		}
		return r.InspectEntries(ctx, lists)
	})
}

// Scanned notes what is to be examined because of a key.
func (r *Run) Scanned(name string, k catalogue.Key) {
	for _, s := range r.subjects {
		if s.Scanned != nil {
			s.Scanned(r, name, k)
		}
	}
}

// Key checks a key on its own.
func (l *Look) Key(k catalogue.Key) {
	for _, s := range l.subjects {
		if examine := s.Keys[k.Object]; examine != nil {
			examine(l, k)
		}
	}
}

// LagsOnly reports whether a target that cannot be checked now may be ignored.
func (r *Run) LagsOnly(on Target) bool { return r.lags[on.Kind] }

// Swept reports whether the sweeper repairs violations of a rule on a marked object.
func (r *Run) Swept(rule Rule) bool {
	return slices.ContainsFunc(r.subjects, func(s Subject) bool { return slices.Contains(s.Swept, rule) })
}

// Kind is what a target is.
type Kind string

// The kinds of objects with which several subjects have something examined.
const (
	OnTopic     Kind = "topic"
	OnComment   Kind = "comment"
	OnUser      Kind = "user"
	OnList      Kind = "list"
	OnContainer Kind = "container"
	OnPartition Kind = "partition"
)

// Target is the smallest unit that is checked on its own: one object, one entry of an index, one
// key. What has findings is checked again target by target.
type Target struct {
	Kind Kind
	ID   int64  // of the object or partition
	Key  string // key, container or name of a task; voted subject; list
	Text string // member of a container; a voter; a topic in a user's log; where an edge leads
}

// SubjectOf returns the topic, comment or user that has a key.
func SubjectOf(k catalogue.Key) (of forum.Subject) {
	switch k.Object {
	case catalogue.OfTopic:
		of.Topic = forum.TopicID(k.ID)
	case catalogue.OfComment:
		of.Comment = forum.CommentID(k.ID)
	case catalogue.OfUser:
		of.User = forum.UserID(k.ID)
	}
	return of
}

// OrdersOf returns the sorted sets of a container, or of the names of users or tags.
func OrdersOf[T interface {
	OrderNames() []string
	Order(name string) string
}](in T) []string {
	var keys []string
	for _, order := range in.OrderNames() {
		keys = append(keys, in.Order(order))
	}
	return keys
}

// Touch returns a fix that raises a revision of an object, and marks the object for the sweeper.
func (r *Run) Touch(k, revision string, p forum.Partition, mark string) Fix {
	return Transaction([]string{k}, func(ctx context.Context, pipe redis.Pipeliner) {
		pipe.HIncrBy(ctx, catalogue.KeyOf(k, revision), revision, 1)
		pipe.ZAddNX(ctx, key.Dirty(p), redis.Z{Score: float64(r.Engine.Now()), Member: mark})
	})
}
