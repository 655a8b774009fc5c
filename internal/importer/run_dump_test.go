package importer

import (
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"agora/internal/forum"
	"agora/internal/test/must"
	"agora/internal/test/whole"
)

// runDump imports a site from its files.
func (x *site) runDump(o Options, in []Input) (Summary, error) {
	x.reported = nil
	o.Format, o.rest = StackExchange, time.Microsecond
	o.Bad = func(err error) { x.reported = append(x.reported, err.Error()) }
	return Run(x.ctx, x.Store, o, in)
}

// loadDump imports a valid site and checks the summary.
func (x *site) loadDump(want Summary, o Options, s tables) {
	x.t.Helper()
	got, err := x.runDump(o, s.inputs())
	if err != nil || len(x.reported) > 0 {
		x.t.Fatalf("Run = %v, reported %q; want no errors", err, x.reported)
	}
	wantSummary(x.t, got, want)
	wantBalance(x.t, got)
}

// topicTags returns the stored tags of topics by source.
func (x *site) topicTags() map[string]string {
	x.t.Helper()
	names := must.Do(x.rdb.Keys(x.ctx, "{p*").Result())(x.t)
	tags := map[string]string{}
	for _, name := range names {
		if m := entityKey.FindStringSubmatch(name); m != nil && m[1] == "t" {
			topic := must.Do(x.rdb.HGetAll(x.ctx, name).Result())(x.t)
			source := x.rdb.HGet(x.ctx, name+":internal", "src").Val()
			tags[source] = tagIDs.ReplaceAllString(topic["tags"], "")
		}
	}
	return tags
}

var tagIDs = regexp.MustCompile(`(?m)^\d+ `)

// smallDump has members with the same name, the site itself, members of whom only a name remains,
// answers with comments, mentions, tags, and skipped rows.
func smallDump() tables {
	return tables{
		usersTable: {
			userOf(-1, "Community"),
			userOf(1, "Ann"),
			userOf(2, "ann"),
			userOf(3, "Bob Smith"),
			userOf(4, "小明"),
			userOf(9, "Reader"),
		},
		postsTable: {
			ask(10, "OwnerUserId", 1, "ViewCount", 40, "Tags", "<tea><green-tea>"),
			answerTo(11, 10, "OwnerUserId", 3),
			ask(12, "OwnerDisplayName", "user77", "Tags", "|tea|", "ClosedDate", stamp(13)),
			answerTo(14, 12, "OwnerUserId", -1),
			answerTo(15, 10, "OwnerUserId", 4),
			xmlRow("Id", 16, "PostTypeId", 5, "CreationDate", stamp(16), "Body", "all about tea"),
		},
		commentsTable: {
			remark(1, 11, 13, "UserId", 4), remark(2, 10, 12, "UserId", 2),
			xmlRow(
				"Id",
				3,
				"PostId",
				15,
				"Score",
				4,
				"Text",
				"@BobSmith, @小明 & @ann: `x`",
				"CreationDate",
				stamp(20),
				"UserDisplayName",
				"user77",
			),
			remark(4, 99, 21, "UserId", 1),
		},
		votesTable: {voteOf(1, 10, 2), voteOf(2, 10, 2), voteOf(3, 11, 3), voteOf(4, 99, 2), voteOf(5, 10, 1)},
	}
}

var smallDumpSum = Summary{Records: 21, Topics: 2, Comments: 6, Users: 7, Categories: 1, Members: 6, Votes: 3,
	Skipped: map[string]int{skippedOrphan: 1, skippedVote: 1, otherVote: 1, "tag wiki": 1},
	Missing: map[string]int{missingParents: 1}}

