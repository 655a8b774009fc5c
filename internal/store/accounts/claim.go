package accounts

import (
	"context"
	"fmt"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/engine"
	"agora/internal/store/internal/index"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// nameClaim is a claim on a login or e-mail that is being made.
type nameClaim struct {
	path, key, field, fold, replace string
	// barred, unless nil, is set to what bars the e-mail; "" for nothing. It is read after the claim.
	barred *string
}

// readBars reads what bars the e-mails among claims that were made: what a holder released was barred before.
func (s *Store) readBars(ctx context.Context, claims []nameClaim) error {
	b := s.engine.Client.Batch()
	notes := make([]*redis.StringCmd, len(claims))
	for i, c := range claims {
		if c.barred != nil {
			notes[i] = b.Get(ctx, s.barredEmail(c.key))
		}
	}
	if b.Len() == 0 {
		return nil
	}
	if err := b.Exec(ctx); err != nil {
		return err
	}
	for i, c := range claims {
		if c.barred != nil {
			*c.barred = notes[i].Val()
		}
	}
	return nil
}

func emailClaim(fold string) nameClaim {
	return nameClaim{path: "email", key: key.EmailClaim(fold), field: "emailFold", fold: fold}
}

// claimOutcome is what becomes of a claim on a name.
type claimOutcome string

const (
	claimed  claimOutcome = ""
	heldName claimOutcome = "HELD"  // by another account
	freshOne claimOutcome = "FRESH" // the other account may still fail to register
	stale    claimOutcome = "STALE" // the other claim is void
	given    claimOutcome = "GIVEN" // the other account has given the name up, and may keep it resting
)

// claim stores value as the claim on all of the names, if no other account has a valid claim on one. Of heldName, lost
// are the names.
func (s *Store) claim(ctx context.Context, value string,
	claims []nameClaim) (is claimOutcome, lost []nameClaim, err error) {
	all := claims
	for len(claims) > 0 {
		s.engine.Step("claim_set")
		b := s.engine.Client.Batch()
		cmds := make([]*redis.Cmd, len(claims))
		for i, c := range claims {
			cmds[i] = b.Run(ctx, script.ClaimSet{Claim: c.key, Value: value, Void: c.replace})
		}
		if err := b.Exec(ctx); err != nil {
			return "", nil, err
		}
		var left []nameClaim
		for i, c := range claims {
			if have, err := cmds[i].Text(); err != nil {
				return "", nil, err
			} else if have != value {
				c.replace = have
				left = append(left, c)
			}
		}
		claims = left
		others, err := s.resolve(ctx, value, claims)
		if err != nil {
			return "", nil, err
		}
		for i, other := range others {
			switch other {
			case stale: // claim again, replacing exactly that value
			case heldName:
				lost = append(lost, claims[i])
			default:
				return other, nil, nil
			}
		}
		if len(lost) > 0 {
			return heldName, lost, nil
		}
	}
	return claimed, nil, s.readBars(ctx, all)
}

// resolve checks foreign claims in their holders' slots, and returns heldName, freshOne or stale for each. value is that
// of the claims that are being made: a user may take back a login of their own that rests.
func (s *Store) resolve(ctx context.Context, value string, claims []nameClaim) ([]claimOutcome, error) {
	if len(claims) == 0 {
		return nil, nil
	}
	s.engine.Step("user_resolve")
	outcomes := make([]claimOutcome, len(claims))
	cmds := make([]*redis.Cmd, len(claims))
	b := s.engine.Client.Batch()
	for i, c := range claims {
		if until, rests := record.ParseRest(c.replace); rests {
			of, _ := record.ParseClaim(c.replace)
			by, _ := record.ParseClaim(value)
			if outcomes[i] = stale; (until == 0 || until > s.engine.Now()) && of != by {
				outcomes[i] = heldName
			}
			continue
		}
		holder, nonce := record.ParseClaim(c.replace)
		call := s.resolving(holder, nonce, c.field, c.fold)
		call.Claim = c.key
		cmds[i] = b.Run(ctx, call)
	}
	if b.Len() > 0 {
		if err := b.Exec(ctx); err != nil {
			return nil, err
		}
	}
	for i, cmd := range cmds {
		if cmd == nil {
			continue
		}
		word, _ := cmd.Text()
		if outcomes[i] = claimOutcome(word); outcomes[i] == given { // it may rest then, or bar the e-mail
			holder, _ := record.ParseClaim(claims[i].replace)
			if err := s.release(ctx, holder); err != nil {
				return nil, err
			}
			outcomes[i] = stale
		}
	}
	return outcomes, nil
}

// resolving returns the call that checks a claim with that nonce in its holder's slot. With the nonce "" it
// only checks whether an operation is in progress.
func (s *Store) resolving(holder forum.UserID, nonce, field, value string) script.UserResolve {
	return script.UserResolve{
		User: key.User(holder), Releases: key.Release(holder),
		ID: holder, AskedNonce: nonce, Field: field, Value: value, Now: s.engine.Now(), Limit: s.engine.PendingLife,
	}
}

// LooksLikeStaff reports whether the login of another user who moderates, the site or categories, has one of these looks
// (texts.Looks). It takes two round trips if any account's login has one, otherwise one, and none without looks.
func (s *Store) LooksLikeStaff(ctx context.Context, but forum.UserID, all []string) (bool, error) {
	if len(all) == 0 {
		return false, nil
	}
	b := s.engine.Client.Batch()
	claims := make([]*redis.StringCmd, len(all))
	for i, look := range all {
		claims[i] = b.Get(ctx, key.LookClaim(look))
	}
	if err := b.Exec(ctx); err != nil {
		return false, fmt.Errorf("find staff: %w", err)
	}
	b = s.engine.Client.Batch()
	var users []*redis.SliceCmd
	names := []string{"state", "role", "moderates"}
	for _, claim := range claims {
		holder, _ := record.ParseClaim(claim.Val())
		if until, rests := record.ParseRest(claim.Val()); rests && until == 0 && (holder == 0 || holder != but) {
			return true, nil
		}
		if holder != 0 && holder != but {
			users = append(users, b.HMGet(ctx, key.User(holder), names...))
		}
	}
	if len(users) == 0 {
		return false, nil
	}
	if err := b.Exec(ctx); err != nil {
		return false, fmt.Errorf("find staff: %w", err)
	}
	for _, cmd := range users {
		f := record.HMGet(names, cmd)
		if f["state"] == catalogue.UserActive && (forum.Role(f["role"]) != forum.RoleUser || f["moderates"] != "") {
			return true, nil
		}
	}
	return false, nil
}

// release releases the claims that an account no longer needs.
func (s *Store) release(ctx context.Context, id forum.UserID) error {
	b := s.engine.Client.Batch()
	claims := b.SMembers(ctx, key.Release(id))
	user := record.Get(ctx, b, key.User(id), append([]string{"unlisted", "linking"}, index.UserFields...)...)
	if err := b.Exec(ctx); err != nil {
		return fmt.Errorf("release claims of user %d: %w", id, err)
	}
	f := user()
	if f["linking"] != "" {
		if err := s.settleExternals(ctx, id); err != nil {
			return err
		}
	}
	r := &released{id: id, claims: claims.Val(), deleted: f["state"] == catalogue.UserDeleted}
	if f["unlisted"] != "" {
		r.names = index.UserNames(id, f)
	}
	return s.releaseAs(ctx, r)
}

// released are claims ("key value") that an account no longer needs, and its entries in lists, if these are to be written.
type released struct {
	id      forum.UserID
	deleted bool // the account is: what rests is nobody's
	claims  []string
	names   []index.Name
}

// queueBars queues what bars e-mails, which must be written before the claims on them are released.
func (s *Store) queueBars(ctx context.Context, b *pipeline.Batch, r *released) {
	for _, c := range r.claims {
		if key, _, until, rests := record.ParseRelease(c); rests && record.EmailClaim(key) { // of a banned account
			b.Set(ctx, s.barredEmail(key), record.RestOf(r.id, until), 0)
			b.Do(ctx, "EXPIREAT", s.barredEmail(key), record.ExpireAt(until))
		}
	}
}

// queueRelease queues the release of the claims in their own slots, and the write of the list.
func (s *Store) queueRelease(ctx context.Context, b *pipeline.Batch, r *released) {
	for _, name := range r.names {
		name.Queue(ctx, b, s.engine.Now())
	}
	for _, c := range r.claims {
		key, value, until, rests := record.ParseRelease(c)
		instead, expires := "", ""
		if creator, name, ok := record.ParseInvitationClaim(key); ok {
			b.Run(ctx, leaving(creator, name, value))
			continue
		}
		if rests && !record.EmailClaim(key) {
			instead = record.RestOf(map[bool]forum.UserID{false: r.id}[r.deleted], until)
			if until != 0 {
				expires = record.ExpireAt(until)
			}
		}
		b.Run(ctx, script.ClaimRelease{Claim: key, Value: value, Rest: instead, Expires: expires})
	}
}

// end queues the removal of what was done from the user's record, which must come after it.
func (r *released) end(ctx context.Context, b *pipeline.Batch) {
	call := script.UserReleased{
		User: key.User(r.id), Releases: key.Release(r.id), Dirty: key.Dirty(r.id.Partition()), ID: r.id,
		Claims: r.claims,
	}
	if len(r.names) > 0 {
		call.Listed = key.Itoa(forum.UserID(r.names[0].Rev))
	}
	b.Run(ctx, call)
}

// sweepUsers abandons registrations and changes of e-mail that take too long, and releases the claims of those that were
// abandoned. pending is how many go on.
func (s *Store) sweepUsers(ctx context.Context, p forum.Partition, marks []string) (pending int, err error) {
	for _, mark := range marks {
		id, err := forum.ParseID[forum.UserID](mark)
		if err != nil {
			if err := s.engine.DropMark(ctx, p, "u:"+mark); err != nil {
				return 0, err
			}
			continue
		}
		ended, err := s.SweepUser(ctx, id)
		if err != nil {
			return 0, err
		}
		if !ended {
			pending++
		}
	}
	return pending, nil
}

// SweepUser reports whether the registration or change of a user has ended.
func (s *Store) SweepUser(ctx context.Context, id forum.UserID) (ended bool, err error) {
	word, err := s.engine.Client.Run(ctx, s.resolving(id, "", "fold", "")).Text()
	if err != nil || word == "FRESH" {
		return false, err
	}
	return true, s.release(ctx, id)
}

// releasing returns the cleanup that releases claims.
func (s *Store) releasing(r *released) engine.Cleanup {
	return engine.Cleanup{Then: r.end, First: func(ctx context.Context, b *pipeline.Batch) { s.queueRelease(ctx, b, r) }}
}

// CleanUser follows when an account becomes active: its login is still to be listed.
func (s *Store) CleanUser(id forum.UserID, fold string) {
	is := record.Fields{"state": catalogue.UserActive, "fold": fold, "rev": "1"}
	s.engine.Later(s.releasing(&released{id: id, names: index.UserNames(id, is)}))
}

// releaseClaims releases claims, whose names are free afterwards.
func (s *Store) releaseClaims(ctx context.Context, id forum.UserID, claims []string) error {
	return s.releaseAs(ctx, &released{id: id, claims: claims})
}

func (s *Store) releaseAs(ctx context.Context, r *released) error {
	for _, step := range []struct {
		name  string
		queue func(*pipeline.Batch)
	}{
		{"email_bar", func(b *pipeline.Batch) { s.queueBars(ctx, b, r) }},
		{"claim_release", func(b *pipeline.Batch) { s.queueRelease(ctx, b, r) }},
		{"user_released", func(b *pipeline.Batch) { r.end(ctx, b) }},
	} {
		b := s.engine.Client.Batch()
		if step.queue(b); b.Len() == 0 {
			continue
		}
		s.engine.Step(step.name)
		if err := b.Exec(ctx); err != nil {
			return fmt.Errorf("release claims of user %d: %w", r.id, err)
		}
	}
	return nil
}
