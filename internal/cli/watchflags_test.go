package cli

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
)

func TestWatchFlags(t *testing.T) {
	const local = "http://localhost:8080"
	tests := []struct {
		env  map[string]string
		args string
		want watchOptions
	}{
		{nil, "watch", watchOptions{URL: local}},
		{
			map[string]string{"AGORA_URL": "https://a.example", "AGORA_TOKEN": "t"},
			"watch",
			watchOptions{URL: "https://a.example", Token: "t"},
		},
		{
			map[string]string{"AGORA_URL": "https://a.example", "AGORA_TOKEN": "t"},
			"watch --url http://b --token u --topic 7",
			watchOptions{URL: "http://b", Token: "u", Topic: "7"},
		},
	}
	for _, tt := range tests {
		var got watchOptions
		a := actions{watch: func(_ context.Context, w watchOptions) error {
			got = w
			return nil
		}}
		err := execute(context.Background(), append([]string{"agora"}, strings.Fields(tt.args)...), a,
			environment(tt.env), io.Discard, io.Discard)
		if err != nil || got != tt.want {
			t.Errorf("agora %s with %v watches %+v, %v; want %+v", tt.args, tt.env, got, err, tt.want)
		}
	}
}

func TestQuiet(t *testing.T) {
	for args, want := range map[string]bool{"": false, "--quiet": true, "serve --quiet": true} {
		var got config
		a := actions{serve: func(_ context.Context, c config) error {
			got = c
			return nil
		}}
		err := execute(context.Background(), append([]string{"agora"}, strings.Fields(args)...), a,
			environment(nil), io.Discard, io.Discard)
		if err != nil || got.Quiet != want || !got.Demo {
			t.Errorf("agora %s: %s; want quiet %t with demo data", args, fmt.Sprint(got.Quiet, got.Demo, err), want)
		}
	}
}
