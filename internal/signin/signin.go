// Package signin signs callers in with tokens of other issuers: it finds the account of a token, makes one at first
// sight, and keeps its values as the token says.
package signin

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"agora/internal/forum"
	"agora/internal/issuer"
	"agora/internal/store"
	"agora/internal/store/accounts"
	"agora/internal/store/sessions"
	"agora/internal/text"
)

const (
	// maxKnown is how many accounts of issuers are remembered with the users who have them, some 150 bytes each.
	maxKnown = 50_000
	// logins is how many logins are tried for an account: of more than a few, all but the first are random.
	logins = 8
	// tries is how often an account is looked for that another process changes at the same time.
	tries = 3
)

// Service signs callers in. It is safe for concurrent use. A nil Service accepts no tokens.
type Service struct {
	store    *store.Store
	verifier *issuer.Verifier
	log      *slog.Logger

	mu sync.Mutex
	// known are users by the hashes of their accounts at issuers. An entry may be outdated: reading the user tells.
	known *simplelru.LRU[string, forum.UserID]
}

// New returns a service that accepts the tokens that v verifies; v may be nil.
func New(s *store.Store, v *issuer.Verifier, log *slog.Logger) *Service {
	known, err := simplelru.NewLRU[string, forum.UserID](maxKnown, nil)
	if err != nil {
		panic(fmt.Sprintf("signin: %v", err)) // maxKnown is not positive
	}
	return &Service{store: s, verifier: v, log: log, known: known}
}

// Run keeps the keys of issuers fresh until ctx is done.
func (s *Service) Run(ctx context.Context) { s.verifier.Run(ctx) }

// Issuers returns the issuers whose tokens are accepted, in the order of the configuration.
func (s *Service) Issuers() []string {
	if s == nil {
		return nil
	}
	return s.verifier.Issuers()
}

// verify verifies a token; a nil service accepts none.
func (s *Service) verify(ctx context.Context, token string, g issuer.Guard) (issuer.Identity, error) {
	if s == nil {
		return (*issuer.Verifier)(nil).Verify(ctx, token, g)
	}
	return s.verifier.Verify(ctx, token, g)
}

// SignIn returns the viewer who is signed in with a token, in one round trip if the account is known here and its
// values are as the token says. It returns the errors of issuer.Verify, DEACTIVATED, BANNED, or UNAUTHENTICATED for a
// token that was issued before the user's sessions were ended.
func (s *Service) SignIn(ctx context.Context, token string, g issuer.Guard) (*forum.Viewer, error) {
	is, err := s.verify(ctx, token, g)
	if err != nil {
		return nil, err
	}
	applied := false
	for range tries {
		id, err := s.find(ctx, is)
		if err != nil {
			return nil, err
		}
		a, err := s.read(ctx, id, is)
		switch {
		case err != nil:
			return nil, err
		case a.Refused != nil:
			return nil, a.Refused
		case a.Viewer == nil: // the account at the issuer was taken from the user, or the user is being registered
			s.forget(is)
		case !applied && accounts.Claims{IssuedAt: is.IssuedAt, Role: is.Profile.Role,
			RoleLife: is.RoleLife}.Change(a, s.store.Engine.Now()):
			applied = true
			changed, err := s.apply(ctx, id, is, s.store.Accounts.ApplyClaims)
			if err != nil {
				s.store.Engine.LogFailure(ctx, s.log, "the claims of a token were not applied", "error", err)
			}
			if !changed {
				return a.Viewer, nil
			}
		default:
			return a.Viewer, nil
		}
	}
	return nil, errChanging()
}

// TakesLogouts reports whether an issuer may say that members signed out.
func (s *Service) TakesLogouts() bool { return s != nil && s.verifier.TakesLogouts() }

// LogOut ends the sessions and API tokens that came from the account of a logout token, and refuses the account's tokens
// that were issued before. It returns the user; 0 if there is none, or if that was done before. The errors are those of
// issuer.VerifyLogout.
func (s *Service) LogOut(ctx context.Context, token string, g issuer.Guard) (forum.UserID, error) {
	is, err := s.verifier.VerifyLogout(ctx, token, g)
	if err != nil {
		return 0, err
	}
	id, err := s.store.Accounts.FindExternal(ctx, is.External)
	if err != nil || id == 0 {
		return 0, err
	}
	done, err := s.store.Sessions.LogOut(ctx, id, is.External, is.At)
	if err != nil || !done {
		return 0, err
	}
	return id, nil
}

func errChanging() error {
	return &forum.Error{Code: forum.CodeConflict, Message: "The account is being changed. Try again."}
}

func (s *Service) read(ctx context.Context, id forum.UserID, is issuer.Identity) (sessions.ExternalAccount, error) {
	read := s.store.Read(ctx)
	read.Listing.Fence()
	account := read.Sessions.External(id, sessions.SignInToken{Hash: is.Hash(), IssuedAt: is.IssuedAt,
		Ends: is.Expires, ProvedAt: is.ProvedAt})
	if err := read.Exec(); err != nil {
		return sessions.ExternalAccount{}, err
	}
	return account()
}

// find returns the user who has an account at an issuer, and registers one at first sight.
func (s *Service) find(ctx context.Context, is issuer.Identity) (forum.UserID, error) {
	hash := is.Hash()
	s.mu.Lock()
	id, ok := s.known.Get(hash)
	s.mu.Unlock()
	if ok {
		return id, nil
	}
	id, err := s.register(ctx, is, false)
	if err != nil {
		return 0, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.known.Add(hash, id)
	return id, nil
}

func (s *Service) forget(is issuer.Identity) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.known.Remove(is.Hash())
}

