package main

import (
	"os"
	"regexp"
	"slices"
	"testing"

	"agora/internal/store/script"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
)

// The commands of a reply are recorded from the server: the hand-written handler replies with the same scripts in as
// many round trips, and what go-redis sends alone is a reply, too.
func TestRecording(t *testing.T) {
	server := redistest.Start(t)
	s := must.Do(newSite(t.Context(), server.URL(), tiny(), 2, func(int) {}))(t)
	t.Cleanup(s.close)
	recorded := must.Do(s.record(t.Context(), server.URL(), 2))(t)
	wantScripts(t, recorded[0])

	b := must.Do(newBare(t.Context(), server.URL(), recorded))(t)
	t.Cleanup(b.close)
	before := stats(t, s)
	for n := range 6 {
		must.OK(t, b.call(n%2, n))
	}
	must.OK(t, b.rest())
	if got := stats(t, s) - before; got != 6 {
		t.Errorf("6 calls have posted %d comments", got)
	}
	u, err := b.usage(t.Context(), "")
	if want := int64(6 * len(recorded[0].steps)); err != nil || u.RoundTrips <= want || u.RoundTrips > want+6 {
		t.Errorf("%d round trips, %v; want %d, and some for marks", u.RoundTrips, err, want)
	}
}

// stats returns how many comments there are; nothing needs repair.
func stats(t *testing.T, s *site) int {
	t.Helper()
	must.OK(t, s.store.Flush(t.Context()))
	found := must.Do(s.store.Stats(t.Context()))(t)
	return found.Comments
}

// wantScripts compares the scripts of a recording with those that the hand-written handler sends.
func wantScripts(t *testing.T, rec recording) {
	t.Helper()
	file := must.Do(os.ReadFile("limit/testdata/reply.txt"))(t)
	hashes := map[string]string{}
	for _, s := range script.All {
		hashes[s.Name()] = s.SHA()
	}
	var want, got []string
	for _, found := range regexp.MustCompile(`evalsha (\w+)`).FindAllSubmatch(file, -1) {
		want = append(want, hashes[string(found[1])])
	}
	for _, step := range rec.steps {
		for _, c := range step {
			if c[0] == "evalsha" {
				got = append(got, c[1].(string))
			}
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("the server replies with scripts %v; the handler written by hand with %v", got, want)
	}
	if n := len(regexp.MustCompile(`(?m)^round trip`).FindAll(file, -1)); n != len(rec.steps) {
		t.Errorf("the server takes %d round trips; the handler written by hand %d", len(rec.steps), n)
	}
}
