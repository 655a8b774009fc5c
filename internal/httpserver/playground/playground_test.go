package playground

import (
	"crypto/sha512"
	"encoding/base64"
	"html"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"path"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"agora/internal/httpserver/static"
	"agora/internal/test/must"
)

// examples are the tabs the tests open.
func examples() []Tab {
	return []Tab{
		{Name: "Greeting", Query: "query Greeting($name: String) {\n  hello(name: $name)\n}", Variables: `{"name": "Ada"}`},
		{Name: "Who am I?", Query: "query Token {\n  token\n}"},
	}
}

// fakeDist replaces the fetched files, so that these tests need none.
func fakeDist(t *testing.T) fstest.MapFS {
	t.Helper()
	dist := fstest.MapFS{"README.md": {Data: []byte("not served")}}
	for _, source := range sources {
		dist[source.name+".gz"] = &fstest.MapFile{Data: static.Zip([]byte("content of " + source.name))}
	}
	return dist
}

func handlerWith(t *testing.T, dist fs.FS) http.Handler {
	t.Helper()
	return must.Do(newHandler(Options{Tabs: examples()}, dist))(t)
}

// ask sends one request; headers are pairs of name and value.
func ask(h http.Handler, method, target string, headers ...string) *http.Response {
	r := httptest.NewRequest(method, target, nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

func body(t *testing.T, r *http.Response) []byte {
	t.Helper()
	return must.Do(io.ReadAll(r.Body))(t)
}

// linked returns the paths of the files the page loads.
func linked(t *testing.T, h http.Handler) []string {
	t.Helper()
	html := body(t, ask(h, http.MethodGet, Path))
	var paths []string
	for _, m := range regexp.MustCompile(`(?:src|href)="(/playground/[0-9a-f]{16}/[^"]+)"`).FindAllSubmatch(html, -1) {
		paths = append(paths, string(m[1]))
	}
	return paths
}

func TestPageKnowsOptions(t *testing.T) {
	tests := []struct {
		name   string
		dist   fs.FS
		target string
	}{
		{"GraphiQL", fakeDist(t), Path},
		{"GraphiQL from the CDN", fstest.MapFS{}, Path},
		{"small page", fstest.MapFS{}, smallPath},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := must.Do(newHandler(Options{Endpoint: "/api", Title: "Q & A", Tabs: examples()}, tt.dist))(t)
			r := ask(h, http.MethodGet, tt.target)
			if got, want := r.Header.Get("Content-Type"), "text/html; charset=utf-8"; got != want {
				t.Errorf("Content-Type = %q; want %q", got, want)
			}
			if got := r.Header.Get("Cache-Control"); got != static.CachePage {
				t.Errorf("Cache-Control = %q; want %q", got, static.CachePage)
			}
			html := string(body(t, r))
			for _, want := range []string{"<title>Q &amp; A", "/api", "query Greeting", "Authorization", "/schema.graphql"} {
				if !strings.Contains(html, want) {
					t.Errorf("the page lacks %q:\n%s", want, html)
				}
			}
		})
	}
}

func TestPageChoice(t *testing.T) {
	partial := fakeDist(t)
	delete(partial, sources[0].name+".gz")
	tests := []struct {
		name    string
		dist    fs.FS
		fromCDN bool
		small   int // status of the small page
	}{
		{"all assets: GraphiQL from the binary", fakeDist(t), false, 404},
		{"one asset missing: GraphiQL from the CDN", partial, true, 200},
		{"no assets: GraphiQL from the CDN", fstest.MapFS{}, true, 200},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := handlerWith(t, tt.dist)
			html := string(body(t, ask(h, http.MethodGet, Path)))
			if got := strings.Contains(html, cdnHost); got != tt.fromCDN {
				t.Errorf("the page names the CDN: %v; want %v", got, tt.fromCDN)
			}
			if got := ask(h, http.MethodGet, smallPath).StatusCode; got != tt.small {
				t.Errorf("GET %s = %d; want %d", smallPath, got, tt.small)
			}
		})
	}
}

func TestDamagedAsset(t *testing.T) {
	dist := fstest.MapFS{"graphiql/graphiql.min.js.gz": {Data: []byte("not gzip")}}
	if _, err := newHandler(Options{}, dist); err == nil || !strings.Contains(err.Error(), "fetch.sh") {
		t.Errorf("newHandler with a damaged asset: error %v; want one that names fetch.sh", err)
	}
}

