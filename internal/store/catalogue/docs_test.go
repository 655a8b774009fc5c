package catalogue

import (
	goflag "flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

var update = goflag.Bool("update", false, "write the tables of fields into docs/keys.md")

const keysDoc = "../../../docs/keys.md"

// documented returns the tables of fields, by the name in their markers.
func documented() map[string]string {
	return map[string]string{
		"topic": rows(Topic), "comment": rows(Comment), "user": rows(User), "category": rows(Category), "tab": rows(Tab),
		"list": rows(List),
	}
}

// rows describes the fields of a table in Markdown.
func rows[T any](t *Table[T]) string {
	var b strings.Builder
	write := func(title string, fields []Field[T]) {
		if len(fields) == 0 {
			return
		}
		fmt.Fprintf(&b, "\n| %s | meaning |\n|---|---|\n", title)
		for _, f := range fields {
			fmt.Fprintf(&b, "| `%s` | %s |\n", f.Name, f.Doc)
		}
	}
	write("field", t.Shown)
	others := "field of `…:internal`"
	if t.Name == List.Name {
		others = "field that no reader is shown"
	}
	write(others, t.Others)
	return b.String() + "\n"
}

// docs/keys.md describes the fields of objects as the tables do: go test ./internal/store/catalogue -update writes
// them.
func TestDocsDescribeTheFields(t *testing.T) {
	text, err := os.ReadFile(keysDoc)
	if err != nil {
		t.Fatal(err)
	}
	now := string(text)
	for name, table := range documented() {
		block := regexp.MustCompile(`(?s)(<!-- fields of a ` + name + ` -->\n).*?(<!-- end -->\n)`)
		if !block.MatchString(now) {
			t.Errorf("docs/keys.md has no place for the fields of a %s", name)
		}
		now = block.ReplaceAllString(now, "${1}"+strings.ReplaceAll(table, "$", "$$")+"${2}")
	}
	if now == string(text) {
		return
	}
	if !*update {
		t.Fatal("docs/keys.md is out of date: go test ./internal/store/catalogue -update")
	}
	if err := os.WriteFile(keysDoc, []byte(now), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Each field has a description, and is in one of the hashes only.
func TestFieldsAreDescribedOnce(t *testing.T) {
	once(t, Topic)
	once(t, Comment)
	once(t, User)
	once(t, Category)
	once(t, Tab)
	once(t, Tag)
	once(t, List)
}

func once[T any](t *testing.T, table *Table[T]) {
	t.Helper()
	seen := map[string]bool{}
	for i, f := range append(table.Shown[:len(table.Shown):len(table.Shown)], table.Others...) {
		if seen[f.Name] || f.Doc == "" || f.Valid == nil || (f.Set != nil) != (i < len(table.Shown)) {
			t.Errorf("field %s of a %s is there twice, or lacks a description, a format, or its setter", f.Name, table.Name)
		}
		seen[f.Name] = true
	}
}
