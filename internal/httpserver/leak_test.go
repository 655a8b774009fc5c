package httpserver

import (
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"agora/internal/httpserver/live"
)

// A thousand clients connect and disconnect, half of them silently; nothing of them remains.
func TestClosedConnectionsLeaveNothing(t *testing.T) {
	w := newLiveWire(t, func(o *Options, l *live.Connections) {
		quietLog(o, l)
		o.Metrics = NewMetrics(o.Resolver.Store, o.Log, time.Now)
	})
	before := goleak.IgnoreCurrent()
	var clients sync.WaitGroup
	for worker := range 20 {
		clients.Go(func() {
			for n := range 50 {
				c, _, err := w.try()
				if err != nil {
					t.Error(err)
					return
				}
				c.send(initMessage)
				c.subscribe("1", onTicks)
				switch {
				case (worker+n)%4 == 0:
					c.want(ackMessage)
				case (worker+n)%4 == 1:
					c.want(ackMessage)
					c.send(xyzzy)
					c.wantClosed(4400)
				}
				if n%2 == 0 {
					c.conn.CloseNow()
				} else {
					c.conn.Close(1000, "")
				}
			}
		})
	}
	clients.Wait()
	w.await(t, "all sources are closed", func() bool { return len(w.open) == 0 })
	goleak.VerifyNone(t, before)
	metrics := w.do("GET", "/metrics", "").Body.String()
	for _, want := range []string{"agora_subscriptions 0\n", "agora_feeds 0\n",
		`agora_live_connections{kind="socket"} 0` + "\n", `agora_live_closes_total{code="4400",kind="socket"} 250` + "\n"} {
		if !strings.Contains(metrics, want) {
			t.Errorf("metrics are without %q", want)
		}
	}
	if open, addresses, feeds := w.live.Counts(); open+addresses+feeds != 0 {
		t.Errorf("left: %d connections, %d addresses, %d feeds", open, addresses, feeds)
	}
}
