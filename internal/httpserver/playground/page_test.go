package playground

import (
	"encoding/json"
	"html"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"agora/internal/httpserver/static"
	"agora/internal/test/must"
)

// Texts of an operator or an example are escaped everywhere.
func TestPageEscapes(t *testing.T) {
	const hostile = `</title></main>"'><script>alert(1)</script>&quot;{{title}}`
	opts := Options{Endpoint: hostile, Title: hostile, Tabs: []Tab{{Name: hostile, Query: hostile}}}
	for target, dist := range map[string]fstest.MapFS{Path: fakeDist(t), smallPath: {}} {
		h := must.Do(newHandler(opts, dist))(t)
		page := string(body(t, ask(h, http.MethodGet, target)))
		if strings.Contains(page, "<script>alert") {
			t.Errorf("GET %s has markup of the options:\n%s", target, page)
		}
		title := regexp.MustCompile(`<title>([^<]*) · GraphQL playground</title>`).FindStringSubmatch(page)
		if title == nil || html.UnescapeString(title[1]) != hostile {
			t.Errorf("GET %s: title %q; want %q", target, title, hostile)
		}
		var got config
		attribute := regexp.MustCompile(` data-config="([^"]*)">`).FindStringSubmatch(page)
		if attribute == nil {
			t.Fatalf("GET %s has no config:\n%s", target, page)
		}
		err := json.Unmarshal([]byte(html.UnescapeString(attribute[1])), &got)
		if err != nil || got.Endpoint != hostile || got.Title != hostile || got.Tabs[0].Query != hostile {
			t.Errorf("GET %s: config %+v, %v; want %q in it", target, got, err, hostile)
		}
	}
}

func TestFill(t *testing.T) {
	v := view{title: "Q & {{A}}", assets: map[string]static.File{"a.js": {Path: "/playground/0/a.js"}}}
	tests := []struct{ text, want, fails string }{
		{text: "no {placeholders}}", want: "no {placeholders}}"},
		{text: "<p>{{title}}</p>{{title}}", want: "<p>Q &amp; {{A}}</p>Q &amp; {{A}}"},
		{text: `<script src="{{asset a.js}}">`, want: `<script src="/playground/0/a.js">`},
		{text: "{{nothing}}", fails: "{{nothing}}"},
		{text: "{{Title}}", fails: "{{Title}}"},
		{text: "{{}}", fails: "{{}}"},
		{text: "{{asset b.js}}", fails: "{{asset b.js}}"},
		{text: "{{asset}}", fails: "{{asset}}"},
		{text: "{{url nowhere.js}}", fails: "{{url nowhere.js}}"},
		{text: "{{integrity nowhere.js}}", fails: "{{integrity nowhere.js}}"},
		{text: "<p>{{title}</p>", fails: "without }}"},
	}
	for _, tt := range tests {
		got, err := fill(tt.text, v.value)
		if tt.fails == "" && (err != nil || got != tt.want) {
			t.Errorf("fill(%q) = %q, %v; want %q", tt.text, got, err, tt.want)
		}
		if tt.fails != "" && (err == nil || !strings.Contains(err.Error(), tt.fails)) {
			t.Errorf("fill(%q) = %q, %v; want an error with %q", tt.text, got, err, tt.fails)
		}
	}
}
