package graph

import (
	"cmp"
	"context"
	"log/slog"

	"agora/internal/auth"
	"agora/internal/forum"
)

// Events of the security log.
const (
	// A sign-in failed, or was refused without checking the password.
	eventSignInFailed  = "sign-in-failed"
	eventSignInLimited = "sign-in-limited"
	// A proof of the viewer's own password failed, or was refused without checking it.
	eventProofFailed  = "proof-failed"
	eventProofLimited = "proof-limited"
	// Changes of an account.
	eventPasswordChanged = "password-changed"
	eventEmailChanged    = "email-changed"
	eventLoginChanged    = "login-changed"
	eventAccountDeleted  = "account-deleted"
	eventTokenCreated    = "token-created"
	eventTokenRevoked    = "token-revoked"
	eventRoleChanged     = "role-changed"
	// An account can sign in no more, or again. All sessions of a user were ended.
	eventAccountDeactivated = "account-deactivated"
	eventAccountActivated   = "account-activated"
	eventSessionsEnded      = "sessions-ended"
	eventAccountExported    = "account-exported"
	// An issuer said that a member signed out there, which ended what came from it.
	eventLoggedOut = "logged-out-by-issuer"
	// An account at an issuer was given to a user, or taken.
	eventAccountLinked   = "account-linked"
	eventAccountUnlinked = "account-unlinked"
	// Rules of the site were changed, which the moderation log has no subject for.
	eventRulesChanged = "rules-changed"
	// A group, its managers or its members were changed.
	eventGroupChanged = "group-changed"
	// The blocklist was changed.
	eventBlocklistChanged = "blocklist-changed"
	// Tasks that were given up were made due.
	eventTasksRetried = "tasks-retried"
)

// SecurityEvents lists all events of the security log.
var SecurityEvents = []string{
	eventSignInFailed, eventSignInLimited, eventProofFailed, eventProofLimited,
	eventPasswordChanged, eventEmailChanged, eventLoginChanged, eventAccountDeleted, eventTokenCreated,
	eventTokenRevoked, eventRoleChanged,
	eventAccountDeactivated, eventAccountActivated, eventSessionsEnded, eventAccountExported, eventLoggedOut,
	eventAccountLinked, eventAccountUnlinked,
	eventRulesChanged, eventGroupChanged, eventBlocklistChanged, eventTasksRetried,
}

// Notes are callbacks for what happens in the mutations of a response.
type Notes struct {
	// Code is called with the codes of errors in payloads.
	Code func(code string)
	// Security is called with the events of the security log.
	Security func(event string)
}

type notesKey struct{}

// WithNotes returns a context whose mutations call n.
func WithNotes(ctx context.Context, n Notes) context.Context {
	return context.WithValue(ctx, notesKey{}, n)
}

// secure writes a line of the security log. A signed-out caller is identified only by address, as a pseudonym; attrs
// hold no secrets, and names only as pseudonyms.
func (r *Resolver) secure(ctx context.Context, event string, attrs ...slog.Attr) {
	caller := auth.CallerFrom(ctx)
	line := []slog.Attr{slog.String("log", "security"), slog.String("event", event),
		slog.String("address", caller.Address)}
	if v := caller.Viewer; v != nil {
		line = append(line, slog.Int64("by", int64(cmp.Or(v.Owner, v.ID))))
		if v.Owner != 0 {
			line = append(line, slog.Int64("as", int64(v.ID)))
		}
	}
	r.Log.LogAttrs(ctx, slog.LevelInfo, "security", append(line, attrs...)...)
	if n, ok := ctx.Value(notesKey{}).(Notes); ok {
		n.Security(event)
	}
}

// secureFailure writes a line if err says that a password was wrong, or was refused without checking it.
func (r *Resolver) secureFailure(ctx context.Context, err error, failed, limited string, attrs ...slog.Attr) {
	switch forum.CodeOf(err) {
	case forum.CodeWrongCredentials, forum.CodeIdempotencyConflict:
		r.secure(ctx, failed, attrs...)
	case forum.CodeRateLimited:
		r.secure(ctx, limited, attrs...)
	}
}

// named returns the log attribute of a name used to sign in, as a pseudonym: it may be an e-mail address, or a
// password typed into the wrong field.
func (r *Resolver) named(name string) slog.Attr {
	return slog.String("name", r.Store.Engine.Pseudonym("name", name)[:16])
}

func ofUser(id forum.UserID) slog.Attr { return slog.Int64("user", int64(id)) }
