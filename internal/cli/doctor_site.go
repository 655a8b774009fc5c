package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"agora/internal/httpserver"
	"agora/internal/store"
)

const (
	// askTime is how long a site may take to answer, and streamTime how long until the first comment of a stream, which
	// the server sends after 15 s.
	askTime    = 5 * time.Second
	streamTime = 20 * time.Second
	// certificateLeft is how long before its end a certificate should have been renewed.
	certificateLeft = 14 * 24 * time.Hour
)

// siteDoctor asks a running site.
type siteDoctor struct {
	url     *url.URL
	client  *http.Client
	proxies httpserver.Proxies
	own     net.Addr // of the last connection
	found   []store.Finding
}

// examineSite asks the site at an address as visitors do.
func examineSite(ctx context.Context, c config, site string) ([]store.Finding, error) {
	u, err := url.Parse(site)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("--site: %.200q is not a site's address, such as https://forum.example.org", site)
	}
	d := &siteDoctor{url: u, proxies: c.Proxies, client: &http.Client{Transport: &http.Transport{Proxy: http.ProxyFromEnvironment}}}
	defer d.client.CloseIdleConnections()
	d.found = append(d.found, examineHost(c, u))
	if d.reached(ctx) {
		d.address(ctx)
		d.socket(ctx)
		d.stream(ctx)
	}
	return d.found, nil
}

// note adds a finding of an item.
func (d *siteDoctor) note(grade store.Grade, item, text string) {
	d.found = append(d.found, store.Finding{Grade: grade, Item: item, Text: text})
}

// ask sends a request; query is that of a POST to /graphql, or "" for a GET.
func (d *siteDoctor) ask(ctx context.Context, path, query string, header http.Header) (*http.Response, error) {
	method, body := http.MethodGet, io.Reader(nil)
	if query != "" {
		text, err := json.Marshal(map[string]string{"query": query})
		if err != nil {
			return nil, err
		}
		method, body = http.MethodPost, bytes.NewReader(text)
	}
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(i httptrace.GotConnInfo) { d.own = i.Conn.LocalAddr() },
	})
	r, err := http.NewRequestWithContext(ctx, method, d.url.JoinPath(path).String(), body)
	if err != nil {
		return nil, err
	}
	if query != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for name, values := range header {
		r.Header[name] = values
	}
	return d.client.Do(r)
}

