package importer

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agora/internal/forum"
	"agora/internal/test/must"
)

var noContext = context.Background()

// xmlRow returns a row with these attributes: alternating names and values.
func xmlRow(attributes ...any) string {
	var b bytes.Buffer
	b.WriteString("  <row")
	for i := 0; i < len(attributes); i += 2 {
		fmt.Fprintf(&b, " %s=\"", attributes[i])
		if err := xml.EscapeText(&b, []byte(fmt.Sprint(attributes[i+1]))); err != nil {
			panic(err) // a buffer accepts everything
		}
		b.WriteString(`"`)
	}
	return b.String() + " />"
}

// stamp returns a time in the format of a dump: n minutes after 2020-01-01T00:00:00Z.
func stamp(n int) string { return strings.TrimSuffix(rfc3339(n), "Z") + ".250" }

// stampMS returns that time.
func stampMS(n int) forum.Time { return forum.Time(1000*seconds(n) + 250) }

// ask returns a question of minute id, answerTo an answer, remark a comment.
func ask(id int, more ...any) string {
	return xmlRow(
		append(
			[]any{
				"Id",
				id,
				"PostTypeId",
				1,
				"CreationDate",
				stamp(id),
				"Score",
				3,
				"Body",
				fmt.Sprintf("<p>%d</p>", id),
				"Title",
				fmt.Sprintf("Question %d", id),
			},
			more...)...)
}

func answerTo(id, to int, more ...any) string {
	return xmlRow(
		append(
			[]any{
				"Id",
				id,
				"PostTypeId",
				2,
				"ParentId",
				to,
				"CreationDate",
				stamp(id),
				"Score",
				-2,
				"Body",
				fmt.Sprintf("<p>%d</p>", id),
			},
			more...)...)
}

func remark(id, on, minute int, more ...any) string {
	return xmlRow(
		append(
			[]any{"Id", id, "PostId", on, "Score", 1, "Text", fmt.Sprintf("remark *%d*", id), "CreationDate", stamp(minute)},
			more...)...)
}

func voteOf(id, post, kind int) string {
	return xmlRow("Id", id, "PostId", post, "VoteTypeId", kind, "CreationDate", stamp(0))
}

func userOf(id int, name string) string {
	return xmlRow("Id", id, "DisplayName", name, "CreationDate", stamp(-id))
}

// tables are the rows of a site, by table.
type tables map[Table][]string

// file returns a table in the format of a dump.
func (s tables) file(t Table) []byte {
	return []byte(
		strings.ReplaceAll(
			fmt.Sprintf("\ufeff<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<%s>\n%s\n</%[1]s>", t, strings.Join(s[t], "\n")),
			"\n",
			"\r\n",
		),
	)
}

// inputs returns the files of the site, except empty tables.
func (s tables) inputs() []Input {
	var in []Input
	for _, t := range []Table{votesTable, usersTable, postsTable, commentsTable} { // the order does not matter
		if s[t] != nil {
			in = append(in, Input{Name: string(t) + ".xml", Open: func() (io.ReadCloser, error) {
				return io.NopCloser(bytes.NewReader(s.file(t))), nil
			}})
		}
	}
	return in
}

// readDump reads a site, and returns its records and the errors of its files.
func readDump(t testing.TB, o Options, in []Input) (records []Record, failed []string) {
	t.Helper()
	o.now = testNow
	d := must.Do(newDump(noContext, o, in))(t)
	for r, err := range d.records {
		if err != nil {
			failed = append(failed, err.Error())
			continue
		}
		checkRecord(t, r)
		records = append(records, r)
	}
	return records, failed
}

// outlineDump summarizes records: "7: 8 c1<8" is topic 7 with answer 8 and comment 1 on that, "user
// 5" a member; skipped and invalid rows appear as text.
func outlineDump(records []Record, failed []string) string {
	var parts []string
	for _, r := range records {
		at := fmt.Sprintf("%s:%d", r.File, r.Line)
		switch {
		case r.Topic != nil:
			s := r.Topic.ID + ":"
			for _, c := range r.Topic.Comments {
				if s += " " + c.ID; c.Parent != "" {
					s += "<" + c.Parent
				}
			}
			parts = append(parts, s)
		case r.Person != nil:
			parts = append(parts, "user "+r.Person.ID)
		case r.Err != nil:
			parts = append(parts, at+": "+r.Err.Error())
		case r.Votes:
			parts = append(parts, fmt.Sprintf("%d votes", r.Count))
		case r.Missing != "":
			parts = append(parts, fmt.Sprintf("no %d %s", r.Count, r.Missing))
		default:
			parts = append(parts, at+" is a "+r.Skipped)
		}
	}
	return strings.Join(append(parts, failed...), "\n")
}

