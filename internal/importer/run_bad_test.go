package importer

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"agora/internal/forum"
	"agora/internal/test/testlevel"
)

// articles returns stories with these numbers.
func articles(ids ...int) []obj {
	var records []obj
	for _, id := range ids {
		records = append(records, item(id, "story", "ann", obj{"title": "T", "url": "https://example.org/"}))
	}
	return records
}

// wantReported checks the reported errors of records and files, in order.
func (x *site) wantReported(want ...string) {
	x.t.Helper()
	if !slices.Equal(x.reported, want) {
		x.t.Errorf("Run reports %q; want %q", x.reported, want)
	}
}

// wantTopics checks the topics of the site.
func (x *site) wantTopics(want string) {
	x.t.Helper()
	v := x.view()
	var names []string
	for _, id := range v.topics {
		names = append(names, v.sources[int64(id)])
	}
	if got := strings.Join(names, " "); got != want {
		x.t.Errorf("topics %q; want %q", got, want)
	}
}

// An invalid record is reported with file and line, counted and skipped; all others are imported.
func TestImportSkipsInvalidRecords(t *testing.T) {
	x := newSite(t)
	one := string(
		lines(articles(1)...),
	) + "\n{\"id\":2,}\n" + string(
		lines(item(3, "song", "ann", nil)),
	) + string(
		lines(articles(4)...),
	)
	two := string(
		array(articles(5)[0], item(6, "story", "bob", obj{"title": strings.Repeat("x", MaxTitle+1)}), articles(7)[0]),
	)
	sum, err := x.run(x.ctx, x.Store, Options{Format: HackerNews}, []byte(one), packed(two))
	if err != nil {
		t.Fatalf("Run = %v; want no error", err)
	}
	wantSummary(t, sum, Summary{Records: 7, Topics: 4, Users: 1, Bad: 3})
	x.wantReported(
		"file1:3: this is not JSON: invalid character '}' looking for beginning of object key string at byte 9 of the record",
		`file1:4: unknown type of item "song"`,
		"file2:10: [1]: title must have at most 300 characters.",
	)
	x.wantTopics("hackernews:1 hackernews:4 hackernews:5 hackernews:7")
}

// With Strict, records before an invalid record or file are written, and none after it.
func TestStrictImportStopsAtTheFirstError(t *testing.T) {
	good := string(lines(articles(1, 2)...))
	half := packed(good)
	tests := []struct {
		name  string
		files [][]byte
		want  string // the error
		sum   Summary
	}{
		{
			"record",
			[][]byte{[]byte(good + "{}\n" + string(lines(articles(3)...))), lines(articles(4)...)},
			"file1:3: id is missing",
			Summary{Records: 3, Topics: 2, Users: 1, Bad: 1},
		},
		{
			"file",
			[][]byte{half[:len(half)-8], lines(articles(4)...)},
			"file1: line 3: the file is truncated: its gzip data ends early",
			Summary{Records: 2, Topics: 2, Users: 1, Files: 1},
		},
		{
			"later file",
			[][]byte{[]byte(good), []byte("<html>"), lines(articles(4)...)},
			"file2: line 1: this is not JSON: it begins with '<', not with { or [",
			Summary{Records: 2, Topics: 2, Users: 1, Files: 1},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			x := newSite(t)
			sum, err := x.run(x.ctx, x.Store, Options{Format: HackerNews, Strict: true}, tt.files...)
			if err == nil || err.Error() != tt.want {
				t.Errorf("Run = %v; want %q", err, tt.want)
			}
			wantSummary(t, sum, tt.sum)
			x.wantReported(tt.want)
			x.wantTopics("hackernews:1 hackernews:2")
			x.settle()
		})
	}
}

// Without Strict, a file that cannot be read to its end is reported and counted, and the next one
// is imported.
func TestImportContinuesAfterABadFile(t *testing.T) {
	good := packed(string(lines(articles(1, 2)...)))
	tests := []struct {
		name     string
		file     []byte
		reported string
		topics   string
	}{
		{
			"truncated",
			good[:len(good)-8],
			"file1: line 3: the file is truncated: its gzip data ends early",
			"hackernews:1 hackernews:2 hackernews:9",
		},
		{
			"wrong format",
			lines(smallV2EX()...),
			"file1: line 1: this is a V2EX topic, not a Hacker News item; use --format v2ex",
			"hackernews:9",
		},
		{
			"array that does not end",
			bytes.TrimSuffix(array(articles(1)...), []byte("]")),
			"file1: line 10: the file ends within an array",
			"hackernews:1 hackernews:9",
		},
		{"no JSON", []byte("<html>"), "file1: line 1: this is not JSON: it begins with '<', not with { or [", "hackernews:9"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			x := newSite(t)
			sum, err := x.run(x.ctx, x.Store, Options{Format: HackerNews}, tt.file, lines(articles(9)...))
			n := strings.Count(tt.topics, " ") + 1
			if err != nil || sum.Files != 1 || sum.Topics != n || sum.Records != n || sum.Bad != 0 {
				t.Errorf("Run = %+v, %v; want %d topics, 1 bad file, no error", sum, err, n)
			}
			x.wantReported(tt.reported)
			x.wantTopics(tt.topics)
		})
	}
}

