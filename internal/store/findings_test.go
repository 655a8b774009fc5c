package store

import "context"

// Findings checks the data with package fsck, which imports this package; it is set in fsck_test.go. Too
// long expiries are ignored, because Redis's clock is not the test's.
var Findings func(ctx context.Context, s *Store) ([]string, error)

// findings returns the findings of a check of the site.
func (x *site) findings() []string {
	x.t.Helper()
	found, err := Findings(x.ctx, x.Store)
	wantOK(x.t, "Check", err)
	return found
}
