package importer

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"agora/internal/forum"
	"agora/internal/test/testlevel"
)

// testNow is the time of the imports of these tests: 2096-01-02.
const testNow forum.Time = 3_976_315_200_000

// reads returns options to read a format.
func reads(f Format) Options { return Options{Format: f, origin: origin{now: testNow}} }

// outline summarizes what Read yields: "2=7" is topic or comment 7 in line 2, "2=7>8" an edge from
// 7 to 8, "2-7" a skipped record, "2!" an invalid one; a file error ends it as text.
func outline(r io.Reader, f Format) string {
	var parts []string
	for rec, err := range Read(r, "in", reads(f)) {
		switch {
		case err != nil:
			parts = append(parts, err.Error())
		case rec.Topic != nil:
			parts = append(parts, fmt.Sprintf("%d=%s", rec.Line, rec.Topic.ID))
		case rec.Comment != nil:
			parts = append(parts, fmt.Sprintf("%d=%s", rec.Line, rec.Comment.ID))
		case rec.Follow != nil:
			parts = append(parts, fmt.Sprintf("%d=%s>%s", rec.Line, rec.Follow.From.ID, rec.Follow.To.ID))
		case rec.Skipped != "":
			parts = append(parts, fmt.Sprintf("%d-%s", rec.Line, rec.SkippedID))
		default:
			parts = append(parts, fmt.Sprintf("%d!", rec.Line))
		}
	}
	return strings.Join(parts, " ")
}

// only reads the single record of a text.
func only(t *testing.T, f Format, value string) Record {
	t.Helper()
	all := every(t, f, value)
	if len(all) != 1 {
		t.Fatalf("Read(%.200s) yields %d records; want 1", value, len(all))
	}
	return all[0]
}

// every reads all records of a text; that of a topic comes after those of its parts.
func every(t *testing.T, f Format, value string) (records []Record) {
	t.Helper()
	for rec, err := range Read(strings.NewReader(value), "in", reads(f)) {
		if err != nil {
			t.Fatalf("Read(%.200s) failed: %v", value, err)
		}
		records = append(records, rec)
	}
	return records
}

func story(id int) string {
	return fmt.Sprintf(`{"id":%d,"type":"story","by":"ann","time":1454123584,"title":"A {[ \" title"}`, id)
}

func packed(s string) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := io.WriteString(z, s); err != nil {
		panic(err)
	}
	if err := z.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func TestReadSplitsRecords(t *testing.T) {
	pretty := strings.NewReplacer(`,"`, ",\n\t\"", "{\"", "{\n\t\"").Replace(story(1)) // 6 lines
	tests := []struct {
		name string
		file string
		want string
	}{
		{"empty file", "", ""},
		{"white space", " \r\n\t\n", ""},
		{"empty array", "[]", ""},
		{"one line", story(1), "1=1"},
		{"lines", story(1) + "\n" + story(2) + "\n", "1=1 2=2"},
		{"blank lines and CR LF", "\r\n\n" + story(1) + "\r\n  \r\n" + story(2), "3=1 5=2"},
		{"byte order mark", "\ufeff" + story(1) + "\n" + story(2), "1=1 2=2"},
		{"white space around", "  " + story(1) + "  \n  " + story(2), "1=1 2=2"},
		{"array in one line", "[" + story(1) + "," + story(2) + "]", "1=1 1=2"},
		{"array", "[\n" + story(1) + ",\n" + story(2) + "\n]\n", "2=1 3=2"},
		{"array with a mark and space", "\ufeff \n[ " + story(1) + " , " + story(2) + " ]", "2=1 2=2"},
		{"arrays", "[" + story(1) + "]\n[]\n[" + story(2) + "]", "1=1 3=2"},
		{"pretty-printed", pretty + "\n" + pretty + "\n" + pretty, "1=1 7=1 13=1"},
		{"pretty-printed array", "[\n" + pretty + ",\n" + pretty + "\n]", "2=1 8=1"},
		{"pretty-printed, then lines", pretty + story(2) + "\n" + story(3), "1=1 6=2 7=3"},
		{"wrong type in a line", story(1) + "\n7\nnull\n[1]\n\"s\"\n{\"id\":\"1\"}\n" + story(2), "1=1 2! 3! 4! 5! 6! 7=2"},
		{
			"wrong type in an array",
			"[7,\nnull, [1], \"]\",{\"id\":\"1\",\"type\":1,\"time\":1},\n" + story(2) + "]",
			"1! 2! 2! 2! 2! 3=2",
		},
		{"broken line", story(1) + "\n{\"id\":2,}\n{\"id\":\n" + story(3), "1=1 2! 3! 4=3"},
		{"broken first line", "{\"id\":2,}\n" + story(3), "1! 2=3"},
		{"first line ends early", "{\"id\":2,\n" + story(3), "1! 2=3"},
		{"first line ends within a string", "{\"id\":2,\"title\":\"a\n" + story(3), "1! 2=3"},
		{"last line ends early", story(1) + "\n" + story(2)[:20], "1=1 2!"},
		{"two values in a line", story(1) + "\n" + story(2) + story(3) + "\n" + story(4), "1=1 2! 3=4"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := outline(strings.NewReader(tt.file), HackerNews); got != tt.want {
				t.Errorf("Read(%q) yields %q; want %q", tt.file, got, tt.want)
			}
			if got := outline(bytes.NewReader(packed(tt.file)), HackerNews); got != tt.want {
				t.Errorf("Read(%q), packed, yields %q; want %q", tt.file, got, tt.want)
			}
			if got := outline(iotest.OneByteReader(strings.NewReader(tt.file)), HackerNews); got != tt.want {
				t.Errorf("Read(%q) byte by byte yields %q; want %q", tt.file, got, tt.want)
			}
		})
	}
}

