package store

import (
	"context"
	"fmt"
	"iter"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// ImportUser is a member of another site. The account cannot sign in until an
// administrator sets a password.
type ImportUser struct {
	// Source names the member on that site.
	Source string
	// Logins are what may become the login, best first; Fold folds them.
	Logins iter.Seq[string]
	Name   string
	// CreatedAt is when the member joined.
	CreatedAt forum.Time
}

// newcomer is a user on the way in.
type newcomer struct {
	index int
	in    NewUser
	registration
}

// cohort is newcomers who take each step together. Those for whom a step does
// not go as usual are left to register alone.
type cohort struct {
	im    *Import
	under []*newcomer
	odd   []int
}

// Users makes accounts for members that have none, and finds the others. Those
// who were deleted here are not made again: what they wrote is known by their ids,
// and what else comes of theirs has no author. fold is the form in which a login is compared.
// It takes two round trips for what is known and four more for what is new; names
// that meet others take a few each.
func (im *Import) Users(ctx context.Context, in []ImportUser,
	fold func(login string) string) (ids []forum.UserID, created []bool, err error) {
	im.given = nil
	im.begin()
	defer func() {
		im.end(err)
		if err != nil { // the next try gives them out again
			for _, login := range im.given {
				delete(im.used, login)
			}
		}
	}()
	ids = make([]forum.UserID, len(in))
	created = make([]bool, len(in))
	fresh, unclear, err := im.knownUsers(ctx, in, ids, created)
	if err != nil {
		return nil, nil, err
	}
	odd, err := im.registerTogether(ctx, in, fresh, ids, fold)
	if err != nil {
		return nil, nil, err
	}
	for _, i := range fresh {
		created[i] = true
	}
	for _, i := range append(unclear, odd...) {
		created[i] = true
		if ids[i], err = im.registerAlone(ctx, in[i], fold); err != nil {
			return nil, nil, err
		}
	}
	return ids, created, nil
}

// knownUsers fills in the ids of users who are there, and whether an earlier try of this
// batch created them. It sorts the others: those without a record, and those whose import
// was begun and not finished.
func (im *Import) knownUsers(ctx context.Context, in []ImportUser, ids []forum.UserID,
	created []bool) (fresh, unclear []int, err error) {
	b := im.s.rdb.Batch()
	records := make([]*redis.StringCmd, len(in))
	for i, u := range in {
		records[i] = b.Get(ctx, key.Source(key.PartitionOfSource(u.Source), "u", u.Source))
	}
	if err := b.Exec(ctx); err != nil {
		return nil, nil, fmt.Errorf("import users: %w", err)
	}
	b = im.s.rdb.Batch()
	states := map[int]*redis.StringCmd{}
	for i := range in {
		id, _, ok := record.ParseSourceRecord(records[i].Val())
		if !ok {
			fresh = append(fresh, i)
			continue
		}
		ids[i] = forum.UserID(id)
		states[i] = b.HGet(ctx, key.User(ids[i]), "state")
	}
	if len(states) == 0 {
		return fresh, nil, nil
	}
	if err := b.Exec(ctx); err != nil {
		return nil, nil, fmt.Errorf("import users: %w", err)
	}
	for i := range in { // in order, so that of two who want one login the first has it each time
		if states[i] == nil {
			continue
		}
		switch states[i].Val() {
		case record.UserActive, record.UserDeleted:
			created[i] = im.own(records[i].Val())
		default:
			unclear = append(unclear, i)
		}
	}
	return fresh, unclear, nil
}

// registerTogether registers users step by step, all at once: create, claim,
// activate (see Register). It returns those for whom a step did not go as usual.
func (im *Import) registerTogether(ctx context.Context, in []ImportUser, which []int, ids []forum.UserID,
	fold func(string) string) (odd []int, err error) {
	c := cohort{im: im}
	for _, i := range which {
		login, loginFold := im.login(in[i], fold)
		c.under = append(c.under, &newcomer{index: i, in: NewUser{
			Source: in[i].Source, Login: login, LoginFold: loginFold, Name: in[i].Name, CreatedAt: in[i].CreatedAt,
		}})
	}
	for _, step := range []func(context.Context) error{c.unclaimed, c.create, c.claim, c.activate} {
		if err := step(ctx); err != nil {
			return nil, fmt.Errorf("import users: %w", err)
		}
	}
	for _, n := range c.under {
		ids[n.index] = n.id
		im.s.clean(n.id.Partition(), "u:"+key.Itoa(n.id), key.User(n.id), 1)
	}
	return c.odd, nil
}

// login picks the first login that this import has not given out.
func (im *Import) login(u ImportUser, fold func(string) string) (login, loginFold string) {
	for login = range u.Logins {
		if loginFold = fold(login); !im.used[loginFold] {
			break
		}
	}
	im.used[loginFold] = true
	im.given = append(im.given, loginFold)
	return login, loginFold
}

// unclaimed leaves out those whose login somebody claims, rightly or not.
func (c *cohort) unclaimed(ctx context.Context) error {
	return c.all(ctx, "claim_get", func(b *pipeline.Batch, n *newcomer) redis.Cmder {
		return b.Exists(ctx, key.LoginClaim(n.in.LoginFold))
	}, func(_ *newcomer, cmd redis.Cmder) (bool, error) {
		found, err := cmd.(*redis.IntCmd).Result()
		return found == 0, err
	})
}

func (c *cohort) create(ctx context.Context) error {
	return c.all(ctx, "user_create", func(b *pipeline.Batch, n *newcomer) redis.Cmder {
		return b.Run(ctx, n.in.script(c.im.s.Now()))
	}, func(n *newcomer, cmd redis.Cmder) (ok bool, err error) {
		n.registration, err = registrationOf(cmd.(*redis.Cmd))
		return !n.known, err
	})
}

func (c *cohort) claim(ctx context.Context) error {
	return c.all(ctx, "claim_set", func(b *pipeline.Batch, n *newcomer) redis.Cmder {
		for _, key := range record.LookClaims(n.in.Login) { // as far as they are free: a member keeps the login that it had
			b.Run(ctx, script.ClaimSet{Claim: key, Value: n.claim()})
		}
		return b.Run(ctx, script.ClaimSet{Claim: key.LoginClaim(n.in.LoginFold), Value: n.claim()})
	}, func(n *newcomer, cmd redis.Cmder) (bool, error) {
		have, err := cmd.(*redis.Cmd).Text()
		return have == n.claim(), err
	})
}

func (c *cohort) activate(ctx context.Context) error {
	return c.all(ctx, "user_activate", func(b *pipeline.Batch, n *newcomer) redis.Cmder {
		return b.Run(ctx, script.UserActivate{
			User: key.User(n.id), Stats: key.Stats(n.id.Partition()), Nonce: n.nonce, Created: n.in.CreatedAt,
		})
	}, func(_ *newcomer, cmd redis.Cmder) (bool, error) { return cmd.(*redis.Cmd).Bool() })
}

// all takes one step for all newcomers in one pipeline. ok reports whether it went
// as usual.
func (c *cohort) all(ctx context.Context, step string, ask func(*pipeline.Batch, *newcomer) redis.Cmder,
	read func(*newcomer, redis.Cmder) (ok bool, err error)) error {
	if len(c.under) == 0 {
		return nil
	}
	c.im.s.step(step)
	b := c.im.s.rdb.Batch()
	cmds := make([]redis.Cmder, len(c.under))
	for i, n := range c.under {
		cmds[i] = ask(b, n)
	}
	b.Exec(ctx) // each command has its own error
	kept := c.under[:0]
	for i, n := range c.under {
		ok, err := read(n, cmds[i])
		if err != nil {
			return err
		}
		if ok {
			kept = append(kept, n)
		} else {
			delete(c.im.used, n.in.LoginFold)
			c.odd = append(c.odd, n.index)
		}
	}
	c.under = kept
	return nil
}

// registerAlone makes one account, trying one login after the other: also when
// somebody is claiming one just now, perhaps a run that died.
func (im *Import) registerAlone(ctx context.Context, u ImportUser, fold func(string) string) (forum.UserID, error) {
	for tried := ""; ; {
		login, loginFold := im.login(u, fold)
		id, err := im.s.Register(ctx,
			NewUser{Source: u.Source, Login: login, LoginFold: loginFold, Name: u.Name, CreatedAt: u.CreatedAt})
		again := forum.CodeOf(err) == forum.CodeTaken || forum.CodeOf(err) == forum.CodeConflict
		if !again || loginFold == tried { // the same one again: there are no more
			return id, err
		}
		tried = loginFold
	}
}
