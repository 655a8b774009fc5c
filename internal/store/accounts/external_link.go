package accounts

import (
	"context"
	"errors"
	"fmt"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/engine"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// LinkExternal lets a user also sign in with an account at an issuer; changed reports whether it was added now. One that
// another user has is only taken from that user with take. It returns NOT_FOUND at userId, and at external TAKEN, TOO_LONG,
// or DEACTIVATED if its user was deleted.
//
// The entry of the user comes first, then the record that leads to the user: only both count. A link that is not finished
// is completed by the sweeper, or taken back if another user was faster.
func (s *Store) LinkExternal(ctx context.Context, id forum.UserID, of forum.External, take bool) (changed bool, err error) {
	path := forum.Path("external")
	for range registerTries {
		owner, state, has, err := s.externalOwner(ctx, of)
		switch {
		case err != nil:
			return false, err
		case owner == id && has:
			return changed, nil
		case state == catalogue.UserDeleted:
			return false, forum.Deactivated(path)
		case state == catalogue.UserPending, has && !take:
			return false, forum.Taken(path, of.Subject)
		case has:
			err = s.UnlinkExternal(ctx, owner, of)
		case owner != 0: // it was taken from that user, or is of a registration that was abandoned
			err = errors.Join(s.release(ctx, owner), s.dropRecord(ctx, owner, of))
		}
		if err != nil {
			return false, err
		}
		s.engine.Step("external_add")
		added, err := s.engine.Client.Run(ctx, script.ExternalAdd{
			User: key.User(id), Externals: key.Externals(id), External: of.Hash(),
			Entry: record.ExternalEntry(of,
				record.NotSaid), Most: forum.MaxExternals, Nonce: engine.NewNonce(), Now: s.engine.Now(),
		}).Bool()
		if err != nil {
			return false, fmt.Errorf("link user %d: %w", id, record.ScriptError(err))
		}
		changed = changed || added
		if err := s.settleExternals(ctx, id); err != nil {
			return false, err
		}
	}
	return false, errClaiming()
}

// externalOwner returns the user to whom an account at an issuer leads, and whether the user has it.
func (s *Store) externalOwner(ctx context.Context, of forum.External) (id forum.UserID, state string, has bool, err error) {
	if id, err = s.FindExternal(ctx, of); err != nil || id == 0 {
		return 0, "", false, err
	}
	b := s.engine.Client.Batch()
	entry, user := b.HExists(ctx, key.Externals(id), of.Hash()), record.Get(ctx, b, key.User(id), "state")
	if err := b.Exec(ctx); err != nil {
		return 0, "", false, fmt.Errorf("find an account at an issuer: %w", err)
	}
	return id, user()["state"], entry.Val(), nil
}

// dropRecord deletes the record of an account that leads to a user who does not have it. A new one has another value,
// which a late release of this one does not match.
func (s *Store) dropRecord(ctx context.Context, id forum.UserID, of forum.External) error {
	b := s.engine.Client.Batch()
	value := b.Get(ctx, key.External(of.Hash()))
	if err := b.Exec(ctx); err != nil {
		return fmt.Errorf("find an account at an issuer: %w", err)
	}
	if owner, _, ok := record.ParseSourceRecord(value.Val()); !ok || forum.UserID(owner) != id {
		return nil
	}
	return s.engine.Client.Run(ctx, script.ClaimRelease{Claim: key.External(of.Hash()), Value: value.Val()}).Err()
}

// UnlinkExternal takes an account at an issuer from a user. The sessions and API tokens that came from it, and sockets and
// streams that are signed in with them or with it, end. It returns NOT_FOUND at external.
func (s *Store) UnlinkExternal(ctx context.Context, id forum.UserID, of forum.External) error {
	b := s.engine.Client.Batch()
	value := b.Get(ctx, key.External(of.Hash()))
	if err := b.Exec(ctx); err != nil {
		return fmt.Errorf("unlink user %d: %w", id, err)
	}
	call := s.removing(id, of.Hash(), "")
	if owner, _, ok := record.ParseSourceRecord(value.Val()); ok && forum.UserID(owner) == id {
		call.Value = value.Val()
	}
	s.engine.Step("external_remove")
	removed, err := s.engine.Client.Run(ctx, call).Bool()
	if err != nil {
		return fmt.Errorf("unlink user %d: %w", id, record.ScriptError(err))
	}
	if !removed {
		return forum.NotFound(forum.Path("external"), "account of the user")
	}
	s.releaseLater(ctx, id)
	return nil
}

// removing returns the call that takes an account at an issuer from a user; value is that of its record, "" if the
// record does not lead to the user.
func (s *Store) removing(id forum.UserID, hash, value string) script.ExternalRemove {
	return script.ExternalRemove{
		User: key.User(id), Externals: key.Externals(id), Releases: key.Release(id),
		Sessions: key.Sessions(id), Tokens: key.Tokens(id), External: hash, Record: key.External(hash), Value: value,
		Now: s.engine.Now(),
	}
}

// settleExternals writes the records of the accounts at issuers that a user has, and takes back those of which another
// user has the record.
func (s *Store) settleExternals(ctx context.Context, id forum.UserID) error {
	b := s.engine.Client.Batch()
	entries, linking := b.HGetAll(ctx, key.Externals(id)), record.Get(ctx, b, key.User(id), "linking")
	if err := b.Exec(ctx); err != nil {
		return fmt.Errorf("read the accounts of user %d: %w", id, err)
	}
	s.engine.Step("external_record")
	b = s.engine.Client.Batch()
	written := map[string]*redis.Cmd{}
	for hash := range entries.Val() {
		claim := script.ClaimSet{Claim: key.External(hash), Value: record.ExternalRecord(id, s.engine.Now())}
		written[hash] = b.Run(ctx, claim)
	}
	if len(written) > 0 {
		if err := b.Exec(ctx); err != nil {
			return fmt.Errorf("write the records of the accounts of user %d: %w", id, err)
		}
	}
	b = s.engine.Client.Batch()
	for hash, cmd := range written {
		have, err := cmd.Text()
		if err != nil {
			return fmt.Errorf("write the record of an account of user %d: %w", id, err)
		}
		if owner, _, ok := record.ParseSourceRecord(have); ok && forum.UserID(owner) != id {
			b.Run(ctx, s.removing(id, hash, ""))
		}
	}
	if b.Len() > 0 {
		if err := b.Exec(ctx); err != nil {
			return fmt.Errorf("take back accounts of user %d: %w", id, err)
		}
	}
	if nonce := linking()["linking"]; nonce != "" {
		s.engine.Step("external_settled")
		if err := s.engine.Client.Run(ctx, script.ExternalSettled{User: key.User(id), Nonce: nonce}).Err(); err != nil {
			return fmt.Errorf("settle the accounts of user %d: %w", id, err)
		}
	}
	return nil
}

// DisownValues lets tokens of issuers set the fields login, name, avatar and role of a user again that were set here. The
// next token sets the login even if it says the same as before. It returns NOT_FOUND at userId.
func (s *Store) DisownValues(ctx context.Context, id forum.UserID, fields []string) error {
	s.engine.Step("user_disown")
	err := s.engine.Client.Run(ctx, script.UserDisown{User: key.User(id), Externals: key.Externals(id), Fields: fields,
		Said: record.SaidLogin("")}).Err()
	if err != nil {
		return fmt.Errorf("disown values of user %d: %w", id, record.ScriptError(err))
	}
	return nil
}
