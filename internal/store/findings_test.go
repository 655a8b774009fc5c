package store_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"agora/internal/store"
	"agora/internal/store/fsck"
	"agora/internal/test/must"
)

// checkData returns what package fsck finds. Too long expiries are ignored, because Redis's clock is not the test's.
func checkData(ctx context.Context, s *store.Store) (found []string, err error) {
	report, err := fsck.Check(ctx, s, fsck.Options{Rest: time.Nanosecond})
	if err != nil {
		return nil, err
	}
	for _, f := range report.Findings {
		if f.Rule != fsck.RuleExpiryLong {
			found = append(found, f.String())
		}
	}
	if report.Unsettled > 0 {
		found = append(found, fmt.Sprintf("%d unsettled", report.Unsettled))
	}
	return found, nil
}

// findings returns the findings of a check of a settled site, and the keys of work that is left.
func (x *site) findings() []string {
	x.t.Helper()
	found := must.Do(checkData(x.ctx, x.Store))(x.t)
	for _, k := range slices.Sorted(maps.Keys(x.keys())) {
		_, name, _ := strings.Cut(k, "}:")
		if slices.Contains([]string{"dirty", "due", "dead"}, name) || strings.HasPrefix(name, "task:") || strings.HasSuffix(name, ":rel") {
			found = append(found, k+" is left")
		}
	}
	return found
}

// wantSound fails the test if a check of a settled site finds something.
func (x *site) wantSound() {
	x.t.Helper()
	for _, f := range x.findings() {
		x.t.Errorf("Check found %s", f)
	}
}

// wantUnsound fails the test if a check of a settled site finds nothing.
func (x *site) wantUnsound(want string) {
	x.t.Helper()
	if len(x.findings()) == 0 {
		x.t.Errorf("with the rule disabled there are no findings; want %s", want)
	}
}

// wantClean settles the site, and fails the test if a check finds something.
func (x *site) wantClean() {
	x.t.Helper()
	x.settle()
	x.wantSound()
}

// settleHomes settles the site, including refills of homes.
func (x *site) settleHomes() {
	x.t.Helper()
	for {
		wantOK(x.t, "Settle", x.Flush(x.ctx))
		if x.runDue() == 0 {
			x.Engine.Cleaner.Flush()
			return
		}
	}
}

// wantSoundAfter settles the site with its homes, and fails the test if a check finds something.
func (x *site) wantSoundAfter(what string) {
	x.t.Helper()
	x.settleHomes()
	for _, f := range x.findings() {
		x.t.Errorf("%s: Check found %s", what, f)
	}
}
