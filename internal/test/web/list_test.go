package web

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agora/internal/test/must"
	"agora/internal/test/nodetest"
)

// list is the directory of the example that docs/api.md shows.
const list = "../../../examples/list"

// The typed list of the documentation compiles against the schema, with the strict options of the application.
func TestTypedListCompiles(t *testing.T) {
	besideBrowsers(t)
	touch(t, list)
	dir, err := os.MkdirTemp(source, ".list-") // below the packages of the application
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	for to, from := range map[string]string{"codegen.ts": list + "/codegen.ts", "src/main.tsx": list + "/main.tsx",
		"schema.graphql": "../../../schema.graphqls", "tsconfig.json": source + "/tsconfig.json"} {
		text := must.Do(os.ReadFile(from))(t)
		if to == "tsconfig.json" {
			text = []byte(strings.Replace(string(text), `"include": ["src", "node_modules`, `"include": ["src", "../node_modules`, 1))
		}
		to = filepath.Join(dir, to)
		must.OK(t, os.MkdirAll(filepath.Dir(to), 0o755))
		must.OK(t, os.WriteFile(to, text, 0o644))
	}
	modules := "../node_modules/"
	for _, program := range [][]string{{modules + "@graphql-codegen/cli/cjs/bin.js"}, {modules + "typescript/bin/tsc"}} {
		if out, err := nodetest.CommandIn(t, dir, program[0], program[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("node %s: %v\n%s", program[0], err, out)
		}
	}
}

// The documentation shows the files that compile here.
func TestDocumentationShowsTheList(t *testing.T) {
	docs := must.Do(os.ReadFile("../../../docs/api.md"))(t)
	for _, name := range []string{"codegen.ts", "main.tsx"} {
		text := must.Do(os.ReadFile(filepath.Join(list, name)))(t)
		if !strings.Contains(string(docs), "\n"+string(text)+"```\n") {
			t.Errorf("docs/api.md does not show %s as it is", name)
		}
	}
}
