package archtest

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"agora/internal/test/must"
	"agora/internal/test/testlevel"
)

// TestPatches applies patches of testdata, which say how much some changes take: their files, and what they change
// compiles and works. When these files have changed so much that a patch no longer applies, change them as it did, and
// write it again with git diff -U1.
func TestPatches(t *testing.T) {
	testlevel.LongWithoutRace(t)
	for _, tt := range []struct {
		patch  string
		files  int    // the most that it may change, with generated ones that compile
		schema string // a type and its field or value that it adds
		run    []string
		output string // what running that prints
	}{
		// Users have pronouns that are stored, settable, exported, checked, erased with the account, and copied for
		// moderators. Without one of its parts, TestFieldsAreDescribedOnce, TestObjectsAreRead, TestPostedTexts or
		// TestPostedTextsAreCopied fails and names the field.
		{"pronouns", 8, "User.pronouns",
			[]string{"build", "./internal/store", "./internal/text", "./internal/app/profile"}, ""},
		// Topics have a live order by bookmarks, with its test.
		{"most_bookmarked", 18, "TopicOrderField.MOST_BOOKMARKED",
			[]string{"test", "-short", "-v", "-run", "TestTopicsByBookmarks", "./internal/store/follows"},
			"--- PASS: TestTopicsByBookmarks"},
	} {
		t.Run(tt.patch, func(t *testing.T) {
			root := must.Do(filepath.Abs("../../.."))(t)
			overlay, schema := patched(t, root, tt.patch, tt.files)
			typ, member, _ := strings.Cut(tt.schema, ".")
			of := schema.Types[typ]
			if of == nil || of.Fields.ForName(member) == nil && of.EnumValues.ForName(member) == nil {
				t.Fatalf("the patched schema has no %s", tt.schema)
			}
			out := command(t, root, "go", slices.Insert(tt.run, 1, "-overlay", overlay)...)
			if !strings.Contains(out, tt.output) {
				t.Errorf("it printed %s; want %q", out, tt.output)
			}
		})
	}
}

// patched applies a patch to copies of the files that it changes, at most so many. It returns the file that has go use
// them, and the schema.
func patched(t *testing.T, root, name string, most int) (overlay string, schema *ast.Schema) {
	t.Helper()
	git, dir := testlevel.Program(t, "git"), t.TempDir()
	patch := must.Do(filepath.Abs("testdata/" + name + ".patch"))(t)
	text := must.Do(os.ReadFile(patch))(t)
	changed := regexp.MustCompile(`(?m)^\+\+\+ b/(.*)$`).FindAllStringSubmatch(string(text), -1)
	if len(changed) == 0 || len(changed) > most {
		t.Errorf("the patch changes %d files; want 1 to %d", len(changed), most)
	}
	files := map[string]map[string]string{"Replace": {}}
	for _, file := range changed {
		path := filepath.Join(dir, file[1])
		files["Replace"][filepath.Join(root, file[1])] = path
		must.OK(t, os.MkdirAll(filepath.Dir(path), 0o755))
		if now, err := os.ReadFile(filepath.Join(root, file[1])); err == nil {
			must.OK(t, os.WriteFile(path, now, 0o644))
		} else if !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
	command(t, dir, git, "apply", patch)
	source := must.Do(os.ReadFile(filepath.Join(dir, "schema.graphqls")))(t)
	schema, err := gqlparser.LoadSchema(&ast.Source{Name: "schema.graphqls", Input: string(source)})
	if err != nil {
		t.Fatal(err)
	}
	overlay = filepath.Join(dir, "overlay.json")
	must.OK(t, os.WriteFile(overlay, must.Do(json.Marshal(files))(t), 0o644))
	return overlay, schema
}

func command(t *testing.T, dir, name string, args ...string) (output string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
	return string(out)
}
