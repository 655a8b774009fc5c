package graph_test

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const apiDoc = "../docs/api.md"

var (
	errorType  = regexp.MustCompile(`\w+Error\b`)
	errorTable = regexp.MustCompile(`(?s)(<!-- types of errors -->\n).*?(<!-- end -->\n)`)
)

// errorTypes is a table in Markdown of the types of errors, with their own fields and the codes whose descriptions name
// them.
func errorTypes(t *testing.T) string {
	t.Helper()
	schema := parsedSchema(t)
	codes := map[string][]string{}
	for _, code := range schema.Types["ErrorCode"].EnumValues {
		of := errorType.FindString(code.Description)
		if schema.Types[of] == nil {
			t.Errorf("the description of %s names no type of error", code.Name)
		}
		codes[of] = append(codes[of], code.Name)
	}
	var b strings.Builder
	b.WriteString("\n| type | its own fields | codes |\n|---|---|---|\n")
	for _, d := range ownTypes(t) {
		if !slices.Contains(d.Interfaces, "UserError") {
			continue
		}
		var own []string
		for _, f := range d.Fields {
			if schema.Types["UserError"].Fields.ForName(f.Name) == nil {
				own = append(own, "`"+f.Name+"`")
			}
		}
		if codes[d.Name] == nil {
			t.Errorf("no code has the type %s", d.Name)
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", d.Name, strings.Join(own, ", "), strings.Join(codes[d.Name], ", "))
	}
	return b.String() + "\n"
}

// docs/api.md lists the types of errors that the schema has: go test ./graph -run TestDocsListTheErrorTypes -update
// writes them.
func TestDocsListTheErrorTypes(t *testing.T) {
	text, err := os.ReadFile(apiDoc)
	if err != nil {
		t.Fatal(err)
	}
	if !errorTable.Match(text) {
		t.Fatal("docs/api.md has no place for the types of errors")
	}
	now := errorTable.ReplaceAllString(string(text), "${1}"+errorTypes(t)+"${2}")
	if now == string(text) || t.Failed() {
		return
	}
	if !*update {
		t.Fatal("docs/api.md is out of date: go test ./graph -run TestDocsListTheErrorTypes -update")
	}
	if err := os.WriteFile(apiDoc, []byte(now), 0o644); err != nil {
		t.Fatal(err)
	}
}