// A file that cannot be opened is a bad file.
func TestImportOfAMissingFile(t *testing.T) {
	x := newSite(t)
	missing := Input{
		Name: "missing",
		Open: func() (io.ReadCloser, error) { return nil, errors.New("open missing: no such file") },
	}
	var reported []string
	o := Options{Format: HackerNews, Category: "Imported",
		Bad: func(err error) { reported = append(reported, err.Error()) }}
	sum, err := Run(x.ctx, x.Store, o, append([]Input{missing}, inputs([][]byte{lines(articles(1)...)})...))
	if err != nil || sum.Files != 1 || sum.Topics != 1 || !slices.Equal(reported, []string{"open missing: no such file"}) {
		t.Errorf("Run = %+v, %v, reported %q; want one bad file and a topic", sum, err, reported)
	}
}

func TestImportOfNothing(t *testing.T) {
	x := newSite(t)
	before := x.keys()
	x.load(Summary{}, Options{Format: V2EX})
	x.load(Summary{}, Options{Format: V2EX}, nil, []byte("[]"), packed(""), []byte("\n\n"))
	if after := x.keys(); len(after) != len(before) {
		t.Errorf("an import of nothing creates %d keys; want none", len(after)-len(before))
	}
}

func TestImportRefusesOptions(t *testing.T) {
	x := newSite(t)
	tests := []struct {
		name string
		o    Options
		want string
	}{
		{"no format", Options{Category: "C"}, `unknown format ""`},
		{"unknown format", Options{Format: "phpbb", Category: "C"}, `unknown format "phpbb"`},
		{
			"source with a colon",
			Options{Format: V2EX, Source: "a:b", Category: "C"},
			`the source "a:b" must consist of 1 to 64 letters`,
		},
		{
			"long source",
			Options{Format: V2EX, Source: strings.Repeat("a", 65), Category: "C"},
			"must consist of 1 to 64 letters",
		},
		{"no category", Options{Format: V2EX}, "category must have at least 1"},
		{
			"long category",
			Options{Format: V2EX, Category: strings.Repeat("a", forum.MaxName+1)},
			"category must have at most 64",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			sum, err := Run(x.ctx, x.Store, tt.o, inputs([][]byte{lines(smallV2EX()...)}))
			if err == nil || !strings.Contains(err.Error(), tt.want) || sum.Records > 0 {
				t.Errorf("Run(%+v) = %+v, %v; want an error with %q", tt.o, sum, err, tt.want)
			}
		})
	}
}

// The longest texts are imported in full, and empty ones empty.
func TestImportOfTheLongestTexts(t *testing.T) {
	testlevel.Usual(t)
	title, content := strings.Repeat("题", MaxTitle), strings.Repeat("x", MaxContent)
	tests := []struct {
		format Format
		record obj
		want   []string
	}{
		{
			V2EX,
			with(v2exTopicOf(1, nil, nil), obj{"title": title, "content": content}),
			[]string{fmt.Sprintf("%q by", title), "MARKDOWN " + short(content)},
		},
		{
			Discourse,
			with(
				threadOf(
					1,
					0,
					0,
					postBy(1, 0, 0, "ann", content, 0),
					postBy(2, 0, 1, "bob", content, 0),
					postBy(3, 2, 2, "ann", "", 0),
				),
				obj{"title": title},
			),
			[]string{
				fmt.Sprintf("%q by", title),
				"HTML " + short(content) + ", link",
				"HTML " + short(content) + ", +0",
				`HTML "", +0`,
			},
		},
		{
			HackerNews,
			item(1, "story", "", obj{"title": title, "text": content}),
			[]string{fmt.Sprintf("%q by", title), "HTML " + short(content)},
		},
	}
	for _, tt := range tests {
		t.Run(string(tt.format), func(t *testing.T) {
			x := newSite(t)
			if sum, err := x.run(x.ctx, x.Store, Options{Format: tt.format}, lines(tt.record)); err != nil || sum.Topics != 1 ||
				len(x.reported) > 0 {
				t.Fatalf("Run = %+v, %v, reported %q; want a topic", sum, err, x.reported)
			}
			x.settle()
			shown := x.shown()
			for _, want := range tt.want {
				if !strings.Contains(shown, want) {
					t.Errorf("the site lacks %.100s", want)
				}
			}
		})
	}
}
