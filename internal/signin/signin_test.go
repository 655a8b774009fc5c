package signin_test

import (
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/issuer"
	"agora/internal/signin"
	"agora/internal/store"
	"agora/internal/store/accounts"
	"agora/internal/test/issuertest"
	"agora/internal/test/redistest"
	"agora/internal/test/site"
	_ "agora/internal/test/testseed"
)

// world is a site whose members come from an issuer.
type world struct {
	*signin.Service
	of    *issuertest.Issuer
	clock *redistest.Clock
	store *store.Store
	redis redis.UniversalClient
}

func newWorld(t testing.TB) *world {
	t.Helper()
	w := &world{of: issuertest.New(t), clock: redistest.NewClock(), redis: redistest.New(t)}
	w.of.Now = w.clock.Now
	w.store = w.open(t)
	w.Service = w.process()
	return w
}

// open opens the store for another process.
func (w *world) open(t testing.TB, options ...store.Option) *store.Store {
	t.Helper()
	options = append(options, store.WithClock(w.clock.Now))
	s, err := store.Open(t.Context(), store.Over(w.redis), store.Layout{}, options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// process returns the service of another server.
func (w *world) process() *signin.Service {
	return w.over(w.store)
}

// over returns the service of a server with that store.
func (w *world) over(s *store.Store) *signin.Service {
	log := slog.New(slog.DiscardHandler)
	return signin.New(s, issuer.New([]issuer.Config{w.of.Config()}, log, w.clock.Now), log)
}

// free lets every signature be checked.
type free struct{}

func (free) Admit() error { return nil }
func (free) Failed()      {}

// signIn signs in with a token that has claims.
func (w *world) signIn(t testing.TB, subject string, claims issuertest.Claims) *forum.Viewer {
	t.Helper()
	v, err := w.SignIn(t.Context(), w.of.Token(t, subject, claims), free{})
	if err != nil {
		t.Fatalf("SignIn: %v", err)
	}
	return v
}

// user reads a user.
func (w *world) user(t testing.TB, id forum.UserID) *forum.User {
	t.Helper()
	read := w.store.Read(t.Context())
	users := read.Listing.Users([]forum.UserID{id})
	if err := read.Exec(); err != nil {
		t.Fatal(err)
	}
	all, err := users()
	if err != nil || all[0] == nil {
		t.Fatalf("user %d = %v, %v", id, all, err)
	}
	return all[0]
}

func TestFirstSight(t *testing.T) {
	w := newWorld(t)
	site.On(t, w.store).User("mara")
	tests := []struct {
		subject     string
		claims      issuertest.Claims
		login, name string
	}{
		{"1", issuertest.Claims{"preferred_username": "otto", "name": "Otto K"}, "otto", "Otto K"},
		{"2", issuertest.Claims{"preferred_username": "mara"}, "mara-", ""},
		{"3", issuertest.Claims{"preferred_username": "liv@example.org", "name": "Liv B"}, "LivB", "Liv B"},
		{"4", nil, "user-", ""},
		{"5", issuertest.Claims{"preferred_username": "admin", "name": "The Administrator"}, "user-", ""},
	}
	for _, tt := range tests {
		v := w.signIn(t, tt.subject, tt.claims)
		if tt.name == "" {
			tt.name = tt.login
		}
		u := w.user(t, v.ID)
		if !strings.HasPrefix(u.Login, tt.login) || !strings.HasPrefix(u.Name, tt.name) {
			t.Errorf("a token with %v makes %s, %q; want %s, %q", tt.claims, u.Login, u.Name, tt.login, tt.name)
		}
		if u.Role != forum.RoleUser || v.Role != forum.RoleUser {
			t.Errorf("a token with %v has the role %s", tt.claims, u.Role)
		}
	}
}

// One account is made by 50 requests that two servers get at once, and a known one costs one round trip.
func TestFirstSightIsRaced(t *testing.T) {
	w := newWorld(t)
	site.On(t, w.store).User("mara")
	other := w.process()
	ids := make([]forum.UserID, 50)
	var wg sync.WaitGroup
	for n := range ids {
		wg.Go(func() {
			s := w.Service
			if n%2 == 1 {
				s = other
			}
			token := w.of.Token(t, "42", issuertest.Claims{"preferred_username": "mara", "n": n})
			v, err := s.SignIn(t.Context(), token, free{})
			if err != nil {
				t.Errorf("SignIn %d: %v", n, err)
				return
			}
			ids[n] = v.ID
		})
	}
	wg.Wait()
	for n, id := range ids {
		if id != ids[0] {
			t.Errorf("request %d made user %d; want %d", n, id, ids[0])
		}
	}
	var usage store.Usage
	token := w.of.Token(t, "42", nil)
	if _, err := w.SignIn(store.WithUsage(t.Context(), &usage), token, free{}); err != nil {
		t.Fatal(err)
	}
	if got := usage.RoundTrips.Load(); got != 1 {
		t.Errorf("a known account costs %d round trips; want 1", got)
	}
}

// What a member or an administrator sets wins over what tokens say.
func TestValuesSetHereWin(t *testing.T) {
	w := newWorld(t)
	claims := func(n int) issuertest.Claims {
		return issuertest.Claims{"name": fmt.Sprint("Name ", n), "picture": fmt.Sprintf("https://img.example/%d", n),
			"role": []string{"moderator", "admin"}[n%2]}
	}
	id := w.signIn(t, "42", claims(0)).ID
	check := func(name, avatar string, role forum.Role) {
		t.Helper()
		if u := w.user(t, id); u.Name != name || u.AvatarURL != avatar || u.Role != role {
			t.Errorf("the user is %q, %q, %s; want %q, %q, %s", u.Name, u.AvatarURL, u.Role, name, avatar, role)
		}
	}
	check("Name 0", "https://img.example/0", forum.RoleModerator)
	w.clock.Advance(time.Minute)
	if v := w.signIn(t, "42", claims(1)); v.Role != forum.RoleAdmin {
		t.Errorf("the viewer of a token with another role has %s", v.Role)
	}
	check("Name 1", "https://img.example/1", forum.RoleAdmin)

	name := "Mine"
	if err := w.store.Accounts.UpdateProfile(t.Context(), id, accounts.ProfileChange{
		Texts: []accounts.ProfileText{{Of: forum.PostedName, Value: &name}}}); err != nil {
		t.Fatal(err)
	}
	if err := w.store.Accounts.SetRole(t.Context(), id, forum.RoleUser); err != nil {
		t.Fatal(err)
	}
	w.clock.Advance(time.Minute)
	if v := w.signIn(t, "42", claims(2)); v.Role != forum.RoleUser {
		t.Errorf("a token gives back the role %s that an administrator took away", v.Role)
	}
	check("Mine", "https://img.example/2", forum.RoleUser)
}

// What is made up for an account does not pass for an office or for staff. The staff themselves may have their login as
// a part of another, and as their name.
func TestMadeUpLoginsPassForNobody(t *testing.T) {
	w := newWorld(t)
	on := site.On(t, w.store)
	on.Moderator("modone")
	on.Moderator("root1")
	claims := []string{"admin", "root1", "modone", "Moderator", "mod.one", "m0done", "adm1n", "ROOT-1", "modonė"}
	for n, said := range claims {
		u := w.user(t, w.signIn(t, fmt.Sprint("thief", n), issuertest.Claims{"preferred_username": said}).ID)
		if !strings.HasPrefix(u.Login, "user-") || u.Name != u.Login {
			t.Errorf("a token that says %s makes %s, %q; want neither to resemble it", said, u.Login, u.Name)
		}
		u = w.user(t, w.signIn(t, fmt.Sprint("named", n), issuertest.Claims{"preferred_username": fmt.Sprint("kim", n), "name": said}).ID)
		if u.Name == said {
			t.Errorf("a token makes the name %s", said)
		}
	}
	boss := w.signIn(t, "boss", issuertest.Claims{"preferred_username": "boss", "role": "admin"})
	for _, login := range []string{"boss-2", "boss"} {
		w.clock.Advance(2 * time.Minute)
		w.signIn(t, "boss", issuertest.Claims{"preferred_username": login, "name": login, "role": "admin"})
		if u := w.user(t, boss.ID); u.Login != login || u.Name != login {
			t.Errorf("a token of staff that says %s makes %s, %q", login, u.Login, u.Name)
		}
	}
}
