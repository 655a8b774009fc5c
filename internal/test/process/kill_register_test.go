package process

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"agora/internal/test/testlevel"
)

const (
	// nameClients register concurrently.
	nameClients = 200
)

// The names that all of them try to register. Each uses any login with any e-mail, so that claims cross.
var wantedLogins, wantedEmails = wanted("login%d", 10), wanted("mail%d@example.com", 15)

func wanted(format string, n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf(format, i)
	}
	return names
}

// TestKillRegister kills server processes at random moments while 200 clients register 10 logins with crossing
// e-mails, change the e-mails and delete their accounts again. No name may ever have two owners, or be taken without
// an owner. KILL_SECONDS is the duration, 4 if not set. It needs a real redis-server.
func TestKillRegister(t *testing.T) {
	testlevel.LongWithoutRace(t)
	life := killSeconds(t)
	s := startKillSite(t, quick)
	children := []*child{s.start(s.addrs[0]), s.start(s.addrs[1])}
	for _, c := range children {
		s.await(c)
	}
	w := &nameRun{killRun: newKillRun(s), began: time.Now()}
	w.http.Transport = &http.Transport{MaxIdleConnsPerHost: nameClients}
	t.Cleanup(w.http.CloseIdleConnections)

	ctx, cancel := context.WithTimeout(context.Background(), life)
	defer cancel()
	var reapers, clients sync.WaitGroup
	for _, c := range children {
		reapers.Go(func() { s.reap(ctx, c) }) // ends with ctx
	}
	for n := range nameClients {
		clients.Go(func() { w.work(ctx, n) }) // ends with ctx and its last call
	}
	reapers.Wait()
	took := time.Since(w.began)
	s.await(s.start(s.addrs[0]))
	clients.Wait()
	s.addrs[1] = s.addrs[0] // the only running process
	w.verifyHistory()
	w.awaitQuiet()
	w.verifyNames()
	w.report(took)
	if least := int64(life.Seconds() * killsPerMinute / 60); s.kills.Load() < least {
		t.Errorf("%d kills in %v; want at least %d", s.kills.Load(), took, least)
	}
}

const (
	opChangeEmail   = `mutation($i: ChangeEmailInput!) { r: changeEmail(input: $i) { errors { code } } }`
	opDeleteAccount = `mutation($i: DeleteAccountInput!) { r: deleteAccount(input: $i) { errors { code } } }`
	opLogin         = `mutation($i: LoginInput!) { r: login(input: $i) { token errors { code } } }`
)

// nameRun is what the clients of TestKillRegister sent.
type nameRun struct {
	*killRun
	began    time.Time
	accounts []*nameAccount // accounts that may exist or have existed; guarded by mu
}

// span is a time in which a name certainly belonged to an account.
type span struct {
	name     string
	owner    *nameAccount
	from, to time.Duration // since the beginning; to is 0 while it lasts
}

// nameAccount is an account that a client tries to create, with everything it sends for it. Only that client uses it
// until the end.
type nameAccount struct {
	login, password, token string
	made, deleted          fate   // of register and of deleteAccount
	loose                  bool   // a call of register may still be in progress, or its outcome unknown
	doomed                 bool   // deleteAccount was sent
	first                  string // the e-mail sent with register
	email                  killValue
	spans                  []*span
	holds                  map[string]*span // the open ones by name
}

func (w *nameRun) now() time.Duration { return time.Since(w.began) }

// holdsFrom records that from now on the name certainly belongs to the account.
func (a *nameAccount) holdsFrom(now time.Duration, name string) {
	s := &span{name: name, owner: a, from: now}
	a.spans, a.holds[name] = append(a.spans, s), s
}

// lets records that from now on the name may not belong to the account.
func (a *nameAccount) lets(now time.Duration, name string) {
	if s := a.holds[name]; s != nil {
		s.to = now
		delete(a.holds, name)
	}
}

// call sends a mutation and returns the outcome, and the code of a refusal, also of a top-level one.
func (w *nameRun) call(
	kind string,
	patience time.Duration,
	token, query string,
	input map[string]any,
) (p killPayload, f fate, code string) {
	a, err := w.ask(patience, token, query, map[string]any{"i": input})
	switch {
	case errors.Is(err, syscall.ECONNREFUSED): // it will be back in a moment
		rest(50)
	case err != nil:
	case len(a.Errors) > 0:
		code = a.Errors[0].Extensions.Code
		switch code {
		case "TIMEOUT", "INTERNAL_SERVER_ERROR", "UNAVAILABLE", "CONFLICT":
		case "UNAUTHENTICATED":
			f = refused
		default:
			w.site.t.Errorf("%s: %s %s", kind, code, a.Errors[0].Message)
		}
	default:
		if err := json.Unmarshal(a.Data.R, &p); err != nil {
			w.site.t.Errorf("%s: payload %s: %v", kind, a.Data.R, err)
		} else if f = acknowledged; len(p.Errors) > 0 {
			f, code = refused, p.Errors[0].Code
		}
	}
	w.count(kind, f)
	return p, f, code
}

