package importer

import (
	"fmt"
	"maps"
	"slices"
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
		post(2, 1, `,"user_id":-1,"post_type":2`) + "," +
		post(3, 2, `,"actions_summary":[{"id":2,"count":1}]`)
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
			all := every(t, Discourse, discourse(strings.Join(tt.posts, ","), ""))
			rec, left := all[len(all)-1], len(all)-1
			if rec.Topic == nil {
				t.Fatalf("Read = %+v; want a topic", rec)
			}
			var parts []string
			for _, c := range rec.Topic.Comments {
				parts = append(parts, c.ID+"<"+c.Parent)
			}
			got := strings.ReplaceAll(strings.Join(parts, " "), rec.Topic.ID+"#", "")
			if dropped := strings.Count(strings.Join(tt.posts, ""), deleted); got != tt.want || left != dropped {
				t.Errorf("replies %q, %d left out; want %q, %d", got, left, tt.want, dropped)
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
		{"closed", discourse("", `,"closed":true`), Topic{Locked: true}},
		{"archived", discourse("", `,"archived":true,"visible":true,"archetype":"regular"`), Topic{Locked: true}},
		{"pinned", discourse("", `,"pinned":true,"pinned_at":"2020-01-01T00:00:00Z"`), Topic{PinnedCategory: 1_577_836_800_000}},
		{"pinned some time", discourse("", `,"pinned":true,"pinned_globally":false`), Topic{PinnedCategory: begunUnix}},
		{"pinned globally", discourse("", `,"pinned":false,"pinned_globally":true`), Topic{PinnedFront: begunUnix,
			PinnedCategory: begunUnix}},
		{"no longer pinned", discourse("", `,"pinned":true,"pinned_until":"2020-01-01T00:00:00Z"`), Topic{}},
		{"tags", discourse("", `,"tags":["tea",{"id":3,"name":"green tea"}," "]`), Topic{Tags: []string{"tea", "green tea"}}},
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
		{"first post without time", discourse(`{"post_number":1}`, ""), "post 1: created_at is missing"},
		{
			"wrong type in a post",
			discourse(`{"post_number":"7"}`, ""),
			"post_stream.posts.post_number cannot be of type string",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			all := every(t, Discourse, tt.value)
			if got := all[len(all)-1]; got.Topic != nil || got.Err == nil || got.Err.Error() != tt.want {
				t.Errorf("Read(%.80s) = %+v; want error %q", tt.value, got, tt.want)
			}
		})
	}
}

