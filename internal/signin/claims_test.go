package signin_test

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/accounts"
	"agora/internal/test/issuertest"
	"agora/internal/test/must"
	"agora/internal/test/site"
)

// named returns claims with a login.
func named(login string) issuertest.Claims { return issuertest.Claims{"preferred_username": login} }

// A login changes when its claim does, and not at other times.
func TestLoginFollowsItsClaim(t *testing.T) {
	w := newWorld(t)
	mara := site.On(t, w.store).User("mara")
	id := w.signIn(t, "42", named("ann")).ID
	suffix := "-" + forum.External{Issuer: w.of.URL, Subject: "42"}.Hash()[:6]
	leave := func() { must.OK(t, w.store.Accounts.DeleteAccount(t.Context(), mara.ID, "hash of mara")) }
	release := func() { must.OK(t, w.store.Accounts.DisownValues(t.Context(), id, []string{"login"})) }
	for _, tt := range []struct {
		name        string
		before      func()
		claim, want string
	}{
		{"another", nil, "anna", "anna"},
		{"none", nil, "", "anna"},
		{"an address", nil, "ann@example.org", "anna"},
		{"the login before", nil, "ann", "ann"},
		{"another spelling", nil, "Ann", "Ann"},
		{"bob", nil, "bob", "bob"},
		{"one that looks like its own", nil, "b0b", "bob"},
		{"one that is taken", nil, "mara", "mara" + suffix},
		{"which becomes free", leave, "mara", "mara" + suffix},
		{"and is asked for again, but reserved", release, "mara", "mara" + suffix},
		{"and is no longer reserved", func() { release(); w.clock.Advance(forum.LoginRest) }, "mara", "mara"},
		{"the member's own", func() { must.OK(t, w.store.Accounts.ChangeLogin(t.Context(), id, "", "mara", "mara")) },
			"liv", "mara"},
		{"released", release, "liv", "liv"},
	} {
		if tt.before != nil {
			tt.before()
			must.Do(w.store.Engine.Sweep(t.Context()))(t)
		}
		w.clock.Advance(time.Minute)
		w.signIn(t, "42", named(tt.claim))
		if u := w.user(t, id); u.Login != tt.want || u.Name != tt.want {
			t.Errorf("%s: the claim %q makes the login %q and the name %q; want %q", tt.name, tt.claim, u.Login, u.Name, tt.want)
		}
	}
}

// Nobody reserves logins by changing them often: only one that the member had for 30 days is.
func TestLoginsOfDaysAreFree(t *testing.T) {
	w := newWorld(t)
	w.signIn(t, "42", named("ann"))
	for _, tt := range []struct {
		kept        time.Duration
		claim, left string
		free        bool
	}{{time.Minute, "anna", "ann", true}, {forum.LoginKept - time.Minute, "annie", "anna", true}, {forum.LoginKept, "liv", "annie", false}} {
		w.clock.Advance(tt.kept)
		w.signIn(t, "42", named(tt.claim))
		must.Do(w.store.Engine.Sweep(t.Context()))(t)
		_, err := w.store.Accounts.Register(t.Context(), accounts.NewUser{Login: tt.left, LoginFold: tt.left,
			Name: tt.left})
		if free := err == nil; free != tt.free || !free && forum.CodeOf(err) != forum.CodeTaken {
			t.Errorf("after %v, Register with %s: %v; want it free: %t", tt.kept, tt.left, err, tt.free)
		}
	}
}

// A member whose login is taken is not renamed by each token, nor is it tried again.
func TestTakenLoginIsTriedOnce(t *testing.T) {
	w := newWorld(t)
	site.On(t, w.store).User("mara")
	w.signIn(t, "42", named("mara"))
	w.clock.Advance(time.Minute)
	steps := map[string]int{}
	other := w.over(w.open(t, store.WithSteps(func(name string) { steps[name]++ })))
	must.Do(other.SignIn(t.Context(), w.of.Token(t, "42", named("mara")), free{}))(t)
	if steps["user_claims"] != 1 || len(steps) != 1 {
		t.Errorf("the second token writes %v; want its claims only", steps)
	}
}

