//go:build linux

package floods

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"
)

// mostCostly is how many of the costliest documents scenarios are drawn from.
const mostCostly = 24

// costlyDocument is a document that takes the server long.
type costlyDocument struct {
	target   target
	document string
	took     time.Duration
	lot      uint64 // drawn for the field, whatever else is costly
}

// weigh returns the documents, one for each field, that the server takes longest to answer, and those of the fields that
// the docs name.
func (p *pair) weigh(d *drawer) []costlyDocument {
	p.t.Helper()
	p.renew()
	began := time.Now()
	var all []costlyDocument
	for _, t := range d.targets() {
		worst, from := costlyDocument{target: t, lot: d.rand.Uint64()}, p.addresses(1)[0]
		for _, s := range shapes {
			document := d.document(t, s)
			if took := min(p.time(from, document), p.time(from, document), p.time(from, document)); took > worst.took { // the first fills caches
				worst.document, worst.took = document, took
			}
		}
		if worst.document != "" {
			all = append(all, worst)
		}
	}
	slices.SortFunc(all, func(a, b costlyDocument) int { return cmp.Compare(b.took, a.took) })
	names := computing(p.t, d.schema)
	kept := all[:min(mostCostly, len(all))]
	for _, c := range all[len(kept):] {
		if slices.Contains(names, c.target.field.Name) {
			kept = append(kept, c)
		}
	}
	var b strings.Builder
	for _, c := range kept {
		b.WriteString("\n  " + c.target.String() + " " + c.took.Round(100*time.Microsecond).String())
	}
	p.t.Logf("%d fields weighed in %v; the costliest: %s", len(all), time.Since(began).Round(time.Second), b.String())
	return kept
}

// time returns how long the attacked server takes to answer a document, or 0 if it refuses to.
func (p *pair) time(from, document string) time.Duration {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), canaryPatience)
	defer cancel()
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	transport := &http.Transport{DialContext: dialer.DialContext}
	defer transport.CloseIdleConnections()
	body, err := json.Marshal(map[string]string{"query": strings.ReplaceAll(document, fresh, p.name())})
	if err != nil {
		p.t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+p.attacked.addr+"/graphql", strings.NewReader(string(body)))
	if err != nil {
		p.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	began := time.Now()
	resp, err := (&http.Client{Transport: transport}).Do(r)
	if err != nil {
		p.t.Errorf("%s: %v", document, err)
		return 0
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(resp.Body)
	if took := time.Since(began); resp.StatusCode == http.StatusOK && strings.Contains(string(text), `"data":{`) {
		return took
	}
	return 0
}
