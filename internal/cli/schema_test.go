package cli

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agora/internal/test/must"
)

// `schema diff` compares two files, or a file with the schema of the program, and fails if clients break.
func TestSchemaDiff(t *testing.T) {
	old := filepath.Join(t.TempDir(), "old.graphqls")
	renamed := strings.Replace(schema, "  recordClicks(", "  countClicks(", 1)
	must.OK(t, os.WriteFile(old, []byte(renamed), 0o600))
	diff := func(args ...string) (string, error) {
		var out strings.Builder
		err := run(t.Context(), append([]string{"agora", "schema", "diff"}, args...), environment(nil), strings.NewReader(""), &out,
			io.Discard)
		return out.String(), err
	}
	out, err := diff(old)
	want := "breaking   Mutation.countClicks was removed\nsafe       Mutation.recordClicks is new\n"
	if out != want || err == nil || err.Error() != "changes that break clients: 1" {
		t.Errorf("schema diff: %q, %v; want %q and an error", out, err, want)
	}
	if out, err := diff(old, old); out != "the schemas are the same to clients\n" || err != nil {
		t.Errorf("schema diff of a file with itself: %q, %v", out, err)
	}
	if _, err := diff(); err == nil {
		t.Error("schema diff without a file succeeds; want an error")
	}
}
