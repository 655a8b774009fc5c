package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/redis/go-redis/v9"

	"agora/internal/test/must"
	"agora/internal/test/redistest"
)

// audience is the process of the subscribers: `listen bare N network address` or `listen agora N address topic after
// token…`, with a token for each, or none. It writes "ready" when all are subscribed, and then, for each event, when
// half of them and when all of them had it (Unix ns).
type audience struct {
	cmd   *exec.Cmd
	lines *bufio.Scanner
}

// channel is the channel of bare subscribers.
const channel = "bare"

func listen(args []string) error {
	n, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	heard := make(chan int64, n)
	for i := range n {
		if args[0] == "bare" {
			err = hearBare(args[2:4], heard)
		} else {
			token := ""
			if tokens := args[5:]; len(tokens) > 0 {
				token = tokens[i]
			}
			err = hearAgora(args[2], args[3], args[4], token, heard)
		}
		if err != nil {
			return err
		}
	}
	fmt.Println("ready")
	times := make([]int64, 0, n)
	for at := range heard {
		if times = append(times, at); len(times) == n {
			slices.Sort(times)
			fmt.Println(times[n/2], times[n-1])
			times = times[:0]
		}
	}
	return nil
}

func hearBare(address []string, heard chan<- int64) error {
	c := redis.NewClient(&redis.Options{Network: address[0], Addr: address[1]})
	sub := c.Subscribe(background, channel)
	if _, err := sub.Receive(background); err != nil {
		return err
	}
	go func() { // ends with the process
		for range sub.Channel() {
			heard <- time.Now().UnixNano()
		}
	}()
	return nil
}

// hearAgora subscribes, as the owner of token if that is not empty; with after, an event's id, it resumes.
func hearAgora(address, topic, after, token string, heard chan<- int64) error {
	c, _, err := websocket.Dial(background, address,
		&websocket.DialOptions{Subprotocols: []string{"graphql-transport-ws"}})
	if err != nil {
		return err
	}
	variables, err := json.Marshal(map[string]any{"t": topic, "a": optional(after)})
	if err != nil {
		return err
	}
	const document = `subscription($t: ID!, $a: String) { commentAdded(topic: {id: $t}, after: $a) { eventId kind comment { id content author { login } } } }`
	init := `{"type":"connection_init"}`
	if token != "" {
		init = fmt.Sprintf(`{"type":"connection_init","payload":{"Authorization":"Bearer %s"}}`, token)
	}
	for _, m := range []string{init, fmt.Sprintf(`{"id":"1","type":"subscribe","payload":{"query":%q,"variables":%s}}`,
		document, variables), `{"type":"ping"}`} {
		if err := c.Write(background, websocket.MessageText, []byte(m)); err != nil {
			return err
		}
	}
	for _, want := range []string{"connection_ack", "pong"} { // subscribe is processed before ping is answered
		if _, m, err := c.Read(background); err != nil || !bytes.Contains(m, []byte(want)) {
			return fmt.Errorf("%s, %w; want %s", m, err, want)
		}
	}
	go func() { // ends with the process
		for {
			_, m, err := c.Read(background)
			if err != nil {
				return
			}
			if bytes.Contains(m, []byte(`"next"`)) {
				heard <- time.Now().UnixNano()
			}
		}
	}()
	return nil
}

