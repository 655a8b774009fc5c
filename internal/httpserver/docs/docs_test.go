package docs

import (
	"encoding/json"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"agora/internal/test/must"
)

// project is the root of the repository, whose documentation is served.
var project = os.DirFS("../../..")

// get returns the status, header and body of an answer.
func get(t *testing.T, method, path string) (int, http.Header, string) {
	t.Helper()
	w := httptest.NewRecorder()
	Handler(project).ServeHTTP(w, httptest.NewRequest(method, path, nil))
	r := w.Result()
	body := must.Do(io.ReadAll(r.Body))(t)
	return r.StatusCode, r.Header, string(body)
}

func TestPages(t *testing.T) {
	for path, want := range map[string]string{
		"/docs/":                      "<title>Agora · Agora</title>",
		"/docs/api":                   `<h2 id="lists-and-pages">Lists and pages</h2>`,
		"/docs/architecture/overview": `<a href="/docs/architecture/reading">`,
		"/docs/api.md":                "\n## Lists and pages\n",
		"/docs/LICENSE":               "Permission is hereby granted",
		"/docs/style.css":             "color-scheme: light dark",
		"/docs/icon.svg":              "<svg ",
	} {
		status, header, body := get(t, http.MethodGet, path)
		if status != http.StatusOK || !strings.Contains(body, want) {
			t.Errorf("GET %s = %d, without %q", path, status, want)
		}
		if got := header.Get("Content-Security-Policy"); got != policy {
			t.Errorf("GET %s: Content-Security-Policy %q; want %q", path, got, policy)
		}
	}
	for _, path := range []string{"/docs/nothing", "/docs/schema.graphqls", "/docs/../go.mod", "/docs/images/"} {
		if status, _, _ := get(t, http.MethodGet, path); status != http.StatusNotFound {
			t.Errorf("GET %s = %d; want 404", path, status)
		}
	}
	if status, header, _ := get(t, http.MethodPost, Root); status != http.StatusMethodNotAllowed ||
		header.Get("Allow") != "GET, HEAD" {
		t.Errorf("POST %s = %d, Allow %q; want 405, GET, HEAD", Root, status, header.Get("Allow"))
	}
}

// What a front-end developer looks for leads to a section, if only to one that says that it is missing.
func TestWordsAreFound(t *testing.T) {
	_, _, body := get(t, http.MethodGet, "/docs/search.json")
	var all []section
	must.OK(t, json.Unmarshal([]byte(body), &all))
	for _, words := range []string{"optimistic", "refresh", "renew", "log out", "sign out", "SSR", "SEO", "sitemap",
		"feed", "private", "webhook", "search", "download", "Express", "React Native", "upload", "avatar", "e-mail",
		"push", "pagination", "CORS", "unread", "rate limit", "short-lived", "dark", "Docker", "Kubernetes", "Vue",
		"offline"} {
		found := slices.ContainsFunc(all, func(s section) bool {
			for word := range strings.FieldsSeq(words) {
				at := regexp.MustCompile(`(?i)(^|[^\pL\pN])` + regexp.QuoteMeta(word))
				if !at.MatchString(s.Title + "\n" + s.Page + "\n" + s.Text) {
					return false
				}
			}
			return true
		})
		if !found {
			t.Errorf("no section has %q", words)
		}
	}
	for _, s := range all {
		if s.Title == "" || s.Page == "" || strings.ContainsAny(s.Title, "`*") {
			t.Errorf("the section %q of %q has the title %q", s.URL, s.Page, s.Title)
		}
	}
}

// A page that is not in the contents cannot be found.
func TestContentsListAllPages(t *testing.T) {
	listed := map[string]int{}
	for _, g := range contents {
		for _, name := range g.files {
			listed[name]++
		}
	}
	files := []string{"README.md", "CHANGELOG.md"}
	err := fs.WalkDir(project, "docs", func(name string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(name, ".md") {
			files = append(files, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if listed[name] != 1 {
			t.Errorf("the contents list %s %d times; want once", name, listed[name])
		}
	}
	if len(listed) != len(files) {
		t.Errorf("the contents list %d files; there are %d", len(listed), len(files))
	}
}

var (
	attribute = regexp.MustCompile(`(?:href|src)="([^"]*)"`)
	anchor    = regexp.MustCompile(`id="([^"]*)"`)
)

// Every link leads to something that is served, and every fragment to a heading of it. Links to other sites are
// checked only for mistakes.
func TestLinksHaveTargets(t *testing.T) {
	site := must.Do(newSite(project))(t)
	served := []string{"/", "/playground", "/schema.graphql"} // by other handlers
	links := 0
	for path, f := range site {
		if !strings.HasPrefix(f.ContentType, "text/html") {
			continue
		}
		for _, m := range attribute.FindAllStringSubmatch(string(f.Plain), -1) {
			links++
			to, fragment, hasFragment := strings.Cut(m[1], "#")
			if to == "" {
				to = path
			}
			target, ok := site[to]
			switch {
			case strings.HasPrefix(to, "https://"), strings.HasPrefix(to, "http://localhost:"), slices.Contains(served, to):
			case !ok:
				t.Errorf("%s links to %s, which is not served", path, m[1])
			case hasFragment && !slices.ContainsFunc(anchor.FindAllStringSubmatch(string(target.Plain), -1),
				func(id []string) bool { return id[1] == fragment }):
				t.Errorf("%s links to %s, which has no such heading", path, m[1])
			}
		}
	}
	if links < 200 {
		t.Errorf("found %d links; want those of all pages", links)
	}
}
