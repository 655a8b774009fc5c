package importer

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agora/internal/test/testlevel"
)

// node returns a node of a V2EX topic, member its author.
func node(id int, title, parent string) obj {
	return obj{
		"id":               id,
		"name":             title,
		"title":            title,
		"header":           "All about <b>" + title + "</b>.",
		"parent_node_name": parent,
	}
}

func member(id int, name string) obj {
	return obj{"id": id, "username": name, "created": seconds(-id)}
}

// v2exTopicOf returns a V2EX topic of minute id.
func v2exTopicOf(id int, node, member obj) obj {
	return obj{
		"id":               id,
		"title":            "Title " + itoa(int64(id)),
		"content":          "text *" + itoa(int64(id)) + "*",
		"content_rendered": "",
		"created":          seconds(id),
		"node":             node,
		"member":           member,
	}
}

// smallV2EX has two tabs, three nodes, ghosts, a deleted topic, and conflicting logins.
func smallV2EX() []obj {
	return []obj{
		v2exTopicOf(1, node(7, "Tea", "drinks"), member(1, "Ann")),
		v2exTopicOf(2, node(8, "Coffee", "drinks"), member(2, "ann")),
		v2exTopicOf(3, node(9, "Jazz", "music"), member(3, "小明")),
		with(v2exTopicOf(4, node(7, "Tea", "drinks"), member(1, "Ann")), obj{"deleted": 1, "last_modified": seconds(5)}),
		v2exTopicOf(5, nil, nil),
		with(v2exTopicOf(6, node(9, "Jazz", "music"), member(4, "admin")), obj{"content": "", "replies": 3, "title": "  No\ttext\x07 "}),
	}
}

var smallV2EXSum = Summary{
	Records:    6,
	Topics:     5,
	Users:      4,
	Categories: 4,
	Tabs:       2,
	Skipped:    map[string]int{"deleted": 1},
	Missing:    map[string]int{missingReplies: 3},
	Changes:    Changes{ControlCharacters: 1},
}

const smallV2EXShown = `
		category Coffee "All about Coffee.": v2ex:2; v2ex:2
		category Imported "": v2ex:5; v2ex:5
		category Jazz "All about Jazz.": v2ex:6 v2ex:3; v2ex:6 v2ex:3
		category Tea "All about Tea.": v2ex:1; v2ex:1
		tab drinks: ["Coffee" "Tea"]
		tab music: ["Jazz"]
		front CREATED: v2ex:6 v2ex:5 v2ex:3 v2ex:2 v2ex:1
		front ACTIVE: v2ex:6 v2ex:5 v2ex:3 v2ex:2 v2ex:1
		user v2ex:1: Ann "Ann" USER, made 2019-12-31T23:59:00, 1 topics; 
		user v2ex:2: ann-2 "ann" USER, made 2019-12-31T23:58:00, 1 topics; 
		user v2ex:3: 小明 "小明" USER, made 2019-12-31T23:57:00, 1 topics; 
		user v2ex:4: user-4 "admin" USER, made 2019-12-31T23:56:00, 1 topics; 
		v2ex:1 DISCUSSION OPEN "Title 1" by v2ex:1 in "Tea", 2020-01-01T00:01:00, active 2020-01-01T00:01:00, deleted never, MARKDOWN "text *1*", link "", +0 -0, 0 clicks, 0 comments
		  top level: 
		v2ex:2 DISCUSSION OPEN "Title 2" by v2ex:2 in "Coffee", 2020-01-01T00:02:00, active 2020-01-01T00:02:00, deleted never, MARKDOWN "text *2*", link "", +0 -0, 0 clicks, 0 comments
		  top level: 
		v2ex:3 DISCUSSION OPEN "Title 3" by v2ex:3 in "Jazz", 2020-01-01T00:03:00, active 2020-01-01T00:03:00, deleted never, MARKDOWN "text *3*", link "", +0 -0, 0 clicks, 0 comments
		  top level: 
		v2ex:5 DISCUSSION OPEN "Title 5" by none in "Imported", 2020-01-01T00:05:00, active 2020-01-01T00:05:00, deleted never, MARKDOWN "text *5*", link "", +0 -0, 0 clicks, 0 comments
		  top level: 
		v2ex:6 DISCUSSION OPEN "No text" by v2ex:4 in "Jazz", 2020-01-01T00:06:00, active 2020-01-01T00:06:00, deleted never, MARKDOWN "", link "", +0 -0, 0 clicks, 0 comments
		  top level: 
		4 users, 5 topics, 0 comments, <nil>`

// postBy returns a Discourse post of that minute.
func postBy(number, to, minute int, name, text string, likes int) obj {
	p := obj{"post_number": number, "username": name, "created_at": rfc3339(minute), "cooked": text,
		"actions_summary": []obj{{"id": 1, "count": 99}, {"id": 2, "count": likes}}}
	if to > 0 {
		p["reply_to_post_number"] = to
	}
	return p
}

