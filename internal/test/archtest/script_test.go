package archtest

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Each script is run somewhere in the store. The generator checks that headers and code agree.
func TestScriptsAreRun(t *testing.T) {
	run := map[string]bool{}
	for _, s := range allSources(t) {
		if s.test || !strings.HasPrefix(s.pkg, "internal/store") {
			continue
		}
		for _, m := range regexp.MustCompile(`\bscript\.([A-Z]\w+)\{`).FindAllStringSubmatch(s.text, -1) {
			run[strings.ToLower(m[1])] = true
		}
	}
	var names []string
	err := walk(root, ".lua", func(file, _ string) error {
		if path.Base(path.Dir(file)) != "include" {
			names = append(names, strings.TrimSuffix(path.Base(file), ".lua"))
		}
		return nil
	})
	if err != nil || len(names) == 0 {
		t.Fatalf("scripts = %v, %v; want the store's", names, err)
	}
	unused := slices.DeleteFunc(names, func(n string) bool { return run[strings.ReplaceAll(n, "_", "")] })
	if len(unused) > 0 {
		t.Errorf("scripts that the store does not run: %v", unused)
	}
}
