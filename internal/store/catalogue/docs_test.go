package catalogue

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"agora/internal/forum"
	"agora/internal/test/gendoc"
)

// documented returns the tables of fields, by their titles.
func documented() map[string]string {
	return map[string]string{
		"fields of a topic": rows(Topic), "fields of a comment": rows(Comment), "fields of a user": rows(User), "fields of a category": rows(Category), "fields of a tab": rows(Tab),
		"fields of a list": rows(UserList), "words of changes": changeWords(),
	}
}

// rows describes the fields of a table in Markdown.
func rows[T any](t *Table[T]) string {
	var b strings.Builder
	write := func(title string, fields []Field[T]) {
		if len(fields) == 0 {
			return
		}
		if b.Len() > 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "| %s | meaning |\n|---|---|\n", title)
		for _, f := range fields {
			fmt.Fprintf(&b, "| `%s` | %s |\n", f.Name, f.Doc)
		}
	}
	write("field", t.Shown)
	others := "field of `…:internal`"
	if t.Name == UserList.Name {
		others = "field that no reader is shown"
	}
	write(others, t.Others)
	return b.String()
}

// changeWords describes the words of changes in Markdown.
func changeWords() string {
	var b strings.Builder
	b.WriteString("| word | what has changed | dirty mark | in the feed |\n|---|---|---|---|\n")
	for _, c := range Changes {
		marked, feed := "", "with the others"
		if c.Listed {
			marked = "yes"
		}
		if c.Own {
			feed = "an entry each"
		} else if c.Quiet {
			feed = ""
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", c.Word, c.Doc, marked, feed)
	}
	return b.String()
}

// docs/keys.md describes the fields of objects as the tables do.
func TestDocsDescribeTheFields(t *testing.T) {
	gendoc.Check(t, docs+"keys.md", documented())
}

// Each field has a description, and is in one of the hashes only.
func TestFieldsAreDescribedOnce(t *testing.T) {
	once(t, Topic)
	once(t, Comment)
	once(t, User)
	once(t, Category)
	once(t, Tab)
	once(t, Tag)
	once(t, UserList)
}

func once[T any](t *testing.T, table *Table[T]) {
	t.Helper()
	seen := map[string]bool{}
	for i, f := range append(table.Shown[:len(table.Shown):len(table.Shown)], table.Others...) {
		if seen[f.Name] || f.Doc == "" || f.Valid == nil || (f.Set != nil) != (i < len(table.Shown)) {
			t.Errorf("field %s of a %s is there twice, or lacks a description, a format, or its setter", f.Name, table.Name)
		}
		if free := f.Valid("Any words, or \n any signs."); free && f.Set != nil && f.Posted == nil && f.Made == "" {
			t.Errorf("field %s of a %s takes any text: set Posted if members write it, or say in Made what does", f.Name, table.Name)
		}
		seen[f.Name] = true
	}
}

// postedTexts describes in Markdown the texts that members write.
func postedTexts() string {
	var b strings.Builder
	b.WriteString("| of a | fields of inputs, with their code points |\n|---|---|\n")
	list := func(of string, all map[string]forum.Posted) {
		var fields []string
		for _, name := range slices.Sorted(maps.Keys(all)) {
			p := all[name]
			fields = append(fields, fmt.Sprintf("`%s` %d to %d", p.Input, p.Least, p.Most))
		}
		fmt.Fprintf(&b, "| %s | %s |\n", of, strings.Join(fields, ", "))
	}
	list("user", User.Posted())
	list("topic", Topic.Posted())
	list("STATUS", map[string]forum.Posted{"content": forum.PostedStatus})
	list("comment", Comment.Posted())
	return b.String()
}

// docs/limits.md has a row for each text that members write.
func TestDocsListPostedTexts(t *testing.T) {
	gendoc.Check(t, docs+"limits.md", map[string]string{"texts that members write": postedTexts()})
}
