package demo

import (
	"strings"
	"testing"
)

func TestMistakesInTheFileAreNamed(t *testing.T) {
	tests := []struct{ line, want string }{
		{`{"kind": "poem", "text": "Roses are red."}`, `record 2: no kind "poem" here`},
		{`{"kind": "point", "text": "This belongs to no talk."}`, `record 2: no kind "point" here`},
		{`{"kind": "talk", "name": "Go", "tongue": "Latin"}`, `record 2: no tongue "Latin"`},
		{`{"kind": "topic", "category": "Go", "title": "T"}`, `record 2: no talk "Go"`},
		{`{"kind": "tab", "name": "Tech", "categories": ["Go"]}`, `record 2: no category "Go"`},
		{`{"kind": "emoji", "texts": "🙂"}`, `record 2: json: unknown field "texts"`},
		{`{"kind": "emoji"`, "record 2: unexpected EOF"},
	}
	for _, tt := range tests {
		_, err := parse(`{"kind": "emoji", "text": "🙂"}` + "\n" + tt.line)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("parse(%s) = %v; want an error with %s", tt.line, err, tt.want)
		}
	}
}