func optional(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func startAudience(b *testing.B, args ...string) *audience {
	b.Helper()
	cmd := exec.Command(os.Args[0], append([]string{"listen"}, args...)...)
	cmd.Stderr = os.Stderr
	out := must.Do(cmd.StdoutPipe())(b)
	must.OK(b, cmd.Start())
	b.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	a := &audience{cmd, bufio.NewScanner(out)}
	if !a.lines.Scan() || a.lines.Text() != "ready" {
		b.Fatalf("the audience is not ready: %q, %v", a.lines.Text(), a.lines.Err())
	}
	return a
}

// heard waits until all have an event, and returns when half of them and when all had it.
func (a *audience) heard(b *testing.B) (half, all int64) {
	b.Helper()
	if !a.lines.Scan() {
		b.Fatal("the audience has ended")
	}
	must.Do(fmt.Sscan(a.lines.Text(), &half, &all))(b)
	return half, all
}

// BenchmarkEventLatency measures how long after the answer to a mutation an event has reached half of 100
// subscribers, alternately: agora, whose subscribers read comment and author, signed out, so that they are one feed,
// all resuming after an event, and as 100 users; bare, 100 clients of go-redis, after the answer to PUBLISH. Events
// before the answer count as 0.
func BenchmarkEventLatency(b *testing.B) {
	requireServer(b)
	const subscribers, events = 100, 300
	server := redistest.Start(b)
	s, c := newLiveSite(b, server), client(b, server)
	address := []string{server.Options.Network, server.Options.Addr}
	tokens := s.viewers(b, subscribers)
	sides := []struct {
		name string
		args func(*testing.B) []string
		send func(*testing.B) int64
	}{
		{"bare", func(*testing.B) []string { return append([]string{"bare", strconv.Itoa(subscribers)}, address...) },
			func(b *testing.B) int64 {
				must.OK(b, c.Publish(background, channel, "hello").Err())
				return time.Now().UnixNano()
			}},
		{"one feed", func(*testing.B) []string { return []string{"agora", strconv.Itoa(subscribers), s.url, s.topic, ""} },
			s.reply},
		{"resuming", func(b *testing.B) []string {
			return []string{"agora", strconv.Itoa(subscribers), s.url, s.topic, s.eventID(b)}
		}, s.reply},
		{"viewers", func(*testing.B) []string {
			return append([]string{"agora", strconv.Itoa(subscribers), s.url, s.topic, ""}, tokens...)
		}, s.reply},
	}
	p50 := map[string][]float64{}
	for round := range rounds {
		for _, side := range sides {
			b.Run(fmt.Sprintf("%s/%d", side.name, round+1), func(b *testing.B) {
				a := startAudience(b, side.args(b)...)
				var took []float64
				for b.Loop() {
					for range events {
						answered := side.send(b)
						half, _ := a.heard(b)
						took = append(took, max(0, float64(half-answered))/1e3)
					}
				}
				b.ReportMetric(median(took), "µs")
				p50[side.name] = append(p50[side.name], median(took))
			})
		}
	}
	for _, name := range []string{"one feed", "resuming", "viewers"} {
		if len(p50[name]) > 0 && len(p50["bare"]) > 0 {
			b.Run("ratio/"+name, func(b *testing.B) {
				b.ReportMetric(0, "ns/op")
				b.ReportMetric(median(p50[name])/median(p50["bare"]), "ratio")
			})
		}
	}
}

// BenchmarkSubscribersOfOneTopic has 9,000 sockets, or AGORA_SUBSCRIBERS, watch one topic: it reports bytes in use
// for each, and how long until all have an event. Alternately, they are signed out, resume after an event, and are as
// many users.
func BenchmarkSubscribersOfOneTopic(b *testing.B) {
	requireServer(b)
	n := 9000
	if text := os.Getenv("AGORA_SUBSCRIBERS"); text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil {
			b.Fatal(err)
		}
	}
	s := newLiveSite(b, redistest.Start(b))
	s.reply(b)
	for _, how := range []string{"one feed", "resuming", "viewers"} {
		b.Run(how, func(b *testing.B) {
			args := []string{"agora", strconv.Itoa(n), s.url, s.topic, ""}
			switch how {
			case "resuming":
				args[4] = s.eventID(b)
			case "viewers":
				args = append(args, s.viewers(b, n)...)
			}
			before := inUse()
			a := startAudience(b, args...)
			var took []float64
			for b.Loop() {
				sent := time.Now().UnixNano()
				s.reply(b)
				_, all := a.heard(b)
				took = append(took, float64(all-sent)/1e6)
			}
			b.ReportMetric(float64(inUse()-before)/float64(n), "B/subscriber")
			b.ReportMetric(median(took), "ms-until-all")
		})
	}
}

// inUse returns how many bytes of heap and stacks are in use.
func inUse() int {
	for range 3 {
		runtime.GC()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapInuse + m.StackInuse)
}
