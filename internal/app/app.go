// Package app has what the use cases share: who may call them and how often, and what may be shown to others. The
// packages below it are the use cases, a package for each subject. A use case checks its input, has what it would show
// to others screened, calls the store, and chooses the error, whose path begins at a field of the input. It knows no
// GraphQL.
package app

import (
	"context"
	"log/slog"

	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/opt"
	"agora/internal/ratelimit"
	"agora/internal/store"
	"agora/internal/text"
)

// App is what use cases work with.
type App struct {
	Store *store.Store
	// Rates limits how often callers may post, edit and click; nil is no limit.
	Rates *ratelimit.Limiter
	Log   *slog.Logger
}

// Rule is what holds for a mutation before its input is looked at. Who may call it is in the schema (`@auth`).
type Rule struct {
	// WhileBanned says that those who are banned from posting may call it.
	WhileBanned bool
	// Rate counts the calls; empty for none.
	Rate ratelimit.Kind
	// Password says that it asks for the viewer's password again.
	Password bool
	// Scope is what an API token needs for it, or forum.SessionOnly.
	Scope forum.Scope
}

// Permit applies the rule of a mutation, before its use case is called: BANNED if a ban keeps the viewer from it,
// RATE_LIMITED if the rate is used up. It costs no read: the ban was read with the session. What is done as a member
// who has not come yet is the member's coming.
func (a App) Permit(ctx context.Context, rule Rule) error {
	v := auth.ViewerFrom(ctx)
	if v != nil && !rule.WhileBanned && v.Ban.InForce(a.Store.Engine.Now()) {
		return forum.Banned(nil, *v.Ban)
	}
	if rule.Rate != "" {
		if err := a.Rates.Take(rule.Rate, auth.CallerFrom(ctx)); err != nil {
			return err
		}
	}
	if v == nil || !v.Prepared {
		return nil
	}
	err := a.Store.Accounts.Arrive(ctx, v.ID)
	v.Prepared = err != nil
	return err
}

// CheckKey checks an idempotency key; nil is valid.
func CheckKey(key *string) error {
	if key == nil {
		return nil
	}
	return text.Key(forum.Path("idempotencyKey"), *key)
}

// CheckExpected checks the number of a revision that an editor says to have seen.
func CheckExpected(number *int) error {
	if number != nil && *number < 1 {
		return forum.Invalid(forum.Path("expectedRevision"), "A revision has a number of at least 1.")
	}
	return nil
}

// Grounds checks why a moderator acts.
func Grounds(reason forum.Reason, note *string) (forum.Grounds, error) {
	checked, err := text.Body(forum.Path("note"), opt.Value(note), 0, forum.MaxNote)
	return forum.Grounds{Reason: reason, Note: checked}, err
}
