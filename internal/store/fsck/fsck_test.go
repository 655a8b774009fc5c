package fsck

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/accounts"
	"agora/internal/store/change"
	"agora/internal/store/check"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/test/must"
	"agora/internal/test/testlevel"
)

func TestCheckOfIntactSiteFindsNothing(t *testing.T) {
	x := newCheckSite(t)
	r := x.check(false)
	for _, f := range r.Findings {
		t.Errorf("found %s", f)
	}
	if r.Found != 0 || r.Unsettled != 0 {
		t.Errorf("Check of an intact site found %d, %d unsettled; want none", r.Found, r.Unsettled)
	}
	if r.Topics != 13 || r.Comments != 10 || r.Users != 11 || r.Keys != len(x.keys()) {
		t.Errorf("Check saw %d topics, %d comments, %d users, %d keys; want 13, 10, 11, %d", r.Topics, r.Comments,
			r.Users, r.Keys, len(x.keys()))
	}
}

func TestCheckOfEmptySiteFindsNothing(t *testing.T) {
	x := &checkSite{site: newSite(t)}
	if r := x.check(false); r.Found != 0 || r.Keys != 2 {
		t.Errorf("Check of an empty site = %+v; want two keys and nothing found", r)
	}
}

func TestCheckAfterTheTaskFindsNothing(t *testing.T) {
	x := newCheckSite(t)
	x.clock.Advance(record.TaskLease * 1e6)
	// Two tasks are left by killed processes; others if a comment was notified of while its topic was deleted.
	if n, err := x.Engine.RunDueTasks(x.ctx); n < 2 || err != nil {
		t.Fatalf("RunDueTasks = %d, %v; want at least 2", n, err)
	}
	if r := x.check(false); r.Found != 0 {
		t.Errorf("Check found %v; want nothing", r.Findings)
	}
}

func TestRepairOfIntactSiteChangesNothing(t *testing.T) {
	x := newCheckSite(t)
	before := x.keys()
	if r := x.check(true); r.Found != 0 {
		t.Errorf("Check found %v; want nothing", r.Findings)
	}
	for key := range x.keys() {
		if !before[key] {
			t.Errorf("repair created %s", key)
		}
		delete(before, key)
	}
	for key := range before {
		t.Errorf("repair deleted %s", key)
	}
}

// TestCheckFindsEachBreak breaks one thing at a time in a fresh site: it must be found under its
// rule, and must be absent after a repair if it can be repaired. If not, what a prune deletes is listed as lost.
func TestCheckFindsEachBreak(t *testing.T) {
	testlevel.LongWithoutRace(t)
	for _, b := range breaks() {
		t.Run(b.name, func(t *testing.T) {
			t.Parallel()
			x := newCheckSite(t)
			b.damage(x)
			want := b.after
			if want == swept && !x.check(false).has(b.rule, false) {
				t.Errorf("Check does not find %s", b.rule)
			}
			repaired, damaged, left := x.aloud(func() *Report { return x.check(true) })
			if got := repaired.has(b.rule, true); got != (want == fixed) {
				t.Errorf("Repair found %v; want %s repaired: %t", repaired.Findings, b.rule, want == fixed)
			}
			if got := repaired.has(b.rule, false); got != (want == stays) {
				t.Errorf("Repair found %v; want %s left: %t", repaired.Findings, b.rule, want == stays)
			}
			if b.pruned() && repaired.Lost == 0 {
				t.Errorf("Repair found %v; want it to list the losses", repaired.Findings)
			}
			if unchanged(damaged, left) || unchanged(checkSiteMade.keys, left) {
				return // a check would find what the repair found, or nothing: the site is intact
			}
			again := x.check(false)
			if got := again.has(b.rule, false); got != (want == stays) {
				t.Errorf("Check after repair found %v; want %s: %t", again.Findings, b.rule, want == stays)
			}
			if again.Found > 0 && want != stays {
				t.Errorf("Check after repair found %v; want nothing", again.Findings)
			}
		})
	}
}

