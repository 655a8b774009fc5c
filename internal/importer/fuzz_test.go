package importer

import (
	"bytes"
	"errors"
	"testing"

	"agora/internal/text"
)

func FuzzReadV2EX(f *testing.F)       { fuzzRead(f, V2EX) }
func FuzzReadDiscourse(f *testing.F)  { fuzzRead(f, Discourse) }
func FuzzReadHackerNews(f *testing.F) { fuzzRead(f, HackerNews) }
func FuzzReadSnap(f *testing.F)       { fuzzRead(f, Snap) }

// fuzzRead checks the properties of Read on which the importer relies, for any file.
func fuzzRead(f *testing.F, format Format) {
	posts := post(1, 0, "") + "," + post(2, 0, `,"deleted_at":0`) + "," + post(3, 2, "")
	for _, seed := range []string{
		wholeV2EX, "[" + wholeV2EX + ",\n" + wholeV2EX + "]", discourse(posts, `,"views":3`),
		story(1) + "\n{\"id\":\n" + story(2),
		`{"id":8,"type":"comment","by":"ann","parent":7,"text":"\ud800","time":1454123584}`, "[7,\nnull, \"]\",\n",
		"{\n\"a\": 1\n}\nx",
		"\ufeff[]", "# notes\n0\t1\r\n1 0\n1\t1\nx\n", "<p>", "{\"id\":1,\"\xff\r\n{", string(packed(story(1)))[:40],
		string(packed("[" + story(1))),
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		line, ended := 1, false
		for rec, err := range Read(bytes.NewReader(file), "in", reads(format)) {
			if ended {
				t.Fatalf("Read(%q) continues after an error", file)
			}
			if ended = err != nil; ended {
				var fault *FileError
				if !errors.As(err, &fault) || fault.File != "in" || fault.Line != 0 && fault.Line < line {
					t.Fatalf("Read(%q) ends with %#v after line %d; want a FileError at or after it", file, err, line)
				}
				continue
			}
			if rec.Line < line || rec.File != "in" {
				t.Fatalf("Read(%q) yields %+v after line %d", file, rec, line)
			}
			line = rec.Line
			checkRecord(t, rec)
		}
	})
}

func checkRecord(t testing.TB, rec Record) {
	t.Helper()
	set := 0
	for _, is := range []bool{rec.Topic != nil, rec.Comment != nil, rec.Person != nil, rec.Follow != nil,
		rec.Skipped != "", rec.Missing != "", rec.Votes, rec.Err != nil} {
		if is {
			set++
		}
	}
	if set != 1 {
		t.Fatalf("record %+v has %d contents; want 1", rec, set)
	}
	if c := rec.Comment; c != nil {
		if c.Parent == "" {
			t.Fatalf("comment %+v has no parent", c)
		}
		checkComment(t, *c)
	}
	if f := rec.Follow; f != nil && (f.From == f.To || f.From.ID == "" || f.To.ID == "") {
		t.Fatalf("edge %+v does not join two users", f)
	}
	if rec.Topic == nil {
		return
	}
	if title, err := text.Line(nil, rec.Topic.Title, 1, MaxTitle); err != nil || title != rec.Topic.Title {
		t.Fatalf("title %+q is not accepted: %v", rec.Topic.Title, err)
	}
	checkComment(
		t,
		Comment{ID: rec.Topic.ID, Content: rec.Topic.Content, CreatedAt: rec.Topic.CreatedAt, Author: rec.Topic.Author},
	)
	above := map[string]bool{"": true}
	for _, c := range rec.Topic.Comments {
		if !above[c.Parent] || above[c.ID] {
			t.Fatalf("comment %+v comes twice, or before its parent", c)
		}
		above[c.ID] = true
		checkComment(t, c)
	}
}

func checkComment(t testing.TB, c Comment) {
	t.Helper()
	if _, err := text.Body(nil, c.Content, 0, MaxContent); err != nil || len(c.Content) > MaxContent {
		t.Fatalf("content %+q is not accepted: %v", c.Content, err)
	}
	if reads("").known(moment(c.CreatedAt)) == 0 || c.ID == "" || (c.Author.ID == "") != (c.Author.Name == "") {
		t.Fatalf("%+v has a bad time, id or author", c)
	}
}
