package graph_test

import (
	"fmt"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"agora/internal/forum"
	"agora/internal/globalid"
	"agora/internal/httpserver"
)

// counted returns the site with metrics, and its /metrics.
func (s *site) counted() (*site, func() string) {
	other := *s
	other.options.Metrics = httpserver.NewMetrics(s.store, s.options.Log, s.clock.Now)
	other.url = serve(s.t, other.options)
	return &other, func() string {
		w := httptest.NewRecorder()
		other.options.Metrics.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
		return w.Body.String()
	}
}

var addressShown = regexp.MustCompile(` address=[0-9a-f]{16}\b`)

// securityLines are the lines of the security log without time, address and request.
func (s *site) securityLines() []string {
	s.t.Helper()
	var lines []string
	for line := range strings.Lines(s.log.String()) {
		if _, rest, ok := strings.Cut(strings.TrimSpace(line), " msg=security log=security event="); ok {
			if !addressShown.MatchString(rest) {
				s.t.Errorf("%q lacks a pseudonym of the address", line)
			}
			lines = append(lines, addressShown.ReplaceAllString(rest, ""))
		}
	}
	s.log.Reset()
	return lines
}

// Attacks, and changes of accounts, are logged and counted in the metrics, which name no signed-out caller.
func TestSecurityLogOfAccounts(t *testing.T) {
	s, metrics := newSite(t, limited).counted()
	s.clock.Advance(forum.SignInWindow)
	ann, ada := s.from("192.0.2.1:1").user("ann"), s.from("192.0.2.2:1").user("ada")
	s.promote(ada, forum.RoleAdmin)
	id, admin := userOf(ann), userOf(ada)
	named := func(name string) string { return s.store.Engine.Pseudonym("name", name)[:16] }
	tests := []struct {
		do   func()
		want string
	}{
		{func() { s.from("203.0.113.7:1").logins("a bad password", "ann@example.com") },
			fmt.Sprintf("sign-in-failed name=%s user=%d", named("ann@example.com"), id)},
		{func() { s.from("203.0.113.7:1").logins("a bad password", "hunter2 typed here") },
			fmt.Sprintf("sign-in-failed name=%s user=0", named("hunter2 typed here"))},
		{func() {
			s.mutate(ann, "changeEmail", input{"password": "a bad password", "email": "x@example.org"}, "")
		}, fmt.Sprintf("proof-failed by=%d", id)},
		{func() {
			s.mutate(ann, "changeEmail", input{"password": "a good password", "email": "x@example.org"}, "")
		}, fmt.Sprintf("email-changed by=%d", id)},
		{func() {
			s.mutate(ann, "changePassword", input{"currentPassword": "a good password", "newPassword": "another password"}, "")
		}, fmt.Sprintf("password-changed by=%d", id)},
		{func() {
			s.mutate(ada, "setUserRole", input{"userId": gid("User", fmt.Sprint(id)), "role": "MODERATOR"}, "")
		}, fmt.Sprintf("role-changed by=%d user=%d role=MODERATOR", admin, id)},
		{func() {
			s.mutate(ann, "setUserRole", input{"userId": gid("User", fmt.Sprint(admin)), "role": "USER"}, "")
		}, ""},
		{func() { s.mutate(ann, "deleteAccount", input{"password": "another password"}, "") },
			fmt.Sprintf("account-deleted by=%d content=KEEP", id)},
	}
	s.log.Reset()
	for _, tt := range tests {
		tt.do()
		whole := s.log.String()
		if got := strings.Join(s.securityLines(), "\n"); got != tt.want {
			t.Errorf("the log says %q; want %q", got, tt.want)
		}
		for _, secret := range []string{"203.0.113", "127.0.0.1", "example", "password=", "hunter2", "agora_", "a good",
			"another"} {
			if strings.Contains(whole, secret) {
				t.Errorf("the log holds %q: %s", secret, whole)
			}
		}
	}
	s.from("203.0.113.9:1").logins("a bad password", nobodies(12)...)
	if got := s.securityLines(); len(got) != 12 || !strings.HasPrefix(got[9], "sign-in-failed ") ||
		!strings.HasPrefix(got[10], "sign-in-limited ") {
		t.Errorf("12 guesses from one address: %q; want 10 failed, 2 limited", got)
	}
	text := metrics()
	for _, want := range []string{
		`agora_security_events_total{event="sign-in-failed"} 12`, `agora_security_events_total{event="sign-in-limited"} 2`,
		`agora_security_events_total{event="role-changed"} 1`, `agora_security_events_total{event="rules-changed"} 0`,
		`agora_errors_total{code="WRONG_CREDENTIALS"} 4`, `agora_errors_total{code="RATE_LIMITED"} 1`,
	} {
		if !strings.Contains(text, want+"\n") {
			t.Errorf("/metrics lacks %s", want)
		}
	}
}

// The codes of payloads are in the request log.
func TestPayloadCodesAreLogged(t *testing.T) {
	s := newSite(t)
	ann := s.user("ann")
	s.log.Reset()
	s.mutate("", "register", input{"login": "ann", "email": "x", "password": "short"}, "")
	if line := s.log.String(); !strings.Contains(line, "codes=INVALID,TOO_SHORT") {
		t.Errorf("the log says %q; want the payload's codes", line)
	}
	s.log.Reset()
	s.ask(ann, "{ viewer { id } }", nil)
	if line := s.log.String(); !strings.Contains(line, `codes=""`) {
		t.Errorf("the log says %q; want no codes", line)
	}
}

// numberOf returns the number in a global id.
func numberOf(t testing.TB, id string) string {
	t.Helper()
	_, number, ok := globalid.Split(id)
	if !ok {
		t.Fatalf("%q is no id", id)
	}
	return number
}
