package fsck

import (
	"testing"

	"agora/internal/store/check"
	"agora/internal/store/internal/record"
)

func TestEveryKindOfTaskIsChecked(t *testing.T) {
	s := newSite(t).Store
	run := check.NewRun(s.Engine, s.Checks())
	for _, kind := range record.TaskKinds() {
		if run.TaskCheck(kind) == nil {
			t.Errorf("no subject checks tasks %q", kind)
		}
	}
}
