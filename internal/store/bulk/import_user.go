package bulk

import (
	"context"
	"fmt"
	"iter"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/accounts"
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// ImportUser is a member of another site. The account cannot sign in until an
// administrator sets a password.
type ImportUser struct {
	// Source identifies the member on that site.
	Source string
	// Logins are the candidates for the login, best first; Fold is their folded form.
	Logins iter.Seq[string]
	Name   string
	// CreatedAt is when the member joined.
	CreatedAt forum.Time
}

// newcomer is a user who is being registered.
type newcomer struct {
	index int
	in    accounts.NewUser
	accounts.Registration
}

// cohort is a set of newcomers who take each step together. Those for whom a step fails are left to
// register alone.
type cohort struct {
	im      *Import
	pending []*newcomer
	alone   []int
}

// Users creates accounts for members that have none, and finds the others. Accounts that were deleted here
// are not created again: what was imported of them refers to their ids, and their other contributions have
// no author. fold returns the form in which logins are compared. It takes two round trips for known members
// and four more for new ones; logins that collide with others take a few more each.
func (im *Import) Users(ctx context.Context, in []ImportUser,
	fold func(login string) string) (ids []forum.UserID, created []bool, err error) {
	im.assigned = nil
	im.begin()
	defer func() {
		im.end(err)
		if err != nil { // the next try assigns them again
			for _, login := range im.assigned {
				delete(im.used, login)
			}
		}
	}()
	ids = make([]forum.UserID, len(in))
	created = make([]bool, len(in))
	fresh, unfinished, err := im.knownUsers(ctx, in, ids, created)
	if err != nil {
		return nil, nil, err
	}
	alone, err := im.registerTogether(ctx, in, fresh, ids, fold)
	if err != nil {
		return nil, nil, err
	}
	for _, i := range fresh {
		created[i] = true
	}
	for _, i := range append(unfinished, alone...) {
		created[i] = true
		if ids[i], err = im.registerAlone(ctx, in[i], fold); err != nil {
			return nil, nil, err
		}
	}
	return ids, created, nil
}

// knownUsers sets the ids of users who exist, and whether an earlier try of this batch created them. It
// returns the others: fresh are those without a record, unfinished those whose import was begun and not
// finished.
func (im *Import) knownUsers(ctx context.Context, in []ImportUser, ids []forum.UserID,
	created []bool) (fresh, unfinished []int, err error) {
	b := im.s.engine.Client.Batch()
	records := make([]*redis.StringCmd, len(in))
	for i, u := range in {
		records[i] = b.Get(ctx, key.Source(key.PartitionOfSource(u.Source), "u", u.Source))
	}
	if err := b.Exec(ctx); err != nil {
		return nil, nil, fmt.Errorf("import users: %w", err)
	}
	b = im.s.engine.Client.Batch()
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
	for i := range in { // in order, so that the first of two users with equal logins gets it each time
		if states[i] == nil {
			continue
		}
		switch states[i].Val() {
		case catalogue.UserActive, catalogue.UserDeleted:
			created[i] = im.own(records[i].Val())
		default:
			unfinished = append(unfinished, i)
		}
	}
	return fresh, unfinished, nil
}

// registerTogether registers users together, step by step: create, claim, activate (see Register). It
// returns those for whom a step failed, who are registered alone.
func (im *Import) registerTogether(ctx context.Context, in []ImportUser, which []int, ids []forum.UserID,
	fold func(string) string) (alone []int, err error) {
	c := cohort{im: im}
	for _, i := range which {
		login, loginFold := im.login(in[i], fold)
		c.pending = append(c.pending, &newcomer{index: i, in: accounts.NewUser{
			Source: in[i].Source, Login: login, LoginFold: loginFold, Name: in[i].Name, CreatedAt: in[i].CreatedAt,
		}})
	}
	for _, step := range []func(context.Context) error{c.unclaimed, c.create, c.claim, c.activate} {
		if err := step(ctx); err != nil {
			return nil, fmt.Errorf("import users: %w", err)
		}
	}
	for _, n := range c.pending {
		ids[n.index] = n.ID
		im.s.accounts.CleanUser(n.ID, n.in.LoginFold)
	}
	return c.alone, nil
}

// login picks the first login that this import has not assigned.
func (im *Import) login(u ImportUser, fold func(string) string) (login, loginFold string) {
	for login = range u.Logins {
		if loginFold = fold(login); !im.used[loginFold] {
			break
		}
	}
	im.used[loginFold] = true
	im.assigned = append(im.assigned, loginFold)
	return login, loginFold
}

// unclaimed sets aside newcomers whose login has a claim, valid or not.
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
		return b.Run(ctx, n.in.Script(c.im.s.engine.Now()))
	}, func(n *newcomer, cmd redis.Cmder) (ok bool, err error) {
		n.Registration, err = accounts.RegistrationOf(cmd.(*redis.Cmd))
		return !n.Known, err
	})
}

