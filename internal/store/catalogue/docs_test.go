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

// documented returns the lists of fields and words, by their titles.
func documented() map[string]string {
	shared, internal := len(postFields[forum.Topic]()), "\nIn `…:internal`:\n\n"
	return map[string]string{
		"fields of a topic":   fieldList(Topic.Shown) + internal + fieldList(Topic.Others[shared:]),
		"fields of a comment": fieldList(Comment.Shown) + internal + fieldList(Comment.Others[shared:]),
		"fields of a post":    fieldList(Topic.Others[:shared]),
		"fields of a user":    fieldList(User.Shown) + internal + fieldList(User.Others),
		"fields of a category": fieldList(Category.Shown) + "\nOf a tab:\n\n" + fieldList(Tab.Shown) + internal +
			fieldList(Category.Others),
		"fields of a list": fieldList(slices.Concat(UserList.Shown, UserList.Others)),
		"words of changes": changeWords(),
	}
}

// sameAsBefore is the description of what has that of the field or key before it.
const sameAsBefore = "likewise"

// fieldList describes fields in Markdown. Those with the same description are in one line, and required ones in bold.
func fieldList[T any](fields []Field[T]) string {
	var docs []string
	doc, names := "", map[string][]string{}
	for _, f := range fields {
		if f.Doc != sameAsBefore {
			doc = f.Doc
		}
		if names[doc] == nil {
			docs = append(docs, doc)
		}
		name := "`" + f.Name + "`"
		if f.Required {
			name = "**" + name + "**"
		}
		names[doc] = append(names[doc], name)
	}
	var b strings.Builder
	for _, doc := range docs {
		fmt.Fprintf(&b, "- %s: %s\n", strings.Join(names[doc], ", "), doc)
	}
	return b.String()
}

// changeWords describes the words of changes in Markdown, by what follows from them.
func changeWords() string {
	var groups []string
	for _, group := range []struct {
		title string
		of    Change
	}{
		{"Each has an entry of its own in the feed, and leaves a dirty mark", Change{Listed: true, Own: true}},
		{"An entry of its own, no mark", Change{Own: true}},
		{"One entry for all of an object, and a mark", Change{Listed: true}},
		{"One entry for all, no mark", Change{}},
		{"No entry, a mark", Change{Listed: true, Quiet: true}},
		{"Neither", Change{Quiet: true}},
	} {
		var b strings.Builder
		fmt.Fprintf(&b, "%s:\n\n", group.title)
		for _, c := range Changes {
			if c.Listed == group.of.Listed && c.Own == group.of.Own && c.Quiet == group.of.Quiet {
				fmt.Fprintf(&b, "- %s: %s\n", c.Word, c.Doc)
			}
		}
		groups = append(groups, b.String())
	}
	return strings.Join(groups, "\n")
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
