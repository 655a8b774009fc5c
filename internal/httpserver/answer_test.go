package httpserver

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/vektah/gqlparser/v2/gqlerror"

	"agora/internal/test/must"
	"agora/internal/test/testlevel"
)

func TestETagOfAnonymousGET(t *testing.T) {
	w := newWire(t)
	const target = "/graphql?query=%7Bsite%7Bname%7D%7D"
	first := w.send("first", "GET", target, "")
	first.wantAnswer()
	tag := first.header.Get("ETag")
	if tag == "" || first.header.Get("Cache-Control") != "no-cache" ||
		!strings.Contains(strings.Join(first.header["Vary"], ","), "Authorization") {
		t.Fatalf("answer to GET: %v; want an ETag, Cache-Control no-cache, Vary Authorization", first.header)
	}
	for _, given := range []string{tag, "W/" + tag, `"other", ` + tag, "*"} {
		again := w.send("again", "GET", target, "", "If-None-Match: "+given)
		if again.status != http.StatusNotModified || again.body != "" || again.header.Get("ETag") != tag {
			t.Errorf(
				"If-None-Match %s: status %d, %q, ETag %s; want 304, nothing and %s",
				given,
				again.status,
				again.body,
				again.header.Get("ETag"),
				tag,
			)
		}
	}
	w.send("another tag", "GET", target, "", `If-None-Match: "other"`).wantAnswer()
	if other := w.send("other type", "GET", target, "", acceptGraphQL); other.header.Get("ETag") == tag {
		t.Error("both media types have one ETag; want two")
	}
	if head := w.send("HEAD", "HEAD", target, ""); head.status != 200 || head.body != "" ||
		head.header.Get("ETag") != tag {
		t.Errorf(
			"HEAD: status %d, %q, ETag %s; want 200, nothing and %s",
			head.status,
			head.body,
			head.header.Get("ETag"),
			tag,
		)
	}
	for name, r := range map[string]wireReply{
		"POST":           w.postBody("POST", bodyOf("{ site { name } }")),
		"with an error":  w.get("with an error", "query", `{ node(id: "x") { id } }`),
		"refused":        w.get("refused", "query", "{ nothing }"),
		"with bad token": w.send("with bad token", "GET", target, "", "Authorization: Bearer x"),
	} {
		if r.header.Get("ETag") != "" || r.header.Get("Cache-Control") != "no-store" {
			t.Errorf(
				"%s: ETag %q, Cache-Control %q; want none and no-store",
				name,
				r.header.Get("ETag"),
				r.header.Get("Cache-Control"),
			)
		}
	}
}

const deferring = `query D($if: Boolean) { site { name ... @defer(if: $if, label: "slow") { userCount } } }`

func TestDefer(t *testing.T) {
	w := newWire(t)
	const parts = "Accept: multipart/mixed;deferSpec=20220824, application/json"
	body := func(on string) string { return fmt.Sprintf(`{"query": %q, "variables": {"if": %s}}`, deferring, on) }
	r := w.postBody("in parts", body("true"), parts)
	if !strings.HasPrefix(r.header.Get("Content-Type"), "multipart/mixed") {
		t.Fatalf("Content-Type %s; want multipart/mixed", r.header.Get("Content-Type"))
	}
	first, second, ok := strings.Cut(r.body, `"hasNext":true}`)
	if !ok || !strings.Contains(first, `"name":"Agora"`) || !strings.Contains(second, `"incremental":[{`) ||
		!strings.Contains(
			second,
			`"userCount":0`,
		) || !strings.Contains(second, `"label":"slow"`) || !strings.Contains(second, `"path":["site"]`) ||
		!strings.HasSuffix(r.body, "\r\n-----\r\n") {
		t.Errorf("answer in parts: %s; want the name first, then userCount", r.body)
	}
	for name, r := range map[string]wireReply{
		"to who takes no parts": w.postBody("plain", body("true")),
		"switched off":          w.postBody("switched off", body("false"), parts),
		"without @defer":        w.postBody("without", bodyOf("{ site { name userCount } }"), parts),
	} {
		r.wantAnswer()
		if string(r.entries["data"]) != `{"site":{"name":"Agora","userCount":0}}` || r.entries["hasNext"] != nil {
			t.Errorf("%s: %s; want all together", name, r.body)
		}
	}
}

// Clients that send slowly are disconnected, and cost nothing until then.
func TestSlowClientsAreCutOff(t *testing.T) {
	testlevel.Usual(t)
	h := httptest.NewUnstartedServer(nil)
	h.Config = Server(newServer(t, nil))
	h.Start()
	t.Cleanup(h.Close)
	for name, begin := range map[string]string{
		"header": "POST /graphql HTTP/1.1\r\nHost: agora\r\nX-Slow: ",
		"body":   "POST /graphql HTTP/1.1\r\nHost: agora\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := must.Do(net.Dial("tcp", h.Listener.Addr().String()))(t)
			defer c.Close()
			began := time.Now()
			must.Do(io.WriteString(c, begin))(t)
			must.OK(t, c.SetReadDeadline(began.Add(30*time.Second)))
			answer, err := io.ReadAll(bufio.NewReader(c)) // until the server closes
			if took := time.Since(began); err != nil || took > 11*time.Second {
				t.Errorf("after %v: %q, %v; want the connection closed within 10 s", took, answer, err)
			}
			if name == "body" && !strings.Contains(string(answer), "408") && len(answer) > 0 {
				t.Errorf("answer to half a body: %s; want 408 or none", answer)
			}
		})
	}
}

// The rest of an answer is appended to the data in place, even if they are in a larger buffer; writing them as a part
// does not change that buffer.
func TestDataAreNotCopied(t *testing.T) {
	yes := true
	const data = `{"a":"` + "é" + `"}`
	tests := []struct {
		name   string
		answer response
		want   string
	}{
		{"data alone", response{}, `{"data":` + data + `}`},
		{"no extensions", response{Extensions: map[string]any{}, Errors: gqlerror.List{}}, `{"data":` + data + `}`},
		{"extensions", response{Extensions: map[string]any{"x": 1}}, `{"data":` + data + `,"extensions":{"x":1}}`},
		{"errors", response{Errors: gqlerror.List{{Message: "<no>"}}}, `{"data":` + data + `,"errors":[{"message":"<no>"}]}`},
		{"more to come", response{HasNext: &yes}, `{"data":` + data + `,"hasNext":true}`},
	}
	for _, tt := range tests {
		for _, room := range []int{0, 1, 32 << 10} {
			held := append(make([]byte, 0, len(data)+room), data...)
			tt.answer.Data = held
			if got := string(encodeResponse(tt.answer)); got != tt.want ||
				strings.Trim(string(held[len(data):cap(held)]), "\x00") != "" {
				t.Errorf("%s, as a part, %d bytes free: %s; want %s, and nothing behind the data", tt.name, room, got, tt.want)
			}
			w := httptest.NewRecorder()
			writeAnswer(w, httptest.NewRequest("POST", "/graphql", nil), mediaJSON, 200, tt.answer)
			if got := w.Body.String(); got != tt.want || w.Header().Get("Content-Length") != strconv.Itoa(len(tt.want)) {
				t.Errorf(
					"%s, %d bytes free: %s of length %s; want %s",
					tt.name,
					room,
					got,
					w.Header().Get("Content-Length"),
					tt.want,
				)
			}
		}
	}
}