// answer returns the answer to a request, and its body.
func (d *siteDoctor) answer(ctx context.Context, path, query string, header http.Header) (*http.Response, string, error) {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	resp, err := d.ask(ctx, path, query, header)
	if err != nil {
		return nil, "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, healthText))
	return resp, strings.TrimSpace(string(body)), err
}

// reached reports whether a query through the proxy is answered. /readyz may be at another address.
func (d *siteDoctor) reached(ctx context.Context) bool {
	resp, body, err := d.answer(ctx, "graphql", "{__typename}", nil)
	switch {
	case err != nil:
		d.note(store.Bad, "site", "it does not answer: "+err.Error()+"; start the server, and look at the proxy's log")
		return false
	case resp.StatusCode != http.StatusOK && !strings.Contains(body, `"errors"`):
		d.note(store.Bad, "site", fmt.Sprintf("a query is answered with status %d, %.200q; is it the address of the site, and "+
			"does the proxy pass POSTs to /graphql on?", resp.StatusCode, body))
		return false
	case resp.StatusCode == http.StatusMisdirectedRequest || resp.StatusCode == http.StatusServiceUnavailable:
		d.note(store.Bad, "site", fmt.Sprintf("status %d: %.300s", resp.StatusCode, body))
		return false
	}
	d.note(store.Good, "site", "a query is answered")
	if ready, body, err := d.answer(ctx, "readyz", "", nil); err == nil && ready.StatusCode == http.StatusServiceUnavailable {
		d.note(store.Bad, "readyz", "the server is not ready: "+body+"; see \"Your own Redis\" in docs/operating.md")
	}
	switch {
	case resp.TLS == nil:
		d.note(store.Warning, "tls", "the site is reached without TLS: passwords and tokens can be read on the way; put a proxy "+
			"with TLS in front")
	case time.Until(resp.TLS.PeerCertificates[0].NotAfter) < certificateLeft:
		d.note(store.Warning, "tls", "the certificate ends on "+resp.TLS.PeerCertificates[0].NotAfter.Format(time.DateOnly)+
			"; renew it")
	default:
		d.note(store.Good, "tls", "the certificate is valid until "+
			resp.TLS.PeerCertificates[0].NotAfter.Format(time.DateOnly))
	}
	return true
}

// remaining is the number of requests that a caller has left, in the header RateLimit.
var remaining = regexp.MustCompile(`^"requests";r=(\d+)`)

// left sends a request that claims to come from an address, and returns how many more its sender may send.
func (d *siteDoctor) left(ctx context.Context, claimed string) (int, bool) {
	header := http.Header{}
	if claimed != "" {
		header.Set("X-Forwarded-For", claimed)
	}
	resp, _, err := d.answer(ctx, "graphql", "{__typename}", header)
	if err != nil {
		return 0, false
	}
	for _, value := range resp.Header.Values("RateLimit") {
		if m := remaining.FindStringSubmatch(value); m != nil {
			n, err := strconv.Atoi(m[1])
			return n, err == nil
		}
	}
	return 0, false
}

// someRequests are enough to see that they count.
const someRequests = 10

// strangers are addresses that nobody has. Source: RFC 5737, addresses for documentation.
var strangers = []string{"192.0.2.77", "198.51.100.77", "203.0.113.77"}

// address reports whether a visitor can claim another address. One who does has all of its requests left.
func (d *siteDoctor) address(ctx context.Context) {
	first, known := d.left(ctx, "")
	last := first
	for range someRequests {
		n, ok := d.left(ctx, "")
		last, known = n, known && ok
	}
	most := first // that is left of all claimed addresses
	for _, stranger := range strangers {
		n, ok := d.left(ctx, stranger)
		most, known = min(most, n), known && ok
	}
	switch {
	case d.own != nil && d.proxies.Client(&http.Request{RemoteAddr: d.own.String(), Header: http.Header{"X-Forwarded-For": strangers[:1]}}).
		String() == strangers[0]:
		d.note(store.Good, "forwarded address", "unknown: this machine is one of the trusted proxies; ask from another one")
	case !known || first-last < someRequests/2:
		d.note(store.Good, "forwarded address", "unknown: requests are not limited, or the site is too far away to see it")
	case most == first:
		d.note(store.Bad, "forwarded address", "a visitor can claim any address by sending X-Forwarded-For, and escape all "+
			"limits; let the proxy append the address to the header or replace it, and name only proxies with --trusted-proxies")
	default:
		d.note(store.Good, "forwarded address", "a visitor cannot claim another one")
	}
}

// socket reports whether a WebSocket can be opened.
func (d *siteDoctor) socket(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	resp, err := d.ask(ctx, "graphql", "", http.Header{
		"Connection": {"Upgrade"}, "Upgrade": {"websocket"}, "Sec-Websocket-Version": {"13"},
		"Sec-Websocket-Key": {"ZG9jdG9yIG9mIGFnb3JhIQ=="}, "Sec-Websocket-Protocol": {"graphql-transport-ws"},
	})
	if err != nil {
		d.note(store.Bad, "websocket", err.Error()+"; let the proxy use HTTP/1.1, and forward Upgrade and Connection")
		return
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusSwitchingProtocols {
		d.note(store.Bad, "websocket", fmt.Sprintf("it is answered with status %d instead of 101; let the proxy use HTTP/1.1, "+
			"and forward Upgrade and Connection", resp.StatusCode))
		return
	}
	d.note(store.Good, "websocket", "it opens")
}

// stream reports whether what the server sends arrives before the answer ends.
func (d *siteDoctor) stream(ctx context.Context) {
	_, body, err := d.answer(ctx, "graphql", "{front{id}}", nil)
	var front struct {
		Data struct{ Front struct{ ID string } }
	}
	if err != nil || json.Unmarshal([]byte(body), &front) != nil || front.Data.Front.ID == "" {
		d.note(store.Good, "stream", "not asked, because the site refuses other documents than its own")
		return
	}
	ctx, cancel := context.WithTimeout(ctx, streamTime)
	defer cancel()
	query := fmt.Sprintf("subscription{timelineUpdated(timelineId:%q){__typename}}", front.Data.Front.ID)
	resp, err := d.ask(ctx, "graphql", query, http.Header{"Accept": {"text/event-stream"}})
	if err == nil {
		defer resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			err = fmt.Errorf("status %d", resp.StatusCode)
		} else {
			_, err = io.ReadFull(resp.Body, make([]byte, 1))
		}
	}
	if err != nil {
		d.note(store.Bad, "stream", fmt.Sprintf("nothing arrives within %s (%v); let the proxy not buffer answers, and wait for "+
			"longer than 20 s", streamTime, err))
		return
	}
	d.note(store.Good, "stream", "it arrives as it is sent")
}
