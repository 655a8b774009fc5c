package importer

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agora/internal/forum"
)

const wholeV2EX = `{
	"id": 31, "title": "标题\r\n二", "url": "https://v2ex.example/t/31", "content": "a\r\nb\u0008", "content_rendered": "<p>a</p>",
	"replies": 12, "created": 1609896574, "last_modified": 1609896600, "last_touched": 1609896000, "last_reply_by": "bob", "deleted": 0,
	"node": {
		"id": 9, "name": "tea", "title": "茶", "header": "All about <a href=\"/go/tea\">tea</a>.", "footer": "", "topics": 5,
		"aliases": [], "root": false, "parent_node_name": "drinks"
	},
	"member": {"id": 77, "username": "ann_", "created": 1500000000, "bio": "", "website": ""}
}`

func TestReadV2EX(t *testing.T) {
	all := every(t, V2EX, wholeV2EX)
	if got := account(all); got != "no "+missingReplies+" 12 a topic" {
		t.Errorf("Read(a V2EX topic) yields %s; want a topic without its 12 replies", got)
	}
	got := all[len(all)-1]
	want := Record{File: "in", Line: 1, Changes: Changes{ControlCharacters: 1}, Topic: &Topic{
		ID: "31", Kind: forum.Discussion, Title: "标题 二", Content: "a\nb", Format: forum.Markdown,
		Author: Person{ID: "77", Name: "ann_", SourceID: "77", CreatedAt: 1_500_000_000_000},
		Category: Category{
			ID: "9", Name: "茶", Description: "All about tea.", Tab: Tab{ID: "drinks", Name: "drinks"},
		},
		CreatedAt: 1_609_896_574_000,
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Read(a V2EX topic) differs (-want +got):\n%s", diff)
	}
}

func TestOddV2EX(t *testing.T) {
	topic := func(t *testing.T, fields string) *Topic {
		t.Helper()
		rec := only(t, V2EX, `{"id":1,"title":"T","created":1600000000,`+fields+`}`)
		if rec.Topic == nil {
			t.Fatalf("Read(%s) = %+v; want a topic", fields, rec)
		}
		return rec.Topic
	}
	tests := []struct {
		name   string
		fields string
		want   Topic
	}{
		{"no text, no node, no member", `"content":"","node":null,"member":null`, Topic{}},
		{
			"node without title and parent",
			`"node":{"id":2,"name":"tea","title":" ","header":null,"parent_node_name":""}`,
			Topic{Category: Category{ID: "2", Name: "tea"}},
		},
		{"node without any name", `"node":{"id":2}`, Topic{Category: Category{ID: "2", Name: "V2EX node 2"}}},
		{"member without a name", `"member":{"id":7,"username":""}`, Topic{}},
		{"member without id and time", `"member":{"username":"ann"}`, Topic{Author: Person{ID: "name:ann", Name: "ann"}}},
		{
			"member without a time",
			`"member":{"id":7,"username":"ann","created":1}`,
			Topic{Author: Person{ID: "7", SourceID: "7", Name: "ann"}},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.want.ID, tt.want.Kind, tt.want.Title, tt.want.Format = "1", forum.Discussion, "T", forum.Markdown
			tt.want.CreatedAt = 1_600_000_000_000
			if diff := cmp.Diff(&tt.want, topic(t, tt.fields)); diff != "" {
				t.Errorf("Read(%s) differs (-want +got):\n%s", tt.fields, diff)
			}
		})
	}
}

func TestBadV2EX(t *testing.T) {
	tests := []struct{ name, value, want string }{
		{"no id", `{"title":"T","created":1600000000,"node":{}}`, "id is missing"},
		{"no time", `{"id":1,"title":"T","node":{}}`, "created is missing"},
		{"no title", `{"id":1,"created":1600000000,"node":{}}`, "title is empty"},
		{
			"too long text",
			`{"id":1,"title":"T","created":1600000000,"node":{},"content":"` + strings.Repeat("a", MaxContent+1) + `"}`,
			"the text has 1048577 bytes; at most 1048576 are allowed",
		},
		{"node is a text", `{"id":1,"title":"T","created":1600000000,"node":"tea"}`, "node cannot be of type string"},
		{
			"field of the member",
			`{"id":1,"title":"T","created":1600000000,"member":{"id":"x"}}`,
			"member.id cannot be of type string",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := only(t, V2EX, tt.value); got.Topic != nil || got.Err == nil || got.Err.Error() != tt.want {
				t.Errorf("Read(%.80s) = %+v; want error %q", tt.value, got, tt.want)
			}
		})
	}
}
