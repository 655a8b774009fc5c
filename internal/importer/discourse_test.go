package importer

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agora/internal/forum"
)

// begun is when the topics of these tests began.
const (
	begun     = "2014-01-16T16:17:32.250Z"
	begunUnix = 1_389_889_052_250
)

// discourse returns topic 5 with these posts and additional fields.
func discourse(posts, fields string) string {
	return `{"id":5,"title":"T","created_at":"` + begun + `","post_stream":{"posts":[` + posts + `]}` + fields + `}`
}

// post returns a post that replies to another; 0 means none.
func post(number, to int, fields string) string {
	reply := "null"
	if to > 0 {
		reply = fmt.Sprint(to)
	}
	return fmt.Sprintf(
		`{"post_number":%d,"username":"ann","created_at":"%s","cooked":"<p>%d","reply_to_post_number":%s%s}`,
		number,
		begun,
		number,
		reply,
		fields,
	)
}

func TestReadDiscourse(t *testing.T) {
	posts := post(1, 0, `,"id":30,"user_id":4,"actions_summary":[{"id":1,"count":9},{"id":2,"count":3}]`) + "," +
		post(2, 1, `,"user_id":-1,"post_type":3`) + "," +
		post(3, 2, `,"hidden":true,"actions_summary":[{"id":2,"count":1}]`)
	got := only(t, Discourse, discourse(posts, `,"category_id":6,"views":145,"like_count":4,"deleted_at":null,"slug":"t"`))
	comment := Comment{
		ID:        "5@1389889052250#2",
		Author:    Person{ID: "-1", Name: "ann"},
		Content:   "<p>2",
		Format:    forum.HTML,
		CreatedAt: begunUnix,
	}
	reply := comment
	reply.ID, reply.Parent, reply.Author = "5@1389889052250#3", comment.ID, Person{ID: "name:ann", Name: "ann"}
	reply.Content, reply.Upvotes = "<p>3", 1
	want := Record{File: "in", Line: 1, Topic: &Topic{
		ID: "5@1389889052250", Kind: forum.Discussion, Title: "T", Content: "<p>1", Format: forum.HTML,
		Author: Person{ID: "4", Name: "ann", SourceID: "4"}, Category: Category{ID: "6", Name: "Discourse category 6"},
		CreatedAt: begunUnix, Upvotes: 3, Clicks: 145, Comments: []Comment{comment, reply},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Read(a Discourse topic) differs (-want +got):\n%s", diff)
	}
}

func TestParentsInDiscourse(t *testing.T) {
	const deleted = `,"deleted_at":"2020-01-01T00:00:00Z"`
	tests := []struct {
		name  string
		posts []string
		want  string // "3<2" is post 3 in reply to post 2
	}{
		{"topic alone", []string{post(1, 0, "")}, ""},
		{"no post", nil, ""},
		{"to the topic", []string{post(1, 0, ""), post(2, 0, ""), post(3, 1, "")}, "2< 3<"},
		{"to a post", []string{post(1, 0, ""), post(2, 0, ""), post(3, 2, ""), post(4, 3, "")}, "2< 3<2 4<3"},
		{"not in order", []string{post(4, 3, ""), post(3, 2, ""), post(1, 0, ""), post(2, 0, "")}, "2< 3<2 4<3"},
		{"to a missing post", []string{post(1, 0, ""), post(4, 3, "")}, "4<"},
		{
			"to itself and to later ones",
			[]string{post(1, 0, ""), post(2, 2, ""), post(3, 4, ""), post(4, 3, "")},
			"2< 3< 4<3",
		},
		{"to a deleted post", []string{post(1, 0, ""), post(2, 0, ""), post(3, 2, deleted), post(4, 3, "")}, "2< 4<2"},
		{
			"to a deleted post of a deleted post",
			[]string{post(1, 0, ""), post(2, 1, deleted), post(3, 2, deleted), post(4, 3, "")},
			"4<",
		},
		{"first post is missing", []string{post(2, 1, ""), post(3, 2, "")}, "2< 3<2"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			rec := only(t, Discourse, discourse(strings.Join(tt.posts, ","), ""))
			if rec.Topic == nil {
				t.Fatalf("Read = %+v; want a topic", rec)
			}
			var parts []string
			for _, c := range rec.Topic.Comments {
				parts = append(parts, c.ID+"<"+c.Parent)
			}
			got := strings.ReplaceAll(strings.Join(parts, " "), rec.Topic.ID+"#", "")
			if dropped := strings.Count(strings.Join(tt.posts, ""), deleted); got != tt.want ||
				rec.Changes.DeletedPosts != dropped {
				t.Errorf("replies %q, %d deleted; want %q, %d", got, rec.Changes.DeletedPosts, tt.want, dropped)
			}
		})
	}
}

