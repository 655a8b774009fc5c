package graph_test

import (
	"encoding/json"
	"strings"
	"testing"

	"agora/internal/forum"
	"agora/internal/test/must"
)

const ofProfile = "viewer { user { name bio website avatarUrl } }"

// profile returns what everybody sees of a user.
func (s *site) profile(login string) string {
	s.t.Helper()
	a := s.must("", `query($l: String!) { user(by: {login: $l}) { name bio website avatarUrl } }`, input{"l": login})
	fields := must.Do(json.Marshal(a.at("user")))(s.t)
	return string(fields)
}

// Fields that are left out or null stay as they are, and the empty string removes all but the name.
func TestUpdateProfile(t *testing.T) {
	s := newSite(t)
	ann := s.user("ann")
	update := func(in input) answer { return s.mutate(ann, "updateProfile", in, ofProfile) }
	const first = `{"avatarUrl":null,"bio":"","name":"ann","website":null}`
	wantEqual(t, "a new account", s.profile("ann"), first)
	tests := []struct {
		name string
		in   input
		want string
	}{
		{"all fields", input{"name": " Ann Lee ", "bio": "Tea.\r\nAnd *more* tea", "website": "https://ann.example/",
			"avatarUrl": "http://img.example/ann.png?x=1"},
			`{"avatarUrl":"http://img.example/ann.png?x=1","bio":"Tea.\nAnd *more* tea","name":"Ann Lee","website":"https://ann.example/"}`},
		{"one field", input{"name": "Ann"},
			`{"avatarUrl":"http://img.example/ann.png?x=1","bio":"Tea.\nAnd *more* tea","name":"Ann","website":"https://ann.example/"}`},
		{"null", input{"name": nil, "bio": nil, "website": nil, "avatarUrl": nil},
			`{"avatarUrl":"http://img.example/ann.png?x=1","bio":"Tea.\nAnd *more* tea","name":"Ann","website":"https://ann.example/"}`},
		{"nothing", input{},
			`{"avatarUrl":"http://img.example/ann.png?x=1","bio":"Tea.\nAnd *more* tea","name":"Ann","website":"https://ann.example/"}`},
		{"an empty address", input{"avatarUrl": "", "website": "https://b.example"},
			`{"avatarUrl":null,"bio":"Tea.\nAnd *more* tea","name":"Ann","website":"https://b.example"}`},
		{"empty fields", input{"bio": "", "website": "", "avatarUrl": ""},
			`{"avatarUrl":null,"bio":"","name":"Ann","website":null}`},
	}
	for _, tt := range tests {
		a := update(tt.in)
		s.wantVerdict(tt.name, a, "")
		shown, _ := json.Marshal(a.at("updateProfile", "viewer", "user"))
		wantEqual(t, tt.name+": the payload", string(shown), tt.want)
		wantEqual(t, tt.name+": others see", s.profile("ann"), tt.want)
	}
}

