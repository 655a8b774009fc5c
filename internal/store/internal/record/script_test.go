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
		{"NOT_FOUND topicId", forum.CodeNotFound, forum.Input("topicId")},
		{"ERR NOT_FOUND parentId", forum.CodeNotFound, forum.Input("parentId")},
		{"FORBIDDEN commentId", forum.CodeForbidden, forum.Input("commentId")},
		{"LOCKED topicId", forum.CodeLocked, forum.Input("topicId")},
		{"TAKEN name", forum.CodeTaken, forum.Input("name")},
		{"TOO_LONG_TABS addCategories.3", forum.CodeTooLong, forum.Input("addCategories", "3")},
		{"TOO_LONG_TAB addCategories", forum.CodeTooLong, forum.Input("addCategories")},
		{"IDEMPOTENCY_CONFLICT idempotencyKey", forum.CodeIdempotencyConflict, forum.Input("idempotencyKey")},
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
