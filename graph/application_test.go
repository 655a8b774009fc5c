package graph_test

import "testing"

const applicationsQuery = `query ($state: ApplicationState) { applications(state: $state, first: 5) {
	totalCount nodes { userId login name text state rejection { reason note moderator { login } } } } }`

// applicants returns the logins of applications in a state.
func (s *site) applicants(moderator, state string) []string {
	s.t.Helper()
	logins := []string{}
	for _, n := range s.must(moderator, applicationsQuery, input{"state": state}).at("applications", "nodes").([]any) {
		logins = append(logins, n.(map[string]any)["login"].(string))
	}
	return logins
}

// applied is what somebody applies with, and the id of the user that it will be.
func (s *site) applied(login, moderator string) (in input, id string) {
	s.t.Helper()
	in = with(registration(login, login+"@example.com"), "application", "I like tea.")
	s.wantVerdict("register", s.mutate("", "register", in, "token"), "AWAITING_APPROVAL ")
	all := s.must(moderator, applicationsQuery, nil).at("applications", "nodes").([]any)
	return in, all[len(all)-1].(map[string]any)["userId"].(string)
}

func TestApplications(t *testing.T) {
	s := newSite(t)
	ada, eve := s.admin("ada"), s.user("eve")
	s.registrationIs(ada, "APPROVAL")
	bob, id := s.applied("bob", ada)
	carl, carlID := s.applied("carl", ada)
	s.wantVerdict("a repeated registration", s.mutate("", "register", bob, "token"),
		"TAKEN input.login; TAKEN input.email")
	login := input{"identifier": "bob", "password": bob["password"]}
	s.wantVerdict("sign in", s.mutate("", "login", login, ""), "AWAITING_APPROVAL ")
	s.wantVerdict("wrong password", s.mutate("", "login", with(login, "password", "wrong-horse-7"), ""),
		"WRONG_CREDENTIALS input.password")

	s.settle()
	wantEqual(t, "waiting", s.applicants(ada, "PENDING"), []string{"bob", "carl"})
	wantEqual(t, "one", s.must(ada, applicationsQuery, nil).at("applications", "nodes").([]any)[0], any(map[string]any{
		"userId": id, "login": "bob", "name": "bob", "text": "I like tea.", "state": "PENDING", "rejection": nil}))
	for name, token := range map[string]string{"members": eve, "the signed-out": ""} {
		a := s.ask(token, applicationsQuery, nil)
		wantEqual(t, "applications for "+name, a.at("applications"), nil)
		for _, query := range []string{`{ u: user(by: {login: "bob"}) { id } }`, `{ u: node(id: "` + id + `") { id } }`} {
			wantEqual(t, query+" for "+name, s.must(token, query, nil).at("u"), nil)
		}
	}
	wantEqual(t, "users", s.must(ada, `{ users(first: 9) { totalCount nodes { login } } }`, nil).at("users", "totalCount"),
		any(2.0))
	wantEqual(t, "count", s.must("", `{ site { userCount } }`, nil).at("site", "userCount"), any(2.0))
	for _, field := range []string{"follow", "block"} {
		in := map[string]input{"follow": {"targetId": id}, "block": {"userId": id}}[field]
		s.wantVerdict(field+" an applicant", s.mutate(eve, field, in, ""), "NOT_FOUND input."+map[string]string{
			"follow": "targetId", "block": "userId"}[field])
	}

	reject := input{"userId": id, "approve": false, "reason": "SPAM", "note": "No shops."}
	s.wantVerdict("a member", s.mutate(eve, "resolveApplication", reject, ""), "FORBIDDEN")
	a := s.mutate(ada, "resolveApplication", reject, "changed act { action reason note subjectId }")
	wantEqual(t, "reject", a.at("resolveApplication"), any(map[string]any{"changed": true, "errors": []any{},
		"act": map[string]any{"action": "REJECT_ACCOUNT", "reason": "SPAM", "note": "No shops.", "subjectId": id}}))
	a = s.mutate(ada, "resolveApplication", reject, "changed")
	wantEqual(t, "reject again", a.at("resolveApplication", "changed"), any(false))
	refused := s.must("", `mutation ($in: LoginInput!) { login(input: $in) {
		errors { code ... on RejectedError { reason note } } } }`, input{"in": login})
	wantEqual(t, "sign in", refused.at("login", "errors"),
		any([]any{map[string]any{"code": "APPLICATION_REJECTED", "reason": "SPAM", "note": "No shops."}}))
	s.settle()
	wantEqual(t, "waiting", s.applicants(ada, "PENDING"), []string{"carl"})
	wantEqual(t, "rejected", s.applicants(ada, "REJECTED"), []string{"bob"})

	s.wantVerdict("approve what was rejected",
		s.mutate(ada, "resolveApplication", input{"userId": id, "approve": true}, ""), "")
	token := s.mutate("", "login", login, "token").text("login", "token")
	seen := s.must(token, `{ viewer { user { login } notifications(first: 3) { nodes { act { action } } } } }`, nil)
	wantEqual(t, "viewer", seen.at("viewer"), any(map[string]any{"user": map[string]any{"login": "bob"},
		"notifications": map[string]any{"nodes": []any{map[string]any{"act": map[string]any{"action": "APPROVE_ACCOUNT"}}}}}))
	s.wantVerdict("reject what was approved", s.mutate(ada, "resolveApplication", reject, ""), "NOT_FOUND input.userId")
	wantEqual(t, "count", s.must("", `{ site { userCount } }`, nil).at("site", "userCount"), any(3.0))

	s.wantVerdict("an applicant withdraws", s.mutate("", "deleteAccount",
		input{"identifier": "carl", "password": carl["password"]}, ""), "")
	s.wantVerdict("approve what was withdrawn",
		s.mutate(ada, "resolveApplication", input{"userId": carlID, "approve": true}, ""), "NOT_FOUND input.userId")
	s.wantVerdict("the login is free", s.mutate("", "register", carl, ""), "AWAITING_APPROVAL ")
	s.settle()
	wantEqual(t, "waiting", s.applicants(ada, "PENDING"), []string{"carl"})
	wantEqual(t, "rejected", s.applicants(ada, "REJECTED"), []string{})
}

