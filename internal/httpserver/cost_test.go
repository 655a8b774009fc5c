package httpserver

import (
	"context"
	"encoding/json"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/redis/go-redis/v9"

	"agora/internal/test/redistest"
)

// commandCount counts the commands that a client sends, which include those that open connections.
type commandCount struct{ atomic.Int64 }

// of counts the commands of a client from now on.
func (c *commandCount) of(client redis.UniversalClient) {
	client.AddHook(redistest.Hook(func(ctx context.Context, cmds []redis.Cmder, next redis.ProcessPipelineHook) error {
		c.Add(int64(len(cmds)))
		return next(ctx, cmds)
	}))
}

// pricedAnswer is an answer with extensions.cost.
type pricedAnswer struct {
	Data       json.RawMessage
	Extensions struct {
		Cost *struct {
			Rows, Values int
			Cost         int
			Bytes        *int
			Limits       struct{ Rows, Values, Bytes, PerMinute int }
			Remaining    *int
			ResetAt      string
		}
	}
}

func pricedOf(t testing.TB, body string) pricedAnswer {
	t.Helper()
	body = strings.TrimSuffix(strings.TrimPrefix(body, "event: next\ndata: "), "\n\nevent: complete\ndata:\n\n")
	var a pricedAnswer
	if err := json.Unmarshal([]byte(body), &a); err != nil {
		t.Fatalf("answer %s: %v", body, err)
	}
	return a
}

func TestCostIsShownWhenAskedFor(t *testing.T) {
	s := newServer(t, nil)
	const query = "{ front { topics(first: 10) { nodes { id title } } } site { name } }"
	if body := s.post(query).Body.String(); strings.Contains(body, "cost") {
		t.Errorf("without the header: %s; want no cost", body)
	}
	w := s.post(query, CostHeader+": 1")
	a := pricedOf(t, w.Body.String())
	if c := a.Extensions.Cost; c == nil || c.Rows != 10 || c.Values != 25 || c.Bytes == nil || *c.Bytes != len(a.Data) ||
		c.Limits.Rows != 20_000 || c.Limits.Values != 120_000 || c.Limits.Bytes != 8<<20 {
		t.Errorf("answer %s; want 10 rows, 25 values, the %d bytes of the data, and the limits", w.Body, len(a.Data))
	}
	target := "/graphql?query=" + url.QueryEscape(query)
	if w := s.do("GET", target, "", CostHeader+": 1"); w.Header().Get("ETag") != "" ||
		w.Header().Get("Cache-Control") != "no-store" || pricedOf(t, w.Body.String()).Extensions.Cost == nil {
		t.Errorf("GET with cost: %v, %s; want the cost, and an answer that is not stored", w.Header(), w.Body)
	}
}

func TestDryRequestsReadNothing(t *testing.T) {
	s := newServer(t, nil)
	var sent commandCount
	sent.of(s.redis)
	const token = "Authorization: Bearer not-a-token"
	for _, query := range []string{
		"{ front { topics(first: 10) { nodes { id title } } } site { name } }",
		"{ viewer { user { login } } }",
		`mutation { logout(input: {}) { errors { code } } }`,
		`subscription { notificationAdded { __typename } }`,
	} {
		for _, accept := range []string{acceptPlain, acceptGraphQL, "Accept: text/event-stream"} {
			w := s.post(query, CostHeader+": dry", token, accept)
			a := pricedOf(t, w.Body.String())
			if c := a.Extensions.Cost; w.Code != 200 || c == nil || c.Values < 2 || c.Bytes != nil || string(a.Data) != "null" {
				t.Errorf("%s, %s: status %d, %s; want 200, the values, no bytes and no data", query, accept, w.Code, w.Body)
			}
		}
	}
	target := "/graphql?query=" + url.QueryEscape("{ site { userCount } }")
	if w := s.do("GET", target, "", CostHeader+": dry"); pricedOf(t, w.Body.String()).Extensions.Cost.Values != 2 ||
		w.Header().Get("ETag") != "" {
		t.Errorf("GET: %v, %s; want 2 values and no ETag", w.Header(), w.Body)
	}
	if n := sent.Load(); n != 0 {
		t.Errorf("dry requests sent %d commands to Redis; want none", n)
	}
	if w := s.post("{ site { userCount } }"); sent.Load() == 0 {
		t.Errorf("the same hook counts nothing for a query that is executed: %s", w.Body)
	}
}

func TestDryRequestsAreChecked(t *testing.T) {
	s := newServer(t, nil)
	for _, tt := range []struct{ query, code string }{
		{"{ nothing }", "GRAPHQL_VALIDATION_FAILED"},
		{"{", "GRAPHQL_PARSE_FAILED"},
		{"query($n: Int!) { tags(first: $n) { totalCount } }", "BAD_USER_INPUT"},
		{"{ front { topics(first: 100000) { nodes { id } } } }", "COST_LIMIT_EXCEEDED"},
	} {
		w := s.post(tt.query, CostHeader+": dry")
		if got := s.codeOf(w); got != tt.code || strings.Contains(w.Body.String(), `"data"`) {
			t.Errorf("%s: %s; want %s", tt.query, w.Body, tt.code)
		}
	}
	for _, header := range []string{"0", "yes", "Dry", "1, dry", ""} {
		w := s.post("{ site { name } }", CostHeader+": "+header)
		if w.Code != 400 || s.codeOf(w) != "BAD_USER_INPUT" || !strings.Contains(w.Body.String(), CostHeader) {
			t.Errorf("%s %q: status %d, %s; want 400 and BAD_USER_INPUT", CostHeader, header, w.Code, w.Body)
		}
	}
}

func TestCostOverLiveConnections(t *testing.T) {
	w := newLiveWire(t, nil)
	for _, header := range []string{"dry", "yes"} {
		if _, resp, err := w.try(CostHeader + ": " + header); err == nil || resp.StatusCode != 400 {
			t.Errorf("a socket with %s %s: %v; want 400", CostHeader, header, resp)
		}
	}
	c := w.connect(CostHeader + ": 1")
	c.subscribe("1", `{ word }`)
	if text := c.read(); !strings.Contains(text, `"cost":{"rows":0,"values":1,"cost":9,"bytes":15,`) {
		t.Errorf("a query on a socket: %s; want its cost", text)
	}
}
