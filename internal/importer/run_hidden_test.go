package importer

import (
	"strings"
	"testing"

	"agora/internal/forum"
	"agora/internal/test/whole"
)

// A topic that was closed is locked here, and a later file still adds to it; one that was pinned is
// pinned, and has its tags.
func TestImportKeepsWhatTopicsAre(t *testing.T) {
	x := newSite(t)
	posts := []obj{postBy(1, 0, 0, "ann", "one", 0), postBy(2, 0, 1, "bob", "two", 0), postBy(3, 2, 2, "ann", "three", 0)}
	state := obj{"closed": true, "pinned": true, "pinned_globally": true, "pinned_at": rfc3339(30), "tags": []string{"tea"}}
	early := with(threadOf(1, 0, 6, posts[:2]...), with(state, obj{"posts_count": 3}))
	o := Options{Format: Discourse}
	x.load(Summary{Records: 2, Topics: 1, Comments: 1, Users: 2, Categories: 1, Missing: map[string]int{missingPosts: 1}}, o,
		lines(early))
	x.settle()
	x.load(Summary{Records: 3, Known: 2, Comments: 1}, o, lines(with(threadOf(1, 0, 6, posts...), state)))
	x.settle()
	shown := x.shown()
	for _, want := range []string{`DISCUSSION LOCKED "Thread 1"`, "2 users, 1 topics, 2 comments",
		"front CREATED: discourse:1@1577836800000"} {
		if !strings.Contains(shown, want) {
			t.Errorf("the site lacks %q:\n%s", want, shown)
		}
	}
	if tags := x.topicTags()["discourse:1@1577836800000"]; tags != "tea" {
		t.Errorf("the topic has the tags %q; want tea", tags)
	}
	for _, category := range []forum.CategoryID{0, x.categoryOf("discourse:1@1577836800000")} {
		if n, err := x.Import().Pinned(x.ctx, category); n != 1 || err != nil {
			t.Errorf("Pinned(%d) = %d, %v; want the topic", category, n, err)
		}
	}
}

// categoryOf returns the category of an imported topic.
func (x *site) categoryOf(name string) forum.CategoryID {
	x.t.Helper()
	return objects(x.view(), []forum.TopicID{called(x, topics, name)}, whole.Topics)[0].CategoryID
}

// No more topics are pinned in a place than may be, whether they come in one run or in several.
func TestImportPinsAsManyAsThereIsRoom(t *testing.T) {
	x := newSite(t)
	pinned := func(id, category int) obj {
		return with(threadOf(id, id, category, postBy(1, 0, id, "ann", "x", 0)), obj{"pinned": true})
	}
	o := Options{Format: Discourse}
	x.load(Summary{Records: 3, Topics: 3, Users: 1, Categories: 2}, o, lines(pinned(1, 6), pinned(2, 6), pinned(3, 7)))
	x.load(Summary{Records: 3, Topics: 3, Changes: Changes{Pins: 1}}, o, lines(pinned(4, 6), pinned(5, 6), pinned(6, 7)))
	x.settle()
	for category, want := range map[forum.CategoryID]int{x.categoryOf("discourse:1@1577836860000"): 3,
		x.categoryOf("discourse:3@1577836980000"): 2, 0: 0} {
		if n, err := x.Import().Pinned(x.ctx, category); n != want || err != nil {
			t.Errorf("Pinned(%d) = %d, %v; want %d", category, n, err, want)
		}
	}
}

