package httpserver

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
)

// onTicksAfter subscribes to a topic, optionally after an event.
const onTicksAfter = `subscription($t: String, $a: String) { ticks(topic: $t, after: $a) }`

func (c *socketClient) begin(document, variables string) {
	c.t.Helper()
	c.send(fmt.Sprintf(`{"id":"1","type":"subscribe","payload":{"query":%q,"variables":%s}}`, document, variables))
	c.wantQuiet()
}

func (c *socketClient) wantTick(event string) {
	c.t.Helper()
	c.want(fmt.Sprintf(`{"id":"1","type":"next","payload":{"data":{"ticks":%q}}}`, event))
}

func (w *liveWire) awaitFeeds(want int) {
	w.t.Helper()
	w.await(w.t, fmt.Sprint(want, " feeds run"), func() bool { return len(w.open) == want })
}

// Equal subscriptions are executed once for each event; all others separately.
func TestEqualSubscriptionsShareAFeed(t *testing.T) {
	w := newLiveWire(t, quietLog)
	_, ann := w.member("ann")
	_, bob := w.member("bob")
	var clients []*socketClient
	for range 50 {
		clients = append(clients, w.signedIn(ann))
	}
	for i, c := range clients {
		c.begin(onTicksAfter, []string{`{"t":"a"}`, `{"t":"a","unused":1}`, `{"a":null,"t":"a"}`}[i%3])
	}
	w.awaitFeeds(1)
	other := []*socketClient{w.signedIn(bob), w.connect(), w.signedIn(ann), w.signedIn(ann)}
	other[0].begin(onTicksAfter, `{"t":"a"}`)
	other[1].begin(onTicksAfter, `{"t":"a"}`)
	other[2].begin(onTicksAfter+" ", `{"t":"a"}`)
	other[3].begin(onTicksAfter, `{"t":"a","a":""}`)
	w.awaitFeeds(5)
	w.tick("a", "one")
	for _, c := range append(clients, other...) {
		c.wantTick("one")
	}
	w.await(t, "each feed has executed the event", func() bool { return w.executions == 5 })

	for _, c := range clients[1:] {
		c.send(`{"id":"1","type":"complete"}`)
		c.wantQuiet()
	}
	w.tick("a", "two")
	clients[0].wantTick("two")
	clients[1].wantQuiet()
	clients[0].send(`{"id":"1","type":"complete"}`)
	w.awaitFeeds(4)
}

// A subscription that resumes joins those that resume after the same event, and all others once they have received
// the same events.
func TestResumingFeedsAreMerged(t *testing.T) {
	w := newLiveWire(t, nil)
	for _, event := range []string{"one", "two", "three"} {
		w.tick("a", event)
	}
	const twice = `subscription($t: String, $a: String) { ticks(topic: $t, after: $a) @skip(if: false) other: ticks(topic: $a) @skip(if: true) }`
	var clients []*socketClient
	for _, tt := range []struct{ document, variables string }{
		{onTicksAfter, `{"t":"a"}`},
		{onTicksAfter, `{"t":"a","a":"three"}`}, {onTicksAfter, `{"t":"a","a":"three"}`},
		{onTicksAfter, `{"t":"a","a":"one"}`},
		{`subscription { ...F } fragment F on Subscription { ticks(topic: "a", after: "two") }`, `{}`},
		{`subscription { ...F } fragment F on Subscription { ticks(topic: "a", after: "two") }`, `{}`},
		{twice, `{"t":"a","a":"two"}`}, {twice, `{"t":"a","a":"three"}`},
	} {
		c := w.connect()
		clients = append(clients, c)
		c.send(fmt.Sprintf(`{"id":"1","type":"subscribe","payload":{"query":%q,"variables":%s}}`, tt.document, tt.variables))
	}
	clients[3].wantTick("two")
	for _, i := range []int{3, 4, 5, 6} {
		clients[i].wantTick("three")
	}
	for _, c := range clients {
		c.wantQuiet()
	}
	w.awaitFeeds(5) // the first, those after "three", those of the fragment, and two of the one that uses it twice
	w.tick("a", "four")
	for _, c := range clients {
		c.wantTick("four")
	}
	w.awaitFeeds(4) // the first was merged with those after "three"
	executions := w.executions
	w.tick("a", "five")
	for _, c := range clients {
		c.wantTick("five")
		c.wantQuiet()
	}
	if n := w.executions - executions; n != 4 {
		t.Errorf("an event was executed %d times; want 4", n)
	}
}

// However subscribers come and go, and whatever feeds are merged at the same time, a subscriber that resumes after
// its last event receives each event once, in order.
func TestMergedFeedsLoseNothing(t *testing.T) {
	w := newLiveWire(t, quietLog)
	const events, subscribers, ahead = 200, 12, 20
	w.tick("a", "0")
	var all sync.WaitGroup
	position := make(chan int, events) // by the first subscriber: the others are about as far
	for n := range subscribers {
		all.Go(func() {
			random := rand.New(rand.NewPCG(1, uint64(n)))
			for last := 0; last < events; {
				c := w.connect()
				c.send(
					fmt.Sprintf(
						`{"id":"1","type":"subscribe","payload":{"query":%q,"variables":{"t":"a","a":"%d"}}}`,
						onTicksAfter,
						last,
					),
				)
				for range 1 + random.IntN(40) {
					var m struct {
						Payload struct {
							Data struct {
								Ticks int `json:",string"`
							}
						}
					}
					if err := json.Unmarshal([]byte(c.read()), &m); err != nil || m.Payload.Data.Ticks != last+1 {
						t.Errorf("subscriber %d received %+v, %v; want %d", n, m, err, last+1)
						return
					}
					last++
					if n == 0 {
						position <- last
					}
					if last == events {
						break
					}
				}
				c.conn.CloseNow()
			}
		})
	}
	for n := range events {
		if n >= ahead {
			<-position
		}
		w.tick("a", fmt.Sprint(n+1))
	}
	all.Wait()
	w.awaitFeeds(0)
}