const smallDumpShown = `
		category tea.example.org "": tea.example.org:12 tea.example.org:10; tea.example.org:10 tea.example.org:12
		front CREATED: tea.example.org:12 tea.example.org:10
		front ACTIVE: tea.example.org:10 tea.example.org:12
		user tea.example.org:-1: Community "Community" USER, made 2020-01-01T00:01:00.25, 0 topics; tea.example.org:14
		user tea.example.org:1: Ann "Ann" USER, made 2019-12-31T23:59:00.25, 1 topics; 
		user tea.example.org:2: ann-2 "ann" USER, made 2019-12-31T23:58:00.25, 0 topics; tea.example.org:c2
		user tea.example.org:3: BobSmith "Bob Smith" USER, made 2019-12-31T23:57:00.25, 0 topics; tea.example.org:11
		user tea.example.org:4: 小明 "小明" USER, made 2019-12-31T23:56:00.25, 0 topics; tea.example.org:15 tea.example.org:c1
		user tea.example.org:9: Reader "Reader" USER, made 2019-12-31T23:51:00.25, 0 topics; 
		user tea.example.org:name:user77: user77 "user77" USER, made 2020-01-01T00:20:00.25, 1 topics; tea.example.org:c3
		tea.example.org:10 DISCUSSION OPEN "Question 10" by tea.example.org:1 in "tea.example.org", 2020-01-01T00:10:00.25, active 2020-01-01T00:20:00.25, deleted never, HTML "<p>10</p>", link "", +2 -0, 40 clicks, 5 comments
		  #1 tea.example.org:11 at depth 0 under none by tea.example.org:3, 2020-01-01T00:11:00.25, HTML "<p>11</p>", +0 -1, mentions [], replies 1: tea.example.org:c1
		  #2 tea.example.org:c2 at depth 0 under none by tea.example.org:2, 2020-01-01T00:12:00.25, MARKDOWN "remark *2*", +1 -0, mentions [], replies 0: 
		  #3 tea.example.org:c1 at depth 1 under tea.example.org:11 by tea.example.org:4, 2020-01-01T00:13:00.25, MARKDOWN "remark *1*", +1 -0, mentions [], replies 0: 
		  #4 tea.example.org:15 at depth 0 under none by tea.example.org:4, 2020-01-01T00:15:00.25, HTML "<p>15</p>", +0 -0, mentions [], replies 1: tea.example.org:c3
		  #5 tea.example.org:c3 at depth 1 under tea.example.org:15 by tea.example.org:name:user77, 2020-01-01T00:20:00.25, MARKDOWN "@BobSmith, @小明 & @ann: ` + "`x`" + `", +4 -0, mentions [bobsmith=tea.example.org:3 小明=tea.example.org:4], replies 0: 
		  top level: tea.example.org:11 tea.example.org:c2 tea.example.org:15
		tea.example.org:12 DISCUSSION LOCKED "Question 12" by tea.example.org:name:user77 in "tea.example.org", 2020-01-01T00:12:00.25, active 2020-01-01T00:14:00.25, deleted never, HTML "<p>12</p>", link "", +0 -0, 0 clicks, 1 comments
		  #1 tea.example.org:14 at depth 0 under none by tea.example.org:-1, 2020-01-01T00:14:00.25, HTML "<p>14</p>", +0 -0, mentions [], replies 0: 
		  top level: tea.example.org:14
		7 users, 2 topics, 6 comments, <nil>`

// A dump is imported the same with any window; a second run changes no key.
func TestImportOfADump(t *testing.T) {
	for _, window := range []int{0, 1} {
		x := newSite(t)
		o := Options{Source: "tea.example.org", window: window}
		x.loadDump(smallDumpSum, o, smallDump())
		wantShown(t, x, smallDumpShown) // nothing remains for the sweeper
		x.settle()
		wantShown(t, x, smallDumpShown)
		want := map[string]string{"tea.example.org:10": "tea\ngreen-tea", "tea.example.org:12": "tea"}
		if diff := cmp.Diff(want, x.topicTags()); diff != "" {
			t.Errorf("topics have other tags (-want +got):\n%s", diff)
		}
		before := x.keys()
		x.loadDump(Summary{Records: 21, Known: 8, Members: 6, Votes: 3, Skipped: smallDumpSum.Skipped,
			Missing: smallDumpSum.Missing}, o, smallDump())
		x.settle()
		if diff := cmp.Diff(before, x.keys()); diff != "" {
			t.Errorf("a second run changes keys (-before +after):\n%s", diff)
		}
	}
}

