package graph

import (
	"context"
	"errors"
	"slices"
	"time"

	"agora/graph/model"
	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/globalid"
	"agora/internal/loader"
	"agora/internal/opt"
	"agora/internal/store/accounts"
	"agora/internal/text"
)

// mayRegister checks that the rules let the caller register, and returns the invitation, nil for none. The use of the
// invitation is taken with the registration; a repeated call may find it used up by the first.
func (r mutation) mayRegister(ctx context.Context, rules forum.Rules,
	in model.RegisterInput) (*accounts.TakenInvitation, error) {
	if rules.Registration == forum.RegistrationClosed {
		return nil, forum.ClosedRegistration()
	}
	if in.Invitation == nil || *in.Invitation == "" {
		if rules.Registration == forum.RegistrationInvite {
			return nil, forum.NeedsInvitation()
		}
		return nil, nil
	}
	creator, name, ok := auth.ParseInvitation(*in.Invitation)
	if !ok {
		return nil, forum.NoSuchInvitation()
	}
	found, err := r.Store.Accounts.Invitation(ctx, creator, name)
	if err == nil && (found == nil || in.IdempotencyKey == nil && !found.IsOpen(r.Store.Engine.Now())) {
		err = forum.NoSuchInvitation()
	}
	return &accounts.TakenInvitation{Creator: creator, Name: name, By: rules.InvitationsBy}, err
}

// Invitations resolves Viewer.invitations.
func (r viewer) Invitations(ctx context.Context, vs []*model.Viewer) ([][]*model.Invitation, error) {
	found, errs := loader.From(ctx).Invitations(ctx, mapSlice(vs, func(v *model.Viewer) forum.UserID { return v.UserID }))
	return batchResult(mapSlice(found, r.invitations(ctx)), errs)
}

// Invitations resolves User.invitations.
func (r user) Invitations(ctx context.Context, us []*loader.User) ([][]*model.Invitation, error) {
	viewer, lists := auth.ViewerFrom(ctx), make([][]*model.Invitation, len(us))
	var rows []int
	var ids []forum.UserID
	for i, u := range us {
		if u.ID != 0 && (viewer.Is(u.ID) || viewer.Has(forum.RoleAdmin)) {
			rows, ids = append(rows, i), append(ids, u.ID)
		}
	}
	if len(ids) == 0 {
		return lists, nil
	}
	found, errs := loader.From(ctx).Invitations(ctx, ids)
	shown := r.invitations(ctx)
	for n, i := range rows {
		if lists[i] = shown(found[n]); lists[i] == nil {
			lists[i] = []*model.Invitation{}
		}
	}
	return lists, errors.Join(errs...)
}

// invitations returns what makes invitations that the viewer may see of those that the store has.
func (r *Resolver) invitations(ctx context.Context) func([]*forum.Invitation) []*model.Invitation {
	viewer := auth.ViewerFrom(ctx)
	shows := viewer.May(forum.ScopeModerate)
	return func(found []*forum.Invitation) []*model.Invitation {
		return mapSlice(found, func(i *forum.Invitation) *model.Invitation {
			return &model.Invitation{Invitation: *i, IsOpen: i.IsOpen(r.Store.Engine.Now()), Own: viewer.Is(i.Creator),
				ShowsCode: shows}
		})
	}
}

// Users resolves Invitation.users.
func (invitation) Users(ctx context.Context, is []*model.Invitation) ([][]*loader.User, error) {
	var ids []forum.UserID
	for _, i := range is {
		ids = append(ids, i.Came...)
	}
	found, errs := loader.From(ctx).Users(ctx, ids)
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	users := make([][]*loader.User, len(is))
	for n, i := range is {
		users[n] = slices.DeleteFunc(slices.Clone(found[:len(i.Came)]), func(u *loader.User) bool { return u == nil })
		found = found[len(i.Came):]
	}
	return users, nil
}

