package graph_test

import (
	"strings"
	"testing"
)

// registrationIs sets who may register.
func (s *site) registrationIs(admin, mode string) {
	s.t.Helper()
	a := s.mutate(admin, "updateRules", input{"registration": mode}, "site { registration rules { registration } }")
	s.wantVerdict("registration "+mode, a, "")
	wantEqual(s.t, "payload", a.at("updateRules", "site"),
		any(map[string]any{"registration": mode, "rules": map[string]any{"registration": mode}}))
}

func TestClosedRegistration(t *testing.T) {
	s := newMemberSite(t)
	ada := s.admin("ada")
	s.registrationIs(ada, "CLOSED")
	wantEqual(t, "signed out", s.must("", "{ site { registration } }", nil).at("site", "registration"), any("CLOSED"))
	s.wantVerdict("closed", s.mutate("", "register", newcomer, ""), "REGISTRATION_CLOSED ")
	s.wantVerdict("made by an administrator", s.upsert(input{"external": s.external("7"), "login": "mara"}), "")
	s.must(s.of.Token(t, "8", nil), "{ viewer { user { login } } }", nil)
	s.registrationIs(ada, "OPEN")
	s.wantVerdict("open again", s.mutate("", "register", newcomer, ""), "")

	acts := s.must(ada, `{ moderationLog(action: UPDATE_RULES) { nodes {
		before { rules { name value } } after { rules { name value } } } } }`, nil).at("moderationLog", "nodes")
	rule := func(value float64) any {
		return map[string]any{"rules": []any{map[string]any{"name": "registration", "value": value}}}
	}
	wantEqual(t, "log", acts, any([]any{map[string]any{"before": rule(3), "after": rule(0)},
		map[string]any{"before": rule(0), "after": rule(3)}}))
	if !strings.Contains(s.log.String(), "rules.registration=3") {
		t.Errorf("the security log does not say that registration was closed: %s", s.log)
	}
}