// What a forum does not show to everybody is left out and counted.
func TestDiscourseLeavesOutWhatIsHidden(t *testing.T) {
	one, two := post(1, 0, ""), post(2, 0, "")
	tests := []struct{ name, value, want string }{
		{"deleted topic", discourse(one+","+two, `,"deleted_at":"2020-01-01T00:00:00Z"`), "deleted topic 1, " + skippedPart + " 1"},
		{"deleted some time", discourse(one, `,"deleted_at":"lately"`), "deleted topic 1"},
		{"deleted by", discourse(one, `,"deleted_by":{"id":1}`), "deleted topic 1"},
		{"private message", discourse(one+","+two, `,"archetype":"private_message"`), skippedPart + " 1, private message 1"},
		{"private message by its readers", discourse(one, `,"details":{"allowed_users":[{"id":1}]}`), "private message 1"},
		{"archetype", discourse(one, `,"archetype":"diary"`), "topic of an unknown archetype 1"},
		{"banner", discourse(one, `,"archetype":"banner"`), "a topic"},
		{"unlisted", discourse(one+","+two, `,"visible":false`), skippedPart + " 1, unlisted topic 1"},
		{"visible", discourse(one, `,"visible":true`), "a topic"},
		{"draft", discourse(one, `,"is_shared_draft":true`), "shared draft 1"},
		{"first post deleted", discourse(post(1, 0, `,"deleted_at":"2020-01-01T00:00:00Z"`)+","+two, ""),
			skippedPart + " 1, topic that begins with a deleted post 1"},
		{"first post hidden", discourse(post(1, 0, `,"hidden":true`), ""), "topic that begins with a hidden post 1"},
		{"whisper", discourse(one+","+post(2, 0, `,"post_type":4`), ""), "whisper 1 a topic"},
		{"whisper that is deleted", discourse(one+","+post(2, 0, `,"post_type":4,"user_deleted":true`), ""), "deleted post 1 a topic"},
		{"acts", discourse(one+","+post(2, 0, `,"post_type":3,"action_code":"closed.enabled"`)+","+
			`{"post_number":3,"post_type":2,"action_code":"split_topic","cooked":"","created_at":"`+begun+`"}`, ""),
			"note of the software 2 a topic"},
		{"moderator's post", discourse(one+","+post(2, 0, `,"post_type":2,"action_code":"split_topic"`), ""), "a topic of 2"},
		{"hidden posts", discourse(one+","+post(2, 0, `,"hidden":true`)+","+post(3, 0, `,"cooked_hidden":true`), ""),
			"hidden post 2 a topic"},
		{"other type", discourse(one+","+post(2, 0, `,"post_type":5`), ""), "post of an unknown type 1 a topic"},
		{"bad posts", discourse(one+","+two+","+two+","+post(0, 0, "")+`,{"post_number":7},`+
			post(8, 0, `,"actions_summary":[{"id":2,"count":1000000001}]`)+","+
			strings.Replace(post(9, 0, ""), "<p>", strings.Repeat("a", MaxContent+1), 1)+","+
			strings.Replace(post(10, 0, ""), "2014", "2097", 1), ""),
			"a post has no post_number 1, post 10: created_at is later than now 1, post 7: created_at is missing 1, " +
				"post 8: the number of likes is beyond 1000000000 1, " +
				"post 9: the text has 1048578 bytes; at most 1048576 are allowed 1, there are two posts with number 2 1 a topic of 2"},
		{"bad first post", discourse(`{"post_number":1},`+two, ""), "post 1: created_at is missing 1, " + badPart + " 1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := account(every(t, Discourse, tt.value)); got != tt.want {
				t.Errorf("Read(%.300s) yields %q; want %q", tt.value, got, tt.want)
			}
		})
	}
}

// account summarizes records: how often there is each reason and each error, and whether there is a topic, of how many posts.
func account(records []Record) string {
	counts, topic := map[string]int{}, ""
	for _, r := range records {
		switch {
		case r.Skipped != "":
			counts[r.Skipped] += r.rows()
		case r.Missing != "":
			counts["no "+r.Missing] += r.Count
		case r.Err != nil:
			counts[r.Err.Error()]++
		case r.Topic != nil && len(r.Topic.Comments) == 0:
			topic = "a topic"
		case r.Topic != nil:
			topic = fmt.Sprintf("a topic of %d", 1+len(r.Topic.Comments))
		}
	}
	var parts []string
	for _, why := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, fmt.Sprintf("%s %d", why, counts[why]))
	}
	return strings.TrimSpace(strings.Join(parts, ", ") + " " + topic)
}

// A topic says which posts it has; those that are not in the file are counted.
func TestPostsMissingInDiscourse(t *testing.T) {
	one, two := post(1, 0, `,"id":31`), post(2, 0, `,"id":32`)
	stream := func(posts, ids string) string {
		return strings.Replace(discourse(posts, ""), `"posts":`, `"stream":[`+ids+`],"posts":`, 1)
	}
	tests := []struct{ name, value, want string }{
		{"all", stream(one+","+two, "31,32"), "a topic of 2"},
		{"some", stream(one+","+two, "31,32,33,35"), "no " + missingPosts + " 2 a topic of 2"},
		{"all but others", stream(one+","+two, "33,34"), "no " + missingPosts + " 2 a topic of 2"},
		{"posts without ids", stream(post(1, 0, ""), "31,32,33"), "no " + missingPosts + " 2 a topic"},
		{"no ids at all", discourse(one, `,"posts_count":3`), "no " + missingPosts + " 2 a topic"},
		{"more posts than counted", discourse(one+","+two, `,"posts_count":1`), "a topic of 2"},
		{"whispers are not counted", discourse(one+","+post(2, 0, `,"post_type":4`), `,"posts_count":2`),
			"no " + missingPosts + " 1, whisper 1 a topic"},
		{"hidden topic", strings.Replace(stream(one, "31,32"), `"id":5`, `"id":5,"visible":false`, 1), "unlisted topic 1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := account(every(t, Discourse, tt.value)); got != tt.want {
				t.Errorf("Read(%.300s) yields %q; want %q", tt.value, got, tt.want)
			}
		})
	}
}
