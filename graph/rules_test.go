package graph_test

import (
	"strings"
	"testing"
)

const allRules = `site { publicModerationLog showModerators rules { newMemberSeconds newMemberKarma newMemberLinks
	newMemberPostsPerDay newMemberMentions heldPosts refuseDuplicates registration invitationsBy memberList } }`

// rules are the rules of the site with some changed; none are set at first.
func rules(changed input) map[string]any {
	all := map[string]any{"newMemberSeconds": 0.0, "newMemberKarma": 0.0, "newMemberLinks": nil,
		"newMemberPostsPerDay": nil, "newMemberMentions": nil, "heldPosts": 0.0, "refuseDuplicates": false, "registration": "OPEN",
		"invitationsBy": "MODERATOR", "memberList": "EVERYBODY"}
	site := map[string]any{"publicModerationLog": false, "showModerators": false, "rules": all}
	for name, value := range changed {
		if _, of := all[name]; of {
			all[name] = value
		} else {
			site[name] = value
		}
	}
	return site
}

func TestUpdateRules(t *testing.T) {
	s := newSite(t)
	ada := s.admin("ada")
	wantEqual(t, "rules of a new site", s.must("", "{ "+allRules+" }", nil).at("site"), any(rules(nil)))
	steps := []struct {
		name    string
		change  input
		present input
	}{
		{"limits", input{"newMemberSeconds": 3600, "newMemberLinks": 0, "newMemberPostsPerDay": 5, "heldPosts": 2},
			input{"newMemberSeconds": 3600.0, "newMemberLinks": 0.0, "newMemberPostsPerDay": 5.0, "heldPosts": 2.0}},
		{"others stay", input{"newMemberKarma": 10, "newMemberSeconds": nil, "refuseDuplicates": true,
			"publicModerationLog": true, "showModerators": true, "memberList": "MODERATORS"},
			input{"newMemberSeconds": 3600.0, "newMemberLinks": 0.0, "newMemberPostsPerDay": 5.0, "heldPosts": 2.0,
				"newMemberKarma": 10.0, "refuseDuplicates": true, "publicModerationLog": true, "showModerators": true,
				"memberList": "MODERATORS"}},
		{"limits are lifted", input{"newMemberSeconds": 0, "newMemberLinks": -1, "newMemberMentions": 10, "heldPosts": 0,
			"refuseDuplicates": false, "newMemberKarma": 0, "showModerators": false, "memberList": "EVERYBODY"},
			input{"newMemberPostsPerDay": 5.0, "newMemberMentions": 10.0, "publicModerationLog": true}},
		{"nothing", input{}, input{"newMemberPostsPerDay": 5.0, "newMemberMentions": 10.0, "publicModerationLog": true}},
	}
	for _, step := range steps {
		a := s.mutate(ada, "updateRules", step.change, allRules)
		s.wantVerdict(step.name, a, "")
		wantEqual(t, step.name+": payload", a.at("updateRules", "site"), any(rules(step.present)))
		wantEqual(t, step.name, s.must("", "{ "+allRules+" }", nil).at("site"), any(rules(step.present)))
	}
	if !strings.Contains(s.log.String(), "event=rules-changed") ||
		!strings.Contains(s.log.String(), "rules.newMemberSeconds=3600") {
		t.Errorf("the security log does not say that rules were changed: %s", s.log)
	}
}

func TestUpdateRulesIsRefused(t *testing.T) {
	b := newFullSite(t)
	ada := b.admin("ada")
	b.settle()
	tests := []refusal{
		{"signed out", "", "updateRules", input{"heldPosts": 1}, "UNAUTHENTICATED"},
		{"a member", b.ann, "updateRules", input{"heldPosts": 1}, "FORBIDDEN"},
		{"a moderator", b.mod, "updateRules", input{"heldPosts": 1}, "FORBIDDEN"},
		{"two bad ones", ada, "updateRules", input{"newMemberSeconds": -1, "heldPosts": 101, "newMemberKarma": 5},
			"INVALID input.heldPosts; INVALID input.newMemberSeconds"},
	}
	for name, bad := range map[string][]int{"newMemberSeconds": {-1, 31_536_001}, "newMemberKarma": {-1, 1_000_001},
		"newMemberLinks": {-2, 101}, "newMemberPostsPerDay": {-2, 1001}, "newMemberMentions": {-2, 11},
		"heldPosts": {-1, 101}} {
		for _, value := range bad {
			tests = append(tests, refusal{name, ada, "updateRules", input{name: value}, "INVALID input." + name})
		}
	}
	b.wantRefused(tests)
}
