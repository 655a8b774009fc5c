package record_test

import (
	"errors"
	"slices"
	"testing"

	"agora/internal/forum"
	"agora/internal/store/internal/record"
)

func TestScriptErrorsBecomeCodes(t *testing.T) {
	tests := []struct {
		text string
		want forum.Code
		path []string
	}{
		{"NOT_FOUND topicId", forum.CodeNotFound, forum.Path("topicId")},
		{"ERR NOT_FOUND parentId", forum.CodeNotFound, forum.Path("parentId")},
		{"FORBIDDEN commentId", forum.CodeForbidden, forum.Path("commentId")},
		{"LOCKED topicId", forum.CodeLocked, forum.Path("topicId")},
		{"TAKEN name", forum.CodeTaken, forum.Path("name")},
		{"TOO_LONG_TABS addCategories.3", forum.CodeTooLong, forum.Path("addCategories", "3")},
		{"TOO_LONG_TAB addCategories", forum.CodeTooLong, forum.Path("addCategories")},
		{"IDEMPOTENCY_CONFLICT idempotencyKey", forum.CodeIdempotencyConflict, forum.Path("idempotencyKey")},
		{"UNAUTHENTICATED", forum.CodeUnauthenticated, nil},
		{"EXHAUSTED", "", nil},
		{"ERR something else", "", nil},
	}
	for _, tt := range tests {
		err := record.ScriptError(errors.New(tt.text))
		var path []string
		if e := (*forum.Error)(nil); errors.As(err, &e) {
			path = e.Path
		}
		if got := forum.CodeOf(err); got != tt.want || !slices.Equal(path, tt.path) {
			t.Errorf("record.ScriptError(%q) = %v; want code %q at %v", tt.text, err, tt.want, tt.path)
		}
	}
	if err := record.ScriptError(nil); err != nil {
		t.Errorf("record.ScriptError(nil) = %v; want nil", err)
	}
}
