package httpserver

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"agora/internal/httpserver/limit"
	"agora/internal/httpserver/live"
	"agora/internal/test/must"
)

// maxPerSubscriber is how many bytes one socket with one subscription may take.
const maxPerSubscriber = 72 << 10

// BenchmarkSubscribers connects sockets with one subscription each, of different viewers or of one feed. It reports
// how many bytes of heap and stacks each takes, and how long an event takes to reach all of them. AGORA_SUBSCRIBERS
// sets their number.
func BenchmarkSubscribers(b *testing.B) {
	n := 2000
	if text := os.Getenv("AGORA_SUBSCRIBERS"); text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil {
			b.Fatal(err)
		}
	}
	for _, feeds := range []int{1, n} {
		b.Run(fmt.Sprintf("feeds=%d", feeds), func(b *testing.B) { benchmarkSubscribers(b, n, feeds) })
	}
}

func benchmarkSubscribers(b *testing.B, n, feeds int) {
	limits := limit.Defaults()
	limits.LiveAddress, limits.LiveAnonymous, limits.LiveAnonymousAddress = limits.Live, limits.Live, limits.Live
	limits.LiveSubscriptions, limits.LiveValues = limits.Live, 1_000_000
	w := newLiveWire(b, func(o *Options, l *live.Connections) {
		quietLog(o, l)
		o.Limits = &limits
	})
	before := inUse()
	clients := make([]net.Conn, n)
	for i := range clients {
		clients[i] = w.rawSubscriber(b, i%feeds)
	}
	w.await(b, "all feeds run", func() bool { return len(w.open) == feeds })
	b.Cleanup(func() {
		for _, c := range clients {
			c.Close()
		}
	})
	var events, delivered int
	for b.Loop() {
		w.tick("", strconv.Itoa(events))
		for _, c := range clients {
			if text := rawMessage(b, c); !strings.Contains(text, fmt.Sprintf(`"ticks":"%d"`, events)) {
				b.Fatalf("message %s; want event %d", text, events)
			}
			delivered++
		}
		events++
	}
	b.StopTimer()
	each := (inUse() - before) / n
	if each > maxPerSubscriber {
		b.Errorf("%d bytes for each subscriber; want at most %d", each, maxPerSubscriber)
	}
	b.ReportMetric(float64(each), "B/subscriber")
	b.ReportMetric(float64(delivered)/float64(events)/float64(n), "delivered")
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(delivered), "µs/message")
}

// inUse returns how many bytes of heap and stacks are in use. Stacks shrink step by step.
func inUse() int {
	for range 5 {
		runtime.GC()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapInuse + m.StackInuse)
}

// rawSubscriber is a client that takes as little memory as possible: no goroutine and no buffer. Those with the same
// number share a feed.
func (w *liveWire) rawSubscriber(b *testing.B, number int) net.Conn {
	c := must.Do(net.Dial("tcp", strings.TrimPrefix(w.url, "http://")))(b)
	must.OK(b, c.SetDeadline(time.Now().Add(time.Hour)))
	fmt.Fprintf(
		c,
		"GET /graphql HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"+
			"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: %s\r\nUser-Agent: Mozilla/5.0 (X11; Linux "+
			"x86_64; rv:145.0) Gecko/20100101 Firefox/145.0\r\n\r\n",
		live.Subprotocol,
	)
	r := bufio.NewReaderSize(c, 16)
	for last := byte(0); ; {
		line, err := r.ReadSlice('\n')
		if err == bufio.ErrBufferFull {
			last = line[len(line)-1]
			continue
		}
		if err != nil {
			b.Fatal(err)
		}
		if len(line) == 2 && last == '\n' {
			break
		}
		last = '\n'
	}
	rawSend(b, c, initMessage)
	rawMessage(b, c)
	rawSend(
		b,
		c,
		fmt.Sprintf(
			`{"id":"3f0c2a52-6d0e-4a0f-9a69-0d6a5d2f4c11","type":"subscribe","payload":{"query":"subscription($n: Int) { ticks(number: $n) }","variables":{"n":%d}}}`,
			number,
		),
	)
	return c
}

// rawSend sends a text frame, masked with zeros.
func rawSend(b *testing.B, c net.Conn, text string) {
	head := []byte{0x81, 0x80 | 126, 0, 0, 0, 0, 0, 0}
	binary.BigEndian.PutUint16(head[2:], uint16(len(text)))
	must.Do(c.Write(append(head, text...)))(b)
}

// rawMessage reads a text frame.
func rawMessage(b *testing.B, c net.Conn) string {
	var head [4]byte
	must.Do(io.ReadFull(c, head[:2]))(b)
	size := int(head[1])
	if size == 126 {
		must.Do(io.ReadFull(c, head[2:]))(b)
		size = int(binary.BigEndian.Uint16(head[2:]))
	}
	text := make([]byte, size)
	must.Do(io.ReadFull(c, text))(b)
	if strings.Contains(string(text), `"type":"ping"`) {
		return rawMessage(b, c)
	}
	return string(text)
}