// Nothing of what the source hides is imported: no text, no name, no member.
func TestImportPublishesNothingThatWasHidden(t *testing.T) {
	secret := func(id int, fields obj) obj {
		return with(threadOf(id, 0, 6, postBy(1, 0, 0, "spy", "SECRET", 0), postBy(2, 0, 0, "spy", "SECRET", 0)),
			with(obj{"title": "SECRET"}, fields))
	}
	whispers := threadOf(9, 1, 6, postBy(1, 0, 0, "ann", "one", 0),
		with(postBy(2, 0, 0, "spy", "SECRET", 0), obj{"post_type": 4}), with(postBy(3, 0, 0, "spy", "SECRET", 0), obj{"post_type": 3}),
		with(postBy(4, 0, 0, "spy", "SECRET", 0), obj{"hidden": true}), postBy(5, 2, 0, "bob", "five", 0))
	hidden := obj{"dead": true, "title": "SECRET", "text": "SECRET"}
	tests := []struct {
		o     Options
		files []byte
	}{
		{Options{Format: Discourse}, lines(secret(1, obj{"archetype": "private_message"}), secret(2, obj{"visible": false}),
			secret(3, obj{"deleted_at": rfc3339(1)}), whispers)},
		{Options{Format: V2EX}, lines(with(v2exTopicOf(1, node(1, "SECRET", ""), member(5, "spy")), obj{"deleted": 1, "title": "SECRET"}),
			v2exTopicOf(2, nil, member(6, "ann")))},
		{Options{Format: HackerNews}, lines(item(1, "story", "spy", hidden), topicOf(2),
			item(3, "comment", "spy", with(hidden, obj{"parent": 2})),
			item(4, "comment", "bob", obj{"parent": 1, "text": "SECRET"}))},
	}
	for _, tt := range tests {
		t.Run(string(tt.o.Format), func(t *testing.T) {
			x := newSite(t)
			sum, err := x.run(x.ctx, x.Store, tt.o, tt.files)
			if err != nil || len(x.reported) > 0 || sum.Topics != 1 {
				t.Fatalf("Run = %+v, %v, reported %q; want a topic", sum, err, x.reported)
			}
			wantBalance(t, sum)
			x.settle()
			for name, value := range x.keys() {
				if strings.Contains(value, "SECRET") || strings.Contains(value, "spy") {
					t.Errorf("%s has what was hidden: %.300s", name, value)
				}
			}
		})
	}
	x := newSite(t)
	sum, err := x.runDump(Options{Source: "a"}, tables{
		usersTable: {userOf(1, "Ann")},
		postsTable: {
			ask(10, "DeletionDate", stamp(11)), ask(11), answerTo(12, 11, "DeletionDate", stamp(13)), answerTo(13, 10),
		},
		commentsTable: {remark(1, 11, 14, "DeletionDate", stamp(15)), remark(2, 12, 14), remark(3, 11, 14)},
		votesTable:    {voteOf(1, 10, 2), voteOf(2, 11, 2), voteOf(3, 13, 3)},
	}.inputs())
	if err != nil || sum.Topics != 1 || sum.Comments != 1 || sum.Skipped[deletedRow] != 3 || len(sum.Missing) > 0 {
		t.Errorf("Run = %+v, %v; want a question with a comment, 3 rows deleted", sum, err)
	}
	wantBalance(t, sum)
}

// What is later than now is a bad record in each format, also within a topic, and nothing else is lost.
func TestImportRefusesTheFuture(t *testing.T) {
	const later = "2096-01-02T03:04:06Z"
	const laterUnix = 3_976_311_846
	late := func(r obj) obj { return with(r, obj{"created_at": later}) }
	tests := []struct {
		o                     Options
		file                  []byte
		topics, comments, bad int
	}{
		{Options{Format: Discourse}, lines(threadOf(1, 0, 6, postBy(1, 0, 0, "ann", "one", 0), late(postBy(2, 0, 1, "bob", "x", 0)),
			postBy(3, 2, 1, "ann", "three", 0)), late(threadOf(2, 0, 6, postBy(1, 0, 0, "ann", "one", 0), postBy(2, 0, 0, "ann", "x", 0)))),
			1, 1, 2},
		{Options{Format: V2EX}, lines(with(v2exTopicOf(1, nil, nil), obj{"created": laterUnix}), v2exTopicOf(2, nil, nil),
			with(v2exTopicOf(3, nil, nil), obj{"created": laterUnix - 1})), 2, 0, 1},
		{Options{Format: HackerNews}, lines(topicOf(1), with(topicOf(2), obj{"time": laterUnix}), with(reply(3, 1), obj{"time": laterUnix}),
			reply(4, 1)), 1, 1, 2},
	}
	for _, tt := range tests {
		t.Run(string(tt.o.Format), func(t *testing.T) {
			x := newSite(t)
			sum, err := x.run(x.ctx, x.Store, tt.o, tt.file)
			if err != nil || sum.Topics != tt.topics || sum.Comments != tt.comments || sum.Bad != tt.bad {
				t.Errorf("Run = %+v, %v; want %+v", sum, err, tt)
			}
			wantBalance(t, sum)
			if reported := strings.Join(x.reported, "\n"); strings.Count(reported, "is later than now") != tt.bad {
				t.Errorf("Run reports %s", reported)
			}
		})
	}
	x := newSite(t)
	sum, err := x.runDump(Options{Source: "a"}, tables{
		postsTable:    {ask(10), strings.ReplaceAll(answerTo(11, 10), stamp(11), later), strings.ReplaceAll(ask(12), stamp(12), later)},
		commentsTable: {remark(1, 11, 14), strings.ReplaceAll(remark(2, 10, 14), stamp(14), later)},
	}.inputs())
	if err != nil || sum.Topics != 1 || sum.Comments != 1 || sum.Bad != 3 {
		t.Errorf("Run = %+v, %v; want a topic, a comment, 3 bad records", sum, err)
	}
	wantBalance(t, sum)
}

