package graph_test

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"agora/internal/test/gendoc"
	"agora/internal/test/gqltext"
)

var errorType = regexp.MustCompile(`\w+Error\b`)

// errorTypes is a table in Markdown of the types of errors, with their own fields and the codes whose descriptions name
// them.
func errorTypes(t *testing.T) string {
	t.Helper()
	schema := gqltext.Schema(t)
	codes := map[string][]string{}
	for _, code := range schema.Types["ErrorCode"].EnumValues {
		of := errorType.FindString(code.Description)
		if schema.Types[of] == nil {
			t.Errorf("the description of %s names no type of error", code.Name)
		}
		codes[of] = append(codes[of], code.Name)
	}
	var b strings.Builder
	b.WriteString("| type | its own fields | codes |\n|---|---|---|\n")
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
	return b.String()
}

// mutationTable is a table in Markdown of the mutations, with who may call them and their rules.
func mutationTable(t *testing.T) string {
	schema := gqltext.Schema(t)
	roles := guarded(t, schema)
	var b strings.Builder
	b.WriteString("| mutation | for | scope | rate | while banned from posting | asks for the password |\n" +
		"|---|---|---|---|---|---|\n")
	yes := map[bool]string{true: "yes"}
	for name, rule := range ruledMutations(t) {
		rate := ""
		if rule.Rate != "" {
			rate = "`" + string(rule.Rate) + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s | %s |\n", name, cmp.Or(string(roles[name]), "everybody"), rule.Scope,
			rate, yes[rule.WhileBanned], yes[rule.Password])
	}
	return b.String()
}

// The documentation has the types of errors and the mutations as the schema and MutationRules have them.
func TestDocsListErrorsAndMutations(t *testing.T) {
	gendoc.Check(t, "../docs/api.md", map[string]string{"types of errors": errorTypes(t)})
	gendoc.Check(t, "../docs/limits.md", map[string]string{"mutations": mutationTable(t)})
}
