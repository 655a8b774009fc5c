package ratelimit

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/test/redistest"
	_ "agora/internal/test/testseed"
)

var (
	ann     = &forum.Viewer{ID: 257}
	bob     = &forum.Viewer{ID: 258}
	annHome = auth.Caller{Viewer: ann, Address: "home"}
	bobHome = auth.Caller{Viewer: bob, Address: "home"}
	annAway = auth.Caller{Viewer: ann, Address: "away"}
	visitor = auth.Caller{Address: "home"}
)

// waitOf returns the wait of a refused call; 0 if it was allowed.
func waitOf(t interface{ Fatalf(string, ...any) }, err error) time.Duration {
	if err == nil {
		return 0
	}
	var e *forum.Error
	if !errors.As(err, &e) || e.Code != forum.CodeRateLimited || e.RetryAfter <= 0 {
		t.Fatalf("Take = %v; want nil, or RATE_LIMITED and a wait", err)
	}
	return e.RetryAfter
}

// takes calls Take until a call is refused, at most n times, and returns how many were allowed.
func takes(t *testing.T, l *Limiter, kind Kind, c auth.Caller, n int) int {
	t.Helper()
	for i := range n {
		if waitOf(t, l.Take(kind, c)) > 0 {
			return i
		}
	}
	return n
}

// Whoever owes is refused until the debt is paid, which takes a minute at most, and owes the more.
func TestDebts(t *testing.T) {
	clock := redistest.NewClock()
	l := New(Rates{Cost: 60}, clock.Now)
	left := func(want int) {
		t.Helper()
		if got, err := l.TakeN(Cost, 0, annHome); got.Calls != want || err != nil {
			t.Errorf("left: %d, %v; want %d", got.Calls, err, want)
		}
	}
	owes := func(c auth.Caller, want time.Duration) {
		t.Helper()
		if _, err := l.TakeN(Cost, 0, c); waitOf(t, err) != want {
			t.Errorf("%v; want to wait %v", err, want)
		}
	}
	l.Owe(Cost, 20, annHome)
	left(40)
	l.Owe(Cost, 50, annHome)
	owes(annHome, 10*time.Second)
	l.Owe(Cost, 5, annHome)
	owes(annHome, 15*time.Second)
	owes(bobHome, 0)
	l.Owe(Cost, 1_000_000, annHome)
	l.Owe(Cost, 1, annHome)
	owes(annHome, time.Minute)
	owes(bobHome, time.Minute) // their address owes, too
	owes(annAway, time.Minute)
	clock.Advance(time.Minute)
	left(0)
	clock.Advance(time.Second)
	left(1)
}

func TestViewersAndAddressesAreCountedSeparately(t *testing.T) {
	clock := redistest.NewClock()
	l := New(Rates{Posts: 10, Edits: 20}, clock.Now)
	steps := []struct {
		name   string
		kind   Kind
		caller auth.Caller
		want   int
	}{
		{"a viewer has the limit", Posts, annHome, 10},
		{"the same viewer at another address has nothing left", Posts, annAway, 0},
		{"another kind is counted by itself", Edits, annAway, 20},
		{"another viewer at the same address has the limit", Posts, bobHome, 10},
		{"the address has four times the limit", Posts, visitor, 20},
		{
			"a third viewer there has nothing left: the address is used up",
			Posts,
			auth.Caller{Viewer: &forum.Viewer{ID: 259}, Address: "home"},
			0,
		},
		{"refused calls were not counted", Posts, auth.Caller{Viewer: &forum.Viewer{ID: 259}, Address: "away"}, 10},
		{"a kind without a limit is allowed", Comments, annHome, 1000},
		{"her API token has a limit of its own", Edits, auth.Caller{Viewer: &forum.Viewer{ID: 257, Session: "a",
			Scopes: forum.Scopes}}, 20},
		{"and so has another one", Edits, auth.Caller{Viewer: &forum.Viewer{ID: 257, Session: "b", Scopes: forum.Scopes}}, 20},
		{"a session of hers has nothing left", Edits, auth.Caller{Viewer: &forum.Viewer{ID: 257, Session: "c"}}, 0},
		{"an unknown caller is not counted", Posts, auth.Caller{}, 1000},
	}
	for _, s := range steps {
		if got := takes(t, l, s.kind, s.caller, 1000); got != s.want {
			t.Errorf("%s: %d calls allowed; want %d", s.name, got, s.want)
		}
	}
	clock.Advance(window)
	if got := takes(t, l, Posts, annAway, 1000); got != 10 {
		t.Errorf("after a minute: %d calls allowed; want 10", got)
	}
}

func TestNilLimiterAllowsEverything(t *testing.T) {
	var none *Limiter
	for name, l := range map[string]*Limiter{"nil": none, "no rates": New(nil, time.Now),
		"rates of 0": New(Rates{Posts: 0}, time.Now)} {
		if got := takes(t, l, Posts, annHome, 10_000); got != 10_000 {
			t.Errorf("%s: %d calls allowed; want all", name, got)
		}
	}
}

