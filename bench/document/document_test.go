package document_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"agora/bench/document"
	"agora/internal/forum"
	"agora/internal/test/must"
)

// The measured front page is the one whose round trips are tested.
func TestFrontPageIsTheTestedOne(t *testing.T) {
	b := must.Do(os.ReadFile("../../graph/testdata/front_page.graphql"))(t)
	var kept []string
	for line := range strings.Lines(string(b)) {
		if !strings.HasPrefix(line, "#") {
			kept = append(kept, line)
		}
	}
	if want := strings.Join(kept, ""); document.Front.Text != want {
		t.Errorf("Front is\n%s\nwant that of graph/testdata:\n%s", document.Front.Text, want)
	}
}

func TestBody(t *testing.T) {
	var got struct {
		Query     string
		Variables map[string]any
	}
	d := document.Topic
	must.OK(t, json.Unmarshal(document.Body(d, document.TopicVariables(300, func(int) forum.CommentID { return 1 })),
		&got))
	if got.Query != d.Text || len(got.Variables) != document.Pages || got.Variables["number"] != 300.0 {
		t.Errorf("body holds %q with %v; want the document, the number and the cursors", got.Query, got.Variables)
	}
	if b := string(document.Body(document.Typename, nil)); b != `{"query":"{ __typename }\n"}` {
		t.Errorf("body of typename is %s; want the query alone", b)
	}
}
