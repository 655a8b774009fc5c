package acts

import (
	"context"
	"slices"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/check"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// The rules of this package.
const (
	// RuleApproved: the approved posts of a user are those of which an act says so. Repair follows the acts.
	RuleApproved check.Rule = "approved"
	// RuleActFields: an act of a moderator has a kind, a subject in its partition, a reason and a time. Only reported.
	RuleActFields check.Rule = "act-fields"
	// RuleActPair: an act that ends another one is the one that ended it. Repair follows the later act.
	RuleActPair check.Rule = "act-pair"
	// RuleActList: an act is in the moderation log, in that of its kind, and in those of its subject, its moderator and
	// the member concerned, unless it is marked for the sweeper. Repair adds it.
	RuleActList check.Rule = "act-list"
	// RuleActStray: these lists have no other entries. Repair removes them.
	RuleActStray check.Rule = "act-stray"
	// RuleActTold: the member whom an act concerns has the notification, unless it was dropped with others as old.
	// Repair sends it.
	RuleActTold check.Rule = "act-told"
	// RuleReports: a subject's case agrees with the reports on it, which are numbered, one for each reporter, and with
	// whether the subject is held; what is held has one. Repair follows the reports, without malformed ones, and the
	// subject.
	RuleReports check.Rule = "reports"
	// RuleEvidence: the copies of a subject are numbered, sound and at most forum.EvidenceCopies, and the partition's
	// list of what is kept has the subject. Repair removes the others, and lists the subject as of now.
	RuleEvidence check.Rule = "evidence"
	// RuleQueue: the queue has each case in the lists of its state and category, and nothing else. Repair writes the
	// case again, and removes what does not belong there.
	RuleQueue check.Rule = "queue"
	// RuleModerators: the moderators of a category are the users who moderate it, and the category exists. Repair
	// follows the users, but for categories that do not exist.
	RuleModerators check.Rule = "moderators"
)

// The kinds of targets: acts, entries of their lists, the reports on a subject, members of lists of the queue of
// reports, the copies of a subject, what a user moderates, and the moderators of a category.
const (
	onAct        check.Kind = "act"
	onActEntry   check.Kind = "act-entry"
	onCase       check.Kind = "case"
	onQueued     check.Kind = "queued"
	onEvidence   check.Kind = "evidence"
	onModerates  check.Kind = "moderates"
	onModerators check.Kind = "moderators"
)

// checks are the checks of acts and reports.
type checks struct{ *Store }

// Checks returns what is checked of acts, reports and copies, and of moderators.
func (s *Store) Checks() check.Subject {
	c := checks{s}
	return check.Subject{
		Kinds: map[check.Kind]func(*check.Look){
			onAct: c.act, onActEntry: c.actEntry, onCase: c.reports, onQueued: c.queued, onEvidence: c.evidence,
			onModerates: c.moderates, onModerators: c.moderators,
		},
		With: map[check.Kind]func(check.Target) ([]check.Target, []check.List){
			check.OnUser: func(on check.Target) ([]check.Target, []check.List) {
				return []check.Target{{Kind: onModerates, ID: on.ID}}, nil
			},
		},
		Scanned: scanned,
		Lists: []check.List{{Key: key.QueueRevisions, Hash: true,
			On: check.Target{Kind: onQueued, Key: key.QueueRevisions}}},
		Swept: []check.Rule{RuleActList, RuleActTold, RuleApproved, RuleQueue},
		Tasks: map[record.TaskKind]check.Task{
			record.TaskReports: reportsTask,
		},
	}
}

// Checked returns the target for the case of a subject.
func Checked(on forum.Subject) check.Target {
	return check.Target{Kind: onCase, Text: record.EncodeActSubject(on)}
}

// reportsTask checks a task that notifies reporters.
func reportsTask(*check.Look, record.Task) func() check.Work {
	return func() check.Work {
		return check.Work{Left: true, Start: record.ReportCursor(0, 0), Cursor: func(cursor string) bool {
			_, _, ok := record.ParseReportCursor(cursor)
			return ok
		}}
	}
}

// scanned notes what is examined because of a key.
func scanned(r *check.Run, name string, k catalogue.Key) {
	later := func(kind check.Kind, id int64, text string) {
		r.Later[check.Target{Kind: kind, ID: id, Text: text}] = true
	}
	if k.Object == catalogue.OfCategory {
		later(onModerators, k.ID, "")
	}
	switch k.Name {
	case "topic-reports", "topic-reporters", "comment-reports", "comment-reporters", "user-reports", "user-reporters":
		kind := onCase
		if strings.HasSuffix(name, ":evidence") {
			kind = onEvidence
		}
		later(kind, 0, record.EncodeActSubject(check.SubjectOf(k)))
	case "queue":
		r.Lists[name] = check.Sets(onQueued, name)[0]
	case "act", "section-act", "site-act":
		later(onAct, k.ID, "")
	case "section-acts", "topic-acts", "comment-acts", "user-acts", "moderation-log":
		r.Lists[name] = check.Sets(onActEntry, name)[0]
	}
}

// act checks an act of a moderator, and what must exist because of it.
func (c checks) act(l *check.Look) {
	id := forum.ActID(l.On.ID)
	k := key.Act(id)
	l.Sweep = check.Mark{List: key.ActMarks(id), Name: "m:" + key.Itoa(id)}
	f := l.Fetch(k, append([]string{"rev"}, record.ActFields...)...)
	if len(f) == 0 {
		return
	}
	a, err := record.ParseAct(id, f)
	if err != nil || !f.IsWhole("rev", 1) || !f.IsWhole("member", 0) || !f.IsWhole("by", 0) ||
		!f.IsWhole("created", 1) || !holds(a) || !soundChange(a) {
		l.Add(RuleActFields, k, check.Fix{}, "%s of %q on %q by %q at %q for %q", f["kind"], f["member"], f["subject"],
			f["by"], f["created"], f["reason"])
		return
	}
	member, at := record.Member(a.CreatedAt, int64(id)), map[string]*redis.FloatCmd{}
	for _, list := range key.ActLists(a) {
		at[list] = l.Score(list, member)
	}
	ends, endedBy := l.Field(key.Act(a.Reverses), "reversedBy"), l.Field(key.Act(a.ReversedBy), "reverses")
	l.Wait()
	if a.Reverses != 0 && ends.Val() != key.Itoa(id) {
		l.Add(RuleActPair, k, check.Set(key.Act(a.Reverses), "reversedBy", key.Itoa(id)),
			"ends act %d, which is ended by %q", a.Reverses, ends.Val())
	}
	if a.ReversedBy != 0 && endedBy.Val() != key.Itoa(id) {
		l.Add(RuleActPair, k, check.Unset(k, "reversedBy"), "is ended by act %d, which ends %q", a.ReversedBy,
			endedBy.Val())
	}
	for list, score := range at {
		if !check.Is(score) || score.Val() != float64(a.CreatedAt) {
			l.Add(RuleActList, list, check.Call(c.SweepAct, id), "act %d is missing, or not at %d", id,
				a.CreatedAt)
		}
	}
	c.actMember(l, a)
}

// actMember checks what follows from an act for its member: the approval of a post, and the notification.
func (c checks) actMember(l *check.Look, a *forum.Act) {
	counted := l.Next().SIsMember(l.Ctx, key.Approved(a.Member), record.EncodeActSubject(a.Subject))
	note := l.Field(key.Note(a.Member), record.EncodeSubject(forum.Subject{Act: a.ID}))
	member := l.Fields(key.User(a.Member), []string{"state", "noteFloor"})
	l.Wait()
	f, again := member(), check.Call(c.SweepAct, a.ID)
	if f["state"] != catalogue.UserActive {
		return
	}
	if a.Kind == forum.ActApprove && !counted.Val() {
		l.Add(RuleApproved, key.Approved(a.Member), again, "%s of user %d was approved by act %d",
			record.EncodeActSubject(a.Subject), a.Member, a.ID)
	}
	if a.Tells() && !check.Is(note) && f.Time("noteFloor") < a.CreatedAt {
		l.Add(RuleActTold, key.Note(a.Member), again, "user %d was not notified of act %d", a.Member, a.ID)
	}
}

// soundChange reports whether an act on a category, a tab or the site says what it changed.
func soundChange(a *forum.Act) bool {
	c, ok := a.Change()
	return a.ID <= forum.MaxID || ok && len(c.Before)+len(c.After) > 0
}

// holds reports whether the act can have its id. That of a change of the rules of a category is one of the site.
func holds(a *forum.Act) bool {
	return a.Subject.Holds(a.ID) || a.Kind == forum.ActUpdateAccess && a.Subject.Category != 0 && a.ID.OfSite()
}

// actEntry checks an entry of a list of acts.
func (c checks) actEntry(l *check.Look) {
	list, member := l.On.Key, l.On.Text
	n, _, _ := record.ParseMember(member) // 0, which is not an act, if malformed
	id := forum.ActID(n)
	f := l.Fetch(key.Act(id), record.ActFields...)
	a, err := record.ParseAct(id, f)
	switch {
	case len(f) > 0 && err != nil: // it has a finding of its own
	case err == nil && record.Member(a.CreatedAt, n) == member && slices.Contains(key.ActLists(a), list):
	default:
		l.Add(RuleActStray, list, check.Drop(list, member), "%q is not an act of this list", member)
	}
}

// SweepAct adds an act to the lists that have it.
func (s *Store) SweepAct(ctx context.Context, id forum.ActID) error {
	return s.SweepActs(ctx, id.Partition(), []forum.ActID{id})
}