func TestOddDiscourse(t *testing.T) {
	const creator = `,"user_id":4,"details":{"created_by":{"id":4,"username":"bob"}}`
	tests := []struct {
		name  string
		value string
		want  Topic
	}{
		{"first post is missing", discourse("", ""), Topic{}},
		{
			"first post is missing, not its author",
			discourse("", creator),
			Topic{Author: Person{ID: "4", Name: "bob", SourceID: "4"}},
		},
		{"first post without an author", discourse(`{"post_number":1,"created_at":"`+begun+`"}`, creator), Topic{}},
		{"deleted", discourse("", `,"deleted_at":"2020-01-01T00:00:00Z"`), Topic{DeletedAt: 1_577_836_800_000}},
		{"deleted some time", discourse("", `,"deleted_at":"lately"`), Topic{DeletedAt: begunUnix}},
		{"negative views", discourse("", `,"views":-1`), Topic{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.want.ID, tt.want.Kind, tt.want.Title, tt.want.Format = "5@1389889052250", forum.Discussion, "T", forum.HTML
			tt.want.CreatedAt, tt.want.Comments = begunUnix, []Comment{}
			if diff := cmp.Diff(&tt.want, only(t, Discourse, tt.value).Topic); diff != "" {
				t.Errorf("Read(%s) differs (-want +got):\n%s", tt.value, diff)
			}
		})
	}
}

func TestTopicsOfTwoForumsDiffer(t *testing.T) {
	a, b := discourse("", ""), strings.Replace(discourse("", ""), "2014", "2015", 1)
	if got := outline(strings.NewReader(a+"\n"+b), Discourse); got != "1=5@1389889052250 2=5@1421425052250" {
		t.Errorf("Read of two topics of the same id yields %q; want two ids", got)
	}
}

func TestBadDiscourse(t *testing.T) {
	tests := []struct{ name, value, want string }{
		{"no id", `{"title":"T","created_at":"` + begun + `","post_stream":{"posts":[]}}`, "id is missing"},
		{"no posts", `{"id":1,"title":"T","created_at":"` + begun + `","post_stream":null}`, "post_stream is missing"},
		{"no time", `{"id":1,"title":"T","post_stream":{"posts":[]}}`, "created_at is missing"},
		{"views beyond bounds", discourse("", `,"views":1000000001`), "views is beyond 1000000000"},
		{"post without number", discourse(post(0, 0, ""), ""), "a post has no post_number"},
		{"post twice", discourse(post(2, 0, "")+","+post(2, 0, ""), ""), "there are two posts with number 2"},
		{"post without time", discourse(`{"post_number":7}`, ""), "post 7: created_at is missing"},
		{
			"likes beyond bounds",
			discourse(post(7, 0, `,"actions_summary":[{"id":2,"count":1000000001}]`), ""),
			"post 7: the number of likes is beyond 1000000000",
		},
		{
			"too long text",
			discourse(strings.Replace(post(7, 0, ""), "<p>", strings.Repeat("a", MaxContent+1), 1), ""),
			"post 7: the text has 1048578 bytes; at most 1048576 are allowed",
		},
		{
			"wrong type in a post",
			discourse(`{"post_number":"7"}`, ""),
			"post_stream.posts.post_number cannot be of type string",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := only(t, Discourse, tt.value); got.Topic != nil || got.Err == nil || got.Err.Error() != tt.want {
				t.Errorf("Read(%.80s) = %+v; want error %q", tt.value, got, tt.want)
			}
		})
	}
}
