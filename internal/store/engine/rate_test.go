package engine_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/engine"
	"agora/internal/store/internal/key"
	"agora/internal/store/storetest"
)

// spend counts one call of ann's and reports whether it was allowed.
func spend(x *storetest.Site, rates ...engine.Rate) bool {
	x.T.Helper()
	err := x.Engine.Spend(x.Ctx, rates...)
	if err != nil {
		storetest.WantCode(x.T, "Spend", err, forum.CodeRateLimited)
	}
	return err == nil
}

func anns(limit int, per time.Duration) engine.Rate {
	return engine.Rate{What: "proof", Who: "ann", Limit: limit, Per: per}
}

// At most three calls are allowed in any minute, wherever it begins; refused ones do not count.
func TestSpendSlides(t *testing.T) {
	x := storetest.New(t)
	steps := []struct {
		wait time.Duration
		want bool
	}{
		{0, true}, {30 * time.Second, true}, {0, true}, // at 0, 30, 30 s
		{0, false}, {30*time.Second - time.Millisecond, false}, // the first still counts
		{time.Millisecond, true}, {0, false}, // at 60 s: the first has left
		{30*time.Second - time.Millisecond, false},
		{time.Millisecond, true}, {0, true}, {0, false}, // at 90 s: two have left
	}
	for i, step := range steps {
		x.Clock.Advance(step.wait)
		if got := spend(x, anns(3, time.Minute)); got != step.want {
			t.Errorf("call %d is allowed: %t; want %t", i, got, step.want)
		}
	}
	key := key.Rate("proof", x.Engine.Pseudonym("proof", "ann"))
	if n := x.Redis.LLen(t.Context(), key).Val(); n != 3 {
		t.Errorf("%s has %d entries; want 3", key, n)
	}
	want := time.Duration(x.Clock.Now().Add(time.Minute+forum.ExpiryGrace).Unix()) * time.Second
	if got := x.Redis.ExpireTime(t.Context(), key).Val(); got != want {
		t.Errorf("EXPIRETIME of %s = %v; want %v", key, got, want)
	}
}

// Each of two rates applies, in one round trip; the one with room counts calls that the other refuses.
func TestSpendOfTwoRates(t *testing.T) {
	x := storetest.New(t)
	narrow := anns(1, time.Minute)
	wide := engine.Rate{What: "sign-in-address", Who: "192.0.2.1", Limit: 3, Per: time.Minute}
	var usage store.Usage
	storetest.WantOK(t, "Spend", x.Engine.Spend(store.WithUsage(t.Context(), &usage), narrow, wide))
	if n := usage.RoundTrips.Load(); n != 1 {
		t.Errorf("Spend: %d round trips; want 1", n)
	}
	if spend(x, narrow, wide) || spend(x, wide, narrow) {
		t.Error("calls beyond the narrow rate are allowed")
	}
	if spend(x, wide) {
		t.Error("the wide rate did not count the calls that the narrow one refused")
	}
	other := narrow
	other.Who = "bob"
	if elsewhere := (engine.Rate{What: "other", Who: "ann", Limit: 1, Per: time.Minute}); !spend(x, other, elsewhere) {
		t.Error("another caller or action is refused")
	}
}

func TestSpendWithoutLimit(t *testing.T) {
	x := storetest.New(t)
	for range 20 {
		if !spend(x, anns(0, time.Minute)) || !spend(x) {
			t.Fatal("Spend without limit refused a call")
		}
	}
	if keys := x.KeysLike("rate:"); len(keys) > 0 {
		t.Errorf("keys = %v; want none", keys)
	}
}

// Of many concurrent calls, exactly as many as the limit are allowed.
func TestSpendOfManyAtOnce(t *testing.T) {
	x := storetest.New(t)
	processes := []*store.Store{x.Store, x.Process()}
	var through atomic.Int32
	var wg sync.WaitGroup
	for n := range 40 {
		wg.Go(func() {
			if err := processes[n%2].Engine.Spend(t.Context(), anns(10, time.Minute)); err == nil {
				through.Add(1)
			}
		})
	}
	wg.Wait()
	if got := through.Load(); got != 10 {
		t.Errorf("%d of 40 calls were allowed; want 10", got)
	}
}
