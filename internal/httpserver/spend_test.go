package httpserver

import (
	"encoding/json"
	"strings"
	"testing"

	"agora/internal/ratelimit"
	"agora/internal/test/must"
)

// dearest is the most microseconds of a core that a unit of the cost was measured to take, by what it is charged for.
var dearest = map[string]float64{
	"rows, values, and work on texts": 0.85, // go test ./graph -run TestNoFieldCostsTooMuch -v
	"parsing and validation":          0.8,  // go test ./internal/httpserver/limit -bench WorstDocuments
	"a request and its bytes":         0.75, // go test ./internal/httpserver -bench Bodies
}

// What one address may ask for all the time, by the default rates, takes a tenth of two cores.
func TestAnAddressGetsATenthOfTwoCores(t *testing.T) {
	const addressShare, most = 4, 2 * 1_000_000 / 10
	perSecond := addressShare * ratelimit.Defaults()[ratelimit.Cost] / 60
	for what, micros := range dearest {
		if took := float64(perSecond) * micros; took > most {
			t.Errorf("%s: %d units a second take %.0f µs of a core; want at most %d", what, perSecond, took, most)
		}
	}
}

// BenchmarkBodies measures what requests cost that ask for little, by their bytes.
func BenchmarkBodies(b *testing.B) {
	s := newServer(b, nil)
	for name, variable := range map[string]any{
		"small": nil, "text": strings.Repeat("x ", 400_000), "escapes": strings.Repeat("\n", 260_000), "list": make([]int, 990),
	} {
		body := string(must.Do(json.Marshal(map[string]any{"query": "{ __typename }",
			"variables": map[string]any{"a": variable}}))(b))
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				s.do("POST", "/graphql", body, isJSON)
			}
			micros := float64(b.Elapsed().Microseconds()) / float64(b.N)
			b.ReportMetric(micros/float64(requestCost+len(body)/bodyBytes), "µs/unit")
		})
	}
}