func TestReadReportsFileErrors(t *testing.T) {
	v2ex := `{"id":1,"title":"T","created":1454123584,"node":{"id":1},"member":{}}`
	discourse := `{"id":1,"title":"T","created_at":"2020-01-01T00:00:00Z","post_stream":{"posts":[]}}`
	tests := []struct {
		name   string
		format Format
		file   string
		want   string
	}{
		{"HTML", V2EX, "\n<!DOCTYPE html>", `in: line 2: this is not JSON: it begins with '<', not with { or [`},
		{"words", V2EX, "hello", `in: line 1: this is not JSON: it begins with 'h', not with { or [`},
		{"binary", V2EX, "\x00\x01", `in: line 1: this is not JSON: it begins with '\x00', not with { or [`},
		{"array without end", HackerNews, "[" + story(1) + ",\n", "1=1 in: line 2: the file ends within an array"},
		{
			"array that ends in a record",
			HackerNews,
			"[" + story(1) + ",\n{\n\"id\":",
			"1=1 in: line 3: the file ends within the record that begins in line 2",
		},
		{
			"array without comma",
			HackerNews,
			"[" + story(1) + "\n" + story(2) + "]",
			"1=1 in: line 2: found '{' instead of a comma between two records",
		},
		{
			"array with a broken record",
			HackerNews,
			"[" + story(1) + ",\n{\n\"id\":1,\n}]",
			"1=1 in: line 4: [1]: this is not JSON: invalid character '}' looking for beginning of object key string at byte 11 of " +
				"the record",
		},
		{
			"array with empty elements",
			HackerNews,
			"[" + story(1) + ",\n,]",
			"1=1 in: line 2: [1]: this is not JSON: invalid character ',' looking for beginning of value at byte 1 of the record",
		},
		{
			"words after an array",
			HackerNews,
			"[]\nwords",
			"in: line 2: this is not JSON: invalid character 'w' looking for beginning of value at byte 1 of the record",
		},
		{
			"record without end",
			HackerNews,
			"{\n\"id\":1\n",
			"in: line 3: the file ends within the record that begins in line 1",
		},
		{"V2EX as Discourse", Discourse, v2ex, "in: line 1: this is a V2EX topic, not a Discourse topic; use --format v2ex"},
		{
			"V2EX as Hacker News",
			HackerNews,
			"[\n" + v2ex + "]",
			"in: line 2: this is a V2EX topic, not a Hacker News item; use --format v2ex",
		},
		{
			"Discourse as V2EX",
			V2EX,
			discourse,
			"in: line 1: this is a Discourse topic, not a V2EX topic; use --format discourse",
		},
		{
			"Hacker News as V2EX",
			V2EX,
			"{broken\n" + story(1),
			"1! in: line 2: this is a Hacker News item, not a V2EX topic; use --format hackernews",
		},
		{"objects of another kind", V2EX, `{"name":"x"}`, "in: line 1: this is not a V2EX topic: id is missing"},
		{"the first record decides", HackerNews, story(1) + "\n" + v2ex + "\n" + story(2), "1=1 2! 3=2"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := outline(strings.NewReader(tt.file), tt.format); got != tt.want {
				t.Errorf("Read(%q) as %s yields\n%q; want\n%q", tt.file, tt.format, got, tt.want)
			}
		})
	}
}

