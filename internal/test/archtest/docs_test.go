package archtest

import (
	"go/ast"
	"path"
	"regexp"
	"strings"
	"testing"
)

// placeholder is a part of a name that readers replace.
var placeholder = regexp.MustCompile(`NAME|noun_verb|\*`)

// A file of Go or Lua between backticks exists, and so does a test.
func TestDocsNameWhatExists(t *testing.T) {
	var files []string
	tests := map[string]bool{}
	for _, s := range allSources(t) {
		files = append(files, "/"+s.path)
		for _, d := range s.syntax.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && s.test {
				tests[f.Name.Name] = true
			}
		}
	}
	err := walk(root, ".lua", func(file, _ string) error {
		files = append(files, "/"+file)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	all := strings.Join(files, "\n") + "\n"
	code, isTest := regexp.MustCompile("`([^`\n]+)`"), regexp.MustCompile(`^(Test|Benchmark)\w+$`)
	named := 0
	err = walk(root, ".md", func(page, text string) error {
		if !strings.HasPrefix(page, "docs/") {
			return nil
		}
		for _, m := range code.FindAllStringSubmatch(text, -1) {
			name := m[1]
			ext := path.Ext(name)
			isFile := (ext == ".go" || ext == ".lua") && name != ext && !strings.ContainsAny(name, " :") && !placeholder.MatchString(name)
			switch {
			case isFile && !strings.Contains(all, "/"+name+"\n"):
				t.Errorf("%s names the file %s, which does not exist", page, name)
			case isTest.MatchString(name) && !tests[name]:
				t.Errorf("%s names %s, which does not exist", page, name)
			case isFile || isTest.MatchString(name):
				named++
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if named < 100 {
		t.Errorf("found %d names of files and tests in the documentation; want those of all pages", named)
	}
}
