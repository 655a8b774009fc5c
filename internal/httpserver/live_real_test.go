package httpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"agora/internal/event"
	"agora/internal/httpserver/live"
	"agora/internal/test/must"
	"agora/internal/test/site"
	"agora/internal/test/wait"
)

// newRealWire returns a live wire to the forum's own schema, with a listening hub; change, if not nil, changes
// options.
func newRealWire(t *testing.T, change func(*Options, *live.Connections)) *liveWire {
	t.Helper()
	w := newLiveWire(t, func(o *Options, l *live.Connections) {
		o.Resolver.Events = event.New(o.Resolver.Store, o.Log)
		if change != nil {
			change(o, l)
		}
	})
	stop := wait.Beside(t, w.options.Resolver.Events.Run)
	h := httptest.NewUnstartedServer(New(w.options))
	h.Config.ReadTimeout, h.Config.WriteTimeout = 10*time.Second, 30*time.Second // as Server has them
	h.Start()
	w.url = h.URL
	t.Cleanup(func() { // before what newLiveWire cleans up
		if err := w.live.Shutdown(context.Background()); err != nil {
			t.Error(err)
		}
		h.Close()
		stop()
	})
	return w
}

// run executes an operation on a socket and returns its data.
func (c *socketClient) run(document string, into any) {
	c.t.Helper()
	c.subscribe("run", document)
	text := c.read()
	var m struct {
		Type    string
		Payload struct{ Data json.RawMessage }
	}
	if err := json.Unmarshal([]byte(text), &m); err != nil || m.Type != "next" ||
		json.Unmarshal(m.Payload.Data, into) != nil {
		c.t.Fatalf("%s: %s", document, text)
	}
	c.want(`{"id":"run","type":"complete"}`)
}

// A reply posted over one socket arrives over another and over a stream, each time with the selected fields; the end
// of the session closes its socket immediately.
func TestRepliesComeLive(t *testing.T) {
	w := newRealWire(t, nil)
	ann, token := w.member("ann")
	author := w.signedIn(token)
	data := w.options.Resolver.Store
	to := site.On(t, data)
	number := to.Titled(ann, to.Category("Go"), "Hello")
	var found struct{ Topic struct{ ID string } }
	author.run(fmt.Sprintf(`{ topic(by: {number: %d}) { id } }`, number), &found)

	document := fmt.Sprintf(
		`subscription { commentAdded(topic: {id: %q}) { kind comment { content author { login } } } }`,
		found.Topic.ID,
	)
	reader, stream := w.connect(), w.stream(document)
	reader.subscribe("1", document)
	reader.wantQuiet()
	for n := range 3 {
		var posted struct {
			CreateComment struct{ Comment struct{ ID string } }
		}
		author.run(
			fmt.Sprintf(
				`mutation { createComment(input: {topicId: %q, content: "Reply %d"}) { comment { id } } }`,
				found.Topic.ID,
				n,
			),
			&posted,
		)
		event := fmt.Sprintf(`{"commentAdded":{"kind":"ADDED","comment":{"content":"Reply %d","author":{"login":"ann"}}}}`, n)
		reader.want(`{"id":"1","type":"next","payload":{"data":` + event + `}}`)
		stream.want(nextOf(event))
	}
	reader.subscribe("2", strings.Replace(document, found.Topic.ID, "VG9waWM6MQ", 1))
	reader.wantError("2", "NOT_FOUND")
	reader.subscribe("2", strings.Replace(document, `"})`, `"}, after: "`+xyzzy+`")`, 1))
	reader.wantError("2", "CURSOR_INVALID")
	reader.subscribe("2", `subscription { notificationAdded { eventId } }`)
	reader.wantError("2", "UNAUTHENTICATED")
	must.OK(t, data.Sessions.EndSession(t.Context(), ann.ID, ann.Session[:24]))
	author.wantClosed(4401)
}
