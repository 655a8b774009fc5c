package graph_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/redis/go-redis/v9"
	"github.com/vektah/gqlparser/v2/ast"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/test/gqltext"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
)

// closed makes a site one for members.
func (s *site) closed(admin string) {
	s.t.Helper()
	s.registrationIs(admin, "INVITE")
	a := s.mutate(admin, "updateRules", input{"access": "MEMBERS"}, "site { access }")
	wantEqual(s.t, "access", a.text("updateRules", "site", "access"), "MEMBERS")
}

// reads returns the commands that a site has sent to Redis since, but for those with which it reads its rules.
func (s *site) reads() func() []string {
	var mu sync.Mutex
	var all []string
	s.redis.AddHook(redistest.Hook(func(ctx context.Context, cmds []redis.Cmder, next redis.ProcessPipelineHook) error {
		mu.Lock()
		defer mu.Unlock()
		for _, cmd := range cmds {
			if text := fmt.Sprint(cmd.Args()...); !strings.Contains(text, "{mod}:rules") {
				all = append(all, text)
			}
		}
		return next(ctx, cmds)
	}))
	return func() []string {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(all)
	}
}

// A guest of a site for members is refused every field of the roots and of the site, but for those that one needs in
// order to sign in. Nothing is read for it.
func TestGuestsOfASiteForMembers(t *testing.T) {
	b := newFullSite(t)
	b.closed(b.admin("ada"))
	free := []string{"Query.viewer", "Query.site", "Site.name", "Site.access", "Site.registration", "Site.signIn",
		"Mutation.login", "Mutation.register"}
	schema, tried := gqltext.Schema(t), 0
	b.settle()
	read := b.reads()
	ask := func(document string) answer {
		if !strings.HasPrefix(document, "subscription") {
			return b.ask("", document, nil)
		}
		a, _ := b.subscribe("", document, nil).next()
		return a
	}
	try := func(of *ast.Definition, around string) {
		for _, f := range of.Fields {
			s := scoped{in: around, of: of, field: f}
			if strings.HasPrefix(f.Name, "__") || slices.Contains(free, of.Name+"."+f.Name) {
				continue
			}
			tried++
			a := ask(s.document(t, schema))
			if a.code() != "UNAUTHENTICATED" || a.Data != nil || len(a.Errors) != 1 {
				t.Errorf("%s.%s: %s; want UNAUTHENTICATED and nothing else", of.Name, f.Name, a.body)
			}
		}
	}
	try(schema.Query, "query { viewer { id } %s }")
	try(schema.Types["Site"], "query q { ...s } fragment s on Query { site { name ... on Site { %s } } }")
	try(schema.Query, `mutation { login(input: {identifier: "ann", password: "wrong"}) { query { %s } } }`)
	try(schema.Mutation, "mutation { %s }")
	try(schema.Subscription, "subscription { %s }")
	if all := read(); tried < 110 || len(all) > 0 {
		t.Errorf("%d fields were tried, and this was read: %q", tried, all)
	}
	a := b.must("", `{ __typename __schema { queryType { name } } viewer { id }
		site { __typename name access registration signIn { local issuers page } } }`, nil)
	wantEqual(t, "what guests see", a.text("site", "access")+" "+a.text("site", "registration"), "MEMBERS INVITE")
}

// Members see a site for members as they would another one. Whoever may not use the account is a guest.
func TestMembersOfASiteForMembers(t *testing.T) {
	b := newFullSite(t)
	ada, eve, dan := b.admin("ada"), b.user("eve"), b.user("dan")
	const front = "{ categories { nodes { name } } }"
	program := b.apiToken(b.ann, forum.ScopeRead)
	sees := func(token string) any { return b.must(token, front, nil).at("categories") }
	before := sees(b.ann)
	b.closed(ada)
	wantEqual(t, "a member", sees(b.ann), before)
	wantEqual(t, "a member's program", sees(program), before)
	a := b.mutate("", "login", input{"identifier": "ann", "password": "a good password"}, "token viewer { user { login } }")
	wantEqual(t, "signed in", sees(a.text("login", "token")), before)
	wantEqual(t, "who signed in", a.text("login", "viewer", "user", "login"), "ann")

	b.wantVerdict("ban", b.mutate(ada, "ban", input{"userId": b.userID(eve), "reason": "SPAM"}, ""), "")
	b.wantVerdict("deactivate", b.mutate(ada, "deactivateUser", input{"userId": b.userID(dan)}, ""), "")
	for name, token := range map[string]string{"banned": eve, "deactivated": dan} {
		wantEqual(t, name, b.ask(token, front, nil).code(), "UNAUTHENTICATED")
	}
}

// A site for members is not closed at all if anybody can register: that must be meant.
func TestSiteForMembersWithOpenRegistration(t *testing.T) {
	s := newSite(t)
	ada := s.admin("ada")
	set := func(in input) answer { return s.mutate(ada, "updateRules", in, "site { access registration }") }
	s.wantVerdict("closed", set(input{"access": "MEMBERS"}), "INVALID input.access")
	s.wantVerdict("both", set(input{"access": "MEMBERS", "registration": "OPEN"}), "INVALID input.access")
	s.wantVerdict("by invitation", set(input{"access": "MEMBERS", "registration": "INVITE"}), "")
	s.wantVerdict("opened", set(input{"registration": "OPEN"}), "INVALID input.registration")
	s.wantVerdict("meant", set(input{"registration": "OPEN", "allowOpenRegistration": true}), "")
	s.wantVerdict("another rule", set(input{"heldPosts": 1}), "")
	s.wantVerdict("open to everybody", set(input{"access": "EVERYBODY"}), "")
	s.wantVerdict("closed by a revert", s.revert(ada, s.latestAct(ada)), "INVALID input.actId")
	wantEqual(t, "guests", s.must("", "{ categories { nodes { name } } }", nil).code(), "")
}

// What runs for a guest ends once a process knows that the site was closed, by itself or by another process, and shows
// nothing that happened since.
func TestSubscriptionsOfGuestsEnd(t *testing.T) {
	for name, elsewhere := range map[string]bool{"by this process": false, "by another one": true} {
		t.Run(name, func(t *testing.T) {
			b := newFullSite(t)
			ada := b.admin("ada")
			b.registrationIs(ada, "INVITE")
			query := fmt.Sprintf(`subscription { commentAdded(topic: {id: %q}) { comment { content } } }`, b.topic)
			guest, member := b.subscribe("", query, nil), b.subscribe(b.ann, query, nil)
			if elsewhere {
				other := must.Do(store.Open(t.Context(), store.Over(b.redis), store.Layout{}, store.WithClock(b.clock.Now)))(t)
				t.Cleanup(other.Close)
				must.OK(t, other.Rules.Update(t.Context(), nil, map[string]int{"access": 1}, false))
				must.Do(b.store.Engine.Sweep(t.Context()))(t)
			} else {
				b.mutate(ada, "updateRules", input{"access": "MEMBERS"}, "")
			}
			a, ok := guest.next()
			if !ok || a.code() != "UNAUTHENTICATED" || a.Data != nil {
				t.Errorf("a guest's subscription: %s; want UNAUTHENTICATED", a.body)
			}
			if a, ok := guest.next(); ok {
				t.Errorf("a guest's subscription goes on: %s", a.body)
			}
			b.site.comment(b.bob, b.topic, "", "among us")
			if a, ok := member.next(); !ok || !strings.Contains(a.body, "among us") {
				t.Errorf("a member's subscription: %s", a.body)
			}
		})
	}
}