func pick(names []string) string { return names[rand.IntN(len(names))] }

// work creates accounts, changes and deletes them, one after the other, until ctx ends.
func (w *nameRun) work(ctx context.Context, client int) {
	for n := 0; ctx.Err() == nil; n++ {
		a := &nameAccount{
			login:    pick(wantedLogins),
			password: fmt.Sprintf("password %d of %d", n, client),
			holds:    map[string]*span{},
		}
		w.register(a, fmt.Sprintf("%d-%d", client, n))
		if a.made == refused && !a.loose { // the account never had anything
			rest(50)
			continue
		}
		if a.made == unknown && rand.IntN(20) > 0 {
			w.comeBack(a)
		}
		w.mu.Lock()
		w.accounts = append(w.accounts, a)
		w.mu.Unlock()
		if a.made != acknowledged {
			continue
		}
		for n := rand.IntN(3); n > 0 && len(a.email.maybe) == 0; n-- { // one without an answer may still be in progress
			w.changeEmail(a)
		}
		select {
		case <-ctx.Done(): // it stays
		case <-time.After(time.Duration(rand.IntN(50)) * time.Millisecond):
			w.deleteAccount(a)
		}
	}
}

// register tries to create the account, with the same key again if the answer is lost; now and then it gives up.
func (w *nameRun) register(a *nameAccount, key string) {
	email := pick(wantedEmails)
	a.email.sent(email)
	in := map[string]any{"login": spelled(a.login), "email": spelled(email), "password": a.password, "idempotencyKey": key}
	a.first = email
	for range 1 + rand.IntN(20) {
		p, f, code := w.call("register", patience(), "", opRegister, in)
		a.made = f
		switch {
		case f == acknowledged:
			a.token = p.Token
			a.email.answered(email, f)
			a.holdsFrom(w.now(), a.login)
			a.holdsFrom(w.now(), email)
			return
		case f == refused && code != "TAKEN":
			w.site.t.Errorf("register %s: refused: %s", a.login, code)
			return
		case f == refused:
			return
		case code != "CONFLICT": // that one is known to have failed
			a.loose = true
		}
	}
}

// comeBack finds out whether an account was created after all.
func (w *nameRun) comeBack(a *nameAccount) {
	for range 100 {
		p, f, code := w.call(
			"login",
			patience(),
			"",
			opLogin,
			map[string]any{"identifier": spelled(a.login), "password": a.password},
		)
		a.made = f
		switch {
		case f == acknowledged:
			a.token = p.Token
			a.email.answered(a.first, f)
			a.holdsFrom(w.now(), a.login)
			a.holdsFrom(w.now(), a.first)
			return
		case f == refused && code != "WRONG_CREDENTIALS":
			w.site.t.Errorf("login as %s: refused: %s", a.login, code)
			return
		case f == refused:
			return
		}
	}
}

// rest waits for a random part of so many milliseconds.
func rest(most int) { <-time.After(time.Duration(rand.IntN(most)) * time.Millisecond) }

// spelled returns a login in another spelling.
func spelled(login string) string {
	if rand.IntN(2) == 0 {
		return strings.ToUpper(login)
	}
	return login
}

func (w *nameRun) changeEmail(a *nameAccount) {
	was, email := a.email.sure, pick(wantedEmails)
	if email == was {
		return
	}
	sent := w.now()
	a.email.sent(email)
	_, f, code := w.call(
		"changeEmail",
		patience(),
		a.token,
		opChangeEmail,
		map[string]any{"password": a.password, "email": email},
	)
	switch {
	case f == refused && code == "TAKEN", f == unknown && code == "CONFLICT": // it failed
		a.email.answered(email, refused)
	case f == refused:
		w.site.t.Errorf("changeEmail of %s: refused: %s", a.login, code)
	case f == acknowledged:
		a.lets(sent, was)
		a.email.answered(email, f)
		a.holdsFrom(w.now(), email)
	default: // once it is sent, the account may have either
		a.lets(sent, was)
	}
}

// deleteAccount deletes the account, again if the answer is lost; now and then it gives up.
func (w *nameRun) deleteAccount(a *nameAccount) {
	sent := w.now()
	a.doomed = true
	a.lets(sent, a.login)
	for name := range a.holds {
		a.lets(sent, name)
	}
	tries := 100
	if rand.IntN(30) == 0 {
		tries = 1
	}
	for range tries {
		_, f, code := w.call("deleteAccount", patience(), a.token, opDeleteAccount, map[string]any{"password": a.password})
		if f == refused && code != "UNAUTHENTICATED" {
			w.site.t.Errorf("deleteAccount of %s: refused: %s", a.login, code)
		}
		if f != unknown { // UNAUTHENTICATED: a call whose answer was lost has done it
			a.deleted = acknowledged
			return
		}
	}
}