func TestReadStackExchange(t *testing.T) {
	records, failed := readDump(t, Options{}, tables{
		usersTable: {userOf(5, "Ann Lee")},
		postsTable: {
			ask(7, "OwnerUserId", 5, "ViewCount", 145, "Tags", "<go><c#>", "ClosedDate", stamp(9), "AcceptedAnswerId", 8),
			answerTo(8, 7, "OwnerUserId", -1, "OwnerDisplayName", "Community"),
		},
		commentsTable: {remark(8, 8, 20, "UserId", 6), remark(9, 7, 10, "UserDisplayName", "gone")},
		votesTable:    {voteOf(1, 7, 2), voteOf(2, 7, 2), voteOf(3, 7, 3), voteOf(4, 8, 3), voteOf(5, 8, 1), voteOf(6, 8, 5)},
	}.inputs())
	ann := Person{ID: "5", Name: "Ann Lee", SourceID: "5", CreatedAt: stampMS(-5)}
	other := Record{File: "votes.xml", Line: 7, Skipped: otherVote}
	another := other
	another.Line++
	want := []Record{other, another, {File: "users.xml", Line: 3, Person: &ann}, {File: "posts.xml", Line: 3, Topic: &Topic{
		ID: "7", Kind: forum.Discussion, Title: "Question 7", Content: "<p>7</p>", Format: forum.HTML, Author: ann,
		Tags:      []string{"go", "c#"},
		CreatedAt: stampMS(7), Locked: true, Upvotes: 2, Downvotes: 1, Clicks: 145, Comments: []Comment{
			{
				ID:        "8",
				Author:    Person{ID: "-1", Name: "Community"},
				Content:   "<p>8</p>",
				Format:    forum.HTML,
				CreatedAt: stampMS(8),
				Downvotes: 1,
			},
			{
				ID:        "c9",
				Author:    Person{ID: "name:gone", Name: "gone"},
				Content:   "remark *9*",
				Format:    forum.Markdown,
				CreatedAt: stampMS(10),
				Upvotes:   1,
				Near:      []Person{ann},
			},
			{
				ID:        "c8",
				Parent:    "8",
				Author:    Person{ID: "6", Name: "user6", SourceID: "6"},
				Content:   "remark *8*",
				Format:    forum.Markdown,
				CreatedAt: stampMS(20),
				Upvotes:   1,
				Near:      []Person{{ID: "-1", Name: "Community"}},
			},
		}}}, {Votes: true, Count: 4}, {Missing: missingUsers, Count: 2}}
	if diff := cmp.Diff(want, records); diff != "" || failed != nil {
		t.Errorf("the dump is read differently, %q (-want +got):\n%s", failed, diff)
	}
}

func TestOrderInStackExchange(t *testing.T) {
	tests := []struct {
		name string
		site tables
		want string
	}{
		{
			"by time",
			tables{
				postsTable:    {ask(1), answerTo(5, 1), answerTo(2, 1)},
				commentsTable: {remark(1, 1, 3), remark(2, 1, 1), remark(3, 2, 4)},
			},
			"1: c2 2 c1 c3<2 5",
		},
		{
			"an answer before a comment of the same age",
			tables{postsTable: {ask(1), answerTo(2, 1)}, commentsTable: {remark(1, 1, 2), remark(2, 2, 2)}},
			"1: 2 c1 c2<2",
		},
		{
			"a comment older than its answer",
			tables{postsTable: {ask(1), answerTo(5, 1)}, commentsTable: {remark(1, 5, 2), remark(2, 1, 4)}},
			"1: c2 5 c1<5",
		},
		{
			"an answer before its question",
			tables{postsTable: {answerTo(2, 5), ask(5)}, commentsTable: {remark(1, 2, 9)}},
			"5: 2 c1<2",
		},
		{"topics in file order", tables{postsTable: {ask(9), ask(3), answerTo(4, 9), answerTo(5, 3)}}, "9: 4\n3: 5"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := outlineDump(readDump(t, Options{}, tt.site.inputs())); got != tt.want {
				t.Errorf("read %q; want %q", got, tt.want)
			}
		})
	}
}

