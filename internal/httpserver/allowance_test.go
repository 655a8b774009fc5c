package httpserver

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"agora/graph/model"
	"agora/internal/httpserver/limit"
	"agora/internal/httpserver/live"
	"agora/internal/ratelimit"
	"agora/internal/test/gqltext"
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
	s := newServer(t, limited(ratelimit.Rates{ratelimit.Cost: 500}, clock)) // an address has 2000
	remaining := func(header string) int {
		t.Helper()
		c := pricedOf(t, s.post(hundred, CostHeader+": "+header).Body.String()).Extensions.Cost
		if c == nil || c.Remaining == nil || c.Limits.PerMinute != 2000 || c.Cost != 203+len(hundred) {
			t.Fatalf("%+v; want the rest of 2000, 203 rows and values, and the document", c)
		}
		if want := clock.Now().Add(time.Duration(2000-*c.Remaining) * time.Minute / 2000).Format(model.DateTimeLayout); c.ResetAt != want {
			t.Errorf("%d remaining, all of it at %s; want %s", *c.Remaining, c.ResetAt, want)
		}
		return *c.Remaining
	}
	parsed := remaining("dry")
	again := remaining("dry")
	received := parsed - again
	if received != requestCost+len(bodyOf(hundred))/bodyBytes || parsed != 2000-received-limit.DocumentCost(hundred) {
		t.Errorf("%d remain of 2000 after the first dry request, %d after the next", parsed, again)
	}
	if got, want := remaining("1"), again-received-203-len(hundred); got != want {
		t.Errorf("%d remain after the operation; want %d", got, want)
	}
	var sent commandCount
	sent.of(s.redis)
	w := s.post(hundred)
	for n := 0; w.Code == 200 && n < 3; n++ {
		sent.Store(0)
		w = s.post(hundred)
	}
	if w.Code != 429 || s.codeOf(w) != "RATE_LIMITED" || w.Header().Get("Retry-After") == "" ||
		!strings.Contains(w.Body.String(), `"unit":"cost"`) || sent.Load() != 0 {
		t.Errorf("too often: status %d, %v, %s, %d commands; want 429, Retry-After, RATE_LIMITED by cost, and none",
			w.Code, w.Header(), w.Body, sent.Load())
	}
	clock.Advance(time.Minute)
	if w := s.post(hundred); w.Code != 200 {
		t.Errorf("a minute later: status %d, %s; want 200", w.Code, w.Body)
	}
	w = s.post("{ front { topics(first: 100) { nodes { " + strings.Repeat("title ", 20) + "author { login } } } } " +
		gqltext.Each(40, "a%d: front { topics(first: 100) { totalCount } } ") + "}")
	if w.Code != 200 || s.codeOf(w) != "COST_LIMIT_EXCEEDED" || !strings.Contains(w.Body.String(), `"limit":2000`) {
		t.Errorf("more than the whole: status %d, %s; want COST_LIMIT_EXCEEDED, as waiting does not help", w.Code, w.Body)
	}
}

// Work on texts is charged while an operation runs, which goes on; then the caller is refused until the debt is paid, also
// what is not executed.
func TestWorkIsOwed(t *testing.T) {
	clock := redistest.NewClock()
	s := newServer(t, limited(ratelimit.Rates{ratelimit.Cost: 2500}, clock)) // an address has 10,000
	s.postTopics(20)
	costly := "{ front { topics(first: 20) { nodes { " + gqltext.Series(90,
		func(i int) string { return fmt.Sprintf("a%d: excerpt(length: %d) ", i, 20+i) }) + "} } } }"
	first := s.post(costly, CostHeader+": 1")
	c := pricedOf(t, first.Body.String()).Extensions.Cost
	if first.Code != 200 || c == nil || c.Cost < 10_000 || strings.Contains(first.Body.String(), "errors") {
		t.Fatalf("status %d, %+v, %.300s; want the texts, and a cost above what an address has", first.Code, c, first.Body)
	}
	for _, query := range []string{"{ site { name } }", "{ nothing }", "{"} {
		for _, header := range []string{"1", "dry"} {
			if w := s.post(query, CostHeader+": "+header); w.Code != 429 || s.codeOf(w) != "RATE_LIMITED" {
				t.Errorf("%s, %s: status %d, %s; want RATE_LIMITED", query, header, w.Code, w.Body)
			}
		}
	}
	clock.Advance(2 * time.Minute)
	if w := s.post("{ site { name } }"); w.Code != 200 {
		t.Errorf("once it is paid: status %d, %s; want 200", w.Code, w.Body)
	}
}

func TestAllowancesAreInEveryAnswer(t *testing.T) {
	clock := redistest.NewClock()
	s := newServer(t, limited(ratelimit.Rates{ratelimit.Requests: 3, ratelimit.Cost: 10_000}, clock))
	const policy = `"requests";q=12;w=60`
	for i, tt := range []struct {
		name, query, left string
		headers           []string
	}{
		{"executed", "{ site { name } }", `"requests";r=11;t=5, "cost";`, nil},
		{"dry", "{ site { name } }", `"requests";r=10;t=10, "cost";`, []string{CostHeader + ": dry"}},
		{"refused", "{ nothing }", `"requests";r=9;t=15`, nil},
		{"bad token", "{ site { name } }", `"requests";r=8;t=20`, []string{"Authorization: Bearer x"}},
		{"stream", "{ site { name } }", `"requests";r=7;t=25, "cost";`, []string{"Accept: text/event-stream"}},
	} {
		w := s.post(tt.query, tt.headers...)
		got := strings.Join(w.Header()[allowanceHeader], ", ")
		if before, _, ok := strings.Cut(got, `"cost";`); ok { // how much is another test
			got = before + `"cost";`
		}
		named := strings.Join(w.Header()[policyHeader], ", ")
		if got != tt.left || !strings.HasPrefix(named, policy) ||
			strings.Contains(got, "cost") != strings.HasSuffix(named, `"cost";q=40000;w=60`) {
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
		limited(ratelimit.Rates{ratelimit.Requests: 100, ratelimit.Cost: 1500}, clock)(o)
	})
	_, token := w.member("ann")
	r := w.post("{ word }", "Authorization: Bearer "+token, CostHeader+": 1")
	left := 1500 - requestCost - len(bodyOf("{ word }"))/bodyBytes - limit.DocumentCost("{ word }") -
		1 - len("{ word }")
	if got := strings.Join(r.Header()[allowanceHeader], ", "); !strings.HasPrefix(got,
		fmt.Sprintf(`"requests";r=99;t=1, "cost";r=%d;t=`, left)) {
		t.Errorf("RateLimit %s; want what is left of the viewer's 100, and %d of 1500", got, left)
	}
	if body := r.Body.String(); !strings.Contains(body, fmt.Sprintf(`"perMinute":1500},"remaining":%d,`, left)) {
		t.Errorf("answer %s; want %d remaining of 1500", body, left)
	}
	c := w.signedIn(token)
	for range left / (requestCost + 10) {
		c.subscribe("1", `{ word }`)
		c.want(`{"id":"1","type":"next","payload":{"data":{"word":"word"}}}`, `{"id":"1","type":"complete"}`)
	}
	c.subscribe("1", `{ word }`)
	c.wantError("1", "RATE_LIMITED")
}
