package graph_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/test/gqltext"
)

// poster is a mutation that posts texts of an object, with the other fields of its input.
type poster struct {
	mutation string
	others   input
}

// postedOf are the texts of the objects of a type that members write, and the mutations that post them.
type postedOf struct {
	object  string
	texts   map[string]forum.Posted
	posters []poster
}

func (b *fullSite) posted() []postedOf {
	article := input{"kind": "ARTICLE", "title": "A title", "link": "https://a.example/"}
	return []postedOf{
		{"user", catalogue.User.Posted(), []poster{
			{"updateProfile", input{}}, {"changeLogin", input{"password": "a good password"}}}},
		{"topic", catalogue.Topic.Posted(), []poster{
			{"createTopic", article}, {"updateTopic", input{"topicId": b.topic}}}},
		{"comment", catalogue.Comment.Posted(), []poster{
			{"createComment", input{"topicId": b.topic}}, {"updateComment", input{"commentId": b.comment}}}},
	}
}

// posts calls f for each way in which a text can be posted. Each text needs one.
func (b *fullSite) posts(f func(name string, p forum.Posted, by poster)) {
	b.t.Helper()
	schema := gqltext.Schema(b.t)
	for _, of := range b.posted() {
		for _, field := range slices.Sorted(maps.Keys(of.texts)) {
			p, ways := of.texts[field], 0
			for _, by := range of.posters {
				if schema.Types[strings.ToUpper(by.mutation[:1])+by.mutation[1:]+"Input"].Fields.ForName(p.Input) != nil {
					ways++
					f(fmt.Sprintf("%s.%s by %s", of.object, field, by.mutation), p, by)
				}
			}
			if ways == 0 {
				b.t.Errorf("%s.%s is a text that members write, but no input of %v has a field %s", of.object, field, of.posters,
					p.Input)
			}
		}
	}
}

// A text that members write is bounded, is one of its form, and has nothing of the blocklist, wherever it is posted.
func TestPostedTexts(t *testing.T) {
	b := newFullSite(t)
	for kind, entry := range map[string]string{"WORD": "viagra", "DOMAIN": "spam.example"} {
		b.wantVerdict("block", b.mutate(b.mod, "updateBlocklist", input{"kind": kind, "add": []string{entry}}, ""), "")
	}
	b.posts(func(name string, p forum.Posted, by poster) {
		path := "input." + p.Input
		value := func(s string) any { return s }
		if p == forum.PostedTag {
			path, value = path+".0", func(s string) any { return []string{s} }
		}
		refused := func(want, s string) {
			t.Helper()
			b.wantVerdict(name, b.mutate(b.ann, by.mutation, with(by.others, p.Input, value(s)), ""), want+" "+path)
		}
		blocked := "viagra"
		if p.Form == forum.FormAddress {
			blocked = "https://spam.example/"
		}
		refused("BLOCKED_TEXT", blocked)
		refused("INVALID", blocked[:3]+"\x00")
		refused("TOO_LONG", strings.Repeat("a", p.Most+1))
		for _, host := range []string{"spam.example.", "ＳＰＡＭ．example", "a.spam。example", "sp\u00adam.ex%61mple", "spam%2eexample"} {
			switch {
			case p.Form == forum.FormAddress:
				refused("BLOCKED_TEXT", "https://"+host+"/")
				continue
			case p.Form == forum.FormText || p.Form == forum.FormMarkup:
				refused("BLOCKED_TEXT", "[x](https://"+host+"/)")
			case p == forum.PostedLogin || p == forum.PostedTag: // which may not have most of these characters
				continue
			}
			refused("BLOCKED_TEXT", "See "+host)
		}
	})
}

// What is reported is copied for moderators, with each text that a member wrote.
func TestPostedTextsAreCopied(t *testing.T) {
	b := newFullSite(t)
	marks := map[string]string{} // by what has them
	mark := func(name string, p forum.Posted) any {
		s := fmt.Sprintf("Mark%d", len(marks))
		marks[name] = s
		switch {
		case p.Form == forum.FormAddress:
			return "https://a.example/" + s
		case p == forum.PostedTag:
			return []string{s}
		}
		return s
	}
	inputs := map[string]input{}
	var order []string
	b.posts(func(name string, p forum.Posted, by poster) {
		if by.mutation == "updateTopic" || by.mutation == "updateComment" {
			return
		}
		if inputs[by.mutation] == nil {
			inputs[by.mutation], order = by.others, append(order, by.mutation)
		}
		inputs[by.mutation] = with(inputs[by.mutation], p.Input, mark(name, p))
	})
	subjects := []string{userID(b.ann)}
	for _, mutation := range order {
		made := map[string]string{"createTopic": "topic", "createComment": "comment"}[mutation]
		selection := ""
		if made != "" {
			selection = made + " { id }"
		}
		a := b.mutate(b.ann, mutation, inputs[mutation], selection)
		b.wantVerdict(mutation, a, "")
		if made != "" {
			subjects = append(subjects, a.text(mutation, made, "id"))
		}
	}
	for _, subject := range subjects {
		b.wantVerdict("report", b.report(b.bob, subject), "")
	}
	fields := strings.Join(leaves(gqltext.Schema(t).Types["Evidence"]), " ")
	copies := string(b.must(b.mod, `{ reportQueue { nodes { evidence { `+fields+` } } } }`, nil).body)
	for name, s := range marks {
		if !strings.Contains(copies, s) && !strings.Contains(copies, strings.ToLower(s)) {
			t.Errorf("no copy for moderators shows %s: see include/evidence.lua, record.ParseEvidence and type Evidence", name)
		}
	}
}

// leaves returns the names of a type's fields that are not users.
func leaves(typ *ast.Definition) (names []string) {
	for _, f := range typ.Fields {
		if f.Type.Name() != "User" {
			names = append(names, f.Name)
		}
	}
	return names
}
