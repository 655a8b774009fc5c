package graph_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"agora/internal/test/gendoc"
	"agora/internal/test/gqltext"
)

var errorType = regexp.MustCompile(`\w+Error\b`)

// The description of each code of a payload names the type of its errors, and each type has a code.
func TestCodesNameTheirTypes(t *testing.T) {
	schema := gqltext.Schema(t)
	named := map[string]bool{}
	for _, code := range schema.Types["ErrorCode"].EnumValues {
		of := errorType.FindString(code.Description)
		if named[of] = true; schema.Types[of] == nil {
			t.Errorf("the description of %s names no type of error", code.Name)
		}
	}
	for _, d := range ownTypes(t) {
		if slices.Contains(d.Interfaces, "UserError") && !named[d.Name] {
			t.Errorf("no code has the type %s", d.Name)
		}
	}
}

// mutationTable is a table in Markdown of the mutations by the rate that counts them.
func mutationTable(t *testing.T) string {
	var rates []string
	same := map[string]map[bool][]string{} // by rate, and whether they may be called while banned from posting
	for name, rule := range ruledMutations(t) {
		rate := "none"
		if rule.Rate != "" {
			rate = "`" + string(rule.Rate) + "`"
		}
		if same[rate] == nil {
			rates = append(rates, rate)
			same[rate] = map[bool][]string{}
		}
		same[rate][rule.WhileBanned] = append(same[rate][rule.WhileBanned], "`"+name+"`")
	}
	var b strings.Builder
	b.WriteString("| rate | mutations | those that a ban from posting allows |\n|---|---|---|\n")
	for _, rate := range rates {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", rate, strings.Join(same[rate][false], ", "),
			strings.Join(same[rate][true], ", "))
	}
	return b.String()
}

// The documentation has the mutations as MutationRules have them.
func TestDocsListMutations(t *testing.T) {
	gendoc.Check(t, "../docs/limits.md", map[string]string{"mutations": mutationTable(t)})
}
