package storetest

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

// Check returns what package fsck finds. Too long expiries are ignored, because Redis's clock is not the test's.
func Check(ctx context.Context, s *store.Store) (found []string, err error) {
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

// Findings returns the findings of a check of a settled site, and the keys of work that is left.
func (x *Site) Findings() []string {
	x.T.Helper()
	found := must.Do(Check(x.Ctx, x.Store))(x.T)
	for _, k := range slices.Sorted(maps.Keys(x.Keys())) {
		_, name, _ := strings.Cut(k, "}:")
		if slices.Contains([]string{"dirty", "due", "dead"}, name) || strings.HasPrefix(name, "task:") ||
			strings.HasSuffix(name, ":rel") {
			found = append(found, k+" is left")
		}
	}
	return found
}

// WantSound fails the test if a check of a settled site finds something.
func (x *Site) WantSound() {
	x.T.Helper()
	for _, f := range x.Findings() {
		x.T.Errorf("Check found %s", f)
	}
}

// WantClean settles the site, and fails the test if a check finds something.
func (x *Site) WantClean() {
	x.T.Helper()
	x.Settle()
	x.WantSound()
}

// SettleHomes settles the site, including refills of homes.
func (x *Site) SettleHomes() {
	x.T.Helper()
	for {
		WantOK(x.T, "Settle", x.Flush(x.Ctx))
		if x.RunDue() == 0 {
			x.Engine.Cleaner.Flush()
			return
		}
	}
}

// WantSoundAfter settles the site with its homes, and fails the test if a check finds something.
func (x *Site) WantSoundAfter(what string) {
	x.T.Helper()
	x.SettleHomes()
	for _, f := range x.Findings() {
		x.T.Errorf("%s: Check found %s", what, f)
	}
}
