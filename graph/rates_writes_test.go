package graph_test

import (
	"iter"
	"strings"
	"testing"
	"time"

	"agora/graph"
	"agora/internal/app"
	"agora/internal/forum"
	"agora/internal/ratelimit"
	"agora/internal/test/gqltext"
	"agora/internal/test/testlevel"
)

// ruledMutations returns the mutations of the schema with their rules.
func ruledMutations(t testing.TB) iter.Seq2[string, app.Rule] {
	t.Helper()
	return func(yield func(string, app.Rule) bool) {
		for _, f := range gqltext.Schema(t).Mutation.Fields {
			if rule, ok := graph.MutationRules[f.Name]; ok && !yield(f.Name, rule) {
				return
			}
		}
	}
}

// leastInputOf returns the shortest input of a mutation.
func leastInputOf(t testing.TB, mutation string) input {
	t.Helper()
	schema := gqltext.Schema(t)
	f := schema.Mutation.Fields.ForName(mutation)
	return leastInput(schema, schema.Types[f.Arguments[0].Type.Name()])
}

// MutationRules has a rule for each mutation, and for nothing else. One asks for the viewer's password if its input has
// one. Each has a scope, which is MODERATE or ADMIN if a role is needed.
func TestEveryMutationHasItsRule(t *testing.T) {
	known := map[string]bool{}
	schema := gqltext.Schema(t)
	roles := guarded(t, schema)
	of := map[forum.Role]forum.Scope{forum.RoleModerator: forum.ScopeModerate, forum.RoleAdmin: forum.ScopeAdmin}
	for name, rule := range ruledMutations(t) {
		known[name] = true
		if want, ok := of[roles[name]]; rule.Scope != forum.SessionOnly && !rule.Scope.IsValid() || ok && rule.Scope != want {
			t.Errorf("the rule of %s has the scope %q; want one, and %q if that is not empty", name, rule.Scope, want)
		}
		in := schema.Types[schema.Mutation.Fields.ForName(name).Arguments[0].Type.Name()].Fields
		asks := name != "register" && name != "login" && (in.ForName("password") != nil || in.ForName("currentPassword") != nil)
		if rule.Password != asks {
			t.Errorf("the rule of %s says %t of the password; want %t, as its input", name, rule.Password, asks)
		}
	}
	for name := range graph.MutationRules {
		if !known[name] {
			t.Errorf("there is no mutation %s, but a rule for it", name)
		}
	}
	for _, f := range gqltext.Schema(t).Mutation.Fields {
		if !known[f.Name] {
			t.Errorf("the mutation %s has no rule", f.Name)
		}
	}
}

// Each mutation counts against the rate of its rule, also if its input is wrong, and a refused one leaves nothing. Kinds
// are counted separately, and so are viewers.
func TestRatesOfWrites(t *testing.T) {
	testlevel.Usual(t)
	b := newFullSite(t)
	root := b.admin("ada")
	other := b.admin("ida")
	for name, rule := range ruledMutations(t) {
		in := leastInputOf(t, name)
		rates := ratelimit.Rates{}
		for kind := range ratelimit.Defaults() {
			rates[kind] = 1_000
		}
		rates[ratelimit.Cost] = 0 // a request costs hundreds
		if rates[rule.Rate] = 2; rule.Rate == "" {
			continue
		}
		b.options.Resolver.Rates = ratelimit.New(rates, b.clock.Now)
		for range 2 {
			if got := b.mutate(root, name, in, "").verdict(); got == "RATE_LIMITED " {
				t.Errorf("%s is refused with %q at first", name, got)
			}
		}
		b.settle()
		before := b.contents()
		a := b.mutate(root, name, in, "errors { ... on RateLimitedError { retryAfterSeconds } }")
		b.wantVerdict(name+" the third time", a, "RATE_LIMITED ")
		wantEqual(t, name+": retryAfterSeconds", a.number(name, "errors", 0, "retryAfterSeconds"), 30)
		b.wantUntouched(name, before, a)
		if got := b.mutate(other, name, in, "").verdict(); got == "RATE_LIMITED " {
			t.Errorf("%s by another user is refused with %q", name, got)
		}
		b.clock.Advance(30 * time.Second)
		if got := b.mutate(root, name, in, "").verdict(); got == "RATE_LIMITED " {
			t.Errorf("%s half a minute later is refused with %q", name, got)
		}
	}
}

// A mutation that asks for the viewer's password does nothing without it.
func TestMutationsAskForThePassword(t *testing.T) {
	b := newFullSite(t)
	valid := input{"email": "other@example.org", "login": "other", "newPassword": "a better one", "password": "a wrong one",
		"currentPassword": "a wrong one"}
	for name, rule := range ruledMutations(t) {
		if !rule.Password {
			continue
		}
		in := input{}
		for field := range leastInputOf(t, name) {
			in[field] = valid[field]
		}
		a := b.mutate(b.ann, name, in, "")
		if got := a.verdict(); !strings.HasPrefix(got, "WRONG_CREDENTIALS ") {
			t.Errorf("%s with a wrong password: %q; want WRONG_CREDENTIALS", name, got)
		}
		b.wantVerdict("login after "+name, b.mutate("", "login",
			input{"identifier": "ann", "password": "a good password"}, ""), "")
	}
}