func TestApplicationPages(t *testing.T) {
	s := newSite(t)
	ada := s.admin("ada")
	s.registrationIs(ada, "APPROVAL")
	for _, login := range []string{"zoe", "bob", "mia"} { // not in the order of their logins
		s.applied(login, ada)
		s.clock.Advance(second)
	}
	query := `query ($first: Int, $after: String, $last: Int, $before: String) {
		applications(first: $first, after: $after, last: $last, before: $before) {
			totalCount edges { cursor node { login } } pageInfo { hasNextPage hasPreviousPage } } }`
	var logins []string
	args := input{"first": 2}
	for range 2 {
		a := s.must(ada, query, args)
		wantEqual(t, "totalCount", a.number("applications", "totalCount"), 3)
		for i := range a.at("applications", "edges").([]any) {
			logins = append(logins, a.text("applications", "edges", i, "node", "login"))
			args["after"] = a.text("applications", "edges", i, "cursor")
		}
		wantEqual(t, "hasNextPage", a.at("applications", "pageInfo", "hasNextPage"), any(len(logins) == 2))
	}
	wantEqual(t, "logins", logins, []string{"zoe", "bob", "mia"})
	a := s.must(ada, query, input{"last": 1, "before": args["after"]})
	wantEqual(t, "before the last", a.text("applications", "edges", 0, "node", "login"), "bob")
	wantEqual(t, "a made-up cursor", s.ask(ada, query, input{"after": "x"}).code(), "CURSOR_INVALID")
}

// An invitation makes approval needless; a repeated registration answers as the first did, whatever became of it.
func TestApplicationsAndInvitations(t *testing.T) {
	s := newSite(t)
	ada := s.admin("ada")
	s.registrationIs(ada, "APPROVAL")
	_, code := s.invite(ada, input{})
	s.wantVerdict("with an invitation", s.mutate("", "register", invited("ann", code), ""), "")
	in := with(with(registration("bob", "bob@example.com"), "idempotencyKey", "k"), "application", "I like tea.")
	s.wantVerdict("register", s.mutate("", "register", in, ""), "AWAITING_APPROVAL ")
	s.wantVerdict("again", s.mutate("", "register", in, ""), "AWAITING_APPROVAL ")
	s.settle()
	id := s.must(ada, applicationsQuery, nil).at("applications", "nodes").([]any)[0].(map[string]any)["userId"]
	s.wantVerdict("approve", s.mutate(ada, "resolveApplication", input{"userId": id, "approve": true}, ""), "")
	s.wantVerdict("again", s.mutate("", "register", in, ""), "")
	s.registrationIs(ada, "OPEN")
	s.wantVerdict("again, once everybody may register", s.mutate("", "register", in, ""), "")
	eve := with(registration("eve", "eve@example.com"), "application", "Hi")
	s.wantVerdict("elsewhere", s.mutate("", "register", eve, ""), "")
	s.settle()
}

// A moderator who rejects an account can free its names at once, also later.
func TestRejectedNamesAreFreed(t *testing.T) {
	s := newSite(t)
	ada, mia := s.admin("ada"), s.moderator("mia")
	s.registrationIs(ada, "APPROVAL")
	bob, id := s.applied("bob", mia)
	resolve := func(in input) answer {
		return s.mutate(mia, "resolveApplication", with(in, "userId", id), "changed act { action }")
	}
	s.wantVerdict("approve and forget", resolve(input{"approve": true, "forget": true}), "INVALID input.forget")
	s.wantVerdict("reject", resolve(input{"approve": false}), "")
	s.wantVerdict("the names", s.mutate("", "register", bob, "token"), "TAKEN input.login; TAKEN input.email")
	a := resolve(input{"approve": false, "forget": true})
	s.wantVerdict("forget", a, "")
	wantEqual(t, "changed", a.at("resolveApplication", "changed"), any(true))
	wantEqual(t, "act", a.text("resolveApplication", "act", "action"), "REJECT_ACCOUNT")
	s.wantVerdict("forget again", resolve(input{"approve": false, "forget": true}), "NOT_FOUND input.userId")
	s.wantVerdict("the names", s.mutate("", "register", bob, "token"), "AWAITING_APPROVAL ")
	s.settle()
}
