package graph

import (
	"context"
	"log/slog"

	"agora/internal/auth"
	"agora/internal/forum"
)

// Events of the security log.
const (
	// A sign-in failed, or was refused without a look at the password.
	eventSignInFailed  = "sign-in-failed"
	eventSignInLimited = "sign-in-limited"
	// A proof of the viewer's own password failed, or was refused without a look at it.
	eventProofFailed  = "proof-failed"
	eventProofLimited = "proof-limited"
	// What became of an account.
	eventPasswordChanged = "password-changed"
	eventEmailChanged    = "email-changed"
	eventAccountDeleted  = "account-deleted"
	eventRoleChanged     = "role-changed"
)

// SecurityEvents are all events of the security log.
var SecurityEvents = []string{
	eventSignInFailed, eventSignInLimited, eventProofFailed, eventProofLimited,
	eventPasswordChanged, eventEmailChanged, eventAccountDeleted, eventRoleChanged,
	forum.ActTopicEdited, forum.ActTopicTagged, forum.ActTopicDeleted, forum.ActCommentEdited, forum.ActCommentDeleted,
}

// Notes are told what happens in the mutations of a response.
type Notes struct {
	// Code is told the codes of errors in payloads.
	Code func(code string)
	// Security is told the events of the security log.
	Security func(event string)
}

type notesKey struct{}

// WithNotes returns a context whose mutations are noted.
func WithNotes(ctx context.Context, n Notes) context.Context {
	return context.WithValue(ctx, notesKey{}, n)
}

// secure writes a line of the security log. Who is not signed in is known by address only,
// which is a pseudonym; attrs hold no secrets, and no names but pseudonyms.
func (r *Resolver) secure(ctx context.Context, event string, attrs ...slog.Attr) {
	caller := auth.CallerFrom(ctx)
	line := []slog.Attr{slog.String("log", "security"), slog.String("event", event),
		slog.String("address", caller.Address)}
	if caller.Viewer != nil {
		line = append(line, slog.Int64("by", int64(caller.Viewer.ID)))
	}
	r.Log.LogAttrs(ctx, slog.LevelInfo, "security", append(line, attrs...)...)
	if n, ok := ctx.Value(notesKey{}).(Notes); ok {
		n.Security(event)
	}
}

// secureFailure writes a line if err says that a password was wrong, or refused unseen.
func (r *Resolver) secureFailure(ctx context.Context, err error, failed, limited string, attrs ...slog.Attr) {
	switch forum.CodeOf(err) {
	case forum.CodeWrongCredentials, forum.CodeIdempotencyConflict:
		r.secure(ctx, failed, attrs...)
	case forum.CodeRateLimited:
		r.secure(ctx, limited, attrs...)
	}
}

// named is what a log says of a name that somebody signs in with: it may be an e-mail
// address, or a password that was typed into the wrong field.
func (r *Resolver) named(name string) slog.Attr {
	return slog.String("name", r.Store.Pseudonym("name", name)[:16])
}

func ofUser(id forum.UserID) slog.Attr { return slog.Int64("user", int64(id)) }

// moderating returns a context in which what the viewer does to others' texts is logged.
func (r *Resolver) moderating(ctx context.Context) context.Context {
	return forum.WithActs(ctx, func(a forum.Act) {
		what := slog.Int64("topic", int64(a.Topic))
		if a.Comment != 0 {
			what = slog.Int64("comment", int64(a.Comment))
		}
		r.secure(ctx, a.Kind, ofUser(a.Author), what)
	})
}