// A later dump adds new objects.
func TestImportOfALaterDump(t *testing.T) {
	x := newSite(t)
	later := smallDump()
	early := tables{
		usersTable:    later[usersTable][:4],
		postsTable:    later[postsTable][:2],
		commentsTable: later[commentsTable][:1],
		votesTable:    later[votesTable],
	}
	o := Options{Source: "tea.example.org"}
	x.loadDump(
		Summary{Records: 12, Topics: 1, Comments: 2, Users: 5, Categories: 1, Members: 4, Votes: 3,
			Skipped: map[string]int{skippedVote: 1, otherVote: 1}, Missing: map[string]int{missingUsers: 1}},
		o,
		early,
	)
	x.loadDump(Summary{Records: 21, Topics: 1, Known: 3, Comments: 4, Users: 2, Members: 6, Votes: 3, Skipped: smallDumpSum.Skipped,
		Missing: smallDumpSum.Missing}, o, later)
	x.settle()
	if shown := x.shown(); !strings.Contains(shown, "7 users, 2 topics, 6 comments") {
		t.Errorf("the site is incomplete:\n%s", shown)
	}
}

// Topics of another source, and of one with the default name, get different categories; a
// configured category holds both.
func TestImportOfDumpsNamesTheirCategories(t *testing.T) {
	x := newSite(t)
	site := tables{postsTable: {ask(1)}}
	x.loadDump(Summary{Records: 1, Topics: 1, Categories: 1}, Options{Source: "a.example.org"}, site)
	x.loadDump(Summary{Records: 1, Topics: 1, Categories: 1}, Options{Source: "b.example.org", Category: "All"}, site)
	x.loadDump(Summary{Records: 1, Topics: 1}, Options{Category: "ALL"}, site)
	x.settle()
	shown := x.shown()
	for _, want := range []string{`category a.example.org "": a.example.org:1;`,
		`category All "": stackexchange:1 b.example.org:1;`} {
		if !strings.Contains(shown, want) {
			t.Errorf("the site lacks %q:\n%s", want, shown)
		}
	}
}

// Invalid rows and files are reported with file and line, and the others are imported; with Strict
// none after them is.
func TestImportOfABadDump(t *testing.T) {
	bad := smallDump()
	bad[usersTable] = append(bad[usersTable], userOf(0, "Nobody"))
	bad[postsTable] = append(bad[postsTable], "<row Id=")
	in := bad.inputs()
	in[0].Open = func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("<votes>")), nil }
	x := newSite(t)
	sum, err := x.runDump(Options{Source: "tea.example.org"}, in)
	if err != nil {
		t.Fatalf("Run = %v; want no error", err)
	}
	wantSummary(
		t,
		sum,
		Summary{
			Records:    18,
			Topics:     2,
			Comments:   6,
			Users:      7,
			Categories: 1,
			Members:    6,
			Missing:    map[string]int{missingParents: 1},
			Bad:        2,
			Files:      1,
			Skipped:    map[string]int{skippedOrphan: 1, "tag wiki": 1},
		},
	)
	wantBalance(t, sum)
	slices.Sort(x.reported)
	x.wantReported(
		"posts.xml:9: this is not XML: unexpected EOF",
		"users.xml:9: Id is missing",
		"votes.xml: line 1: the file ends before </votes>",
	)
	x.settle()
	y := newSite(t)
	sum, err = y.runDump(Options{Source: "tea.example.org", Strict: true}, in)
	if err == nil || err.Error() != "posts.xml:9: this is not XML: unexpected EOF" || sum.Users+sum.Topics > 0 {
		t.Errorf("strict Run = %+v, %v; want an error in line 9 and nothing done", sum, err)
	}
	if _, err := y.runDump(Options{}, in[:1]); err == nil || len(y.reported) > 0 {
		t.Errorf("Run without Posts = %v, reported %q; want an error", err, y.reported)
	}
	y.wantTopics("")
}