func TestReadOfDamagedGzip(t *testing.T) {
	var lines strings.Builder
	for i := range 2_000 {
		fmt.Fprintln(&lines, story(i+1))
	}
	whole := packed(lines.String())
	badSum := bytes.Clone(whole)
	badSum[len(badSum)-8]++
	tests := []struct {
		name string
		file []byte
		want string
	}{
		{"ends in the header", whole[:5], "the file is truncated: its gzip data ends early"},
		{"ends in the middle", whole[:len(whole)/2], "the file is truncated: its gzip data ends early"},
		{"ends before the sum", whole[:len(whole)-8], "the file is truncated: its gzip data ends early"},
		{"wrong sum", badSum, "the file is damaged: gzip: invalid checksum"},
		{"trailing data", append(bytes.Clone(whole), "something else"...), "the file is damaged: gzip: invalid header"},
		{"no gzip after the magic number", []byte("\x1f\x8b\x07 nonsense"), "the file is damaged: gzip: invalid header"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var last error
			line := 0
			for rec, err := range Read(bytes.NewReader(tt.file), "in.gz", reads(HackerNews)) {
				if err == nil && (rec.Err != nil || rec.Line != line+1) {
					t.Fatalf("Read yields %+v after line %d; want the valid records first", rec, line)
				}
				line, last = rec.Line, err
			}
			var fault *FileError
			if !errors.As(last, &fault) || fault.File != "in.gz" || fault.Err.Error() != tt.want {
				t.Errorf("Read ends with %v; want %q", last, tt.want)
			}
		})
	}
}

func TestReadYieldsRecordsBeforeATruncation(t *testing.T) {
	half := packed(story(1) + "\n" + story(2) + "\n" + story(3)[:30])
	got := outline(bytes.NewReader(half[:len(half)-8]), HackerNews)
	if want := "1=1 2=2 in: line 3: the file is truncated: its gzip data ends early"; got != want {
		t.Errorf("Read yields %q; want %q", got, want)
	}
}

func TestReadReturnsReaderErrors(t *testing.T) {
	broken := errors.New("the disk failed")
	r := io.MultiReader(strings.NewReader(story(1)+"\n"+story(2)), iotest.ErrReader(broken))
	var last error
	for _, last = range Read(r, "in", reads(HackerNews)) {
	}
	if !errors.Is(last, broken) {
		t.Errorf("Read ends with %v; want %v", last, broken)
	}
}

func TestReadOfLongRecords(t *testing.T) {
	testlevel.WithoutRace(t)
	long := func(n int) string {
		s := story(2)
		return s[:len(s)-1] + `,"more":"` + strings.Repeat("x", n-len(s)-len(`,"more":""`)) + `"}`
	}
	tests := []struct {
		name string
		file string
		want string
	}{
		{"a line of 400 kB", story(1) + "\n" + long(400_000) + "\n" + story(3), "1=1 2=2 3=3"},
		{"the longest line", story(1) + "\n" + long(MaxRecord-1) + "\n" + story(3), "1=1 2=2 3=3"},
		{"a longer line", story(1) + "\n" + long(MaxRecord) + "\n" + story(3), "1=1 2! 3=3"},
		{"a longer first line", long(MaxRecord) + "\n" + story(3), "1! 2=3"},
		{"a longer last line", story(1) + "\n" + long(MaxRecord+1), "1=1 2!"},
		{"the longest in an array", "[" + long(MaxRecord) + ",\n" + story(3) + "]", "1=2 2=3"},
		{"a longer one in an array", "[" + long(MaxRecord+1) + ",\n" + story(3) + "]", "1! 2=3"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := outline(strings.NewReader(tt.file), HackerNews); got != tt.want {
				t.Errorf("Read yields %q; want %q", got, tt.want)
			}
		})
	}
}

