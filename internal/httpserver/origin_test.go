package httpserver

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"agora/internal/test/must"
)

// parsed returns the origins of a valid list.
func parsed(t *testing.T, list string) Origins {
	t.Helper()
	o, err := ParseOrigins(list)
	if err != nil {
		t.Fatalf("ParseOrigins(%q): %v", list, err)
	}
	return o
}

func TestOriginsOfAList(t *testing.T) {
	const list = "https://app.example.org, http://Localhost:*,https://a.test:8443,http://[::1]:3000, " +
		"https://b.test:443, http://xn--bcher-kva.test"
	tests := []struct {
		list, origin string
		want         bool
	}{
		{list, "https://app.example.org", true},
		{list, "http://app.example.org", false},
		{list, "https://app.example.org:8443", false},
		{list, "https://example.org", false},
		{list, "https://app.example.org.evil.test", false},
		{list, "https://evil.test/https://app.example.org", false},
		{list, "http://localhost", true},
		{list, "http://localhost:3000", true},
		{list, "http://localhost:65535", true},
		{list, "https://localhost:3000", false},
		{list, "http://localhost:3000.evil.test", false},
		{list, "http://localhost.evil.test", false},
		{list, "http://localhost:", false},
		{list, "http://localhost:3000/", false},
		{list, "http://localhost:3000@evil.test", false},
		{list, "https://a.test:8443", true},
		{list, "https://a.test", false},
		{list, "http://[::1]:3000", true},
		{list, "https://b.test", true},
		{list, "http://xn--bcher-kva.test", true},
		{list, "null", false},
		{list, "", false},
		{"", "https://app.example.org", false},
		{"", "null", false},
		{" , ", "http://localhost:3000", false},
		{"*", "https://anything.test", true},
		{"*", "null", true},
	}
	for _, tt := range tests {
		if got := parsed(t, tt.list).has(tt.origin); got != tt.want {
			t.Errorf("%q allows %q = %v; want %v", tt.list, tt.origin, got, tt.want)
		}
	}
	for origin, want := range map[string]bool{"http://localhost:5173": true, "http://127.0.0.1:8080": true,
		"http://[::1]:1": true, "http://192.168.0.1": false, "https://localhost": false} {
		if got := LocalOrigins().has(origin); got != want {
			t.Errorf("the demo allows %q = %v; want %v", origin, got, want)
		}
	}
}

func TestParseOriginsNamesTheBadEntry(t *testing.T) {
	bad := []string{
		"example.org", "localhost:3000", "//example.org", "https://", "https://:8443", "ftp://example.org", "file://", "null",
		"https://example.org/", "https://example.org/app", "https://example.org?x", "https://example.org#x",
		"https://me@example.org",
		"https://*.example.org", "https://*", "https://exa mple.org", "https://bücher.test", "https://example..org",
		"https://-a.test",
		"https://example.org:0", "https://example.org:65536", "https://example.org:", "https://example.org:80:*",
		"https://example.org::*",
		"http://::1", "http://[::1", "http://[::1%25eth0]", "http://[127.0.0.1]", "https://example.org:*/x", "%",
	}
	for _, entry := range bad {
		if _, err := ParseOrigins("https://good.test, " + entry); err == nil ||
			!strings.Contains(err.Error(), `"`+entry+`"`) {
			t.Errorf("ParseOrigins with %q: %v; want an error that names it", entry, err)
		}
	}
	for _, list := range []string{"*, https://good.test", "https://good.test,*", "*,*"} {
		if _, err := ParseOrigins(list); err == nil || !strings.Contains(err.Error(), `"*"`) {
			t.Errorf("ParseOrigins(%q): %v; want an error that names *", list, err)
		}
	}
}

// originServer is a real server that answers "done" to allowed requests.
func originServer(t *testing.T, o Origins) *httptest.Server {
	done := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "done") })
	s := httptest.NewServer(o.share(o.guard(done)))
	t.Cleanup(s.Close)
	return s
}

// send sends a request with headers passed as "Name: value".
func send(t *testing.T, s *httptest.Server, method string, headers ...string) (resp *http.Response, body string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, s.URL+"/graphql", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Add(name, strings.ReplaceAll(value, "SELF", s.URL))
	}
	if resp, err = s.Client().Do(r); err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text := must.Do(io.ReadAll(resp.Body))(t)
	return resp, string(text)
}

