package httpserver

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"agora/internal/test/redistest"
)

// A flood of refused requests writes few lines: some of each address and reason, and a number that counts the others
// once a minute. Other requests are logged as before.
func TestRefusedRequestsAreSampled(t *testing.T) {
	var out bytes.Buffer
	clock := redistest.NewClock()
	o := observer{log: slog.New(slog.NewTextHandler(&out, nil)), now: clock.Now, refused: newSampler()}
	request := func(address, code string) {
		o.wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			CallFrom(r.Context()).From(address)
			if code != "" {
				CallFrom(r.Context()).Code(code)
			}
		})).ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(context.Background(), "GET", "/", nil))
	}
	lines := func() map[string]int {
		defer out.Reset()
		found := map[string]int{"all": strings.Count(out.String(), "\n"), "none": strings.Count(out.String(), `codes=""`)}
		for _, code := range []string{"TOO_DEEP", "RATE_LIMITED"} {
			found[code] = strings.Count(out.String(), "codes="+code)
		}
		return found
	}
	for range 1000 {
		request("a", "RATE_LIMITED")
		request("a", "")
	}
	request("a", "TOO_DEEP")
	request("b", "RATE_LIMITED")
	wantLines(t, "one address", lines(), map[string]int{"all": maxPerAddress + 1002, "RATE_LIMITED": maxPerAddress + 1,
		"TOO_DEEP": 1, "none": 1000})
	for i := range 1000 {
		request(fmt.Sprint("c", i), "RATE_LIMITED")
	}
	wantLines(t, "many addresses", lines(), map[string]int{"all": maxPerReason - maxPerAddress - 1,
		"RATE_LIMITED": maxPerReason - maxPerAddress - 1, "TOO_DEEP": 0, "none": 0})
	clock.Advance(sampleTime)
	request("a", "RATE_LIMITED")
	if want := fmt.Sprintf("reason=RATE_LIMITED count=%d", 2001-maxPerReason); !strings.Contains(out.String(), want) {
		t.Errorf("after a minute: %s; want %s", out.String(), want)
	}
	wantLines(t, "after a minute", lines(), map[string]int{"all": 2, "RATE_LIMITED": 1, "TOO_DEEP": 0, "none": 0})
}

func wantLines(t *testing.T, name string, got, want map[string]int) {
	t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s: lines %v; want %v", name, got, want)
	}
}