func TestSecurityHeaders(t *testing.T) {
	tests := []struct {
		name   string
		dist   fs.FS
		method string
		target string
		policy string
	}{
		{"GraphiQL", fakeDist(t), http.MethodGet, Path, graphiqlPolicy},
		{"GraphiQL from the CDN", fstest.MapFS{}, http.MethodGet, Path, cdnPolicy},
		{"small page", fstest.MapFS{}, http.MethodGet, smallPath, strictPolicy},
		{"asset", fakeDist(t), http.MethodGet, linked(t, handlerWith(t, fakeDist(t)))[0], strictPolicy},
		{"not found", fstest.MapFS{}, http.MethodGet, "/playground/", strictPolicy},
		{"method not allowed", fstest.MapFS{}, http.MethodPost, Path, strictPolicy},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := ask(handlerWith(t, tt.dist), tt.method, tt.target).Header
			for name, want := range map[string]string{
				"Content-Security-Policy": tt.policy,
				"X-Content-Type-Options":  "nosniff",
				"Referrer-Policy":         "no-referrer",
			} {
				if got.Get(name) != want {
					t.Errorf("%s = %q; want %q", name, got.Get(name), want)
				}
			}
		})
	}
}

func TestPolicy(t *testing.T) {
	for _, policy := range []string{strictPolicy, graphiqlPolicy, cdnPolicy} {
		for _, want := range []string{"default-src 'none'", "script-src 'self'", "connect-src 'self';",
			"frame-ancestors 'none'"} {
			if !strings.Contains(policy, want) {
				t.Errorf("policy %q lacks %q", policy, want)
			}
		}
		for directive := range strings.SplitSeq(policy, "; ") {
			if strings.Contains(directive, "unsafe") && !strings.HasPrefix(directive, "style-src-elem ") {
				t.Errorf("policy %q has an unsafe source in %q", policy, directive)
			}
		}
	}
	for _, policy := range []string{strictPolicy, graphiqlPolicy} {
		if strings.Contains(policy, "//") {
			t.Errorf("policy %q names another host", policy)
		}
	}
	for _, host := range regexp.MustCompile(`//[^/ ;]*`).FindAllString(cdnPolicy, -1) {
		if host != "//"+cdnHost {
			t.Errorf("policy %q names %s; want %s only", cdnPolicy, host, cdnHost)
		}
	}
	if strings.Contains(strictPolicy, "unsafe") {
		t.Errorf("policy %q has an unsafe source", strictPolicy)
	}
}

func TestStatus(t *testing.T) {
	h := handlerWith(t, fakeDist(t))
	asset := linked(t, h)[0]
	tests := []struct {
		method string
		target string
		want   int
		allow  string
	}{
		{http.MethodGet, Path, 200, ""},
		{http.MethodHead, Path, 200, ""},
		{http.MethodGet, asset, 200, ""},
		{http.MethodHead, asset, 200, ""},
		{http.MethodPost, Path, 405, "GET, HEAD"},
		{http.MethodDelete, asset, 405, "GET, HEAD"},
		{http.MethodOptions, Path, 405, "GET, HEAD"},
		{http.MethodGet, "/index.html", 404, ""},
		{http.MethodGet, "/playground/", 404, ""},
		{http.MethodGet, asset + ".gz", 404, ""},
		{http.MethodGet, "/playground/README.md", 404, ""},
		{http.MethodGet, "/playground/../go.mod", 404, ""},
		{http.MethodPost, "/nowhere", 404, ""},
	}
	for _, tt := range tests {
		r := ask(h, tt.method, tt.target)
		if r.StatusCode != tt.want || r.Header.Get("Allow") != tt.allow {
			t.Errorf("%s %s = %d, Allow %q; want %d, Allow %q",
				tt.method, tt.target, r.StatusCode, r.Header.Get("Allow"), tt.want, tt.allow)
		}
		if b := body(t, r); tt.method == http.MethodHead && len(b) > 0 {
			t.Errorf("HEAD %s has a body of %d bytes; want none", tt.target, len(b))
		}
	}
}

func TestAssetTypes(t *testing.T) {
	want := map[string]string{
		".css": "text/css; charset=utf-8",
		".js":  "text/javascript; charset=utf-8",
		".svg": "image/svg+xml",
	}
	for name, dist := range map[string]fs.FS{"GraphiQL": fakeDist(t), "GraphiQL from the CDN": fstest.MapFS{}} {
		t.Run(name, func(t *testing.T) {
			h := handlerWith(t, dist)
			for _, target := range linked(t, h) {
				r := ask(h, http.MethodGet, target)
				if got := r.Header.Get("Content-Type"); got != want[path.Ext(target)] {
					t.Errorf("GET %s: Content-Type %q; want %q", target, got, want[path.Ext(target)])
				}
				if got := r.Header.Get("Cache-Control"); got != static.CacheAsset {
					t.Errorf("GET %s: Cache-Control %q; want %q", target, got, static.CacheAsset)
				}
			}
		})
	}
}