func TestPreflight(t *testing.T) {
	site := originServer(t, parsed(t, "https://app.test, http://localhost:*"))
	every := originServer(t, parsed(t, "*"))
	tests := []struct {
		name                    string
		server                  *httptest.Server
		origin, method, headers string
		want                    string // Access-Control-Allow-Origin
	}{
		{
			"what clients send",
			site,
			"https://app.test",
			"POST",
			"apollo-require-preflight,authorization,content-type",
			"https://app.test",
		},
		{
			"what tracing and other clients send",
			site,
			"https://app.test",
			"POST",
			"baggage,cache-control,graphql-client-name,graphql-client-version,sentry-trace,traceparent,tracestate,x-requested-with",
			"https://app.test",
		},
		{
			"all that is known here",
			site,
			"https://app.test",
			"POST",
			"accept,agora-cost,agora-trace,apollographql-client-name,apollographql-client-version,graphql-preflight,if-none-match,x-apollo-operation-id,x-apollo-operation-name,x-request-id",
			"https://app.test",
		},
		{"any port", site, "http://localhost:5173", "GET", "authorization", "http://localhost:5173"},
		{"GET by another origin", site, "https://evil.test", "GET", "authorization", ""},
		{"headers of tracing", site, "https://app.test", "POST", "traceparent,x-datadog-trace-id,x-own", "https://app.test"},
		{"headers of tracing of another origin", site, "https://evil.test", "GET", "x-datadog-trace-id", ""},
		{"another method", site, "https://app.test", "DELETE", "content-type", ""},
		{"every origin", every, "https://evil.test", "POST", "content-type", "*"},
	}
	for _, tt := range tests {
		resp, body := send(
			t,
			tt.server,
			"OPTIONS",
			"Origin: "+tt.origin,
			"Access-Control-Request-Method: "+tt.method,
			"Access-Control-Request-Headers: "+tt.headers,
		)
		h := resp.Header
		if got := h.Get("Access-Control-Allow-Origin"); resp.StatusCode != 204 || body != "" || got != tt.want {
			t.Errorf("%s: status %d, allowed origin %q; want 204 and %q", tt.name, resp.StatusCode, got, tt.want)
		}
		if want := "Origin, Access-Control-Request-Method, Access-Control-Request-Headers"; h.Get("Vary") != want {
			t.Errorf("%s: Vary: %q; want %q", tt.name, h.Get("Vary"), want)
		}
		allowed := []string{
			h.Get("Access-Control-Allow-Methods"),
			h.Get("Access-Control-Allow-Headers"),
			h.Get("Access-Control-Max-Age"),
			h.Get("Access-Control-Allow-Credentials"),
		}
		want := []string{tt.method, tt.headers, "7200", "true"}
		if tt.want == "*" {
			want[3] = "" // no cookie because all pages are allowed
		}
		if tt.want == "" {
			want = make([]string, 4)
		}
		if !slices.Equal(allowed, want) {
			t.Errorf("%s: methods, headers, age, credentials = %q; want %q", tt.name, allowed, want)
		}
	}
}

// The preflight of a page that is not allowed passes, so that its script can read in the answer to the request itself
// why it is refused. It is not cached.
func TestPreflightOfForeignPages(t *testing.T) {
	for _, o := range []Origins{parsed(t, "https://app.test"), {}} {
		resp, _ := send(
			t,
			originServer(t, o),
			"OPTIONS",
			"Origin: https://evil.test",
			"Access-Control-Request-Method: POST",
			"Access-Control-Request-Headers: authorization,content-type",
		)
		h := resp.Header
		got := []string{
			h.Get("Access-Control-Allow-Origin"),
			h.Get("Access-Control-Allow-Methods"),
			h.Get("Access-Control-Max-Age"),
			h.Get("Access-Control-Allow-Credentials"),
		}
		if want := []string{"https://evil.test", "POST", "0", ""}; resp.StatusCode != 204 || !slices.Equal(got, want) {
			t.Errorf("preflight: %d, origin, methods, age, credentials %q; want 204, %q", resp.StatusCode, got, want)
		}
	}
}

// A refused page may read why: what to do, and nothing more.
func TestForeignPagesReadTheRefusal(t *testing.T) {
	executed := false
	s := httptest.NewServer(
		LocalOrigins().share(LocalOrigins().guard(http.HandlerFunc(func(http.ResponseWriter,
			*http.Request) {
			executed = true
		}))),
	)
	t.Cleanup(s.Close)
	for _, headers := range [][]string{
		{"Origin: https://evil.test"},
		{"Origin: https://evil.test", "Sec-Fetch-Site: cross-site", "Authorization: Bearer x"},
	} {
		resp, body := send(t, s, "POST", headers...)
		if resp.StatusCode != 403 || !strings.Contains(body, "--allowed-origins") ||
			resp.Header.Get("Access-Control-Allow-Origin") != "https://evil.test" {
			t.Errorf(
				"%q: %d, for %q: %s; want a readable 403 that names the flag",
				headers,
				resp.StatusCode,
				resp.Header.Get("Access-Control-Allow-Origin"),
				body,
			)
		}
	}
	if executed {
		t.Error("the request of a foreign page was executed")
	}
}

