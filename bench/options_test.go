package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
)

func TestFlags(t *testing.T) {
	plain := options{Rounds: 5, Duration: time.Second, Clients: []int{1, 16, 64}, Scale: 1, Growth: true}
	tests := []struct {
		args   string
		change func(*options)
	}{
		{"", func(*options) {}},
		{"--rounds 3 --duration 200ms --scale 0.1", func(o *options) {
			o.Rounds, o.Duration, o.Scale = 3, 200*time.Millisecond, 0.1
		}},
		{"--clients 1,8 --growth=false --check", func(o *options) {
			o.Clients, o.Growth, o.Check = []int{1, 8}, false, true
		}},
		{"--only front,topic --subjects limit,agora", func(o *options) {
			o.Only, o.Subjects = []string{"front", "topic"}, []string{"limit", "agora"}
		}},
		{"--json x.json --durable", func(o *options) { o.JSON, o.Durable = "x.json", true }},
		{"--before ./old --profile out", func(o *options) { o.Before, o.Profile = "./old", "out" }},
	}
	for _, tt := range tests {
		want, got := plain, options{}
		tt.change(&want)
		command := &cobra.Command{Run: func(*cobra.Command, []string) {}}
		addFlags(command, &got)
		command.SetArgs(strings.Fields(tt.args))
		err := command.ExecuteContext(t.Context())
		if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("bench %s measures %+v, %v; want %+v", tt.args, got, err, want)
		}
	}
}