// Members in Users are mentioned by names without spaces, except names of several members.
func TestMentionsInADump(t *testing.T) {
	x := newSite(t)
	site := tables{
		usersTable:    {userOf(1, "Ann"), userOf(2, "Al Ice"), userOf(3, "Alice"), userOf(4, "Ål Sø")},
		postsTable:    {ask(5, "OwnerUserId", 1)},
		commentsTable: {remark(1, 5, 6, "UserId", 2)},
	}
	site[commentsTable][0] = strings.Replace(site[commentsTable][0], "remark", "@Alice @ann @ålsø @nobody", 1)
	x.loadDump(Summary{Records: 6, Topics: 1, Comments: 1, Users: 4, Categories: 1, Members: 4}, Options{Source: "a"}, site)
	comment := objects(x.view(), []forum.CommentID{called(x, comments, "a:c1")}, whole.Comments)[0]
	if got := x.view().mentions(comment); got != "[ann=a:1 ålsø=a:4]" {
		t.Errorf("mentions %s; want ann and ålsø", got)
	}
}

// A mention in a comment means who wrote the post or a comment on it before others of the same name, and the
// first letters of the name suffice.
func TestMentionsInADumpMeanThoseNearby(t *testing.T) {
	x := newSite(t)
	say := func(id, on int, by int, text string) string {
		return strings.Replace(remark(id, on, 20+id, "UserId", by), "remark", text, 1)
	}
	x.loadDump(Summary{Records: 14, Topics: 1, Comments: 7, Users: 6, Categories: 1, Members: 6}, Options{Source: "a"}, tables{
		usersTable: {userOf(1, "Ann Lee"), userOf(2, "Ann Lee"), userOf(3, "Bob"), userOf(4, "Bobby Tables"), userOf(5, "Annette"),
			userOf(6, "J. Random-Hacker")},
		postsTable: {ask(10, "OwnerUserId", 2), answerTo(11, 10, "OwnerUserId", 1)},
		commentsTable: {
			say(1, 10, 4, "@annlee: @bob"), say(2, 10, 3, "@bobb @an @bob"), say(3, 10, 3, "@Bob"), say(4, 11, 5, "@Ann @Annette"),
			say(5, 11, 6, "@Ann"), say(6, 11, 1, "@J.Random-Hacker, @j.ran"),
		},
	})
	for name, want := range map[string]string{"a:c1": "[annlee=a:2 bob=a:3]", "a:c2": "[bobb=a:4 bob=a:4]", "a:c3": "[bob=a:3]",
		"a:c4": "[ann=a:1 annette=a:5]", "a:c5": "[ann=a:5]", "a:c6": "[j.random-hacker=a:6 j.ran=a:6]"} {
		comment := objects(x.view(), []forum.CommentID{called(x, comments, name)}, whole.Comments)[0]
		if got := x.view().mentions(comment); got != want {
			t.Errorf("%s %q mentions %s; want %s", name, comment.Content, got, want)
		}
	}
}

// Progress is reported also while the first pass has nothing to write.
func TestImportReportsProgressWhileReading(t *testing.T) {
	reported := make(chan struct{})
	site := tables{postsTable: {ask(1)}}
	in := site.inputs()
	in[0].Open = func() (io.ReadCloser, error) {
		<-reported
		return io.NopCloser(strings.NewReader(string(site.file(postsTable)))), nil
	}
	first := sync.OnceFunc(func() { close(reported) })
	o := Options{Source: "a", Progress: func(Summary) { first() }}
	x := newSite(t)
	if sum, err := x.runDump(o, in); err != nil || sum.Topics != 1 {
		t.Errorf("Run = %+v, %v; want a topic", sum, err)
	}
}