// With Strict, an import ends where something is missing; without, it says how much.
func TestImportSaysWhatIsMissing(t *testing.T) {
	partial := with(threadOf(1, 0, 6, postBy(1, 0, 0, "ann", "one", 0)), obj{"posts_count": 4})
	tests := []struct {
		o       Options
		file    []byte
		missing map[string]int
		strict  string
	}{
		{Options{Format: Discourse}, lines(threadOf(2, 0, 6, postBy(1, 0, 0, "ann", "one", 0)), partial),
			map[string]int{missingPosts: 3}, "file1:2: not in the files: 3 posts of Discourse topics"},
		{Options{Format: HackerNews}, lines(with(topicOf(1), obj{"kids": []int{2, 3}}), with(reply(2, 1), obj{"kids": []int{4, 5}}),
			with(reply(4, 2), obj{"deleted": true})),
			map[string]int{missingKids: 2}, "not in the files: 2 replies to Hacker News items"},
		{Options{Format: V2EX}, lines(with(v2exTopicOf(1, nil, nil), obj{"replies": 4})), map[string]int{missingReplies: 4}, ""},
	}
	for _, tt := range tests {
		t.Run(string(tt.o.Format), func(t *testing.T) {
			x := newSite(t)
			sum, err := x.run(x.ctx, x.Store, tt.o, tt.file)
			wantMissing(t, sum, err, tt.missing)
			tt.o.Strict, tt.o.Source = true, "strict"
			_, err = x.run(x.ctx, x.Store, tt.o, tt.file)
			if tt.strict == "" && err != nil || tt.strict != "" && (err == nil || err.Error() != tt.strict) {
				t.Errorf("strict Run = %v; want %q", err, tt.strict)
			}
			if found := strings.Contains(x.shown(), "strict:1@"); found && tt.strict != "" {
				t.Error("the topic without its posts is imported")
			}
		})
	}
	x := newSite(t)
	dump := tables{
		usersTable:    {userOf(1, "Ann")},
		postsTable:    {ask(10, "OwnerUserId", 1), answerTo(11, 10, "OwnerUserId", 2), answerTo(12, 99)},
		commentsTable: {remark(1, 98, 14, "UserId", 3), remark(2, 98, 14), remark(3, 12, 14), remark(4, 10, 14, "UserId", 2)},
	}
	sum, err := x.runDump(Options{Source: "a"}, dump.inputs())
	wantMissing(t, sum, err, map[string]int{missingParents: 2, missingUsers: 1})
	if _, err := x.runDump(Options{Source: "a", Strict: true}, dump.inputs()); err == nil ||
		err.Error() != "not in the files: 2 "+missingParents {
		t.Errorf("strict Run = %v; want an error for 2 posts", err)
	}
}

func wantMissing(t *testing.T, sum Summary, err error, want map[string]int) {
	t.Helper()
	wantBalance(t, sum)
	same := len(sum.Missing) == len(want)
	for what, n := range want {
		same = same && sum.Missing[what] == n
	}
	if err != nil || !same {
		t.Errorf("Run = %v, missing %v; want %v", err, sum.Missing, want)
	}
}
