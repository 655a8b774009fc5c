package fsck

import (
	"context"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// approvedView is a post that counts as approved for its author.
type approvedView struct {
	name string // as in the set
	acts []func() record.Fields
}

// readApproved reads the acts on the posts that count as approved for users.
func (c *checker) readApproved(ctx context.Context, users []*userView) error {
	r := c.read(ctx)
	cmds := make([]*redis.StringSliceCmd, len(users))
	for i, u := range users {
		cmds[i] = r.next().SMembers(ctx, key.Approved(u.id))
	}
	if err := r.done(); err != nil {
		return err
	}
	lists := make([][]*redis.StringSliceCmd, len(users))
	for i, u := range users {
		for _, name := range cmds[i].Val() {
			on, _ := record.ParseActSubject(name) // none, of which there are no acts, if malformed
			u.approved = append(u.approved, approvedView{name: name})
			lists[i] = append(lists[i], r.next().ZRange(ctx, key.SubjectActs(on), 0, -1))
		}
	}
	if err := r.done(); err != nil {
		return err
	}
	for i, u := range users {
		for n, list := range lists[i] {
			for _, member := range list.Val() {
				id, _, _ := record.ParseMember(member)
				u.approved[n].acts = append(u.approved[n].acts,
					r.hmget(key.Act(forum.ActID(id)), []string{"kind", "subject", "member"}))
			}
		}
	}
	return r.done()
}

// checkApproved checks that what counts as approved for a user was. The reverse is checked with the acts.
func (c *checker) checkApproved(u *userView) {
	k := key.Approved(u.id)
	for _, v := range u.approved {
		is := false
		for _, act := range v.acts {
			f := act()
			is = is || f["kind"] == string(forum.ActApprove) && f["subject"] == v.name && f["member"] == key.Itoa(u.id)
		}
		if !is {
			out := fix{watch: []string{k}, do: func(ctx context.Context, pipe redis.Pipeliner) { pipe.SRem(ctx, k, v.name) }}
			c.add(u.on(), RuleApproved, k, out, "%q of user %d was not approved", v.name, u.id)
		}
	}
}
