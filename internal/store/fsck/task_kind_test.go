package fsck

import (
	"testing"

	"agora/internal/store/internal/record"
)

func TestEveryKindOfTaskIsChecked(t *testing.T) {
	for _, kind := range record.TaskKinds() {
		if taskChecks[kind].work == nil {
			t.Errorf("taskChecks has no row for tasks %q", kind)
		}
	}
}