func TestReadStopsWhenAsked(t *testing.T) {
	n := 0
	for range Read(strings.NewReader(story(1)+"\n"+story(2)+"\n"+story(3)), "in", reads(HackerNews)) {
		if n++; n == 2 {
			break
		}
	}
	if n != 2 {
		t.Errorf("Read continues to record %d after a break at 2", n)
	}
}

func TestInvalidRecordsHaveErrors(t *testing.T) {
	tests := []struct {
		name  string
		value string
		want  string
	}{
		{"null", `null`, "id is missing"},
		{"array", `[]`, "the record cannot be of type array"},
		{"wrong type", `{"id":"7"}`, "id cannot be of type string"},
		{"fraction", `{"id":1.5}`, "id cannot be of type number"},
		{"number beyond bounds", `{"id":` + strings.Repeat("9", 1000) + `}`, "id cannot be of type number"},
		{"broken", `{"id":1`, "this is not JSON: unexpected end of JSON input at byte 7 of the record"},
		{"time missing", `{"id":1,"type":"story","title":"T"}`, "time is missing"},
		{"time null", `{"id":1,"type":"story","title":"T","time":null}`, "time is missing"},
		{"time 0", `{"id":1,"type":"story","title":"T","time":0}`, "time is missing"},
		{
			"time before 1990",
			`{"id":1,"type":"story","title":"T","time":631151999}`,
			"time is not a time between 1990 and now",
		},
		{"time later than now", `{"id":1,"type":"story","title":"T","time":3976315201}`, "time is later than now"},
		{"time in 2100", `{"id":1,"type":"story","title":"T","time":4102444800}`, "time is not a time between 1990 and now"},
		{
			"time in milliseconds",
			`{"id":1,"type":"story","title":"T","time":1454123584000}`,
			"time is not a time between 1990 and now",
		},
		{
			"time beyond all",
			`{"id":1,"type":"story","title":"T","time":9223372036854775807}`,
			"time is not a time between 1990 and now",
		},
		{
			"time below all",
			`{"id":1,"type":"story","title":"T","time":-9223372036854775808}`,
			"time is not a time between 1990 and now",
		},
		{
			"time in words",
			`{"id":1,"type":"story","title":"T","time":"yesterday"}`,
			"time is not a time between 1990 and now",
		},
		{"time an object", `{"id":1,"type":"story","title":"T","time":{}}`, "time is not a time between 1990 and now"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := ""
			for rec := range Read(strings.NewReader(story(1)+"\n"+tt.value), "in", reads(HackerNews)) {
				if rec.Err != nil {
					got = rec.Err.Error()
				}
			}
			if got != tt.want {
				t.Errorf("Read(%.80s): %q; want %q", tt.value, got, tt.want)
			}
		})
	}
}

func TestTimesInBothForms(t *testing.T) {
	tests := []struct {
		time string
		want forum.Time
	}{
		{`631152000`, 631_152_000_000},
		{`3976315200`, testNow},
		{`"2016-01-30T02:59:44Z"`, 1_454_122_784_000},
		{`"2016-01-30T02:59:44.125Z"`, 1_454_122_784_125},
		{`"2016-01-30T04:59:44+02:00"`, 1_454_122_784_000},
	}
	for _, tt := range tests {
		rec := only(t, HackerNews, `{"id":1,"type":"story","title":"T","time":`+tt.time+`}`)
		if rec.Topic == nil || rec.Topic.CreatedAt != tt.want {
			t.Errorf("Read(time %s) = %+v, %v; want %d", tt.time, rec.Topic, rec.Err, tt.want)
		}
	}
}