func TestAssetPathChangesWithContent(t *testing.T) {
	before, after := newFile("a.js", []byte("one"), nil), newFile("a.js", []byte("two"), nil)
	if before.Path == after.Path || before.ETag == after.ETag {
		t.Errorf("newFile returns %s, %s for other content as well", before.Path, before.ETag)
	}
}

func TestCoding(t *testing.T) {
	h := handlerWith(t, fakeDist(t))
	tests := []struct {
		accept string
		want   string
	}{
		{"gzip", "gzip"},
		{"br, GZIP;q=0.5", "gzip"},
		{"deflate, gzip, br, zstd", "gzip"},
		{"", ""},
		{"br", ""},
		{"gzip;q=0", ""},
		{"gzip; q=0.0, identity", ""},
		{"gzip;q=much", ""},
		{"x-gzip", ""},
	}
	const plain = "content of graphiql/graphiql.min.css"
	target := linked(t, h)[1]
	tags := map[string]string{}
	for _, tt := range tests {
		r := ask(h, http.MethodGet, target, "Accept-Encoding", tt.accept)
		coding := r.Header.Get("Content-Encoding")
		if coding != tt.want || r.Header.Get("Vary") != "Accept-Encoding" {
			t.Errorf(
				"Accept-Encoding %q: coding %q, Vary %q; want %q, Accept-Encoding",
				tt.accept,
				coding,
				r.Header.Get("Vary"),
				tt.want,
			)
		}
		tags[coding] = r.Header.Get("ETag")
		if again := ask(h, http.MethodGet, target, "Accept-Encoding", tt.accept, "If-None-Match",
			tags[coding]); again.StatusCode != http.StatusNotModified {
			t.Errorf("Accept-Encoding %q: second request = %d; want 304", tt.accept, again.StatusCode)
		}
	}
	if tags["gzip"] == tags[""] {
		t.Errorf("both encodings have ETag %s; want two", tags[""])
	}
	zipped := body(t, ask(h, http.MethodGet, target, "Accept-Encoding", "gzip"))
	if got, err := unzip(zipped); err != nil || string(got) != plain {
		t.Errorf("gzip body holds %q, error %v; want %q", got, err, plain)
	}
	if got := body(t, ask(h, http.MethodGet, target)); string(got) != plain {
		t.Errorf("identity body = %q; want %q", got, plain)
	}
}

// The hashes that the CDN's page requires are those of the files that fetch.sh downloads.
func TestAssetsMatchTheirSums(t *testing.T) {
	dist := graphiql(t)
	page := string(body(t, ask(handlerWith(t, fstest.MapFS{}), http.MethodGet, Path)))
	demanded := map[string]string{} // integrity by URL
	for _, m := range regexp.MustCompile(`(?:src|href)="(https://[^"]+)" integrity="([^"]+)" crossorigin="anonymous"`).FindAllStringSubmatch(page, -1) {
		demanded[m[1]] = html.UnescapeString(m[2])
	}
	for _, source := range sources {
		zipped := must.Do(fs.ReadFile(dist, source.name+".gz"))(t)
		plain, err := unzip(zipped)
		if err != nil {
			t.Fatalf("unzip(%s): %v", source.name, err)
		}
		sum := sha512.Sum384(plain)
		want := "sha384-" + base64.StdEncoding.EncodeToString(sum[:])
		if source.Integrity != want {
			t.Errorf("integrity of %s = %s; want %s", source.name, source.Integrity, want)
		}
		if got := demanded[source.URL]; path.Base(source.name) != "LICENSE" && got != want {
			t.Errorf("the page requires %q of %s; want %s", got, source.URL, want)
		}
	}
	if len(demanded) != 4 || strings.Count(page, "integrity=") != 4 {
		t.Errorf("the page requires integrity of %v; want it of GraphiQL's two files and React's two", demanded)
	}
}

func TestSourcesAreAtTheCDN(t *testing.T) {
	got := readSources("00ff  react-dom@18.2.0/umd/react-dom.production.min.js\n")
	want := source{name: "react-dom/umd/react-dom.production.min.js",
		URL:       "https://cdn.jsdelivr.net/npm/react-dom@18.2.0/umd/react-dom.production.min.js",
		Integrity: "sha384-AP8="}
	if len(got) != 1 || got[0] != want {
		t.Errorf("readSources = %+v; want %+v", got, want)
	}
}

func TestHandlerServesTheEmbeddedPage(t *testing.T) {
	h := Handler(Options{})
	if r := ask(h, http.MethodGet, Path); r.StatusCode != http.StatusOK {
		t.Errorf("GET /playground = %d; want 200", r.StatusCode)
	}
}