func (c *cohort) claim(ctx context.Context) error {
	return c.all(ctx, "claim_set", func(b *pipeline.Batch, n *newcomer) redis.Cmder {
		for _, key := range record.LookClaims(n.in.Login) { // only free ones: members keep the logins they had
			b.Run(ctx, script.ClaimSet{Claim: key, Value: n.Claim()})
		}
		return b.Run(ctx, script.ClaimSet{Claim: key.LoginClaim(n.in.LoginFold), Value: n.Claim()})
	}, func(n *newcomer, cmd redis.Cmder) (bool, error) {
		have, err := cmd.(*redis.Cmd).Text()
		return have == n.Claim(), err
	})
}

func (c *cohort) activate(ctx context.Context) error {
	return c.all(ctx, "user_activate", func(b *pipeline.Batch, n *newcomer) redis.Cmder {
		return b.Run(ctx, script.UserActivate{Externals: key.Externals(n.ID),
			User: key.User(n.ID), Stats: key.Stats(n.ID.Partition()), Nonce: n.Nonce, Created: n.in.CreatedAt,
		})
	}, func(_ *newcomer, cmd redis.Cmder) (bool, error) { return cmd.(*redis.Cmd).Bool() })
}

// all takes one step for all newcomers in one pipeline. ok reports whether the step succeeded.
func (c *cohort) all(ctx context.Context, step string, ask func(*pipeline.Batch, *newcomer) redis.Cmder,
	read func(*newcomer, redis.Cmder) (ok bool, err error)) error {
	if len(c.pending) == 0 {
		return nil
	}
	c.im.s.engine.Step(step)
	b := c.im.s.engine.Client.Batch()
	cmds := make([]redis.Cmder, len(c.pending))
	for i, n := range c.pending {
		cmds[i] = ask(b, n)
	}
	b.Exec(ctx) // each command has its own error
	kept := c.pending[:0]
	for i, n := range c.pending {
		ok, err := read(n, cmds[i])
		if err != nil {
			return err
		}
		if ok {
			kept = append(kept, n)
		} else {
			delete(c.im.used, n.in.LoginFold)
			c.alone = append(c.alone, n.index)
		}
	}
	c.pending = kept
	return nil
}

// registerAlone creates one account, trying one login after the other, because another process may be
// claiming one, or may have died doing so.
func (im *Import) registerAlone(ctx context.Context, u ImportUser, fold func(string) string) (forum.UserID, error) {
	for tried := ""; ; {
		login, loginFold := im.login(u, fold)
		id, err := im.s.accounts.Register(ctx,
			accounts.NewUser{Source: u.Source, Login: login, LoginFold: loginFold, Name: u.Name, CreatedAt: u.CreatedAt})
		again := forum.CodeOf(err) == forum.CodeTaken || forum.CodeOf(err) == forum.CodeConflict
		if !again || loginFold == tried { // the same one again: no more candidates
			return id, err
		}
		tried = loginFold
	}
}