// exhaust uses up the remaining calls of a caller, with pauses in microseconds between the calls,
// and checks the wait that follows: after it a call is allowed, a millisecond earlier it is not.
func exhaust(
	t interface{ Fatalf(string, ...any) },
	l *Limiter,
	clock *redistest.Clock,
	c auth.Caller,
	pause func() int,
) {
	refused := func() bool { return waitOf(t, l.Take(Posts, c)) > 0 }
	for !refused() {
		clock.Advance(time.Duration(pause()) * time.Microsecond)
	}
	wait := waitOf(t, l.Take(Posts, c))
	clock.Advance(wait - time.Millisecond)
	early := refused()
	clock.Advance(time.Millisecond)
	if late := refused(); !early || late {
		t.Fatalf("wait %v;  refused a millisecond before = %v, then = %v; want true, false", wait, early, late)
	}
}

func TestRetryAfterIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		clock := redistest.NewClock()
		l := New(Rates{Posts: rapid.IntRange(1, 100).Draw(t, "limit")}, clock.Now)
		for range 5 {
			c := rapid.SampledFrom([]auth.Caller{annHome, annAway, bobHome, visitor}).Draw(t, "caller")
			exhaust(t, l, clock, c, func() int { return rapid.IntRange(0, 900).Draw(t, "pause") })
		}
	})
}

// These pauses add up to fractions of a token that miss a whole one by less than a nanosecond.
func TestRetryAfterIsExactForFractionsOfATick(t *testing.T) {
	clock := redistest.NewClock()
	l := New(Rates{Posts: 2}, clock.Now)
	for _, step := range []struct {
		caller auth.Caller
		pauses []int
	}{{annHome, []int{2, 2}}, {visitor, []int{1, 6, 7, 21, 204, 344, 413}}, {annHome, nil}} {
		exhaust(t, l, clock, step.caller, func() int {
			next := step.pauses[0]
			step.pauses = step.pauses[1:]
			return next
		})
	}
}

// No window of a minute allows more than the saved allowance and the one that accrues in it.
func TestWindow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.IntRange(1, 60).Draw(t, "limit")
		clock := redistest.NewClock()
		l := New(Rates{Comments: limit}, clock.Now)
		var at []time.Time
		pauses := rapid.SliceOfN(rapid.IntRange(0, 4000), 1, 400).Draw(t, "pauses")
		for _, ms := range pauses {
			clock.Advance(time.Duration(ms) * time.Millisecond)
			for range rapid.IntRange(1, 8).Draw(t, "calls") {
				if waitOf(t, l.Take(Comments, annHome)) == 0 {
					at = append(at, clock.Now())
				}
			}
		}
		for first, from := 0, 0; first < len(at); first++ {
			for at[first].Sub(at[from]) >= window {
				from++
			}
			if got := first - from + 1; got > 2*limit {
				t.Fatalf("%d calls allowed within a minute; want at most %d", got, 2*limit)
			}
		}
	})
}

func TestTakeNTellsWhatIsLeft(t *testing.T) {
	clock := redistest.NewClock()
	l := New(Rates{Cost: 600}, clock.Now)
	steps := []struct {
		name    string
		caller  auth.Caller
		n       int
		advance time.Duration
		want    Left
		refused time.Duration
	}{
		{"looking", annHome, 0, 0, Left{Limit: 600, Calls: 600}, 0},
		{"half", annHome, 300, 0, Left{Limit: 600, Calls: 300, Wait: 30 * time.Second}, 0},
		{"too many for now", annHome, 400, 0, Left{Limit: 600, Calls: 300, Wait: 30 * time.Second}, 10 * time.Second},
		{"another viewer of the address", bobHome, 600, 0, Left{Limit: 600, Calls: 0, Wait: time.Minute}, 0},
		{"after ten seconds", annHome, 400, 10 * time.Second, Left{Limit: 600, Calls: 0, Wait: time.Minute}, 0},
		{"a visitor of the address", visitor, 1400, 0, Left{Limit: 2400, Calls: 100, Wait: 57_500 * time.Millisecond}, 0},
		{"after a minute", annHome, 0, time.Minute, Left{Limit: 600, Calls: 600}, 0},
	}
	for _, s := range steps {
		clock.Advance(s.advance)
		s.want.Full = clock.Now().Add(s.want.Wait)
		left, err := l.TakeN(Cost, s.n, s.caller)
		if refused := waitOf(t, err); left != s.want || refused != s.refused {
			t.Errorf("%s: TakeN(%d) = %+v, refused for %v; want %+v, %v", s.name, s.n, left, refused, s.want, s.refused)
		}
	}
	if left, err := l.TakeN(Cost, 601, annHome); err != ErrNever || left.Calls != 600 {
		t.Errorf("TakeN of more than the allowance = %+v, %v; want ErrNever, and nothing taken", left, err)
	}
	if left, err := l.TakeN(Posts, 601, annHome); err != nil || left != (Left{}) {
		t.Errorf("TakeN of a kind without limit = %+v, %v; want the zero value", left, err)
	}
}

