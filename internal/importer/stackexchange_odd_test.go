package importer

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agora/internal/forum"
)

func TestTagsOfStackExchange(t *testing.T) {
	many := strings.Repeat("x", forum.MaxTag)
	tests := []struct {
		name    string
		tags    string
		want    []string
		dropped int
	}{
		{"none", "", nil, 0},
		{"angles", "<go><c#><.net>", []string{"go", "c#", ".net"}, 0},
		{"bars", "|go|c#|.net|", []string{"go", "c#", ".net"}, 0},
		{"one", "<go>", []string{"go"}, 0},
		{"twice", "<go><Go><ｇｏ><c>", []string{"go", "c"}, 0},
		{"ten are the most", "<1><2><3><4><5><6><7><8><9><10>", strings.Fields("1 2 3 4 5 6 7 8 9 10"), 0},
		{"eleven are too many", "<1><2><3><4><5><6><7><8><9><10><11><1>", strings.Fields("1 2 3 4 5 6 7 8 9 10"), 1},
		{"long", "<" + many + "><" + many + "x>", []string{many}, 1},
		{"no visible characters", "< ><\u200b><a>", []string{"a"}, 2},
		{"spaces", "< machine\tlearning >", []string{"machine learning"}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			records, _ := readDump(t, Options{}, tables{postsTable: {ask(1, "Tags", tt.tags)}}.inputs())
			if diff := cmp.Diff(tt.want, records[0].Topic.Tags); diff != "" ||
				records[0].Changes != (Changes{Tags: tt.dropped}) {
				t.Errorf("tags %q: %+v; want %d dropped (-want +got):\n%s", tt.tags, records[0].Changes, tt.dropped, diff)
			}
		})
	}
}

func TestAuthorsInStackExchange(t *testing.T) {
	tests := []struct {
		name   string
		fields []any
		want   Person
	}{
		{"a member", []any{"OwnerUserId", 5}, Person{ID: "5", Name: "Ann", SourceID: "5", CreatedAt: stampMS(-5)}},
		{
			"a member, whatever the name",
			[]any{"OwnerUserId", 5, "OwnerDisplayName", "Bob"},
			Person{ID: "5", Name: "Ann", SourceID: "5", CreatedAt: stampMS(-5)},
		},
		{"the site", []any{"OwnerUserId", -1}, Person{ID: "-1", Name: "Community", CreatedAt: stampMS(1)}},
		{
			"a member without a name",
			[]any{"OwnerUserId", 6},
			Person{ID: "6", Name: "user6", SourceID: "6", CreatedAt: stampMS(-6)},
		},
		{"a user without a row", []any{"OwnerUserId", 7}, Person{ID: "7", Name: "user7", SourceID: "7"}},
		{
			"a user without a row, with a name",
			[]any{"OwnerUserId", 7, "OwnerDisplayName", "Bob"},
			Person{ID: "7", Name: "Bob", SourceID: "7"},
		},
		{"a name", []any{"OwnerDisplayName", "user7"}, Person{ID: "name:user7", Name: "user7"}},
		{"a name that cannot be seen", []any{"OwnerDisplayName", "\u200b"}, Person{}},
		{"no author", nil, Person{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			site := tables{
				usersTable: {userOf(-1, "Community"), userOf(5, "Ann"), userOf(6, " ")},
				postsTable: {ask(1, tt.fields...)},
			}
			records, _ := readDump(t, Options{}, site.inputs())
			if diff := cmp.Diff(tt.want, records[3].Topic.Author); diff != "" {
				t.Errorf("the author of %v differs (-want +got):\n%s", tt.fields, diff)
			}
		})
	}
}

