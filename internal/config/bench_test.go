package config

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"agora/internal/bench"
)

func TestBenchFlags(t *testing.T) {
	plain := bench.Options{Rounds: 5, Duration: time.Second, Clients: []int{1, 16, 64}, Scale: 1, Growth: true}
	tests := []struct {
		args   string
		change func(*bench.Options)
	}{
		{"bench", func(*bench.Options) {}},
		{"bench --rounds 3 --duration 200ms --scale 0.1", func(o *bench.Options) { o.Rounds, o.Duration, o.Scale = 3, 200*time.Millisecond, 0.1 }},
		{"bench --clients 1,8 --growth=false --check", func(o *bench.Options) { o.Clients, o.Growth, o.Check = []int{1, 8}, false, true }},
		{"bench --only front,topic --subjects limit,agora", func(o *bench.Options) {
			o.Only, o.Subjects = []string{"front", "topic"}, []string{"limit", "agora"}
		}},
		{"bench --json x.json --durable", func(o *bench.Options) { o.JSON, o.Durable = "x.json", true }},
	}
	for _, tt := range tests {
		want, got := plain, bench.Options{}
		tt.change(&want)
		a := Actions{Bench: func(_ context.Context, o bench.Options) error {
			got = o
			return nil
		}}
		none := func(string) string { return "" }
		err := Command(a, none, io.Discard, io.Discard).Run(context.Background(), append([]string{"agora"}, strings.Fields(tt.args)...))
		if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("agora %s measures %+v, %v; want %+v", tt.args, got, err, want)
		}
	}
}
