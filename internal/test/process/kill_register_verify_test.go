package process

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"agora/internal/test/wait"
)

// verifyHistory checks that no name had two owners at a time.
func (w *nameRun) verifyHistory() {
	byName := map[string][]*span{}
	for _, a := range w.accounts {
		for _, s := range a.spans {
			if s.to == 0 {
				s.to = w.now()
			}
			byName[s.name] = append(byName[s.name], s)
		}
	}
	owners := 0
	for name, spans := range byName {
		slices.SortFunc(spans, func(a, b *span) int { return cmp.Compare(a.from, b.from) })
		last := spans[0]
		for _, s := range spans[1:] {
			if s.owner != last.owner && s.from < last.to {
				w.site.t.Errorf(
					"%s had two owners from %v to %v: those with %q and %q",
					name,
					s.from,
					min(s.to, last.to),
					last.owner.password,
					s.owner.password,
				)
			}
			if s.owner != last.owner {
				owners++
			}
			if s.to > last.to {
				last = s
			}
		}
	}
	w.site.t.Logf("%d names changed their owner %d times for sure", len(byName), owners)
}

// awaitQuiet waits until all interrupted work is abandoned or finished.
func (w *nameRun) awaitQuiet() {
	t, ctx, began := w.site.t, context.Background(), time.Now()
	left := func() int {
		dirty, err := w.site.redis.Keys(ctx, "*}:dirty").Result()
		if err != nil {
			t.Error(err)
		}
		return len(dirty)
	}
	t.Logf("%d partitions have something to finish after the last kill", left())
	if !wait.For(pendingLife+cleanWithin, func() bool { return left() == 0 }) {
		t.Errorf("something waits to be finished %v after the last kill", time.Since(began))
	}
	t.Logf("nothing is left half way %v after the last kill", time.Since(began).Round(time.Millisecond))
	if out, code := w.site.command("check"); code != 0 {
		t.Errorf("check: exit code %d: %s", code, out)
	}
}

// ownerOf returns the account that signs in with a login or an e-mail.
func (w *nameRun) ownerOf(name string, candidate func(*nameAccount) bool) (owner *nameAccount) {
	var mu sync.Mutex // guards owner
	var all sync.WaitGroup
	turns := make(chan struct{}, 8)
	for _, a := range w.accounts {
		if !candidate(a) {
			continue
		}
		turns <- struct{}{}
		all.Go(func() { // ends with its call
			p, f, code := w.call(
				"login",
				readPatience,
				"",
				opLogin,
				map[string]any{"identifier": spelled(name), "password": a.password},
			)
			<-turns
			mu.Lock()
			defer mu.Unlock()
			switch {
			case f == unknown || f == refused && code != "WRONG_CREDENTIALS":
				w.site.t.Errorf("login as %s: %s", name, code)
			case f == acknowledged && owner != nil:
				w.site.t.Errorf("%s has two owners: %q and %q", name, owner.password, a.password)
			case f == acknowledged:
				owner, a.token = a, p.Token
			}
		})
	}
	all.Wait()
	return owner
}

// verifyNames finds the owner of each name, compares it with what the clients know, and registers the names without
// an owner.
func (w *nameRun) verifyNames() {
	t := w.site.t
	w.verifyDeleted()
	byLogin, byEmail := map[string]*nameAccount{}, map[string]*nameAccount{}
	for _, login := range wantedLogins {
		byLogin[login] = w.ownerOf(
			login,
			func(a *nameAccount) bool { return a.login == login && (a.deleted != acknowledged || a.loose) },
		)
		w.verifyOwner(login, byLogin[login])
	}
	for _, email := range wantedEmails {
		byEmail[email] = w.ownerOf(email, func(a *nameAccount) bool { return byLogin[a.login] == a })
	}
	owned := 0
	for _, a := range byLogin {
		if a != nil {
			owned++
			w.verifyEmail(a, byEmail)
		}
	}
	for i, login := range wantedLogins {
		w.wantFree(byLogin[login] == nil, login, fmt.Sprintf("unwanted%d@example.com", i))
	}
	for i, email := range wantedEmails {
		w.wantFree(byEmail[email] == nil, fmt.Sprintf("unwanted%d", i), email)
	}
	t.Logf(
		"%d of %d logins and as many of %d e-mails had an owner; all others could be registered at once",
		owned,
		len(wantedLogins),
		len(wantedEmails),
	)
	if out, code := w.site.command("check"); code != 0 {
		t.Errorf("check after all names were registered: exit code %d: %s", code, out)
	}
}

// verifyEmail compares the e-mail that the owner of a login sees with the account that signs in with it, and with
// what was sent.
func (w *nameRun) verifyEmail(a *nameAccount, byEmail map[string]*nameAccount) {
	var viewer struct {
		Email string
		User  struct{ Login string }
	}
	answer, err := w.ask(readPatience, a.token, `{ r: viewer { email user { login } } }`, nil)
	if err == nil {
		err = json.Unmarshal(answer.Data.R, &viewer)
	}
	email := strings.ToLower(viewer.Email)
	if err != nil || strings.ToLower(viewer.User.Login) != a.login || byEmail[email] != a ||
		!a.email.allows(email) && (email != a.first || !a.loose) {
		w.site.t.Errorf("the owner of %s is %+v, %v; want an e-mail of %+v that signs in", a.login, viewer, err, a.email)
	}
}

// verifyOwner compares the owner of a login with the accounts that certainly have it.
func (w *nameRun) verifyOwner(login string, owner *nameAccount) {
	for _, a := range w.accounts {
		if a.login == login && a.made == acknowledged && !a.doomed && a != owner {
			w.site.t.Errorf("%s: the account with %q was acknowledged and not deleted; it cannot sign in", login, a.password)
		}
	}
}

// verifyDeleted checks that the tokens of deleted accounts no longer work.
func (w *nameRun) verifyDeleted() {
	for _, a := range w.accounts {
		if a.deleted != acknowledged {
			continue
		}
		answer, err := w.ask(readPatience, a.token, `{ r: viewer { id } }`, nil)
		if err != nil || len(answer.Errors) == 0 || answer.Errors[0].Extensions.Code != "UNAUTHENTICATED" {
			w.site.t.Errorf("%s: a token of the deleted account returns %s, %v", a.login, answer.Data.R, err)
		}
	}
}

// wantFree registers a login and an e-mail of which one may be in use. Registration must succeed at the first attempt
// if both are free, and be refused otherwise.
func (w *nameRun) wantFree(free bool, login, email string) {
	_, f, code := w.call(
		"register at the end",
		readPatience,
		"",
		opRegister,
		map[string]any{"login": login, "email": email, "password": "a good password"},
	)
	if want := (map[bool]fate{true: acknowledged, false: refused})[free]; f != want || f == refused && code != "TAKEN" {
		w.site.t.Errorf("register %s, %s, of which all are free: %t; fate %d, code %s", login, email, free, f, code)
	}
}