func TestUpdateProfileRefusesBadInput(t *testing.T) {
	s := newSite(t)
	ann := s.user("ann")
	s.moderator("mia")
	s.wantVerdict("at the limits", s.mutate(ann, "updateProfile", input{"name": strings.Repeat("ä", forum.MaxName),
		"bio": strings.Repeat("ä", forum.MaxBio), "website": "https://a.b/" + strings.Repeat("x", forum.MaxLink-12),
		"avatarUrl": "https://a.b/" + strings.Repeat("x", forum.MaxLink-12)}, ""), "")
	s.settle()
	before := s.contents()
	tests := []struct {
		name string
		in   input
		want string
	}{
		{"a long name", input{"name": strings.Repeat("ä", forum.MaxName+1)}, "TOO_LONG input.name"},
		{"no name", input{"name": " "}, "TOO_SHORT input.name"},
		{"a staff member's name", input{"name": "mіa", "bio": "x"}, "INVALID input.name"},
		{"a reserved name", input{"name": "admin"}, "INVALID input.name"},
		{"two lines of name", input{"name": "a\u2028b"}, "INVALID input.name"},
		{"a long text", input{"bio": strings.Repeat("ä", forum.MaxBio+1)}, "TOO_LONG input.bio"},
		{"a control character", input{"bio": "a\x00b", "website": "https://a.b/"}, "INVALID input.bio"},
		{"a script", input{"website": "javascript:alert(1)"}, "INVALID input.website"},
		{"no host", input{"avatarUrl": "https:///?x"}, "INVALID input.avatarUrl"},
		{"data", input{"avatarUrl": "data:image/png;base64,AAAA"}, "INVALID input.avatarUrl"},
		{"a password in a link", input{"avatarUrl": "https://a:b@c.d/"}, "INVALID input.avatarUrl"},
		{"a space", input{"website": " "}, "INVALID input.website"},
		{"a long link", input{"website": "https://a.b/" + strings.Repeat("x", forum.MaxLink-11)}, "TOO_LONG input.website"},
		{"all at once", input{"name": "", "bio": "\x01", "website": "x", "avatarUrl": "y"},
			"TOO_SHORT input.name; INVALID input.bio; INVALID input.website; INVALID input.avatarUrl"},
	}
	for _, tt := range tests {
		a := s.mutate(ann, "updateProfile", tt.in, ofProfile)
		s.wantVerdict(tt.name, a, tt.want)
		wantEqual(t, tt.name+": the viewer", a.at("updateProfile", "viewer"), nil)
		s.wantUntouched(tt.name, before, answer{})
	}
	s.wantVerdict("signed out", s.mutate("", "updateProfile", input{"bio": "x"}, ""), "UNAUTHENTICATED")
}

// A name that later looks like a staff member's may be kept, and staff may have any.
func TestANameMayBeKept(t *testing.T) {
	s := newSite(t)
	ann, mia := s.user("ann"), s.user("mia")
	s.wantVerdict("before", s.mutate(ann, "updateProfile", input{"name": "mia"}, ""), "")
	s.promote(mia, forum.RoleModerator)
	s.wantVerdict("kept", s.mutate(ann, "updateProfile", input{"name": "mia", "bio": "x"}, ""), "")
	s.wantVerdict("again, in capitals", s.mutate(ann, "updateProfile", input{"name": "MIA"}, ""), "INVALID input.name")
	s.wantVerdict("of staff", s.mutate(mia, "updateProfile", input{"name": "MIA"}, ""), "")
}

// Who deletes the account loses the profile, and the ghost has none.
func TestDeletedAccountsHaveNoProfile(t *testing.T) {
	b := newFullSite(t)
	b.wantVerdict("update", b.mutate(b.ann, "updateProfile", input{"name": "Ann Secret", "bio": "secret",
		"website": "https://secret.example/", "avatarUrl": "https://secret.example/a.png"}, ""), "")
	b.wantVerdict("delete", b.mutate(b.ann, "deleteAccount", input{"password": "a good password"}, ""), "")
	b.settle()
	for k, v := range b.contents() {
		if strings.Contains(strings.ToLower(v), "secret") {
			t.Errorf("%s holds %q after the account was deleted", k, v)
		}
	}
	a := b.must("", `query($id: ID!) { node(id: $id) { ... on Topic { author { name bio website avatarUrl } } } }`,
		input{"id": b.topic})
	author, _ := json.Marshal(a.at("node", "author"))
	wantEqual(t, "the ghost", string(author), `{"avatarUrl":null,"bio":"","name":"Ghost","website":null}`)
}

// An account says itself that a program posts with it; what is left out or null changes nothing.
func TestBots(t *testing.T) {
	s := newSite(t)
	ann := s.user("ann")
	for _, tt := range []struct {
		in   input
		want bool
	}{
		{input{"bio": "Tea"}, false}, {input{"isBot": true}, true}, {input{"bio": "Coffee"}, true}, {input{"isBot": nil}, true},
		{input{"isBot": false}, false},
	} {
		a := s.mutate(ann, "updateProfile", tt.in, "viewer { user { isBot } }")
		wantEqual(t, "the payload", a.at("updateProfile", "viewer", "user", "isBot"), any(tt.want))
		shown := s.must("", `{ user(by: {login: "ann"}) { isBot } }`, nil)
		wantEqual(t, "what others see", shown.at("user", "isBot"), any(tt.want))
	}
}
