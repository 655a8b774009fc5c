package web

import (
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"agora/internal/test/must"
	"agora/internal/test/nodetest"
)

// client is the directory of the package for front ends.
const client = "../../../clients/typescript"

func TestClientPackage(t *testing.T) {
	besideBrowsers(t)
	touch(t, client)
	out, err := nodetest.CommandIn(t, source, "test/client.mjs").CombinedOutput()
	if err != nil || strings.Count(string(out), "ok ") != 11 || strings.Contains(string(out), "failed ") {
		t.Errorf("node test/client.mjs: %v\n%s", err, out)
	}
}

// What the package says about the schema is true.
func TestClientPackageKnowsTheSchema(t *testing.T) {
	text := must.Do(os.ReadFile("../../../schema.graphqls"))(t)
	schema := must.Do(gqlparser.LoadSchema(&ast.Source{Name: "schema.graphqls", Input: string(text)}))(t)
	types, connections := map[string][]string{}, map[string][]string{}
	for name, definition := range schema.Types {
		if strings.HasPrefix(name, "__") {
			continue
		}
		if definition.IsAbstractType() {
			for _, possible := range schema.GetPossibleTypes(definition) {
				if possible.Kind == ast.Object {
					types[name] = append(types[name], possible.Name)
				}
			}
		}
		for _, field := range definition.Fields {
			if definition.Kind == ast.Object && strings.HasSuffix(field.Type.Name(), "Connection") {
				connections[name] = append(connections[name], field.Name)
			}
		}
	}
	source := must.Do(os.ReadFile(client + "/src/schema.ts"))(t)
	first, second, ok := strings.Cut(string(source), "export const connections")
	if got, want := listed(first), sorted(types); !ok || got != want {
		t.Errorf("possibleTypes in schema.ts:\n%s\nwant\n%s", got, want)
	}
	if got, want := listed(second), sorted(connections); got != want {
		t.Errorf("connections in schema.ts:\n%s\nwant\n%s", got, want)
	}
}

// listed returns the lists of names in TypeScript, in the form of sorted.
func listed(text string) string {
	found := map[string][]string{}
	for _, m := range regexp.MustCompile(`(?s)(\w+): \[(.*?)\]`).FindAllStringSubmatch(text, -1) {
		found[m[1]] = regexp.MustCompile(`\w+`).FindAllString(m[2], -1)
	}
	return sorted(found)
}

func sorted(lists map[string][]string) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(lists)) {
		fmt.Fprintln(&b, name, slices.Sorted(slices.Values(lists[name])))
	}
	return b.String()
}
