package store

import "context"

// Findings checks the data by package fsck, which imports this one; it is set in
// fsck_test.go. Too long expiries are left out: Redis's clock is not the tests'.
var Findings func(ctx context.Context, s *Store) ([]string, error)

// findings are what a check of the site finds.
func (x *site) findings() []string {
	x.t.Helper()
	found, err := Findings(x.ctx, x.Store)
	wantOK(x.t, "Check", err)
	return found
}
