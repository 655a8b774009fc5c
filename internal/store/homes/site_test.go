package homes_test

import (
	"fmt"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/storetest"
)

// userIn registers a user in a partition.
func userIn(x *storetest.Site, p forum.Partition) *forum.Viewer {
	x.T.Helper()
	for n := 0; ; n++ {
		login := fmt.Sprintf("here%d", n)
		if key.PartitionOfLogin(login) == p {
			return x.User(login)
		}
	}
}

// wantUnsound fails the test if a check of a settled site finds nothing.
func wantUnsound(x *storetest.Site, want string) {
	x.T.Helper()
	if len(x.Findings()) == 0 {
		x.T.Errorf("with the rule disabled there are no findings; want %s", want)
	}
}