// InvitedBy resolves User.invitedBy.
func (user) InvitedBy(ctx context.Context, us []*loader.User) ([]*loader.User, error) {
	viewer, users := auth.ViewerFrom(ctx), make([]*loader.User, len(us))
	var rows []int
	var ids []forum.UserID
	for i, u := range us {
		if u.ID != 0 && (viewer.Is(u.ID) || viewer.Has(forum.RoleModerator)) {
			rows, ids = append(rows, i), append(ids, u.ID)
		}
	}
	if len(ids) == 0 {
		return users, nil
	}
	inviters, errs := loader.From(ctx).Inviters(ctx, ids)
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	found, errs := loader.From(ctx).Users(ctx, inviters)
	for n, i := range rows {
		if inviters[n] != 0 { // otherwise the ghost
			users[i] = found[n]
		}
	}
	return users, errors.Join(errs...)
}

// invitationNodes returns the viewer's own invitations.
func (r *Resolver) invitationNodes(ctx context.Context, of []globalid.Object) ([]model.Node, []error) {
	values, viewer := make([]model.Node, len(of)), auth.ViewerFrom(ctx)
	if viewer == nil {
		return values, nil
	}
	found, errs := loader.From(ctx).Invitations(ctx, []forum.UserID{viewer.ID})
	own := r.invitations(ctx)(found[0])
	for i, o := range of {
		for _, one := range own {
			if viewer.Is(forum.UserID(o.Number)) && o.Session == one.Name {
				values[i] = one
			}
		}
	}
	if errs == nil {
		return values, nil
	}
	return values, slices.Repeat(errs, len(of))
}

// CreateInvitation resolves Mutation.createInvitation.
func (r mutation) CreateInvitation(ctx context.Context,
	in model.CreateInvitationInput) (*model.CreateInvitationPayload, error) {
	viewer, by, now := auth.ViewerFrom(ctx), r.Store.Rules.Current(ctx).InvitationsBy, r.Store.Engine.Now()
	if !viewer.Has(by) {
		return nil, forum.Forbidden(nil, by, "You cannot invite others to this site.")
	}
	var usesErr, expiresErr error
	uses := opt.Or(in.Uses, 1)
	if uses < 1 || uses > forum.MaxInvitationUses {
		usesErr = forum.Invalid(forum.Path("uses"), "An invitation must have 1 to %d uses.", forum.MaxInvitationUses)
	}
	expires := opt.Or(in.ExpiresAt, now+forum.Time(forum.InvitationLife/time.Millisecond))
	if expires <= now || expires > now+forum.Time(forum.MaxInvitationLife/time.Millisecond) {
		expiresErr = forum.Invalid(forum.Path("expiresAt"), "An invitation must end within a year, and not before now.")
	}
	note, noteErr := text.Body(forum.Path("note"), opt.Value(in.Note), 0, forum.MaxInvitationNote)
	if err := errors.Join(usesErr, expiresErr, noteErr); err != nil {
		return nil, err
	}
	code, err := auth.NewInvitation(viewer.ID)
	if err != nil {
		return nil, err
	}
	_, name, _ := auth.ParseInvitation(code)
	made := &forum.Invitation{Creator: viewer.ID, Name: name, Code: code, Uses: uses, CreatedAt: now, ExpiresAt: expires,
		Note: note}
	return &model.CreateInvitationPayload{Invitation: r.invitations(ctx)([]*forum.Invitation{made})[0]},
		r.Store.Accounts.CreateInvitation(ctx, made)
}

// RevokeInvitation resolves Mutation.revokeInvitation.
func (r mutation) RevokeInvitation(ctx context.Context,
	in model.RevokeInvitationInput) (*model.RevokeInvitationPayload, error) {
	path, viewer := forum.Path("invitationId"), auth.ViewerFrom(ctx)
	o, err := globalid.Parse(path, in.InvitationID)
	if err != nil {
		return nil, err
	}
	missing := forum.NotFound(path, "invitation")
	creator := forum.UserID(o.Number)
	if o.Type != globalid.Invitation || !viewer.Is(creator) && !viewer.Has(forum.RoleAdmin) {
		return nil, missing
	}
	if err := r.Store.Accounts.RevokeInvitation(ctx, creator, o.Session); err != nil {
		return nil, err
	}
	ended, err := r.Store.Accounts.Invitation(ctx, creator, o.Session)
	if err == nil && ended == nil {
		err = missing
	}
	if err != nil {
		return nil, err
	}
	return &model.RevokeInvitationPayload{Invitation: r.invitations(ctx)([]*forum.Invitation{ended})[0]}, nil
}
