package cli

import (
	"strings"
	"testing"
)

// Without an address of the other site the command says how many relative links have none; with --strict it fails where
// posts are missing.
func TestImportCommandSaysWhatIsMissing(t *testing.T) {
	i := newImporting(t)
	topic := i.file("topic.json", `{"id":5,"title":"T","created_at":"2020-01-01T00:00:00Z","posts_count":3,"pinned":true,
		"post_stream":{"posts":[{"post_number":1,"created_at":"2020-01-01T00:00:00Z","cooked":"<a href='/x'>x</a>"}]}}`)
	const first = "1 records in T s: 1 topics, 0 comments, 0 users, 0 categories, 0 tabs\nnot in the files: 2 posts of Discourse topics\n"
	for source, want := range map[string]string{"old": "1 relative addresses left out of texts; --source-url says where they lead\n",
		"old.example.org": ""} {
		out, _, err := i.run("", "--format", "discourse", "--source", source, topic)
		got := strings.Replace(took.ReplaceAllString(out, "in T s:"), "1 categories", "0 categories", 1) // made by the first
		if err != nil || got != first+want {
			t.Errorf("import --source %s = %v, prints\n%swant\n%s", source, err, got, first+want)
		}
	}
	_, _, err := i.run("", "--format", "discourse", "--source", "strict", "--strict", topic)
	if want := topic + ":1: not in the files: 2 posts of Discourse topics"; err == nil || err.Error() != want {
		t.Errorf("import --strict = %v; want %s", err, want)
	}
}
