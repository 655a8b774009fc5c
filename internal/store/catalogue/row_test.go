package catalogue

import (
	"strings"
	"testing"
)

func TestRows(t *testing.T) {
	tests := []struct {
		row  *Row
		text string
		part string
		want string
		ok   bool
	}{
		{ReadsRow, "3 17", "time", "17", true},
		{ReportRow, "1 SPAM 17 see the  links", "note", "see the  links", true},
		{ReportRow, "1 SPAM 17 ", "note", "", true},
		{ReportRow, "1 SPAM 17", "note", "", false},
		{SessionRow, "1 2 3:4: Mozilla/5.0 (X11)", "ends", "3:4:", true},
		{CaseRow, "", "state", "", false},
	}
	for _, tt := range tests {
		v, ok := tt.row.Parse(tt.text)
		if got := v.Text(tt.part); got != tt.want || ok != tt.ok {
			t.Errorf("%s of %q = %q, %v; want %q, %v", tt.part, tt.text, got, ok, tt.want, tt.ok)
		}
		var pairs []any
		for _, part := range tt.row.Parts() {
			pairs = append(pairs, part, v.Text(part))
		}
		if got := tt.row.Format(pairs...); ok && got != tt.text {
			t.Errorf("Format of the parts of %q = %q", tt.text, got)
		}
	}
	for _, r := range Rows {
		if n := len(strings.Fields(r.Shape)); n != len(r.Parts()) || n > mostParts {
			t.Errorf("%s has %d parts of %d in its shape; at most %d are stored", r.Name, len(r.Parts()), n, mostParts)
		}
	}
}

// Scripts find a word in the text of all of them.
func TestNoWordOfAChangeIsPartOfAnother(t *testing.T) {
	for _, c := range Changes {
		if n := strings.Count(ChangeWords(), c.Word); n != 1 {
			t.Errorf("%s is there %d times", c.Word, n)
		}
	}
}
