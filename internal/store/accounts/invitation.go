package accounts

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// Invitations are in their creators' slots. A registration takes a use before the account is activated, and stores the
// invitation before that, as one of its claims: if it is abandoned, the use is given back as names are released.

// TakenInvitation is the invitation with which an account is registered.
type TakenInvitation struct {
	Creator forum.UserID
	Name    string
	// By is the lowest role of those who may invite.
	By forum.Role `json:"-"`
}

// CreateInvitation stores an invitation. It returns TOO_LONG if its creator has MaxInvitations open ones.
func (s *Store) CreateInvitation(ctx context.Context, in *forum.Invitation) error {
	value, err := record.EncodeInvitation(in)
	if err != nil {
		return err
	}
	s.engine.Step("invitation_create")
	err = s.engine.Client.Run(ctx, script.InvitationCreate{User: key.User(in.Creator),
		Invitations: key.Invitations(in.Creator),
		Name:        in.Name, Value: value, Now: s.engine.Now(), MostOpen: forum.MaxInvitations,
		Most: forum.InvitationsKept}).Err()
	if err != nil {
		return fmt.Errorf("create an invitation: %w", record.ScriptError(err))
	}
	return nil
}

// RevokeInvitation ends an invitation. It returns NOT_FOUND at invitationId.
func (s *Store) RevokeInvitation(ctx context.Context, creator forum.UserID, name string) error {
	s.engine.Step("invitation_revoke")
	err := s.engine.Client.Run(ctx, script.InvitationRevoke{Invitations: key.Invitations(creator),
		Dirty: key.Dirty(creator.Partition()), Name: name, Now: s.engine.Now()}).Err()
	if err != nil {
		return fmt.Errorf("revoke an invitation: %w", record.ScriptError(err))
	}
	return nil
}

// Invitation reads one invitation; nil if there is none of that name.
func (s *Store) Invitation(ctx context.Context, creator forum.UserID, name string) (*forum.Invitation, error) {
	b := s.engine.Client.Batch()
	value := b.HGet(ctx, key.Invitations(creator), name)
	if err := b.Exec(ctx); err != nil {
		return nil, fmt.Errorf("read an invitation: %w", err)
	}
	i, _ := record.ParseInvitation(creator, name, value.Val())
	return i, nil
}

// takeInvitation takes the use of the invitation that the registration is with, if any. It returns NOT_FOUND at
// invitation, and then the registration is abandoned.
func (s *Store) takeInvitation(ctx context.Context, in NewUser, r Registration) error {
	if in.Invitation == nil {
		return nil
	}
	call := script.InvitationTake{Creator: key.User(in.Invitation.Creator), Invitations: key.Invitations(in.Invitation.Creator),
		Name: in.Invitation.Name, Taker: r.Claim(), Now: s.engine.Now()}
	for _, role := range []forum.Role{forum.RoleUser, forum.RoleModerator, forum.RoleAdmin} {
		if role.Includes(in.Invitation.By) {
			call.Roles = append(call.Roles, string(role))
		}
	}
	s.engine.Step("invitation_take")
	err := record.ScriptError(s.engine.Client.Run(ctx, call).Err())
	if forum.CodeOf(err) != forum.CodeNotFound {
		return err
	}
	if abandoned, failed := s.Abandon(ctx, in, r); failed != nil || !abandoned {
		return failed // a repeated call has finished it: activation reports that
	}
	return forum.NoSuchInvitation()
}

// leaving returns the call that gives back the use of an invitation.
func leaving(creator forum.UserID, name, taker string) script.InvitationLeave {
	return script.InvitationLeave{Invitations: key.Invitations(creator), Dirty: key.Dirty(creator.Partition()), Name: name,
		Taker: taker}
}

// GiveBack gives back the use of an invitation that a registration took.
func (s *Store) GiveBack(ctx context.Context, creator forum.UserID, name, taker string) error {
	return s.engine.Client.Run(ctx, leaving(creator, name, taker)).Err()
}

// Invitations reads the invitations of users, newest first.
func (r Read) Invitations(users []forum.UserID) func() ([][]*forum.Invitation, error) {
	cmds := make([]*redis.MapStringStringCmd, len(users))
	for i, id := range users {
		cmds[i] = r.read.Batch.HGetAll(r.read.Ctx, key.Invitations(id))
	}
	return func() ([][]*forum.Invitation, error) {
		if r.read.Err != nil {
			return nil, r.read.Err
		}
		all := make([][]*forum.Invitation, len(users))
		for i, cmd := range cmds {
			for name, value := range cmd.Val() {
				if one, ok := record.ParseInvitation(users[i], name, value); ok {
					all[i] = append(all[i], one)
				}
			}
			slices.SortFunc(all[i], func(a, b *forum.Invitation) int {
				return cmp.Or(cmp.Compare(b.CreatedAt, a.CreatedAt), cmp.Compare(a.Name, b.Name))
			})
		}
		return all, nil
	}
}

// Inviters reads who invited users; 0 for nobody.
func (r Read) Inviters(users []forum.UserID) func() ([]forum.UserID, error) {
	fields := make([]func() record.Fields, len(users))
	for i, id := range users {
		fields[i] = record.Get(r.read.Ctx, r.read.Batch, key.User(id), "state", "invitation")
	}
	return func() ([]forum.UserID, error) {
		if r.read.Err != nil {
			return nil, r.read.Err
		}
		by := make([]forum.UserID, len(users))
		for i, read := range fields {
			if f := read(); f["state"] == catalogue.UserActive {
				by[i], _, _ = record.ParseInvitationClaim(f["invitation"])
			}
		}
		return by, nil
	}
}
