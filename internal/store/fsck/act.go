package fsck

import (
	"slices"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/check"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// act checks an act of a moderator, and what must exist because of it.
func (c *checker) act(l *check.Look) {
	id := forum.ActID(l.On.ID)
	k := key.Act(id)
	l.Sweep = check.Mark{List: key.ActMarks(id), Name: "m:" + key.Itoa(id)}
	f := l.Fetch(k, append([]string{"rev"}, record.ActFields...)...)
	if len(f) == 0 {
		return
	}
	a, err := record.ParseAct(id, f)
	if err != nil || !f.IsWhole("rev", 1) || !f.IsWhole("member", 0) || !f.IsWhole("by", 0) ||
		!f.IsWhole("created", 1) || !a.Subject.Holds(id) || !soundChange(a) {
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
			l.Add(RuleActList, list, check.Call(c.repairer.ListAct, id), "act %d is missing, or not at %d", id,
				a.CreatedAt)
		}
	}
	c.actMember(l, a)
}

// actMember checks what follows from an act for its member: the approval of a post, and the notification.
func (c *checker) actMember(l *check.Look, a *forum.Act) {
	counted := l.Next().SIsMember(l.Ctx, key.Approved(a.Member), record.EncodeActSubject(a.Subject))
	note := l.Field(key.Note(a.Member), record.EncodeSubject(forum.Subject{Act: a.ID}))
	member := l.Fields(key.User(a.Member), []string{"state", "noteFloor"})
	l.Wait()
	f, again := member(), check.Call(c.repairer.ListAct, a.ID)
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

// actEntry checks an entry of a list of acts.
func (c *checker) actEntry(l *check.Look) {
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
