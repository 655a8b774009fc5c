package fsck

import (
	"slices"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// act checks an act of a moderator, and what must exist because of it.
func (l *look) act() {
	id := forum.ActID(l.on.id)
	k := key.Act(id)
	l.sweep = markRef{key.ActMarks(id), "m:" + key.Itoa(id)}
	f := l.fetch(k, append([]string{"rev"}, record.ActFields...)...)
	if len(f) == 0 {
		return
	}
	a, err := record.ParseAct(id, f)
	if err != nil || !f.IsWhole("rev", 1) || !f.IsWhole("member", 0) || !f.IsWhole("by", 0) ||
		!f.IsWhole("created", 1) || !a.Subject.Holds(id) || !soundChange(a) {
		l.add(RuleActFields, k, fix{}, "%s of %q on %q by %q at %q for %q", f["kind"], f["member"], f["subject"], f["by"],
			f["created"], f["reason"])
		return
	}
	member, at := record.Member(a.CreatedAt, int64(id)), map[string]*redis.FloatCmd{}
	for _, list := range key.ActLists(a) {
		at[list] = l.score(list, member)
	}
	ends, endedBy := l.field(key.Act(a.Reverses), "reversedBy"), l.field(key.Act(a.ReversedBy), "reverses")
	l.wait()
	if a.Reverses != 0 && ends.Val() != key.Itoa(id) {
		l.add(RuleActPair, k, set(key.Act(a.Reverses), "reversedBy", key.Itoa(id)), "ends act %d, which is ended by %q",
			a.Reverses, ends.Val())
	}
	if a.ReversedBy != 0 && endedBy.Val() != key.Itoa(id) {
		l.add(RuleActPair, k, unset(k, "reversedBy"), "is ended by act %d, which ends %q", a.ReversedBy, endedBy.Val())
	}
	for list, score := range at {
		if !is(score) || score.Val() != float64(a.CreatedAt) {
			l.add(RuleActList, list, call(l.repairer.ListAct, id), "act %d is missing, or not at %d", id, a.CreatedAt)
		}
	}
	l.actMember(a)
}

// actMember checks what follows from an act for its member: the approval of a post, and the notification.
func (l *look) actMember(a *forum.Act) {
	counted := l.next().SIsMember(l.ctx, key.Approved(a.Member), record.EncodeActSubject(a.Subject))
	note := l.field(key.Note(a.Member), record.EncodeSubject(forum.Subject{Act: a.ID}))
	member := l.hmget(key.User(a.Member), []string{"state", "noteFloor"})
	l.wait()
	f, again := member(), call(l.repairer.ListAct, a.ID)
	if f["state"] != catalogue.UserActive {
		return
	}
	if a.Kind == forum.ActApprove && !counted.Val() {
		l.add(RuleApproved, key.Approved(a.Member), again, "%s of user %d was approved by act %d",
			record.EncodeActSubject(a.Subject), a.Member, a.ID)
	}
	if a.Tells() && !is(note) && f.Time("noteFloor") < a.CreatedAt {
		l.add(RuleActTold, key.Note(a.Member), again, "user %d was not notified of act %d", a.Member, a.ID)
	}
}

// soundChange reports whether an act on a category, a tab or the site says what it changed.
func soundChange(a *forum.Act) bool {
	c, ok := a.Change()
	return a.ID <= forum.MaxID || ok && len(c.Before)+len(c.After) > 0
}

// actEntry checks an entry of a list of acts.
func (l *look) actEntry() {
	list, member := l.on.key, l.on.text
	n, _, _ := record.ParseMember(member) // 0, which is not an act, if malformed
	id := forum.ActID(n)
	f := l.fetch(key.Act(id), record.ActFields...)
	a, err := record.ParseAct(id, f)
	switch {
	case len(f) > 0 && err != nil: // it has a finding of its own
	case err == nil && record.Member(a.CreatedAt, n) == member && slices.Contains(key.ActLists(a), list):
	default:
		l.add(RuleActStray, list, drop(list, member), "%q is not an act of this list", member)
	}
}