// threadOf returns a Discourse topic of that minute.
func threadOf(id, minute, category int, posts ...obj) obj {
	return obj{
		"id":          id,
		"title":       "Thread " + itoa(int64(id)),
		"created_at":  rfc3339(minute),
		"category_id": category,
		"views":       10 * id,
		"post_stream": obj{"posts": posts},
	}
}

// smallDiscourse has replies to replies, mentions, a deleted post and topic.
func smallDiscourse() []obj {
	return []obj{
		threadOf(
			1,
			0,
			6,
			postBy(1, 0, 0, "ann", "<p>one</p>", 3),
			postBy(2, 0, 5, "bob.s", `<p>two for <a class="mention" href="/u/ann">@ann</a></p>`, 1),
			with(
				postBy(3, 2, 6, "ann", "gone", 0),
				obj{"deleted_at": rfc3339(9)},
			),
			postBy(4, 3, 7, "system", "<p>four to @Bob.S, @nobody</p>", 0),
			postBy(5, 4, 3, "", "<p>five, of the past</p>", 0),
		),
		with(
			threadOf(2, 10, 6, postBy(1, 0, 10, "bob.s", "<p>one</p>", 0), postBy(2, 0, 11, "ann", "<p>two</p>", 0)),
			obj{"deleted_at": rfc3339(12)},
		),
		threadOf(3, 20, 0, postBy(1, 0, 20, "Ann", "<p>other Ann</p>", 0), postBy(2, 1, 21, "bob.s", "", 0)),
	}
}

var smallDiscourseSum = Summary{Records: 9, Topics: 2, Comments: 4, Users: 4, Categories: 2,
	Skipped: map[string]int{"deleted topic": 1, skippedPart: 1, "deleted post": 1}}

const smallDiscourseShown = `
		category Discourse category 6 "": discourse:1@1577836800000; discourse:1@1577836800000
		category Imported "": discourse:3@1577838000000; discourse:3@1577838000000
		front CREATED: discourse:3@1577838000000 discourse:1@1577836800000
		front ACTIVE: discourse:3@1577838000000 discourse:1@1577836800000
		user discourse:name:Ann: Ann-17239b6e "Ann" USER, made 2020-01-01T00:20:00, 1 topics; 
		user discourse:name:ann: ann "ann" USER, made 2020-01-01T00:00:00, 1 topics; 
		user discourse:name:bob.s: bob.s "bob.s" USER, made 2020-01-01T00:05:00, 0 topics; discourse:3@1577838000000#2 discourse:1@1577836800000#2
		user discourse:name:system: system-bbc5e661 "system" USER, made 2020-01-01T00:07:00, 0 topics; discourse:1@1577836800000#4
		discourse:1@1577836800000 DISCUSSION OPEN "Thread 1" by discourse:name:ann in "Discourse category 6", 2020-01-01T00:00:00, active 2020-01-01T00:07:00, deleted never, HTML "<p>one</p>", link "", +3 -0, 10 clicks, 3 comments
		  #1 discourse:1@1577836800000#2 at depth 0 under none by discourse:name:bob.s, 2020-01-01T00:05:00, HTML "<p>two for <span>@ann</span></p>", +1 -0, mentions [ann=discourse:name:ann], replies 1: discourse:1@1577836800000#4
		  #2 discourse:1@1577836800000#4 at depth 1 under discourse:1@1577836800000#2 by discourse:name:system, 2020-01-01T00:07:00, HTML "<p>four to @Bob.S, @nobody</p>", +0 -0, mentions [bob.s=discourse:name:bob.s], replies 1: discourse:1@1577836800000#5
		  #3 discourse:1@1577836800000#5 at depth 2 under discourse:1@1577836800000#4 by none, 2020-01-01T00:03:00, HTML "<p>five, of the past</p>", +0 -0, mentions [], replies 0: 
		  top level: discourse:1@1577836800000#2
		discourse:3@1577838000000 DISCUSSION OPEN "Thread 3" by discourse:name:Ann in "Imported", 2020-01-01T00:20:00, active 2020-01-01T00:21:00, deleted never, HTML "<p>other Ann</p>", link "", +0 -0, 30 clicks, 1 comments
		  #1 discourse:3@1577838000000#2 at depth 0 under none by discourse:name:bob.s, 2020-01-01T00:21:00, HTML "", +0 -0, mentions [], replies 0: 
		  top level: discourse:3@1577838000000#2
		4 users, 2 topics, 4 comments, <nil>`

// item returns a Hacker News item of minute id.
func item(id int, kind, by string, fields obj) obj {
	return with(obj{"id": id, "type": kind, "by": by, "time": seconds(id)}, fields)
}

