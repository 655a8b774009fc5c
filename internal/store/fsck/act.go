package fsck

import (
	"context"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// actView is an act of a moderator as read from its keys.
type actView struct {
	id      forum.ActID
	f       record.Fields
	act     *forum.Act                 // nil if malformed
	scores  map[string]*redis.FloatCmd // in the lists that must have it
	ends    func() record.Fields       // the act that it ends
	endedBy func() record.Fields       // the act that ends it
	member  func() record.Fields
	told    *redis.BoolCmd
	counted *redis.BoolCmd // whether the post that it approved counts for its author
}

func (v *actView) on() target { return target{kind: onAct, id: int64(v.id)} }

// inspectModeration checks all acts of moderators, the lists that have them, and who moderates categories.
func (c *checker) inspectModeration(ctx context.Context) error {
	for p := range forum.Partitions {
		err := groups(toIDs[forum.ActID](c.keys.acts[p]),
			func(ids []forum.ActID) error { return c.inspectActs(ctx, ids) })
		if err != nil {
			return err
		}
	}
	err := groups(toIDs[forum.ActID](c.keys.sharedActs),
		func(ids []forum.ActID) error { return c.inspectActs(ctx, ids) })
	if err != nil {
		return err
	}
	for _, list := range key.SharedActMarks {
		err := c.eachMember(ctx, list, func(names []string) error { return c.inspectActMarks(ctx, list, names) })
		if err != nil {
			return err
		}
	}
	for _, list := range c.keys.actLists {
		err := c.eachMember(ctx, list, func(members []string) error { return c.inspectListed(ctx, list, members) })
		if err != nil {
			return err
		}
	}
	return c.examineAll(ctx, onModerators, c.keys.categories)
}

// moderationInspections returns the inspections of single acts, entries of their lists, and categories' moderators.
func (c *checker) moderationInspections() []inspection {
	return []inspection{
		{onAct, func(ctx context.Context, on []target) error {
			return groups(targetIDs[forum.ActID](on), func(ids []forum.ActID) error { return c.inspectActs(ctx, ids) })
		}},
		{onActMark, oneByOne(func(ctx context.Context, on target) error {
			return c.inspectActMarks(ctx, on.key, []string{on.text})
		})},
		{onActEntry, oneByOne(func(ctx context.Context, on target) error {
			return c.inspectListed(ctx, on.key, []string{on.text})
		})},
	}
}

// inspectActs checks acts.
func (c *checker) inspectActs(ctx context.Context, ids []forum.ActID) error {
	r := c.read(ctx)
	views, hashes := make([]*actView, len(ids)), make([]func() record.Fields, len(ids))
	for i, id := range ids {
		views[i] = &actView{id: id, scores: map[string]*redis.FloatCmd{}}
		hashes[i] = r.hmget(key.Act(id), append([]string{"rev"}, record.ActFields...))
	}
	if err := r.done(); err != nil {
		return err
	}
	for i, v := range views {
		v.f = hashes[i]()
		if a, err := record.ParseAct(v.id, v.f); err == nil {
			v.act = a
			c.readAbout(ctx, r, v)
		}
	}
	if err := r.done(); err != nil {
		return err
	}
	for _, v := range views {
		c.checkAct(v)
	}
	return nil
}

// readAbout queues what an act is compared with.
func (c *checker) readAbout(ctx context.Context, r *reading, v *actView) {
	a := v.act
	member := record.Member(a.CreatedAt, int64(a.ID))
	for _, list := range key.ActLists(a) {
		v.scores[list] = r.next().ZScore(ctx, list, member)
	}
	v.counted = r.next().SIsMember(ctx, key.Approved(a.Member), record.EncodeActSubject(a.Subject))
	v.ends = r.hmget(key.Act(a.Reverses), []string{"reversedBy"})
	v.endedBy = r.hmget(key.Act(a.ReversedBy), []string{"reverses"})
	v.told = r.next().HExists(ctx, key.Note(a.Member), record.EncodeSubject(forum.Subject{Act: a.ID}))
	v.member = r.hmget(key.User(a.Member), []string{"state", "noteFloor"})
}

func (c *checker) checkAct(v *actView) {
	k, a := key.Act(v.id), v.act
	if len(v.f) == 0 {
		return
	}
	if a == nil || !v.f.IsWhole("rev", 1) || !v.f.IsWhole("member", 0) || !v.f.IsWhole("by", 0) ||
		!v.f.IsWhole("created", 1) || !a.Subject.Holds(v.id) || !soundChange(a) {
		c.add(v.on(), RuleActFields, k, fix{}, "%s of %q on %q by %q at %q for %q", v.f["kind"], v.f["member"],
			v.f["subject"], v.f["by"], v.f["created"], v.f["reason"])
		return
	}
	if a.Reverses != 0 && v.ends()["reversedBy"] != key.Itoa(v.id) {
		c.add(v.on(), RuleActPair, k, set(key.Act(a.Reverses), "reversedBy", key.Itoa(v.id)),
			"ends act %d, which is ended by %q", a.Reverses, v.ends()["reversedBy"])
	}
	if a.ReversedBy != 0 && v.endedBy()["reverses"] != key.Itoa(v.id) {
		drop := fix{watch: []string{k},
			do: func(ctx context.Context, pipe redis.Pipeliner) { pipe.HDel(ctx, k, "reversedBy") }}
		c.add(v.on(), RuleActPair, k, drop, "is ended by act %d, which ends %q", a.ReversedBy, v.endedBy()["reverses"])
	}
	again := fix{run: func(ctx context.Context) error { return c.repairer.ListAct(ctx, v.id) }}
	for list, cmd := range v.scores {
		if cmd.Err() != nil || cmd.Val() != float64(a.CreatedAt) {
			c.add(v.on(), RuleActList, list, again, "act %d is missing, or not at %d", v.id, a.CreatedAt)
		}
	}
	f := v.member()
	if a.Kind == forum.ActApprove && f["state"] == catalogue.UserActive && !v.counted.Val() {
		c.add(v.on(), RuleApproved, key.Approved(a.Member), again, "%s of user %d was approved by act %d",
			record.EncodeActSubject(a.Subject), a.Member, v.id)
	}
	if a.Tells() && f["state"] == catalogue.UserActive && !v.told.Val() && f.Time("noteFloor") < a.CreatedAt {
		c.add(v.on(), RuleActTold, key.Note(a.Member), again, "user %d was not notified of act %d", a.Member, v.id)
	}
}

// soundChange reports whether an act on a category, a tab or the site says what it changed.
func soundChange(a *forum.Act) bool {
	c, ok := a.Change()
	return a.ID <= forum.MaxID || ok && len(c.Before)+len(c.After) > 0
}

// inspectActMarks checks the marks in a list of acts on what is in no partition.
func (c *checker) inspectActMarks(ctx context.Context, list string, names []string) error {
	r := c.read(ctx)
	scores, kinds := make([]*redis.FloatCmd, len(names)), make([]*redis.StringCmd, len(names))
	for i, name := range names {
		id, _ := forum.ParseActID(strings.TrimPrefix(name, "m:"))
		scores[i] = r.next().ZScore(ctx, list, name)
		kinds[i] = r.next().HGet(ctx, key.Act(id), "kind")
	}
	if err := r.done(); err != nil {
		return err
	}
	for i, name := range names {
		on := target{kind: onActMark, key: list, text: name}
		id, err := forum.ParseActID(strings.TrimPrefix(name, "m:"))
		switch at := forum.Time(scores[i].Val()); {
		case scores[i].Err() != nil: // removed since
		case err != nil || name != "m:"+key.Itoa(id) || key.ActMarks(id) != list || kinds[i].Err() != nil:
			out := fix{watch: []string{list},
				do: func(ctx context.Context, pipe redis.Pipeliner) { pipe.ZRem(ctx, list, name) }}
			c.add(on, RuleMarkOrphan, list, out, "%q names no act", name)
		case at+markLife < c.s.Now():
			c.add(on, RuleMarkOld, list,
				fix{run: func(ctx context.Context) error { return c.repairer.ListAct(ctx, id) }},
				"%s has waited since %d", name, at)
		}
	}
	return nil
}

// inspectListed checks entries of a list of acts.
func (c *checker) inspectListed(ctx context.Context, list string, members []string) error {
	r := c.read(ctx)
	ids, hashes := make([]forum.ActID, len(members)), make([]func() record.Fields, len(members))
	for i, m := range members {
		n, _, _ := record.ParseMember(m) // 0, which is not an act, if malformed
		ids[i] = forum.ActID(n)
		hashes[i] = r.hmget(key.Act(ids[i]), record.ActFields)
	}
	if err := r.done(); err != nil {
		return err
	}
	for i, m := range members {
		f := hashes[i]()
		a, err := record.ParseAct(ids[i], f)
		if len(f) > 0 && err != nil {
			continue // it has a finding of its own
		}
		if err == nil && record.Member(a.CreatedAt, int64(a.ID)) == m && listsAct(a, list) {
			continue
		}
		out := fix{watch: []string{list}, do: func(ctx context.Context, pipe redis.Pipeliner) { pipe.ZRem(ctx, list, m) }}
		c.add(target{kind: onActEntry, key: list, text: m}, RuleActStray, list, out, "%q is not an act of this list", m)
	}
	return nil
}

// listsAct reports whether a list must have an act.
func listsAct(a *forum.Act, list string) bool {
	for _, k := range key.ActLists(a) {
		if k == list {
			return true
		}
	}
	return false
}
