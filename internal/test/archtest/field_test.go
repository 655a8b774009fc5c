package archtest

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"agora/internal/test/must"
	"agora/internal/test/testlevel"
)

// fieldFiles is the most files, without generated ones, that one more text of a profile may change.
const fieldFiles = 8

// TestOneMoreField applies testdata/pronouns.patch, which gives users pronouns that are stored, settable, exported, checked,
// erased with the account, and copied for moderators. It changes few files, and what it changes compiles. When these files
// have changed so much that it no longer applies, change them as it did, and write it again with git diff -U1. Without one
// of its parts, TestFieldsAreDescribedOnce, TestObjectsAreRead, TestPostedTexts or TestPostedTextsAreCopied fails and names
// the field.
func TestOneMoreField(t *testing.T) {
	testlevel.LongWithoutRace(t)
	git, dir := testlevel.Program(t, "git"), t.TempDir()
	root := must.Do(filepath.Abs("../../.."))(t)
	patch := must.Do(filepath.Abs("testdata/pronouns.patch"))(t)
	text := must.Do(os.ReadFile(patch))(t)
	changed := regexp.MustCompile(`(?m)^\+\+\+ b/(.*)$`).FindAllStringSubmatch(string(text), -1)
	if len(changed) == 0 || len(changed) > fieldFiles {
		t.Errorf("the patch changes %d files; want 1 to %d", len(changed), fieldFiles)
	}
	overlay := map[string]map[string]string{"Replace": {}}
	for _, file := range changed {
		path := filepath.Join(dir, file[1])
		overlay["Replace"][filepath.Join(root, file[1])] = path
		must.OK(t, os.MkdirAll(filepath.Dir(path), 0o755))
		if now, err := os.ReadFile(filepath.Join(root, file[1])); err == nil {
			must.OK(t, os.WriteFile(path, now, 0o644))
		} else if !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
	command(t, dir, git, "apply", patch)
	schema := must.Do(os.ReadFile(filepath.Join(dir, "schema.graphqls")))(t)
	parsed, err := gqlparser.LoadSchema(&ast.Source{Name: "schema.graphqls", Input: string(schema)})
	if err != nil || parsed.Types["User"].Fields.ForName("pronouns") == nil {
		t.Fatalf("the patched schema has no User.pronouns: %v", err)
	}
	list := must.Do(json.Marshal(overlay))(t)
	file := filepath.Join(dir, "overlay.json")
	must.OK(t, os.WriteFile(file, list, 0o644))
	command(t, root, "go", "build", "-overlay", file, "./internal/store", "./internal/text", "./internal/app/profile")
}

func command(t *testing.T, dir, name string, args ...string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
}