// smallHackerNews has all types of items, and comments as records of their own.
func smallHackerNews() []obj {
	return []obj{
		item(1, "story", "ann", obj{"title": "A link", "url": "https://example.org/1", "score": 65}),
		item(2, "comment", "bob", obj{"parent": 1, "text": "Hi @ann<p>and @Ann"}),
		item(3, "comment", "Ann", obj{"parent": 2, "deleted": true}),
		item(4, "comment", "ann", obj{"parent": 3, "text": "higher"}),
		item(5, "story", "bob", obj{"title": "Neither text nor link", "score": -2}),
		item(6, "job", "", obj{"title": "A job", "text": "apply"}),
		item(7, "story", "Ann", obj{"title": "Dead", "dead": true}),
		item(8, "comment", "bob", obj{"parent": 7, "text": "on the dead"}),
		item(9, "comment", "bob", obj{"parent": 8, "text": "on a comment on the dead"}),
		item(10, "comment", "bob", obj{"parent": 99, "text": "on what is not there"}),
		item(11, "pollopt", "bob", obj{"parent": 5, "text": "x"}),
		item(12, "story", "", obj{"deleted": true}),
	}
}

var smallHackerNewsSum = Summary{Records: 12, Topics: 3, Comments: 2, Users: 2,
	Skipped: map[string]int{skippedDeleted: 2, skippedOrphan: 1, "deleted": 2, "dead": 1, "pollopt": 1}}

const smallHackerNewsShown = `
		front CREATED: hackernews:6 hackernews:5 hackernews:1
		front ACTIVE: hackernews:6 hackernews:5 hackernews:1
		user hackernews:name:ann: ann "ann" USER, made 2020-01-01T00:01:00, 1 topics; hackernews:4
		user hackernews:name:bob: bob "bob" USER, made 2020-01-01T00:02:00, 1 topics; hackernews:2
		hackernews:1 ARTICLE OPEN "A link" by hackernews:name:ann in "", 2020-01-01T00:01:00, active 2020-01-01T00:04:00, deleted never, HTML "", link "https://example.org/1", +65 -0, 0 clicks, 2 comments
		  #1 hackernews:2 at depth 0 under none by hackernews:name:bob, 2020-01-01T00:02:00, HTML "Hi @ann<p>and @Ann", +0 -0, mentions [ann=hackernews:name:ann], replies 1: hackernews:4
		  #2 hackernews:4 at depth 1 under hackernews:2 by hackernews:name:ann, 2020-01-01T00:04:00, HTML "higher", +0 -0, mentions [], replies 0: 
		  top level: hackernews:2
		hackernews:5 ARTICLE OPEN "Neither text nor link" by hackernews:name:bob in "", 2020-01-01T00:05:00, active 2020-01-01T00:05:00, deleted never, HTML "", link "", +0 -2, 0 clicks, 0 comments
		  top level: 
		hackernews:6 ARTICLE OPEN "A job" by none in "", 2020-01-01T00:06:00, active 2020-01-01T00:06:00, deleted never, HTML "apply", link "", +0 -0, 0 clicks, 0 comments
		  top level: 
		2 users, 3 topics, 2 comments, <nil>`

// small has a small site of each format, with the summary of its import and its description.
var small = []struct {
	format  Format
	records []obj
	sum     Summary
	shown   string
}{
	{V2EX, smallV2EX(), smallV2EXSum, smallV2EXShown},
	{Discourse, smallDiscourse(), smallDiscourseSum, smallDiscourseShown},
	{HackerNews, smallHackerNews(), smallHackerNewsSum, smallHackerNewsShown},
}

func wantShown(t testing.TB, x *site, want string) {
	t.Helper()
	if diff := cmp.Diff(strings.Split(undent(want), "\n"), strings.Split(undent(x.shown()), "\n")); diff != "" {
		t.Errorf("the site differs (-want +got):\n%s", diff)
	}
}

// A site of each format is imported completely, from a file of lines, an array, either compressed, or a file for each
// record, whose comments find their parents in earlier files. The lists are complete when Run returns.
func TestImportOfASmallSite(t *testing.T) {
	testlevel.Usual(t)
	for _, s := range small {
		plain, list := lines(s.records...), array(s.records...)
		var parts [][]byte
		for _, r := range s.records {
			parts = append(parts, packed(string(lines(r))))
		}
		for form, files := range map[string][][]byte{"lines": {plain}, "array": {list}, "lines, packed": {packed(string(plain))},
			"array, packed": {packed(string(list))}, "many files": parts} {
			t.Run(string(s.format)+" "+form, func(t *testing.T) {
				x := newSite(t)
				x.load(s.sum, Options{Format: s.format}, files...)
				wantShown(t, x, s.shown) // nothing remains for the sweeper
				x.settle()
				wantShown(t, x, s.shown)
			})
		}
	}
}
