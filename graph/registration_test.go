package graph_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/test/redistest"
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

// The mode changes while a registration is under way: it counts as at its beginning.
func TestRegistrationModeChangesMeanwhile(t *testing.T) {
	s := newSite(t)
	s.registrationIs(s.admin("ada"), "APPROVAL")
	var once sync.Once
	s.redis.AddHook(redistest.Hook(func(ctx context.Context, cmds []redis.Cmder, next redis.ProcessPipelineHook) error {
		if strings.Contains(cmds[0].String(), "uniq:{k:") { // whether the name looks like that of staff
			invite := map[string]int{"registration": forum.RegistrationInvite.RuleValue()}
			once.Do(func() {
				if err := s.store.Rules.Update(ctx, nil, invite, false); err != nil {
					t.Error(err)
				}
			})
		}
		return next(ctx, cmds)
	}))
	in := with(newcomer, "name", "Ann Lee")
	s.wantVerdict("register", s.mutate("", "register", in, ""), "AWAITING_APPROVAL ")
	s.wantVerdict("afterwards", s.mutate("", "register", newcomer, ""), "INVALID input.invitation")
}

// Nobody registers with a login or a name that passes for an office or for staff.
func TestRegisterAsSomebodyElse(t *testing.T) {
	m := newSanctionSite(t) // mia is a moderator
	register := func(login, name string) string {
		m.clock.Advance(time.Hour)
		return m.mutate("", "register", input{"login": login, "name": name, "email": login + "@example.com",
			"password": "a good password"}, "").verdict()
	}
	for _, login := range []string{"moderator-1", "adm1n", "agora-staff", "mia-x", "x.mia", "mia2", "rn1a-1"} {
		wantEqual(t, "register "+login, register(login, "Kim"), "INVALID input.login")
	}
	for _, login := range []string{"m.ia", "mla", "m1a"} {
		wantEqual(t, "register "+login, register(login, "Kim"), "TAKEN input.login")
	}
	for _, name := range []string{"ADMlN", "admîn", "moderator 1", "m.ia", "mia-x", "MIA", "m̴i̴a", "ᴍɪᴀ"} {
		wantEqual(t, "register as "+name, register("kim", name), "INVALID input.name")
	}
	wantEqual(t, "register an ordinary name", register("kim", "Mia Farrow"), "")
}
