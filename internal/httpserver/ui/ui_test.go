package ui

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"agora/internal/httpserver/static"
	"agora/internal/test/must"
)

func get(h http.Handler, path string) *http.Response {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	return w.Result()
}

func TestPathsOfTheApplicationShowThePage(t *testing.T) {
	h := Handler()
	for _, tt := range []struct {
		path string
		want int
	}{
		{"/", 200},
		{"/t/131853", 200},
		{"/t/131853/", 404},
		{"/t/", 404},
		{"/u/%E5%A4%9C%E8%88%AA%E8%88%B9", 200},
		{"/@gleb", 200},
		{"/tag/c%2B%2B", 200},
		{"/lists", 200},
		{"/lists/VXNlckxpc3Q6MQ", 200},
		{"/wp-login.php", 404},
		{"/index.html", 404},
		{"/assets/", 404},
		{"/t/1/2", 404},
		{"/favicon.ico", 404},
	} {
		r := get(h, tt.path)
		if r.StatusCode != tt.want || r.Header.Get("Content-Security-Policy") != policy {
			t.Errorf("GET %s: %d, policy %q; want %d and the policy", tt.path, r.StatusCode,
				r.Header.Get("Content-Security-Policy"), tt.want)
		}
		if tt.want == 200 && (r.Header.Get("Cache-Control") != static.CachePage ||
			!strings.HasPrefix(r.Header.Get("Content-Type"), "text/html")) {
			t.Errorf("GET %s: %v; want a page that is asked for each time", tt.path, r.Header)
		}
	}
}

// What the page loads is served, may be kept for a year, and has a name that changes with its content.
func TestFilesOfThePageAreServed(t *testing.T) {
	h := Handler()
	page := must.Do(io.ReadAll(get(h, "/").Body))(t)
	links := regexp.MustCompile(`(?:src|href)="(/assets/[^"]+)"`).FindAllStringSubmatch(string(page), -1)
	if len(links) < 3 {
		t.Fatalf("the page loads %v; want at least an icon, a script and a style sheet:\n%s", links, page)
	}
	for _, m := range links {
		r := get(h, m[1])
		if r.StatusCode != 200 || r.Header.Get("Cache-Control") != static.CacheAsset {
			t.Errorf("GET %s: %d, %s; want 200, %s", m[1], r.StatusCode, r.Header.Get("Cache-Control"), static.CacheAsset)
		}
		if !regexp.MustCompile(`-[\w-]{8}\.\w+$`).MatchString(m[1]) {
			t.Errorf("%s has no hash in its name", m[1])
		}
	}
	if strings.Contains(string(page), "<style") || regexp.MustCompile(`<script[^>]*>[^<]`).Match(page) {
		t.Errorf("the page has parts that its policy refuses:\n%s", page)
	}
}

// The server knows the same pages as the application.
func TestPagesAreThoseOfTheApplication(t *testing.T) {
	source := must.Do(os.ReadFile("../../../examples/web/src/main.tsx"))(t)
	var got []string
	for _, m := range regexp.MustCompile(`(?m)^  '(/[^']*)':`).FindAllStringSubmatch(string(source), -1) {
		got = append(got, regexp.MustCompile(`:\w+`).ReplaceAllString(m[1], "*"))
	}
	want := slices.Sorted(slices.Values(pages))
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("main.tsx has the pages %q; want %q", got, want)
	}
}

func TestDemoOffersItsAccounts(t *testing.T) {
	var d Demo
	if r := get(&d, AccountsPath); r.StatusCode != 404 {
		t.Errorf("before there are accounts: %d; want 404", r.StatusCode)
	}
	must.OK(t, d.Offer("secret", []Account{{"demo", "USER"}}))
	r := get(&d, AccountsPath)
	text, err := io.ReadAll(r.Body)
	want := `{"accounts":[{"login":"demo","role":"USER"}],"password":"secret"}`
	if err != nil || string(text) != want || r.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("accounts: %s, %v, %v; want %s, not to be stored", text, r.Header, err, want)
	}
}
