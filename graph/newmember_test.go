package graph_test

import (
	"fmt"
	"strings"
	"testing"

	"agora/internal/test/gqltext"
)

// What was approved does not become another text while further posts would be held.
func TestEditsOfNewMembersWait(t *testing.T) {
	b := newFullSite(t)
	b.setRules(input{"newMemberKarma": 1_000, "heldPosts": 2})
	eve := b.user("eve")
	topic := b.mutate(eve, "createTopic", input{"title": "Tea", "content": "Nice", "category": input{"id": b.tea}},
		"topic { id }").text("createTopic", "topic", "id")
	comment := b.tries(eve, "Nice").text("createComment", "comment", "id")
	approve := func(id string) {
		b.wantVerdict("approve", b.mutate(b.mod, "moderate",
			input{"subjectId": id, "action": "RESTORE", "reason": "OTHER"}, ""), "")
		b.settle()
	}
	edits := func() string {
		return strings.Join([]string{
			b.mutate(eve, "updateTopic", input{"topicId": topic, "content": "Buy now"}, "").verdict(),
			b.mutate(eve, "tagTopic", input{"topicId": topic, "add": []string{"Buy"}}, "").verdict(),
			b.mutate(eve, "updateComment", input{"commentId": comment, "content": "Buy now"},
				newMemberError).verdict()}, ",")
	}
	approve(topic)
	before := b.contents()
	wantEqual(t, "one of two approved", edits(), "NEW_MEMBER ,NEW_MEMBER ,NEW_MEMBER ")
	b.wantUntouched("edits", before, answer{})
	approve(comment)
	wantEqual(t, "both approved", edits(), "NEW_MEMBER ,,NEW_MEMBER ")
	b.setRules(input{"heldPosts": 0})
	wantEqual(t, "nothing is held", edits(), ",,")
}

// Most of an approved post stays what was approved, however many small edits are made, and from its first minute on; its
// link leads to the same site. What was never held, and posts of members who are not new, are edited as before.
func TestApprovedPostsStayWhatTheyAre(t *testing.T) {
	b := newFullSite(t)
	b.setRules(input{"newMemberKarma": 1_000, "heldPosts": 1})
	eve := b.user("eve")
	words := strings.Fields("The teapot that I bought in Uji last spring has a crack and drips on the table can it be mended")
	topic := b.mutate(eve, "createTopic", input{"kind": "ARTICLE", "title": "My teapot", "content": strings.Join(words, " "),
		"link": "https://tea.example/pot"}, "topic { id }").text("createTopic", "topic", "id")
	b.wantVerdict("approve", b.mutate(b.mod, "moderate",
		input{"subjectId": topic, "action": "RESTORE", "reason": "OTHER"}, ""), "")
	b.settle()
	edit := func(change input) string {
		b.clock.Advance(second)
		return b.mutate(eve, "updateTopic", with(change, "topicId", topic), "").verdict()
	}
	wantEqual(t, "another link", edit(input{"link": "https://spam.example/"}), "NEW_MEMBER ")
	wantEqual(t, "the same site", edit(input{"link": "https://tea.example/pot2"}), "")
	wantEqual(t, "another text", edit(input{"content": "Buy cheap watches today, at the best prices in the whole world"}),
		"NEW_MEMBER ")
	wantEqual(t, "an appendix", edit(input{"content": strings.Join(words, " ") + strings.Repeat(" Buy cheap watches.", 9)}),
		"NEW_MEMBER ")
	changed := 0
	for i := range words {
		words[i] = "spam"
		if edit(input{"content": strings.Join(words, " ")}) != "" {
			break
		}
		changed++
	}
	if changed < 3 || changed > len(words)/2+2 {
		t.Errorf("%d of %d words were replaced one by one; want some, and about half at most", changed, len(words))
	}
	later := b.tries(eve, "Nice").text("createComment", "comment", "id")
	b.wantVerdict("what was never held", b.mutate(eve, "updateComment",
		input{"commentId": later, "content": "Another text"}, ""), "")
}

