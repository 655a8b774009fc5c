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
	// nameClients register at the same time.
	nameClients = 200
)

// The names that all of them want. Each takes any login with any e-mail, so that
// claims cross.
var wantedLogins, wantedEmails = wanted("login%d", 10), wanted("mail%d@example.com", 15)

func wanted(format string, n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf(format, i)
	}
	return names
}

// TestKillRegister kills server processes at random moments while 200 clients
// register 10 logins with crossing e-mails, change the e-mails and delete their
// accounts again. No name may ever have two owners, and none be nobody's and
// taken all the same. KILL_SECONDS says for how long, 4 if it is not set. It wants
// a real redis-server.
func TestKillRegister(t *testing.T) {
	testlevel.LongWithoutRace(t)
	life := killSeconds(t)
	s := startKillSite(t, quick)
	children := []*child{s.start(s.addrs[0]), s.start(s.addrs[1])}
	for _, c := range children {
		s.await(c)
	}
	w := &nameWorld{killWorld: newKillWorld(s), began: time.Now()}
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
	s.addrs[1] = s.addrs[0] // the only process that runs
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

// nameWorld is what the clients of TestKillRegister sent.
type nameWorld struct {
	*killWorld
	began    time.Time
	accounts []*nameAccount // those that there may be or have been; guarded by mu
}

// span is a time in which a name was surely an account's.
type span struct {
	name     string
	owner    *nameAccount
	from, to time.Duration // since the beginning; to is 0 as long as it is
}

// nameAccount is one that a client wants to make, with all that it sends for it.
// It is used by that client alone until the end.
type nameAccount struct {
	login, password, token string
	made, gone             fate   // of register and of deleteAccount
	loose                  bool   // a call of register may still be on its way, or its outcome unknown
	doomed                 bool   // deleteAccount was sent
	first                  string // the e-mail that register was sent with
	email                  killValue
	spans                  []*span
	holds                  map[string]*span // the open ones by name
}

func (w *nameWorld) now() time.Duration { return time.Since(w.began) }

// holdsFrom notes that a name is surely the account's from now on.
func (a *nameAccount) holdsFrom(now time.Duration, name string) {
	s := &span{name: name, owner: a, from: now}
	a.spans, a.holds[name] = append(a.spans, s), s
}

// lets notes that a name is no longer surely the account's.
func (a *nameAccount) lets(now time.Duration, name string) {
	if s := a.holds[name]; s != nil {
		s.to = now
		delete(a.holds, name)
	}
}

// call sends a mutation and tells what became of it, and the code of a refusal,
// at the top level too.
func (w *nameWorld) call(
	kind string,
	patience time.Duration,
	token, query string,
	input map[string]any,
) (p killPayload, f fate, code string) {
	a, err := w.ask(patience, token, query, map[string]any{"i": input})
	switch {
	case errors.Is(err, syscall.ECONNREFUSED): // it comes back in a moment
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

// work makes accounts, changes and deletes them, one after the other, until ctx ends.
func (w *nameWorld) work(ctx context.Context, client int) {
	for n := 0; ctx.Err() == nil; n++ {
		a := &nameAccount{
			login:    pick(wantedLogins),
			password: fmt.Sprintf("password %d of %d", n, client),
			holds:    map[string]*span{},
		}
		w.register(a, fmt.Sprintf("%d-%d", client, n))
		if a.made == refused && !a.loose { // nobody ever had anything
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
		for n := rand.IntN(3); n > 0 && len(a.email.maybe) == 0; n-- { // one without answer may be on its way still
			w.changeEmail(a)
		}
		select {
		case <-ctx.Done(): // it stays
		case <-time.After(time.Duration(rand.IntN(50)) * time.Millisecond):
			w.deleteAccount(a)
		}
	}
}

// register tries to make the account, with the same key again when the answer
// is lost; now and then it gives up.
func (w *nameWorld) register(a *nameAccount, key string) {
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
		case code != "CONFLICT": // of that one it is known that it came to nothing
			a.loose = true
		}
	}
}

// comeBack finds out whether an account has come to be after all.
func (w *nameWorld) comeBack(a *nameAccount) {
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

// rest waits for some of so many milliseconds.
func rest(most int) { <-time.After(time.Duration(rand.IntN(most)) * time.Millisecond) }

// spelled is a login as somebody might write it.
func spelled(login string) string {
	if rand.IntN(2) == 0 {
		return strings.ToUpper(login)
	}
	return login
}

func (w *nameWorld) changeEmail(a *nameAccount) {
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
	case f == refused && code == "TAKEN", f == unknown && code == "CONFLICT": // it came to nothing
		a.email.answered(email, refused)
	case f == refused:
		w.site.t.Errorf("changeEmail of %s: refused: %s", a.login, code)
	case f == acknowledged:
		a.lets(sent, was)
		a.email.answered(email, f)
		a.holdsFrom(w.now(), email)
	default: // from the sending on it may have the one or the other
		a.lets(sent, was)
	}
}

// deleteAccount deletes the account, again when the answer is lost; now and then
// it gives up.
func (w *nameWorld) deleteAccount(a *nameAccount) {
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
		if f != unknown { // UNAUTHENTICATED: it was done by a call whose answer was lost
			a.gone = acknowledged
			return
		}
	}
}
