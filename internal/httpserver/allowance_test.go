package httpserver

import (
	"strings"
	"testing"
	"time"

	"agora/graph/model"
	"agora/internal/httpserver/live"
	"agora/internal/ratelimit"
	"agora/internal/test/redistest"
)

// limited returns the change of options that sets rates.
func limited(rates ratelimit.Rates, clock *redistest.Clock) func(*Options) {
	return func(o *Options) { o.Resolver.Rates = ratelimit.New(rates, clock.Now) }
}

// hundred is a query for a hundred rows and 103 values.
const hundred = "{ front { topics(first: 100) { nodes { id } } } }"

func TestCostOfAMinuteIsBounded(t *testing.T) {
	clock := redistest.NewClock()
	s := newServer(t, limited(ratelimit.Rates{ratelimit.Cost: 100}, clock)) // an address has 400
	dry := pricedOf(t, s.post(hundred, CostHeader+": dry").Body.String()).Extensions.Cost
	if dry.Remaining == nil || *dry.Remaining != 400 || dry.Limits.PerMinute != 400 {
		t.Errorf("dry before: %+v; want all 400 of 400", dry)
	}
	first := pricedOf(t, s.post(hundred, CostHeader+": 1").Body.String()).Extensions.Cost
	want := clock.Now().Add(203 * time.Minute / 400).Format(model.DateTimeLayout)
	if first.Remaining == nil || *first.Remaining != 197 || first.ResetAt != want {
		t.Errorf("first: %+v; want 197 remaining, and all of it at %s", first, want)
	}
	var sent commandCount
	sent.of(s.redis)
	w := s.post(hundred)
	if w.Code != 429 || s.codeOf(w) != "RATE_LIMITED" || w.Header().Get("Retry-After") != "1" ||
		!strings.Contains(w.Body.String(), `"unit":"cost"`) || sent.Load() != 0 {
		t.Errorf("second: status %d, %v, %s, %d commands; want 429, Retry-After 1, RATE_LIMITED by cost, and none",
			w.Code, w.Header(), w.Body, sent.Load())
	}
	clock.Advance(time.Second)
	if w := s.post(hundred); w.Code != 200 {
		t.Errorf("a second later: status %d, %s; want 200", w.Code, w.Body)
	}
	w = s.post("{ front { topics(first: 100) { nodes { id title author { login } } } } }")
	if w.Code != 200 || s.codeOf(w) != "COST_LIMIT_EXCEEDED" || !strings.Contains(w.Body.String(), `"limit":400`) {
		t.Errorf("more than the whole: status %d, %s; want COST_LIMIT_EXCEEDED, as waiting does not help", w.Code, w.Body)
	}
}

func TestAllowancesAreInEveryAnswer(t *testing.T) {
	clock := redistest.NewClock()
	s := newServer(t, limited(ratelimit.Rates{ratelimit.Requests: 3, ratelimit.Cost: 1000}, clock))
	const policy = `"requests";q=12;w=60`
	for i, tt := range []struct {
		name, query, left string
		headers           []string
	}{
		{"executed", "{ site { name } }", `"requests";r=11;t=5, "cost";r=3998;t=1`, nil},
		{"dry", "{ site { name } }", `"requests";r=10;t=10, "cost";r=3998;t=1`, []string{CostHeader + ": dry"}},
		{"refused", "{ nothing }", `"requests";r=9;t=15`, nil},
		{"bad token", "{ site { name } }", `"requests";r=8;t=20`, []string{"Authorization: Bearer x"}},
		{"stream", "{ site { name } }", `"requests";r=7;t=25, "cost";r=3996;t=1`, []string{"Accept: text/event-stream"}},
	} {
		w := s.post(tt.query, tt.headers...)
		got := strings.Join(w.Header()[allowanceHeader], ", ")
		named := strings.Join(w.Header()[policyHeader], ", ")
		if got != tt.left || !strings.HasPrefix(named, policy) ||
			strings.Contains(got, "cost") != strings.HasSuffix(named, `"cost";q=4000;w=60`) {
			t.Errorf("%d, %s: RateLimit %s, policy %s; want %s", i, tt.name, got, named, tt.left)
		}
	}
	for range 7 {
		s.post("{ site { name } }")
	}
	w := s.post("{ site { name } }")
	if got := strings.Join(w.Header()[allowanceHeader], ", "); w.Code != 429 || got != `"requests";r=0;t=60` {
		t.Errorf("one too many: status %d, RateLimit %s; want 429, and none left", w.Code, got)
	}
	if w := newServer(t, nil).post("{ site { name } }"); w.Header()[allowanceHeader] != nil {
		t.Errorf("without rates: RateLimit %s; want none", w.Header()[allowanceHeader])
	}
}

func TestAllowanceOfAViewer(t *testing.T) {
	clock := redistest.NewClock()
	w := newLiveWire(t, func(o *Options, _ *live.Connections) {
		limited(ratelimit.Rates{ratelimit.Requests: 100, ratelimit.Cost: 5}, clock)(o)
	})
	_, token := w.member("ann")
	r := w.post("{ word }", "Authorization: Bearer "+token, CostHeader+": 1")
	if got := strings.Join(r.Header()[allowanceHeader], ", "); got != `"requests";r=99;t=1, "cost";r=4;t=12` {
		t.Errorf("RateLimit %s; want what is left of the viewer's 100 and 5", got)
	}
	if body := r.Body.String(); !strings.Contains(body, `"perMinute":5},"remaining":4,`) {
		t.Errorf("answer %s; want 4 remaining of 5", body)
	}
	c := w.signedIn(token)
	for range 4 {
		c.subscribe("1", `{ word }`)
		c.want(`{"id":"1","type":"next","payload":{"data":{"word":"word"}}}`, `{"id":"1","type":"complete"}`)
	}
	c.subscribe("1", `{ word }`)
	c.wantError("1", "RATE_LIMITED")
}
