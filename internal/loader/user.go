package loader

import (
	"context"
	"slices"

	"agora/internal/forum"
)

// askWithCounts queues users, and their counts: whoever looks up a user usually wants them.
func (l *Loaders) askWithCounts(ids []forum.UserID) []*User {
	users := l.userHandles.named(ids)
	l.userHandles.ask(users)
	l.userCounts.ask(slices.DeleteFunc(slices.Clone(ids), func(id forum.UserID) bool { return id == 0 }))
	return users
}

// UserCounts returns the counts of users. Users not read yet are read together with them. Those of the ghost are 0.
func (l *Loaders) UserCounts(ctx context.Context, us []*User) ([]forum.UserCounts, []error) {
	return ofUsers(ctx, l, us, &l.userCounts, sameID)
}

// Users reads users by id, the ghost for 0; nil is a deleted account.
func (l *Loaders) Users(ctx context.Context, ids []forum.UserID) ([]*User, []error) {
	users := l.askWithCounts(ids)
	errs := l.NeedUsers(ctx, users)
	for i, u := range users {
		if !u.Active {
			users[i] = nil
		}
	}
	return users, errs
}

// Emails reads users' addresses, "" for none. They are for the users themselves: call it only for users who are
// signed in, or have just signed in.
func (l *Loaders) Emails(ctx context.Context, ids []forum.UserID) ([]string, []error) {
	return l.emails.many(ctx, ids)
}

// Externals reads users' accounts at issuers. They are for administrators.
func (l *Loaders) Externals(ctx context.Context, ids []forum.UserID) ([][]forum.External, []error) {
	return l.externals.many(ctx, ids)
}

// UserWithExternal returns the user who has an account at an issuer, or nil if not found.
func (l *Loaders) UserWithExternal(ctx context.Context, of forum.External) (*User, error) {
	ids, errs := l.externalBy.many(ctx, []forum.External{of})
	if err := at(errs, 0); err != nil || ids[0] == 0 {
		return nil, err
	}
	users, errs := l.Users(ctx, ids)
	return users[0], at(errs, 0)
}

// Sessions reads users' sessions, most recently used first. They are for the users themselves, as Emails are.
func (l *Loaders) Sessions(ctx context.Context, ids []forum.UserID) ([][]*forum.Session, []error) {
	return l.sessions.many(ctx, ids)
}

// Tokens reads users' API tokens, newest first. They are for the users themselves, as Emails are.
func (l *Loaders) Tokens(ctx context.Context, ids []forum.UserID) ([][]*forum.APIToken, []error) {
	return l.tokens.many(ctx, ids)
}

// Authors returns handles of users. Deleted users become the ghost.
func (l *Loaders) Authors(ids []forum.UserID) []*User { return l.userHandles.named(ids) }

// PresentUsers returns handles of users. Unlike Authors, it leaves out deleted users.
func (l *Loaders) PresentUsers(ids []forum.UserID) []*User {
	l.userHandles.named(ids) // one allocation for the users that these stand for
	return l.presentHandles.named(ids)
}

// UserByLogin returns a user by folded login, or nil if not found.
func (l *Loaders) UserByLogin(ctx context.Context, fold string) (*User, error) {
	if fold == forum.GhostLogin {
		return l.ghost(true), nil
	}
	users, errs := l.UsersByLogin(ctx, []string{fold})
	return users[0], at(errs, 0)
}

// UsersByLogin returns users by folded login; nil for those not found.
func (l *Loaders) UsersByLogin(ctx context.Context, folds []string) ([]*User, []error) {
	ids, errs := l.logins.many(ctx, folds)
	users := pointed(&l.userHandles, ids, func(id forum.UserID) forum.UserID { return id })
	found := slices.DeleteFunc(slices.Clone(users), func(u *User) bool { return u == nil })
	l.askWithCounts(ids)
	l.NeedUsers(ctx, found)
	for i, u := range users {
		if u != nil {
			errs = addError(errs, len(folds), i, u.failure())
		}
		// The claim of a registration that was not completed has no user.
		if u == nil || !u.Active || u.LoginFold != folds[i] && u.OldFold != folds[i] {
			users[i] = nil
		}
	}
	return users, errs
}

// IsNew reports whether a user with this karma is a new member by the rules of the site.
func (l *Loaders) IsNew(u *User, karma int) bool {
	return u.ID != 0 && l.rules().New(&forum.Viewer{ID: u.ID, Role: u.Role, CreatedAt: u.CreatedAt, Karma: karma,
		Moderates: u.Moderates}, l.store.Engine.Now())
}