// A page can read allowed answers if its origin is on the list. A request that changes something is allowed only
// then, or if no page sent it.
func TestCrossOriginRequests(t *testing.T) {
	site := originServer(t, parsed(t, "https://app.test, http://localhost:*"))
	every := originServer(t, parsed(t, "*"))
	none := originServer(t, Origins{})
	tests := []struct {
		name    string
		server  *httptest.Server
		method  string
		headers []string
		status  int
		read    string // Access-Control-Allow-Origin
	}{
		{"no browser", none, "POST", nil, 200, ""},
		{"the server's own page", none, "POST", []string{"Origin: SELF", "Sec-Fetch-Site: same-origin"}, 200, ""},
		{"the server's own page in an old browser", none, "POST", []string{"Origin: SELF"}, 200, ""},
		{
			"the server's own page behind a proxy with another name",
			none,
			"POST",
			[]string{"Origin: https://forum.test", "Sec-Fetch-Site: same-origin"},
			200,
			"",
		},
		{"typed by the user", none, "POST", []string{"Sec-Fetch-Site: none"}, 200, ""},
		{
			"a page on the list",
			site,
			"POST",
			[]string{"Origin: https://app.test", "Sec-Fetch-Site: cross-site"},
			200,
			"https://app.test",
		},
		{"a page on the list in an old browser", site, "POST", []string{"Origin: https://app.test"}, 200, "https://app.test"},
		{
			"a page on the list, any port",
			site,
			"POST",
			[]string{"Origin: http://localhost:5173", "Sec-Fetch-Site: same-site"},
			200,
			"http://localhost:5173",
		},
		{
			"another page",
			site,
			"POST",
			[]string{"Origin: https://evil.test", "Sec-Fetch-Site: cross-site"},
			403,
			"https://evil.test",
		},
		{"another page in an old browser", site, "POST", []string{"Origin: https://evil.test"}, 403, "https://evil.test"},
		{
			"another page of the same site",
			site,
			"POST",
			[]string{"Origin: https://other.test", "Sec-Fetch-Site: same-site"},
			403,
			"https://other.test",
		},
		{"a sandboxed page", site, "POST", []string{"Origin: null", "Sec-Fetch-Site: cross-site"}, 403, "null"},
		{"another page without origin", site, "POST", []string{"Sec-Fetch-Site: cross-site"}, 403, ""},
		{
			"a page when none is allowed",
			none,
			"POST",
			[]string{"Origin: http://localhost:3000", "Sec-Fetch-Site: cross-site"},
			403,
			"http://localhost:3000",
		},
		{
			"another method",
			site,
			"DELETE",
			[]string{"Origin: https://evil.test", "Sec-Fetch-Site: cross-site"},
			403,
			"https://evil.test",
		},
		{
			"any page when all are allowed",
			every,
			"POST",
			[]string{"Origin: https://evil.test", "Sec-Fetch-Site: cross-site"},
			200,
			"*",
		},
		{
			"GET by another page, which cannot read it",
			site,
			"GET",
			[]string{"Origin: https://evil.test", "Sec-Fetch-Site: cross-site"},
			200,
			"",
		},
		{
			"GET by a page on the list",
			site,
			"GET",
			[]string{"Origin: https://app.test", "Sec-Fetch-Site: cross-site"},
			200,
			"https://app.test",
		},
	}
	for _, tt := range tests {
		resp, body := send(t, tt.server, tt.method, tt.headers...)
		h := resp.Header
		want := "done"
		if tt.status == 403 {
			want = `"code":"FORBIDDEN"`
		}
		if resp.StatusCode != tt.status || !strings.Contains(body, want) {
			t.Errorf("%s: status %d, %s; want %d and %s", tt.name, resp.StatusCode, body, tt.status, want)
		}
		credentials := ""
		if tt.status != 403 && tt.read != "*" && tt.read != "" {
			credentials = "true"
		}
		if h.Get("Access-Control-Allow-Origin") != tt.read || h.Get("Vary") != "Origin" ||
			h.Get("Access-Control-Allow-Credentials") != credentials {
			t.Errorf("%s: readable for %q, Vary %q, credentials %q; want %q, Origin and %q", tt.name,
				h.Get("Access-Control-Allow-Origin"), h.Get("Vary"), h.Get("Access-Control-Allow-Credentials"), tt.read, credentials)
		}
		const all = "X-Request-Id, Etag, Retry-After, Www-Authenticate, Ratelimit, Ratelimit-Policy"
		shown := h.Get("Access-Control-Expose-Headers")
		if (shown == all) != (tt.read != "" && tt.status == 200) {
			t.Errorf("%s: shows pages the headers %q; want those of answers only for pages that may read them", tt.name, shown)
		}
	}
}