// register returns the user who has an account at an issuer, or makes one with the first login that is free, which is
// prepared if the member has not come yet.
func (s *Service) register(ctx context.Context, is issuer.Identity, prepared bool) (forum.UserID, error) {
	id, err := s.store.Accounts.FindExternal(ctx, is.External)
	if err != nil {
		return 0, err
	}
	if id != 0 {
		read, err := s.read(ctx, id, is)
		if err != nil || read != (sessions.ExternalAccount{}) {
			return id, err
		}
	}
	name := s.name(ctx, 0, is.Profile.Name)
	in := accounts.NewUser{External: is.External, SaidLogin: saidLogin(is.Profile), Prepared: prepared}
	err = s.firstFree(ctx, 0, cmp.Or(in.SaidLogin, is.Profile.Name), is.Hash(), func(login, fold string) error {
		in.Login, in.LoginFold, in.Name = login, fold, cmp.Or(name, login)
		id, err = s.store.Accounts.Register(ctx, in)
		return err
	})
	return id, err
}

// saidLogin returns what a token says of the login. An e-mail address is not for others to see.
func saidLogin(p issuer.Profile) string {
	if strings.Contains(p.Login, "@") {
		return ""
	}
	return p.Login
}

// firstFree calls take with logins for an account with that hash, best first, until one is not taken. id is the user
// whose login changes, 0 for a new one. None passes for a staff member's.
func (s *Service) firstFree(ctx context.Context, id forum.UserID, wanted, hash string,
	take func(login, fold string) error) error {
	var login, fold string
	var err error
	n := 0
	for wish := range text.Logins(wanted, hash[:6]) {
		login, fold, err = Login(ctx, s.store, id, nil, wish)
		if forum.CodeOf(err) == forum.CodeInvalid && wanted != "" {
			return s.firstFree(ctx, id, "", hash, take)
		}
		if err != nil {
			return err
		}
		err = take(login, fold)
		if n++; forum.CodeOf(err) != forum.CodeTaken || n == logins {
			break
		}
	}
	return err
}

// Member is what the site's own server says of one of its members.
type Member struct {
	forum.External
	Profile issuer.Profile
}

// CheckExternal checks an account at an issuer, which must be one of this site. The errors are INVALID below path.
func (s *Service) CheckExternal(path []string, of forum.External) error {
	if !slices.Contains(s.Issuers(), of.Issuer) {
		return forum.Invalid(append(slices.Clone(path), "issuer"), "The issuer is not one of this site.")
	}
	if n := len(of.Subject); n == 0 || n > forum.MaxExternalSubject {
		return forum.Invalid(append(slices.Clone(path), "subject"), "The subject must have 1 to %d bytes.",
			forum.MaxExternalSubject)
	}
	return nil
}

// Upsert makes the account of a member, or finds it, and sets its values. created reports whether it was made now. It
// returns DEACTIVATED if the user was deleted.
func (s *Service) Upsert(ctx context.Context, m Member) (id forum.UserID, created bool, err error) {
	is := issuer.Identity{External: m.External, IssuedAt: s.store.Engine.Now(), Profile: m.Profile}
	before, err := s.store.Accounts.FindExternal(ctx, m.External)
	if err != nil {
		return 0, false, err
	}
	if id, err = s.register(ctx, is, true); err != nil {
		return 0, false, err
	}
	set, err := s.apply(ctx, id, is, s.store.Accounts.SetClaims)
	if err == nil && !set {
		err = errChanging()
		if a, failed := s.read(ctx, id, is); failed != nil || a.Refused != nil {
			err = cmp.Or(failed, a.Refused)
		}
	}
	return id, before != id, err
}

// apply applies the claims of a token to the account of a user, and reports whether anything was changed. If the
// login could not be changed, the next token does it.
func (s *Service) apply(ctx context.Context, id forum.UserID, is issuer.Identity,
	set func(context.Context, forum.UserID, accounts.Claims) (accounts.Applied, error)) (bool, error) {
	c := s.claims(ctx, id, is)
	applied, err := set(ctx, id, c)
	if err != nil || applied.Login == nil {
		return applied.Done, err
	}
	return true, s.firstFree(ctx, id, c.Login, is.Hash(), func(login, fold string) error {
		return s.store.Accounts.FollowLogin(ctx, id, applied.Login, login, fold)
	})
}

// claims returns the values of a token as far as they are valid.
func (s *Service) claims(ctx context.Context, id forum.UserID, is issuer.Identity) accounts.Claims {
	p := is.Profile
	c := accounts.Claims{External: is.External, IssuedAt: is.IssuedAt, Login: saidLogin(p), Role: p.Role,
		RoleLife: is.RoleLife}
	if p.Name != "" {
		c.Name = s.name(ctx, id, p.Name)
	}
	if link, err := text.Link(nil, p.Avatar); err == nil {
		c.AvatarURL = link
	}
	return c
}

// name returns a name of a token for a user, 0 for a new one, as it can be shown, "" if it cannot.
func (s *Service) name(ctx context.Context, id forum.UserID, name string) string {
	shown, err := Name(ctx, s.store, id, nil, name)
	if err != nil && forum.CodeOf(err) == "" {
		s.store.Engine.LogFailure(ctx, s.log, "the name of a token could not be checked", "error", err)
	}
	return shown
}