// The page of a new member is shown to the member and to moderators; links of the profile count as those of posts.
func TestProfilesOfNewMembers(t *testing.T) {
	b := newFullSite(t)
	eve := b.user("eve")
	b.wantVerdict("website", b.mutate(eve, "updateProfile", input{"website": "https://spam.example/"}, ""), "")
	website := func(token string) any {
		return b.must(token, `{ user(by: {login: "eve"}) { website } }`, nil).at("user", "website")
	}
	wantEqual(t, "without rules", website(b.bob), any("https://spam.example/"))
	b.setRules(input{"newMemberKarma": 1_000, "newMemberLinks": 0})
	for who, token := range map[string]string{"a guest": "", "a member": b.bob} {
		wantEqual(t, "seen by "+who, website(token), nil)
	}
	for _, token := range []string{eve, b.mod} {
		wantEqual(t, "seen by its owner and moderators", website(token), any("https://spam.example/"))
	}
	for field, value := range map[string]string{"bio": "buy http://spam.example", "website": "https://b.example/"} {
		b.wantVerdict(field, b.mutate(eve, "updateProfile", input{field: value}, ""), "NEW_MEMBER ")
	}
	b.wantVerdict("no link", b.mutate(eve, "updateProfile", input{"bio": "Tea"}, ""), "")
}

// Moderators of categories are staff, whose names nobody else has.
func TestNamesOfCategoryModerators(t *testing.T) {
	b := newFullSite(t)
	cat := b.user("catmod")
	root := b.admin("ada")
	b.wantVerdict("of a member", b.mutate(b.bob, "updateProfile", input{"name": "C a t m o d"}, ""), "")
	b.wantVerdict("appoint", b.mutate(root, "setCategoryModerators",
		input{"category": input{"id": b.tea}, "add": []string{userID(cat)}}, ""), "")
	b.wantVerdict("of staff", b.mutate(b.bob, "updateProfile", input{"name": "ｃatmod"}, ""), "INVALID input.name")
	b.wantVerdict("one's own", b.mutate(cat, "updateProfile", input{"name": "Catmod"}, ""), "")
}

// What is hidden from a viewer is refused with the words for what does not exist, by all mutations with a subjectId.
func TestSubjectsThatAreHiddenDoNotExist(t *testing.T) {
	b := newFullSite(t)
	b.setRules(input{"newMemberKarma": 1_000, "heldPosts": 1})
	eve := b.user("eve")
	held := b.tries(eve, "Held").text("createComment", "comment", "id")
	b.wantVerdict("hide", b.mutate(b.mod, "moderate",
		input{"subjectId": b.other, "action": "HIDE", "reason": "SPAM"}, ""), "")
	b.settle()
	schema, tried := gqltext.Schema(t), 0
	for _, f := range schema.Mutation.Fields {
		if len(f.Arguments) == 0 {
			continue
		}
		d := schema.Types[f.Arguments[0].Type.Name()]
		if d.Fields.ForName("subjectId") == nil {
			continue
		}
		tried++
		refused := func(id string) string {
			a := b.mutate(b.bob, f.Name, with(leastInput(schema, d), "subjectId", id), "")
			return fmt.Sprint(a.at(f.Name, "errors"), a.Errors)
		}
		for what, ids := range map[string][2]string{
			"a held comment":                 {held, gid("Comment", "77777")},
			"a comment of a hidden topic":    {b.foreign, gid("Comment", "77777")},
			"a comment of a deleted topic":   {b.lost, gid("Comment", "77777")},
			"a hidden topic":                 {b.other, gid("Topic", "77777")},
			"a deleted topic":                {b.deleted, gid("Topic", "77777")},
			"a comment that may be anything": {gid("Comment", "77777"), gid("Topic", "77777")},
		} {
			if got, want := refused(ids[0]), refused(ids[1]); got != want || !strings.Contains(got, "message") {
				t.Errorf("%s of %s: %s; what is missing: %s", f.Name, what, got, want)
			}
		}
	}
	if tried < 5 {
		t.Errorf("%d mutations have a subjectId; want 5 or more", tried)
	}
}