func TestCheckEveryRuleHasABreak(t *testing.T) {
	rules := map[Rule]string{}
	inspect := func(n ast.Node) bool {
		v, ok := n.(*ast.ValueSpec)
		if !ok || !isRule(v.Type) {
			return true
		}
		text := must.Do(strconv.Unquote(v.Values[0].(*ast.BasicLit).Value))(t)
		if other, taken := rules[Rule(text)]; taken {
			t.Errorf("%s and %s are both %q", other, v.Names[0].Name, text)
		}
		rules[Rule(text)] = v.Names[0].Name
		return false
	}
	for _, name := range must.Do(filepath.Glob("../*/*.go"))(t) {
		if !strings.HasSuffix(name, "_test.go") {
			ast.Inspect(must.Do(parser.ParseFile(token.NewFileSet(), name, nil, 0))(t), inspect)
		}
	}
	if len(rules) < 60 {
		t.Fatalf("found %d rules ; want all", len(rules))
	}
	for _, b := range breaks() {
		delete(rules, b.rule)
	}
	for _, together := range socialDamages(newCheckSite(t)) {
		for _, d := range together {
			delete(rules, d.rule)
		}
	}
	for rule, name := range rules {
		t.Errorf("no break for %s (%s)", name, rule)
	}
}

// isRule reports whether a constant has the type Rule.
func isRule(of ast.Expr) bool {
	if s, ok := of.(*ast.SelectorExpr); ok {
		return s.Sel.Name == "Rule"
	}
	name, ok := of.(*ast.Ident)
	return ok && name.Name == "Rule"
}

func TestCheckIgnoresRecentRegistrations(t *testing.T) {
	const life = forum.Time(2 * forum.PendingLife / time.Millisecond)
	for _, tt := range []struct {
		name string
		age  forum.Time
		want bool
	}{
		{"begun now", 0, false},
		{"a minute old less a millisecond", life - 1, false},
		{"a minute old", life, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			x := newCheckSite(t)
			x.pending(x.Engine.Now() - tt.age)
			if got := x.check(false).has(accounts.RuleUnfinished, false); got != tt.want {
				t.Errorf("registration found: %t; want %t", got, tt.want)
			}
		})
	}
}

// pending leaves a registration unfinished: claimed, not active.
func (x *checkSite) pending(since forum.Time) forum.UserID {
	x.t.Helper()
	if !x.dies(3, func(s *store.Store) { s.Accounts.Register(x.ctx, account("dan")) }) {
		x.t.Fatal("a registration has less than three steps")
	}
	id, _ := record.ParseClaim(x.rdb.Get(x.ctx, key.LoginClaim("dan")).Val())
	x.do("HSET", key.User(id), "since", since)
	return id
}

func TestCheckIgnoresIndexesWithRecentMark(t *testing.T) {
	for _, tt := range []struct {
		name string
		age  forum.Time
		want bool
	}{
		{"written now", 0, false},
		{"five seconds less a millisecond", check.LagLife - 1, false},
		{"five seconds", check.LagLife, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			x := newCheckSite(t)
			bulk := x.Bulk()
			must.Do(bulk.Posts.CreateTopic(x.ctx, discussion(x.ann, x.talk)))(t)
			for _, mark := range x.members(key.Dirty(x.ann.ID.Partition())) {
				x.do("ZADD", key.Dirty(x.ann.ID.Partition()), x.Engine.Now()-tt.age, mark.Member)
			}
			if got := x.check(false).has(change.RuleIndexMissing, false); got != tt.want {
				t.Errorf("missing entry found: %t; want %t", got, tt.want)
			}
		})
	}
}

func TestCheckKeepsAThousandFindings(t *testing.T) {
	x := newCheckSite(t)
	for i := range MaxFindings + 5 {
		x.do("SET", "other:"+strconv.Itoa(i), "1")
	}
	r := x.check(false)
	if len(r.Findings) != MaxFindings || r.Found != MaxFindings+5 || r.Broken() != r.Found {
		t.Errorf("Check kept %d of %d, %d broken; want %d of %d", len(r.Findings), r.Found, r.Broken(), MaxFindings,
			MaxFindings+5)
	}
}

func TestCheckReportsProgress(t *testing.T) {
	x := newCheckSite(t)
	var last, of int64
	must.Do(Check(x.ctx, x.Store, Options{Progress: func(done, total int64) {
		if done < last || done > total {
			t.Errorf("progress went from %d to %d of %d", last, done, total)
		}
		last, of = done, total
	}}))(t)
	if last != of || of == 0 {
		t.Errorf("progress ended at %d of %d", last, of)
	}
}
