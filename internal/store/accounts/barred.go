package accounts

import (
	"context"
	"fmt"
	"time"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// No other account can have the e-mail of a banned account that was deleted, or got another one, until the ban ends.
// That is written when the claim on it is released.

// barring returns what a script needs to compute until when an e-mail is barred.
func barring() script.BarEmail {
	return script.BarEmail{BarredLeast: forum.EmailBarred, BarredMost: forum.EmailBarredMost}
}

// barredEmail returns the key that bars the e-mail of a claim.
func (s *Store) barredEmail(claim string) string {
	return key.BarredEmail(s.engine.Pseudonym("barred", claim))
}

// notBarred returns BANNED at email if note, which bars the e-mail, is in force. The ban of an account that still
// exists may have ended before.
func (s *Store) notBarred(ctx context.Context, note string) error {
	user, _ := record.ParseClaim(note)
	until, _ := record.ParseRest(note)
	names := append([]string{"state"}, record.BanFields...)
	cmd := s.engine.Client.Redis.HMGet(ctx, key.User(user), names...)
	if cmd.Err() != nil {
		return fmt.Errorf("find bans: %w", cmd.Err())
	}
	f, now := record.HMGet(names, cmd), s.engine.Now()
	ban := &forum.Ban{Scope: forum.BanSignIn, Grounds: forum.Grounds{Reason: forum.ReasonOther}}
	if until-now < forum.Time(forum.EmailBarredMost/time.Millisecond)/2 {
		ban.Until = until
	}
	if f["state"] == catalogue.UserActive {
		ban = record.ParseBan(f)
	}
	if now >= until || !ban.InForce(now) {
		return nil
	}
	return forum.Banned(forum.Path("email"), *ban)
}
