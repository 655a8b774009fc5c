package fsck

import (
	"context"
	"slices"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// inspectModerators compares the moderators of categories with what these users moderate. The reverse is checked with
// the users.
func (c *checker) inspectModerators(ctx context.Context, ids []forum.CategoryID) error {
	r := c.read(ctx)
	sets := make([]*redis.ZSliceCmd, len(ids))
	exists := make([]*redis.IntCmd, len(ids))
	for i, id := range ids {
		sets[i] = r.next().ZRangeWithScores(ctx, key.CategoryModerators(id), 0, -1)
		exists[i] = r.next().Exists(ctx, key.Category(id))
	}
	if err := r.done(); err != nil {
		return err
	}
	users := map[forum.UserID]func() record.Fields{}
	for _, set := range sets {
		for _, z := range set.Val() {
			id := forum.UserID(record.Atoi(z.Member.(string)))
			users[id] = r.hmget(key.User(id), []string{"state", "moderates"})
		}
	}
	if err := r.done(); err != nil {
		return err
	}
	for i, id := range ids {
		k, on := key.CategoryModerators(id), target{kind: onModerators, id: int64(id)}
		if n := len(sets[i].Val()); n > 0 && exists[i].Val() == 0 {
			c.add(on, RuleModerators, k, remove(k), "%d entries, but there is no category %d", n, id)
			continue
		}
		for _, z := range sets[i].Val() {
			name := z.Member.(string)
			if user, seat := strings.CutPrefix(name, "s"); seat && z.Score > 0 && z.Score < 1 {
				if _, err := forum.ParseID[forum.UserID](user); err == nil {
					continue // a place that is reserved
				}
			}
			f := users[forum.UserID(record.Atoi(name))]()
			if z.Score < 0 || moderatesIn(f, id) {
				continue
			}
			out := fix{watch: []string{k}, do: func(ctx context.Context, pipe redis.Pipeliner) { pipe.ZRem(ctx, k, name) }}
			c.add(on, RuleModerators, k, out, "%q is entered, but is %q and moderates %q", name, f["state"], f["moderates"])
		}
	}
	return nil
}

// moderatesIn reports whether a user with these fields moderates a category. The account may have been deleted: until
// the task that follows has taken the user out of the category, the fields stay.
func moderatesIn(f record.Fields, id forum.CategoryID) bool {
	return slices.Contains(record.ParseIDs[forum.CategoryID](f["moderates"]), id)
}

// place is what the set of a category that a user moderates has of the user.
type place struct {
	category forum.CategoryID
	exists   *redis.IntCmd
	score    *redis.FloatCmd
}

// readPlaces queues the sets of the categories that a user moderates.
func (u *userView) readPlaces(ctx context.Context, r *reading) {
	for _, id := range record.ParseIDs[forum.CategoryID](u.f["moderates"]) {
		u.places = append(u.places, place{id, r.next().Exists(ctx, key.Category(id)),
			r.next().ZScore(ctx, key.CategoryModerators(id), key.Itoa(u.id))})
	}
}

// checkModerates checks what an active user moderates.
func (c *checker) checkModerates(u *userView) {
	bad := c.wrongFields(u)
	ids := record.ParseIDs[forum.CategoryID](u.f["moderates"])
	slices.Sort(ids)
	bad("moderates", len(slices.Compact(ids)) == len(u.places) && len(ids) <= forum.MaxModerated)
	bad("moderatesRev", u.f.IsWholeOrNone("moderatesRev", 1))
	for _, p := range u.places {
		if p.exists.Val() == 0 {
			end := fix{run: func(ctx context.Context) error { return c.repairer.Unmoderate(ctx, u.id, p.category) }}
			c.add(u.on(), RuleModerators, u.key(), end, "moderates category %d, which does not exist", p.category)
			continue
		}
		if p.score.Val() > 0 {
			continue
		}
		k := key.CategoryModerators(p.category)
		enter := fix{watch: []string{k}, do: func(ctx context.Context, pipe redis.Pipeliner) {
			pipe.ZAdd(ctx, k, redis.Z{Score: float64(max(1, u.f.Int("moderatesRev"))), Member: key.Itoa(u.id)})
		}}
		c.add(u.on(), RuleModerators, k, enter, "user %d moderates category %d, but is not entered", u.id, p.category)
	}
}

// checkBan checks the ban of an active user: its act is one that banned the user and was not ended, and who is banned
// from signing in has no sessions.
func (c *checker) checkBan(u *userView) {
	ban, f := record.ParseBan(u.f), u.banAct
	if ban == nil {
		left := slices.DeleteFunc(slices.Clone(record.BanFields), func(name string) bool { return u.f[name] == "" })
		if len(left) > 0 {
			drop := fix{watch: []string{u.key()},
				do: func(ctx context.Context, pipe redis.Pipeliner) { pipe.HDel(ctx, u.key(), left...) }}
			c.add(u.on(), RuleBan, u.key(), drop, "has %q, but no ban", left)
		}
		return
	}
	if !slices.Contains(forum.BanScopes, ban.Scope) || !u.f.IsWhole("banUntil", 0) ||
		!slices.Contains(forum.Reasons, ban.Reason) {
		c.add(u.on(), RuleBan, u.key(), fix{}, "is banned from %q until %q for %q", u.f["ban"], u.f["banUntil"],
			u.f["banReason"])
		return
	}
	if a := f(); a["kind"] != string(forum.ActBan) || a["member"] != key.Itoa(u.id) || a["reversedBy"] != "" {
		c.add(u.on(), RuleBan, u.key(), fix{}, "is banned by act %q: %q of user %q, ended by %q", u.f["banAct"], a["kind"],
			a["member"], a["reversedBy"])
	}
	if n := len(u.sessions); n > 0 && ban.BarsSignIn(c.s.Now()) {
		end := fix{watch: []string{u.key(), key.Sessions(u.id)},
			do: func(ctx context.Context, pipe redis.Pipeliner) { pipe.Del(ctx, key.Sessions(u.id)) }}
		c.add(u.on(), RuleBan, key.Sessions(u.id), end, "is banned from signing in, but has %d sessions", n)
	}
}