func TestSkippedRowsOfStackExchange(t *testing.T) {
	other := func(id, kind int) string {
		return xmlRow("Id", id, "PostTypeId", kind, "CreationDate", stamp(1), "Body", "x")
	}
	tests := []struct {
		name string
		site tables
		want string
	}{
		{"other posts", tables{postsTable: {other(1, 4), other(2, 5), other(3, 7), other(4, 99)}},
			"posts.xml:3 is a tag wiki excerpt\nposts.xml:4 is a tag wiki\nposts.xml:5 is a wiki placeholder\nposts.xml:6 is " +
				"a post of an unknown type"},
		{"answers to missing questions",
			tables{postsTable: {answerTo(2, 1), ask(3), answerTo(4, 3), answerTo(5, 4), answerTo(6, 2)}},
			"posts.xml:3 is a @\nposts.xml:6 is a @\nposts.xml:7 is a @\n3: 4\nno 1 " + missingParents},
		{
			"comments on missing posts",
			tables{
				postsTable:    {ask(1), other(2, 5), answerTo(3, 99)},
				commentsTable: {remark(1, 2, 1), remark(2, 3, 1), remark(3, 4, 1), remark(4, 1, 1)},
			},
			"posts.xml:4 is a tag wiki\nposts.xml:5 is a @\ncomments.xml:3 is a @\ncomments.xml:4 is a @\ncomments.xml:5 is a " +
				"@\n1: c4\nno 2 " + missingParents,
		},
		{
			"votes on missing posts",
			tables{postsTable: {ask(1)}, votesTable: {voteOf(1, 1, 2), voteOf(2, 2, 2), voteOf(3, 2, 3), voteOf(4, 2, 10)}},
			"votes.xml:4 is a " + skippedVote + "\nvotes.xml:5 is a " + skippedVote + "\nvotes.xml:6 is a " + otherVote + "\n1:\n1 votes",
		},
		{
			"answers and comments of an invalid question",
			tables{postsTable: {ask(1, "ViewCount", "x"), answerTo(2, 1)}, commentsTable: {remark(1, 1, 1), remark(2, 2, 2)}},
			"posts.xml:3: ViewCount is not a whole number\nposts.xml:3 is a @\nposts.xml:3 is a @\nposts.xml:3 is a @",
		},
		{
			"comments of an invalid answer are kept",
			tables{postsTable: {ask(1), answerTo(2, 1, "OwnerUserId", "x")}, commentsTable: {remark(1, 2, 1)}},
			"posts.xml:4: OwnerUserId is not a whole number\n1: c1",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, want := outlineDump(readDump(t, Options{}, tt.site.inputs())),
				strings.ReplaceAll(tt.want, "@", skippedOrphan); got != want {
				t.Errorf("read\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func TestBadRowsOfStackExchange(t *testing.T) {
	const date = "2020-01-01T00:00:00"
	long := strings.Repeat("a", MaxContent+1)
	tests := []struct {
		name string
		t    Table
		row  string
		want string
	}{
		{"no id", postsTable, xmlRow("PostTypeId", 1), "Id is missing"},
		{"a word for an id", postsTable, xmlRow("Id", "x", "PostTypeId", 1), "Id is not a whole number"},
		{"no type", postsTable, xmlRow("Id", 9), "PostTypeId is missing"},
		{"twice", postsTable, ask(1), "there are two posts with Id 1"},
		{"no question", postsTable, xmlRow("Id", 9, "PostTypeId", 2), "ParentId is missing"},
		{"its own answer", postsTable, answerTo(9, 9), "the post is its own parent"},
		{"no time", postsTable, xmlRow("Id", 9, "PostTypeId", 1, "Title", "T"), "CreationDate is missing"},
		{
			"an invalid time",
			postsTable,
			xmlRow("Id", 9, "PostTypeId", 1, "Title", "T", "CreationDate", "lately"),
			"CreationDate is not a time between 1990 and now",
		},
		{"no title", postsTable, xmlRow("Id", 9, "PostTypeId", 1, "CreationDate", date), "title is empty"},
		{
			"a long title",
			postsTable,
			xmlRow("Id", 9, "PostTypeId", 1, "CreationDate", date, "Title", strings.Repeat("x", MaxTitle+1)),
			"title must have at most 300 characters.",
		},
		{
			"a long text",
			postsTable,
			xmlRow("Id", 9, "PostTypeId", 2, "ParentId", 1, "CreationDate", date, "Body", long),
			"the text has 1048577 bytes; at most 1048576 are allowed",
		},
		{"views beyond bounds", postsTable, ask(9, "ViewCount", MaxCount+1), "ViewCount is beyond 1000000000"},
		{"a comment without id", commentsTable, xmlRow("PostId", 1, "Text", "x", "CreationDate", date), "Id is missing"},
		{"a comment on no post", commentsTable, xmlRow("Id", 9, "Text", "x", "CreationDate", date), "PostId is missing"},
		{"a comment twice", commentsTable, remark(1, 1, 1), "there are two comments with Id 1"},
		{"a comment of a word", commentsTable, remark(9, 1, 1, "UserId", "x"), "UserId is not a whole number"},
		{
			"a score beyond bounds",
			commentsTable,
			xmlRow("Id", 9, "PostId", 1, "CreationDate", date, "Score", -MaxCount-1),
			"Score is beyond 1000000000",
		},
		{"a user without id", usersTable, xmlRow("DisplayName", "x"), "Id is missing"},
		{"a user twice", usersTable, userOf(5, "Bob"), "there are two users with Id 5"},
		{"a vote without a type", votesTable, xmlRow("Id", 9, "PostId", 1), "VoteTypeId is missing"},
		{"a vote on no post", votesTable, xmlRow("Id", 9, "VoteTypeId", 2), "PostId is missing"},
		{"no XML", votesTable, "<row Id=9 />", "this is not XML: unquoted or missing attribute value in element"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			site := tables{
				postsTable:    {ask(1)},
				commentsTable: {remark(1, 1, 1)},
				usersTable:    {userOf(5, "Ann")},
				votesTable:    {voteOf(1, 1, 2)},
			}
			site[tt.t] = append(site[tt.t], tt.row)
			records, failed := readDump(t, Options{}, site.inputs())
			var reported []string
			rows := 0
			for _, r := range records {
				rows += r.rows()
				if r.Err != nil {
					reported = append(reported, fmt.Sprintf("%s:%d: %v", r.File, r.Line, r.Err))
				}
			}
			if want := []string{fmt.Sprintf("%s.xml:4: %s", tt.t, tt.want)}; !cmp.Equal(reported, want) || failed != nil ||
				rows != 5 {
				t.Errorf("read %d rows, reported %q, failed %q; want 5, reported %q", rows, reported, failed, want)
			}
		})
	}
}

func TestFilesOfStackExchange(t *testing.T) {
	named := func(names ...string) (in []Input) {
		for _, name := range names {
			in = append(in, Input{Name: name})
		}
		return in
	}
	tests := []struct {
		name string
		in   []Input
		want string
	}{
		{"no posts", named("a/Users.xml", "a/Tags.xml"), "there is no Posts.xml among"},
		{"none", nil, "there is no Posts.xml among"},
		{"another file", named("a/Posts.xml", "a/readme.txt"), "a/readme.txt: the files of a Stack Exchange site are named"},
		{"two sites", named("a/Posts.xml", "b/Posts.xml.gz"), "a/Posts.xml and b/Posts.xml.gz are the same table"},
	}
	for _, tt := range tests {
		if _, err := newDump(noContext, Options{}, tt.in); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("newDump(%s) = %v; want %q", tt.name, err, tt.want)
		}
	}
}

// A file that cannot be read to its end is reported once, and the others are still read.
func TestBadFilesOfStackExchange(t *testing.T) {
	site := tables{postsTable: {ask(1), answerTo(2, 1)}, commentsTable: {remark(1, 2, 3)}, usersTable: {userOf(5, "Ann")}}
	content := func(s string) func() (io.ReadCloser, error) {
		return func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(s)), nil }
	}
	half := string(site.file(postsTable))
	tests := []struct {
		name, file, content, want string
	}{
		{"users", "users.xml", "<users>", "1: 2 c1<2\nusers.xml: line 1: the file ends before </users>"},
		{"comments", "comments.xml", "{}", "user 5\n1: 2\ncomments.xml: line 1: this is not XML"},
		{
			"posts, half",
			"posts.xml",
			half[:strings.LastIndex(half, "<row")],
			"comments.xml:3 is a " + skippedOrphan + "\nuser 5\n1:\nno 1 " + missingParents + "\nposts.xml: line 4: the file ends before </posts>",
		},
		{"posts", "posts.xml", "<comments></comments>", "posts.xml: line 1: this is a file of <comments>, not of <posts>"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := site.inputs()
			for i := range in {
				if in[i].Name == tt.file {
					in[i].Open = content(tt.content)
				}
			}
			if got := outlineDump(readDump(t, Options{}, in)); got != tt.want {
				t.Errorf("read\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}
