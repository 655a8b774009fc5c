//go:build linux

package process

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/globalid"
	"agora/internal/store"
	"agora/internal/test/must"
	"agora/internal/test/site"
	"agora/internal/test/testlevel"
)

const (
	// attackMemory is the maximum memory of the server process, in bytes, whatever it is sent.
	attackMemory = 320 << 20
	// attackedLate is how long the slowest answer to a bystander may take.
	attackedLate = 3 * time.Second
)

// attackSite is a process of the server with default limits behind a proxy, so that every request names its address,
// and a site with the longest texts.
type attackSite struct {
	*killSite
	server *child
	url    string
	store  *store.Store
	topic  forum.TopicID
	ids    []string // of 400 comments of the maximum length
	emoji  string   // the comment with the most bytes
}

// attack is one attack on the site.
type attack struct {
	*attackSite
	t         *testing.T
	sent, got atomic.Int64 // bytes of bodies
}

func startAttackSite(t *testing.T) *attackSite {
	t.Helper()
	s := &attackSite{killSite: startKillSite(t, asUsual)}
	cmd := childCommand(t, s.kind, "serve", "--addr", s.addrs[0], "--trusted-proxies", "127.0.0.1")
	cmd.Env = append(cmd.Env, "REDIS_URL="+s.redisURL)
	s.server = s.run(cmd, s.addrs[0])
	s.await(s.server)
	s.url = "http://" + s.server.addr + "/graphql"
	var err error
	if s.store, err = store.Open(t.Context(), store.Over(s.redis), store.Layout{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.store.Close)
	s.furnish()
	return s
}

// furnish writes the members ann and ben, and ann's topic with the texts.
func (s *attackSite) furnish() {
	s.t.Helper()
	ctx := s.t.Context()
	to, in := site.On(s.t, s.store), site.Account("ann")
	in.PasswordHash = must.Do(auth.NewHasher(1).Hash(ctx, "correct horse"))(s.t)
	ann := &forum.Viewer{ID: must.Do(s.store.Accounts.Register(ctx, in))(s.t), Role: forum.RoleUser}
	s.topic = to.Titled(ann, 0, "t")
	comment := func(text string) string {
		id := to.Say(ann, s.topic, text)
		return globalid.New(globalid.Comment, strconv.FormatInt(int64(id), 10))
	}
	for i := range 400 {
		s.ids = append(s.ids, comment(strings.Repeat("[中](中", forum.MaxContent/5-5)+strconv.Itoa(i)))
	}
	s.emoji = comment(strings.Repeat("😀", forum.MaxContent))
}

// memory returns the maximum memory of the process since forget, in bytes.
func (s *attackSite) memory() int64 {
	s.t.Helper()
	text := must.Do(os.ReadFile(fmt.Sprintf("/proc/%d/status", s.server.cmd.Process.Pid)))(s.t)
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	kB := must.Do(strconv.ParseInt(strings.Fields(rest)[0], 10, 64))(s.t)
	return kB << 10
}

// forget resets the result of memory.
func (s *attackSite) forget() {
	s.t.Helper()
	must.OK(s.t, os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", s.server.cmd.Process.Pid), []byte("5"), 0))
}

// cpu returns the CPU time that the process has used.
func (s *attackSite) cpu() time.Duration {
	s.t.Helper()
	text := must.Do(os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.server.cmd.Process.Pid)))(s.t)
	_, rest, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(rest)
	user, err1 := strconv.ParseInt(fields[11], 10, 64)
	system, err2 := strconv.ParseInt(fields[12], 10, 64)
	if err1 != nil || err2 != nil {
		s.t.Fatal(err1, err2)
	}
	return time.Duration(user+system) * 10 * time.Millisecond // in ticks of 100 Hz
}

// ask posts a document from an address. It returns the status and code of the answer, or why there is none.
func (a *attack) ask(ctx context.Context, address, document string) (int, string) {
	body, err := json.Marshal(map[string]string{"query": document})
	if err != nil {
		return 0, err.Error()
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, a.url, bytes.NewReader(body))
	if err != nil {
		return 0, err.Error()
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-Forwarded-For", address)
	a.sent.Add(int64(len(body)))
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, "no answer"
	}
	defer resp.Body.Close()
	var head bytes.Buffer
	n, err := io.Copy(&head, io.LimitReader(resp.Body, 1000))
	if err == nil {
		var more int64
		more, err = io.Copy(io.Discard, resp.Body)
		n += more
	}
	a.got.Add(n)
	if err != nil {
		return resp.StatusCode, "cut off"
	}
	_, rest, _ := strings.Cut(head.String(), `"code":"`)
	code, _, _ := strings.Cut(rest, `"`)
	return resp.StatusCode, code
}

// dial opens a connection that ends with the test.
func (a *attack) dial() net.Conn {
	a.t.Helper()
	c := must.Do(net.Dial("tcp", a.server.addr))(a.t)
	a.t.Cleanup(func() { c.Close() })
	return c
}

// canary reads a page from other addresses, repeatedly, until stop is closed.
type canary struct {
	asked, refused int
	slowest        time.Duration
	failure        string
}

func (a *attack) canary(stop <-chan struct{}) (c canary) {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for n := 0; ; n++ {
		start := time.Now()
		address := fmt.Sprintf("198.51.100.%d", 1+n%200)
		status, code := a.ask(
			context.Background(),
			address,
			"{ front { topics(first: 10) { nodes { title author { login } } } } }",
		)
		c.asked++
		c.slowest = max(c.slowest, time.Since(start))
		if status != http.StatusOK || code != "" {
			c.refused++
			c.failure = fmt.Sprintf("status %d, %s", status, code)
		}
		select {
		case <-stop:
			return c
		case <-tick.C:
		}
	}
}

// TestAttackOnProcess attacks a process of the server with default limits as an adversary would. The process stays
// below attackMemory, and answers others at the same time.
func TestAttackOnProcess(t *testing.T) {
	testlevel.LongWithoutRace(t)
	s := startAttackSite(t)
	for _, row := range attackRows {
		t.Run(row.name, func(t *testing.T) {
			a := &attack{attackSite: s, t: t}
			a.endure(row.run)
		})
	}
}

// endure runs one attack together with the canary.
func (a *attack) endure(run func(*attack) string) {
	a.t.Helper()
	a.forget()
	start, cpu := time.Now(), a.cpu()
	var seen canary
	var all sync.WaitGroup
	stop := make(chan struct{})
	all.Go(func() { seen = a.canary(stop) }) // ends by stop
	found := run(a)
	close(stop)
	all.Wait()
	a.t.Logf("sent %d kB, got %d kB, %v, CPU %v, memory %d MB; a bystander: %d of %d answered, the slowest after %v; %s",
		a.sent.Load()>>10, a.got.Load()>>10, time.Since(start).Round(time.Millisecond), a.cpu()-cpu, a.memory()>>20,
		seen.asked-seen.refused, seen.asked, seen.slowest.Round(time.Millisecond), found)
	if most := a.memory(); most > attackMemory {
		a.t.Errorf("the process had %d MB in memory; want at most %d", most>>20, attackMemory>>20)
	}
	if seen.refused > 0 || seen.slowest > attackedLate {
		a.t.Errorf("of %d calls of a bystander %d were refused (%s), and one took %v; want all answered within %v",
			seen.asked, seen.refused, seen.failure, seen.slowest, attackedLate)
	}
}
