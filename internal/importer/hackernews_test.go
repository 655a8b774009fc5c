package importer

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agora/internal/forum"
)

func TestReadHackerNews(t *testing.T) {
	ann := Person{ID: "name:Ann_1", Name: "Ann_1"}
	article := func(change func(*Topic)) *Topic {
		a := Topic{ID: "7", Kind: forum.Article, Title: "T", Format: forum.HTML, Author: ann, CreatedAt: 1_454_123_584_000}
		change(&a)
		return &a
	}
	comment := Comment{
		ID:        "8",
		Parent:    "7",
		Author:    ann,
		Content:   "a<p>b",
		Format:    forum.HTML,
		CreatedAt: 1_454_123_584_000,
	}
	orphan := comment
	orphan.Author, orphan.Content = Person{}, ""
	const usual = `"id":7,"by":"Ann_1","time":1454123584,"title":"T",`
	tests := []struct {
		name  string
		value string
		want  Record
	}{
		{
			"story with a link",
			`{` + usual + `"type":"story","url":"http://example.org/","score":65,"descendants":3,"kids":[8,9]}`,
			Record{Topic: article(func(a *Topic) { a.Link, a.Upvotes = "http://example.org/", 65 })},
		},
		{"story with a text", `{` + usual + `"type":"story","text":"a<p>b&#x27;s","score":-3}`,
			Record{Topic: article(func(a *Topic) { a.Content, a.Downvotes = "a<p>b&#x27;s", 3 })}},
		{"with both", `{` + usual + `"type":"story","text":"a","url":"http://example.org/"}`,
			Record{Topic: article(func(a *Topic) { a.Content, a.Link = "a", "http://example.org/" })}},
		{"with neither", `{` + usual + `"type":"story","url":""}`, Record{Topic: article(func(*Topic) {})}},
		{"invalid link", `{` + usual + `"type":"story","url":"ftp://example.org/"}`,
			Record{Topic: article(func(*Topic) {}), Changes: Changes{Links: 1}}},
		{"job", `{` + usual + `"type":"job"}`, Record{Topic: article(func(*Topic) {})}},
		{"poll", `{` + usual + `"type":"poll","parts":[9]}`, Record{Topic: article(func(*Topic) {})}},
		{"dead", `{` + usual + `"type":"story","dead":true}`, Record{Skipped: "dead", SkippedID: "7"}},
		{"flagged", `{` + usual + `"type":"story","flagged":true}`, Record{Skipped: "flagged", SkippedID: "7"}},
		{"flagged in words", `{"id":8,"type":"comment","parent":7,"text":"[flagged]","time":1454123584}`,
			Record{Skipped: "flagged", SkippedID: "8", SkippedParent: "7"}},
		{"without an author", `{"id":7,"time":1454123584,"title":"T","type":"story"}`,
			Record{Topic: article(func(a *Topic) { a.Author = Person{} })}},
		{"deleted", `{"id":7,"kids":[8],"time":1454123584,"type":"story","deleted":true,"dead":true}`,
			Record{Skipped: "deleted", SkippedID: "7"}},
		{"poll option", `{` + usual + `"type":"pollopt","poll":6,"text":"a"}`, Record{Skipped: "pollopt", SkippedID: "7"}},
		{
			"comment",
			`{"id":8,"type":"comment","by":"Ann_1","parent":7,"text":"a<p>b","time":1454123584}`,
			Record{Comment: &comment},
		},
		{
			"comment without author and text",
			`{"id":8,"type":"comment","parent":7,"time":1454123584}`,
			Record{Comment: &orphan},
		},
		{"deleted comment", `{"id":8,"type":"comment","parent":7,"time":1454123584,"deleted":true}`,
			Record{Skipped: "deleted", SkippedID: "8", SkippedParent: "7"}},
		{"dead comment", `{"id":8,"type":"comment","parent":7,"time":1454123584,"dead":true,"text":"a"}`,
			Record{Skipped: "dead", SkippedID: "8", SkippedParent: "7"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.want.File, tt.want.Line, tt.want.Item = "in", 1, 7
			if strings.Contains(tt.value, `"id":8`) {
				tt.want.Item = 8
			}
			if strings.Contains(tt.value, `"kids":[8`) {
				tt.want.Kids = []int64{8, 9}[:1+strings.Count(tt.value, "[8,9]")]
			}
			if diff := cmp.Diff(tt.want, only(t, HackerNews, tt.value)); diff != "" {
				t.Errorf("Read(%s) differs (-want +got):\n%s", tt.value, diff)
			}
		})
	}
}

func TestBadHackerNews(t *testing.T) {
	long := strings.Repeat("a", MaxContent+1)
	tests := []struct{ name, value, want string }{
		{"no id", `{"type":"story","time":1454123584,"title":"T"}`, "id is missing"},
		{"no type", `{"id":1,"type":"","time":1454123584,"title":"T"}`, "type is missing"},
		{
			"another type",
			`{"id":1,"type":"song","time":1454123584,"title":"T"}`,
			`unknown type of item "song"`,
		},
		{"no title", `{"id":1,"type":"story","time":1454123584}`, "title is empty"},
		{
			"score beyond bounds",
			`{"id":1,"type":"story","time":1454123584,"title":"T","score":1000000001}`,
			"score is beyond 1000000000",
		},
		{"comment without parent", `{"id":1,"type":"comment","time":1454123584,"text":"T"}`, "parent is missing"},
		{
			"too long comment",
			`{"id":1,"type":"comment","parent":2,"time":1454123584,"text":"` + long + `"}`,
			"the text has 1048577 bytes; at most 1048576 are allowed",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := only(t, HackerNews, tt.value)
			if got.Topic != nil || got.Comment != nil || got.Err == nil || got.Err.Error() != tt.want {
				t.Errorf("Read(%.80s) = %+v; want error %q", tt.value, got, tt.want)
			}
		})
	}
}
