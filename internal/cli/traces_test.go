package cli

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"agora/internal/test/must"
	"agora/internal/test/testlevel"
	"agora/internal/test/tracetest"
)

// A query, a mutation on a socket, an event of a subscription and a task are traced, each with its round trips to
// Redis. The password of the collector is shown nowhere.
func TestTraces(t *testing.T) {
	testlevel.Usual(t)
	t.Setenv("OTEL_BSP_SCHEDULE_DELAY", "50") // ms until spans are sent
	c := tracetest.New(t)
	at := strings.Replace(c.URL, "http://", "http://ann:secret@", 1)
	help := command(t, map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": at}, "serve", "--help")
	if strings.Contains(help, "secret") {
		t.Errorf("the help shows the password: %s", help)
	}
	s := start(t, nil, "--addr", "127.0.0.1:0", "--quiet", "--traces", at)
	defer s.stop()
	want := "  Traces      are sent to " + strings.Replace(at, "secret", "xxxxx", 1)
	if !strings.Contains(s.banner, want) {
		t.Errorf("the banner is\n%s\nwant a line %q", s.banner, want)
	}
	token := s.tokenOf(t, "otto-k")
	var answer struct {
		Data struct {
			Front struct {
				Topics struct{ Nodes []struct{ ID, Title string } }
			}
		}
		Extensions struct{ Redis struct{ RoundTrips int } }
	}
	text := s.post(t, token, `query Nested { front { topics(first: 5) { nodes { id title author { name } comments(first: 3)
		{ nodes { content author { login } } } } } } }`)
	if err := json.Unmarshal([]byte(text), &answer); err != nil || len(answer.Data.Front.Topics.Nodes) != 5 {
		t.Fatalf("the answer is %s, %v", text, err)
	}
	topic := answer.Data.Front.Topics.Nodes[0].ID
	s.reply(t, token, topic)
	wants := []struct {
		begin, with string
		least, most int
	}{
		{"query SERVER", "graphql.operation.name=Nested", 1, 1},
		{"query > ", "", answer.Extensions.Redis.RoundTrips, answer.Extensions.Redis.RoundTrips},
		{"mutation SERVER", "graphql.operation.name=Reply", 1, 1},
		{"subscription SERVER", "graphql.operation.name=Replies", 1, 1},
		{"event INTERNAL", "graphql.operation.name=Replies", 1, 100},
		{"event > ", "db.system.name=redis", 1, 100},
		{"task INTERNAL", "agora.task=record a vote on an article", 1, 1000}, // of the demo data
		{"task > ", "db.system.name=redis", 1, 1000},
	}
	count := func(spans []string, begin, with string) (n int) {
		for _, s := range spans {
			if strings.HasPrefix(s, begin) && strings.Contains(s, with) {
				n++
			}
		}
		return n
	}
	spans := c.Await(t, func(spans []string) bool {
		for _, want := range wants {
			if count(spans, want.begin, want.with) < want.least {
				return false
			}
		}
		return true
	})
	for _, want := range wants {
		if n := count(spans, want.begin, want.with); n > want.most {
			t.Errorf("%d spans begin with %q and have %q; want %d at most of\n%s", n, want.begin, want.with, want.most,
				strings.Join(spans, "\n"))
		}
	}
	for _, secret := range []string{token, "127.0.0.1", "Reply to"} {
		if strings.Contains(strings.Join(spans, "\n"), secret) {
			t.Errorf("the spans have %q", secret)
		}
	}
	if err := s.stop(); err != nil {
		t.Error(err)
	}
}

// reply posts a reply on a socket, and waits for the event of a subscription to it.
func (s started) reply(t *testing.T, token, topic string) {
	t.Helper()
	conn, _, err := websocket.Dial(t.Context(), s.url+"/graphql",
		&websocket.DialOptions{Subprotocols: []string{"graphql-transport-ws"}})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.CloseNow()
	send := func(format string, args ...any) {
		must.OK(t, conn.Write(t.Context(), websocket.MessageText, fmt.Appendf(nil, format, args...)))
	}
	send(`{"type":"connection_init","payload":{"Authorization":%q}}`, "Bearer "+token)
	send(`{"type":"subscribe","id":"1","payload":{"query":%q}}`, fmt.Sprintf(
		`subscription Replies { commentAdded(topic: {id: %q}) { comment { content } } }`, topic))
	send(`{"type":"subscribe","id":"2","payload":{"query":%q}}`, fmt.Sprintf(
		`mutation Reply { createComment(input: {topicId: %q, content: "Reply to it"}) { errors { message } } }`, topic))
	for {
		_, text, err := conn.Read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "commentAdded") {
			return
		}
	}
}
