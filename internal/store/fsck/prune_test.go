package fsck

import (
	"testing"
	"time"

	"agora/internal/store/acts"
	"agora/internal/store/categories"
	"agora/internal/store/change"
	"agora/internal/store/check"
	"agora/internal/store/follows"
	"agora/internal/store/groups"
	"agora/internal/store/internal/key"
	"agora/internal/store/moderation"
	"agora/internal/store/posts"
	"agora/internal/test/must"
	"agora/internal/test/testlevel"
)

// people are the rules whose findings only people can repair: their objects exist.
var people = map[Rule]bool{
	RuleLayout: true, posts.RuleTopicCategory: true, check.RuleCap: true, follows.RuleListFields: true,
	follows.RuleListName: true, categories.RuleCategoryFields: true, categories.RuleTabFields: true, groups.RuleGroupFields: true,
	categories.RuleName: true, change.RuleTagName: true, categories.RuleIndexOwner: true, acts.RuleActFields: true,
	moderation.RuleBan: true,
}

// prune runs a check with prune, without rests.
func (x *checkSite) prune() *Report {
	x.t.Helper()
	return must.Do(Check(x.ctx, x.Store, Options{Prune: true, Rest: time.Nanosecond}))(x.t)
}

// pruned reports whether a prune deletes what the break leaves of its object.
func (b siteBreak) pruned() bool {
	return b.after == stays && !people[b.rule] && b.name != "another program's key"
}

// A prune deletes what cannot be repaired, except what people can repair, and leaves nothing broken.
func TestPruneLeavesNothingBroken(t *testing.T) {
	testlevel.LongWithoutRace(t)
	for _, b := range breaks() {
		if !b.pruned() {
			continue
		}
		t.Run(b.name, func(t *testing.T) {
			t.Parallel()
			x := newCheckSite(t)
			b.damage(x)
			pruned, _, _ := x.aloud(x.prune)
			if pruned.Broken() != 0 {
				t.Errorf("Prune leaves %v; want nothing broken", pruned.Findings)
			}
			deleted := 0
			for _, f := range pruned.Findings {
				if f.Repaired && f.Loss != "" {
					deleted++
				}
			}
			if deleted == 0 {
				t.Errorf("Prune found %v; want it to list what it deleted", pruned.Findings)
			}
			if again := x.check(false); again.Found != 0 {
				t.Errorf("Check after Prune found %v; want nothing", again.Findings)
			}
		})
	}
}

// A prune deletes no keys of other programs, and a check can ignore them.
func TestPruneKeepsKeysOfOtherPrograms(t *testing.T) {
	x := newCheckSite(t)
	x.do("SET", "sessions:1", "x")
	if r := x.prune(); r.Broken() != 1 || !x.exists("sessions:1") {
		t.Errorf("Prune leaves %v; want the other program's key, reported", r.Findings)
	}
	r := must.Do(Check(x.ctx, x.Store, Options{OtherKeys: true, Rest: time.Nanosecond}))(t)
	if r.Found != 0 {
		t.Errorf("Check with OtherKeys found %v; want nothing", r.Findings)
	}
}

func TestRepairDeletesNoContent(t *testing.T) {
	x := newCheckSite(t)
	x.do("HDEL", key.Topic(x.thread), "title")
	if r := x.check(true); r.Broken() != 1 || r.Lost != 1 || !x.exists(key.Topic(x.thread)) {
		t.Errorf("Repair of a topic without title leaves %v, %d lost; want it left", r.Findings, r.Lost)
	}
}