// bigger returns a site of some topics, including invalid and skipped rows.
func bigger() tables {
	site := tables{
		votesTable: {voteOf(1, 0, 2)},
		postsTable: {xmlRow("Id", 5, "PostTypeId", 1, "CreationDate", stamp(5), "Title", "\u200b")},
	}
	for id := 10; id < 60; id += 10 {
		site[postsTable] = append(site[postsTable], ask(id), answerTo(id+1, id), answerTo(id+2, id+10))
		site[commentsTable] = append(site[commentsTable], remark(id, id, 90), remark(id+1, id+2, 91), remark(id+2, id+5, 91))
	}
	site[postsTable] = append(site[postsTable], "<row", answerTo(10, 10))
	return site
}

// With any window size, the result is the same, and errors are reported once.
func TestWindowsOfStackExchange(t *testing.T) {
	want := outlineDump(readDump(t, Options{}, bigger().inputs()))
	for _, part := range []string{"10: 11 c10\n20: 12", "\n50: 42 51", "posts.xml:3: title is empty",
		"two posts with Id 10",
		"votes.xml:3: PostId is missing", "posts.xml:18 is a " + skippedOrphan} {
		if !strings.Contains(want, part) {
			t.Errorf("the site is read as\n%s\nwhich lacks %q", want, part)
		}
	}
	for size, windows := range map[int]int{1: 6, 1500: 3, 1 << 20: 1} {
		again := map[string]int{}
		o := Options{window: size, Again: func(input string, times int) { again[input] += times }}
		if got := outlineDump(readDump(t, o, bigger().inputs())); got != want {
			t.Errorf("read %d bytes at a time:\n%s\nwant\n%s", size, got, want)
		}
		if diff := cmp.Diff(map[string]int{"posts.xml": windows, "comments.xml": windows}, again); diff != "" {
			t.Errorf("read %d bytes at a time, files are read again differently (-want +got):\n%s", size, diff)
		}
	}
}

func TestVotesInStackExchange(t *testing.T) {
	site := tables{postsTable: {ask(1), answerTo(2, 1)}, votesTable: {voteOf(1, 1, 2), voteOf(2, 2, 3), voteOf(3, 2, 2)}}
	cut := site.inputs()
	cut[0].Open = func() (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader("<votes>" + voteOf(1, 2, 2))), nil
	}
	missing := site.inputs()
	missing[0].Open = func() (io.ReadCloser, error) { return nil, errors.New("no such file") }
	tests := []struct {
		name  string
		files []Input
		want  string
	}{
		{"votes", site.inputs(), "+1 -0 +1 -1"},
		{"no votes", tables{postsTable: site[postsTable]}.inputs(), "+3 -0 +0 -2"},
		{"not all votes", cut, "+3 -0 +0 -2"},
		{"missing votes", missing, "+3 -0 +0 -2"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			records, _ := readDump(t, Options{}, tt.files)
			topic := records[slices.IndexFunc(records, func(r Record) bool { return r.Topic != nil })].Topic
			c := topic.Comments[0]
			if got := fmt.Sprintf("+%d -%d +%d -%d", topic.Upvotes, topic.Downvotes, c.Upvotes, c.Downvotes); got != tt.want {
				t.Errorf("question and answer have %s; want %s", got, tt.want)
			}
		})
	}
}

// Reading ends soon after the context does, without yielding incomplete topics.
func TestReadingADumpEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	site := bigger()
	site[usersTable] = []string{userOf(1, "Ann"), userOf(2, "Bob")}
	d := must.Do(newDump(ctx, Options{}, site.inputs()))(t)
	for r := range d.records {
		if ctx.Err() != nil {
			t.Errorf("%+v is read after the end", r)
		}
		if r.Person != nil {
			cancel()
		}
	}
}