func TestConcurrentCallers(t *testing.T) {
	clock := redistest.NewClock()
	l := New(Rates{Posts: 100}, clock.Now)
	var through atomic.Int64
	var wg sync.WaitGroup
	for i := range 16 {
		c := []auth.Caller{annHome, annAway}[i%2]
		wg.Go(func() {
			for range 100 {
				if l.Take(Posts, c) == nil {
					through.Add(1)
				}
			}
		})
	}
	wg.Wait()
	if got := through.Load(); got != 100 {
		t.Errorf("%d of 1600 calls allowed; want 100", got)
	}
}

// Many addresses cannot exhaust memory: the least recently seen is dropped, and viewers are not
// dropped for them.
func TestNumberOfCallersIsBounded(t *testing.T) {
	clock := redistest.NewClock()
	l := New(Rates{Requests: 1}, clock.Now)
	takes(t, l, Requests, annHome, 1)
	used := takes(t, l, Requests, visitor, 10)
	for i := range maxCallers {
		takes(t, l, Requests, auth.Caller{Address: fmt.Sprint(i)}, 1)
	}
	if got := l.kinds[Requests].addresses.seen.Len(); got != maxCallers {
		t.Errorf("%d addresses are stored; want %d", got, maxCallers)
	}
	if got := takes(t, l, Requests, visitor, 10); used != addressShare-1 || got != addressShare {
		t.Errorf(
			"an address is allowed %d times, %d once it was forgotten; want %d and %d",
			used,
			got,
			addressShare-1,
			addressShare,
		)
	}
	if got := takes(t, l, Requests, annAway, 10); got != 0 {
		t.Errorf("a viewer is allowed %d times more after many addresses came; want 0", got)
	}
}

// A caller with a wide IPv6 network does not have the allowances of all networks in it.
func TestWiderNetworks(t *testing.T) {
	l := New(Rates{Posts: 1}, redistest.NewClock().Now)
	count := func(n int, home, site func(i int) string) (through int) {
		for i := range n {
			c := auth.Caller{Address: fmt.Sprint(home(i), i), Networks: []string{home(i), site(i)}}
			through += takes(t, l, Posts, c, 10)
		}
		return through
	}
	one := func(name string) func(int) string { return func(int) string { return name } }
	if got := count(100, one("home"), one("site")); got != 16 {
		t.Errorf("a network of 56 bits is allowed %d times; want 16", got)
	}
	if got := count(100, func(i int) string { return fmt.Sprint("home", i) }, one("company")); got != 64 {
		t.Errorf("a network of 48 bits is allowed %d times; want 64", got)
	}
}

func TestSet(t *testing.T) {
	r := Defaults()
	for _, s := range []string{"posts=20", "edits=0", "requests=1000000", "cost=1000000000"} {
		if err := r.Set(s); err != nil {
			t.Errorf("Set(%q): %v", s, err)
		}
	}
	want := Rates{Requests: 1_000_000, Posts: 20, Comments: 30, Clicks: 60, Votes: 120, Follows: 60, Edits: 0}
	for kind, n := range want {
		if r[kind] != n {
			t.Errorf("%s = %d; want %d", kind, r[kind], n)
		}
	}
	for _, s := range []string{"", "posts", "posts=", "posts=-1", "posts=ten", "posts=1000001", "cost=1000000001", "=5",
		"Posts=5", "likes=5", "posts = 5", "posts=5,edits=5"} {
		if err := r.Set(s); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("%q", s)) {
			t.Errorf("Set(%q) = %v; want an error that names it", s, err)
		}
	}
	if err := r.Set("all=0"); err != nil {
		t.Error(err)
	}
	for kind, n := range r {
		if n != 0 {
			t.Errorf("after all=0: %s = %d; want 0", kind, n)
		}
	}
	help := "requests=600, posts=10, comments=30, clicks=60, votes=120, follows=60, edits=60, previews=120, " +
		"walks=60, signatures=10, cost=3000000"
	if Help() != help {
		t.Errorf("Help() = %q; want %q", Help(), help)
	}
}

// Counting a request takes less than a microsecond.
func BenchmarkTake(b *testing.B) {
	l := New(Rates{Requests: maxRate}, time.Now)
	callers := make([]auth.Caller, 1000)
	for i := range callers {
		callers[i] = auth.Caller{Viewer: &forum.Viewer{ID: forum.UserID(i + 1)}, Address: fmt.Sprint(i)}
	}
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		l.Take(Requests, callers[i%1000])
		i++
	}
}

func TestBucket(t *testing.T) {
	b := NewBucket(3)
	for n := range 4 {
		if got := b.Take(); got != (n < 3) {
			t.Errorf("call %d is allowed: %v; want the first three", n, got)
		}
	}
}