// Two accounts of a member that say different logins do not take turns: each changes the login when its own claim does.
func TestLinkedAccountsDoNotTakeTurns(t *testing.T) {
	w := newWorld(t)
	id := w.signIn(t, "42", named("ann")).ID
	of := forum.External{Issuer: w.of.URL, Subject: "43"}
	must.Do(w.store.Accounts.LinkExternal(t.Context(), id, of, false))(t)
	for n, tt := range []struct{ subject, claim, want string }{
		{"43", "liv", "ann"}, {"42", "ann", "ann"}, {"43", "mara", "mara"}, {"42", "ann", "mara"}, {"43", "mara", "mara"},
	} {
		w.clock.Advance(time.Minute)
		if v := w.signIn(t, tt.subject, named(tt.claim)); v.ID != id {
			t.Fatalf("token %d is of user %d; want %d", n+1, v.ID, id)
		}
		if got := w.user(t, id).Login; got != tt.want {
			t.Errorf("after token %d, of %s with %q, the login is %q; want %q", n+1, tt.subject, tt.claim, got, tt.want)
		}
	}
}

// A server may be killed before any step of a change of login: the next token completes it.
func TestCrashOfFollowedLogin(t *testing.T) {
	for n, died := 1, true; died; n++ {
		w := newWorld(t)
		id := w.signIn(t, "42", named("ann")).ID
		w.clock.Advance(time.Minute)
		dying := w.over(w.open(t, store.WithSteps(site.KillAt("", n))))
		died = site.Killed(func() { must.Do(dying.SignIn(t.Context(), w.of.Token(t, "42", named("anna")), free{}))(t) })
		w.clock.Advance(max(forum.PendingLife, time.Minute) + time.Second)
		w.signIn(t, "42", named("anna"))
		if got := w.user(t, id).Login; got != "anna" {
			t.Errorf("killed before step %d: after the next token, the login is %q; want anna", n, got)
		}
		if n > 8 {
			t.Fatal("the change has too many steps")
		}
	}
}

// The claims of older tokens change nothing, whatever the order in which tokens come, and others at most once a minute.
func TestClaimsNeverGoBack(t *testing.T) {
	w, checks := newWorld(t), 0
	site.On(t, w.store).User("mara")
	rapid.Check(t, func(rt *rapid.T) {
		checks++ // each has a subject and logins of its own
		subject, ann, bob := fmt.Sprint(checks), fmt.Sprint("ann", checks), fmt.Sprint("bob", checks)
		start := w.clock.Now()
		var latest, applied time.Time
		want, said, login, own := "Name -1", ann, ann, false
		id := w.signIn(t, subject, issuertest.Claims{"name": want, "preferred_username": said}).ID
		latest, applied = start.Truncate(time.Second), start
		for range rapid.IntRange(1, 12).Draw(rt, "tokens") {
			w.clock.Advance(time.Duration(rapid.IntRange(0, 90).Draw(rt, "pause")) * time.Second)
			now := w.clock.Now()
			switch rapid.IntRange(0, 9).Draw(rt, "event") {
			case 0: // the member sets the login
				own = true
				must.OK(t, w.store.Accounts.ChangeLogin(t.Context(), id, "", login, login))
			case 1:
				said, own = "", false
				must.OK(t, w.store.Accounts.DisownValues(t.Context(), id, []string{"login"}))
			}
			issued := now.Add(-time.Duration(rapid.IntRange(0, 300).Draw(rt, "age")) * time.Second).Truncate(time.Second)
			name := fmt.Sprint("Name ", issued.Unix())
			claim := rapid.SampledFrom([]string{ann, bob, "mara"}).Draw(rt, "login")
			v := w.signIn(t, subject, issuertest.Claims{"iat": issued.Unix(), "name": name, "preferred_username": claim})
			if v.ID != id {
				rt.Fatalf("another user %d", v.ID)
			}
			if issued.After(latest) && now.Sub(applied) >= time.Minute {
				latest, applied, want = issued, now, name
				if !own && claim != said {
					login = claim
					if claim == "mara" { // is taken
						login += "-" + forum.External{Issuer: w.of.URL, Subject: subject}.Hash()[:6]
					}
				}
				said = claim
			}
			if u := w.user(t, id); u.Name != want || u.Login != login {
				rt.Fatalf("the user is %q, %q; want %q, %q", u.Login, u.Name, login, want)
			}
		}
	})
}
