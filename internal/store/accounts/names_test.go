package accounts_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/accounts"
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/key"
	"agora/internal/store/storetest"
	"agora/internal/test/site"
	"agora/internal/test/testlevel"
	"agora/internal/test/testseed"
)

// names is a site with few names, many of whose processes die.
type names struct {
	*storetest.Site
	dying *store.Store
	kill  func(step string) // receives the steps of the process that dies
}

var (
	fewLogins = []string{"ann", "bob", "carl"}
	fewEmails = []string{"1@example.org", "2@example.org", "3@example.org"}
)

func newNames(t *testing.T) *names {
	x := &names{Site: storetest.New(t)}
	x.dying = x.Process(store.WithSteps(func(step string) { x.kill(step) }))
	return x
}

// run calls f in a process that dies before its nth step; with 0 it survives.
func (x *names) run(n int, f func(s *store.Store) error) (err error, died bool) {
	x.kill = site.KillAt("", n)
	died = site.Killed(func() { err = f(x.dying) })
	return err, died
}

// accounts returns the active accounts: their ids and hashes.
func (x *names) accounts() (active []forum.UserID, hashes map[forum.UserID]map[string]string) {
	x.T.Helper()
	hashes = map[forum.UserID]map[string]string{}
	for _, key := range x.KeysLike(":u:") {
		id, err := forum.ParseID[forum.UserID](key[strings.LastIndexByte(key, ':')+1:])
		if err != nil { // a key next to the account
			continue
		}
		if h := x.Hash(key); h["state"] == catalogue.UserActive {
			active, hashes[id] = append(active, id), h
		}
	}
	return active, hashes
}

// wantOneOwnerEach fails the test if two active accounts have the same name.
func (x *names) wantOneOwnerEach(rt *rapid.T) {
	owners := map[string]forum.UserID{}
	active, hashes := x.accounts()
	for _, id := range active {
		for _, name := range []string{hashes[id]["fold"], hashes[id]["emailFold"]} {
			if other, twice := owners[name]; twice {
				rt.Fatalf("users %d and %d both have %q", other, id, name)
			}
			owners[name] = id
			if got := x.Owner(name); got != id {
				rt.Fatalf("%q is user %d; want %d", name, got, id)
			}
		}
	}
}

// act performs a random mutation.
func (x *names) act(rt *rapid.T) {
	active, _ := x.accounts()
	die := rapid.SampledFrom([]int{0, 0, 2, 3, 4, 5, 6}).Draw(rt, "dies before")
	email := rapid.SampledFrom(fewEmails).Draw(rt, "email")
	act := rapid.SampledFrom([]string{"register", "change", "change", "delete", "sweep", "wait"}).Draw(rt, "act")
	var id forum.UserID
	if len(active) > 0 {
		id = rapid.SampledFrom(active).Draw(rt, "user")
	}
	err, died := x.run(die, func(s *store.Store) error {
		switch {
		case act == "register":
			login := rapid.SampledFrom(fewLogins).Draw(rt, "login")
			_, err := s.Accounts.Register(x.Ctx,
				accounts.NewUser{Login: login, LoginFold: login, Name: login, Email: email, EmailFold: email,
					PasswordHash: "h"})
			return err
		case act == "change" && id != 0:
			return s.Accounts.ChangeEmail(x.Ctx, id, "h", email, email)
		case act == "delete" && id != 0:
			return s.Accounts.DeleteAccount(x.Ctx, id, "h")
		case act == "sweep":
			_, err := s.Engine.Sweep(x.Ctx)
			return err
		}
		x.Clock.Advance(time.Duration(rapid.IntRange(1, 40).Draw(rt, "seconds")) * time.Second)
		return nil
	})
	if err != nil && forum.CodeOf(err) == "" {
		rt.Fatalf("%s = %v; want a code", act, err)
	}
	rt.Logf("%s by %d, %s: %v, died %t", act, id, email, err, died)
}

// drawnTest is a test whose failures make rapid search for a smaller one.
type drawnTest struct {
	testing.TB
	rt *rapid.T
}

func (d drawnTest) Errorf(format string, args ...any) { d.rt.Errorf(format, args...) }

func (d drawnTest) Fatalf(format string, args ...any) { d.rt.Fatalf(format, args...) }

// However users register, change, delete and die, a name never has two owners, its owner can always sign in
// with it, and at rest a name without an owner is free.
func TestNamesHaveOneOwner(t *testing.T) {
	testlevel.LongSequential(t)
	x := newNames(t)
	layout := x.Hash(key.Layout)
	rapid.Check(t, func(rt *rapid.T) {
		x.T = drawnTest{t, rt}
		for _, s := range []*store.Store{x.Store, x.dying} { // ids are reused: marks must not be removed late
			s.Engine.Cleaner.Flush()
		}
		storetest.WantOK(x.T, "FLUSHALL", x.Redis.FlushAll(t.Context()).Err())
		storetest.WantOK(x.T, "HSET", x.Redis.HSet(t.Context(), key.Layout, layout).Err())
		for range rapid.IntRange(1, 12).Draw(rt, "acts") {
			x.act(rt)
			x.wantOneOwnerEach(rt)
		}
		x.Clock.Advance(forum.PendingLife + 2*time.Second)
		x.WantClean()
		for _, name := range slices.Concat(fewLogins, fewEmails) {
			if x.Owner(name) == 0 {
				wantFree(x.Site, name)
			}
		}
		x.WantClean()
	})
}

// Ten clients in two processes register, change e-mails and logins, and delete, over five names.
func TestConcurrentClientsOnFiveNames(t *testing.T) {
	testlevel.Usual(t)
	x := storetest.New(t)
	seed := testseed.First()
	t.Logf("seed %d", seed)
	processes := []*store.Store{x.Store, x.Process()}
	var wg sync.WaitGroup
	for n := range 10 {
		c := &nameClient{s: processes[n%2], x: x, r: rand.New(rand.NewPCG(seed, uint64(n)))}
		wg.Go(func() {
			for range 25 {
				if err := c.act(); err != nil && forum.CodeOf(err) == "" {
					t.Errorf("internal error: %v", err)
				}
			}
		})
	}
	wg.Wait()
	x.Clock.Advance(time.Minute)
	x.WantClean()
	for n := range 5 {
		for _, name := range []string{login(n), login(n) + "@example.org"} {
			if x.Owner(name) == 0 {
				wantFree(x, name)
			}
		}
	}
	x.WantClean()
}

func login(n int) string { return fmt.Sprintf("name%d", n) }

// nameClient is one of the clients that compete for the same names.
type nameClient struct {
	s  *store.Store
	x  *storetest.Site
	r  *rand.Rand
	id forum.UserID // the user that it registered
}

func (c *nameClient) act() error {
	email := login(c.r.IntN(5)) + "@example.org"
	switch {
	case c.id == 0:
		name := login(c.r.IntN(5))
		id, err := c.s.Accounts.Register(c.x.Ctx,
			accounts.NewUser{Login: name, LoginFold: name, Name: name, Email: email, EmailFold: email,
				PasswordHash: "h"})
		c.id = id
		return err
	case c.r.IntN(4) == 0:
		id := c.id
		c.id = 0
		return c.s.Accounts.DeleteAccount(c.x.Ctx, id, "h")
	case c.r.IntN(3) == 0:
		name := login(c.r.IntN(5))
		return c.s.Accounts.ChangeLogin(c.x.Ctx, c.id, "h", name, name)
	default:
		return c.s.Accounts.ChangeEmail(c.x.Ctx, c.id, "h", email, email)
	}
}
