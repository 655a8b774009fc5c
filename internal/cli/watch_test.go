package cli

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"agora/internal/test/testlevel"
)

// watchSite is a server with a topic, and a client that posts replies on it.
type watchSite struct {
	started
	token  string
	number string // of the topic
	topic  string // its id
}

func newWatchSite(t *testing.T) *watchSite {
	t.Helper()
	s, env := userSite(t)
	w := &watchSite{started: s}
	command(t, env, "user", "create", "--generate", "--role", "ADMIN", "boss")
	made := s.post(
		t,
		"",
		`mutation{register(input:{login:"ann",email:"ann@example.com",password:"a good password"}){token}}`,
	)
	w.token = regexp.MustCompile(`"token":"([^"]+)"`).FindStringSubmatch(made)[1]
	command(t, env, "user", "set-role", "ann", "ADMIN")
	s.post(t, w.token, `mutation{createCategory(input:{name:"Go"}){errors{code}}}`)
	w.topic, w.number = w.createTopic(t, "Watched")
	return w
}

func (w *watchSite) createTopic(t *testing.T, title string) (id, number string) {
	t.Helper()
	got := w.post(
		t,
		w.token,
		fmt.Sprintf(
			`mutation{createTopic(input:{title:%q,content:"…",category:{name:"Go"}}){topic{id number} errors{code}}}`,
			title,
		),
	)
	m := regexp.MustCompile(`"id":"([^"]+)","number":(\d+)`).FindStringSubmatch(got)
	if m == nil {
		t.Fatalf("createTopic answers %s", got)
	}
	return m[1], m[2]
}

func (w *watchSite) reply(t *testing.T, topic, text string) {
	t.Helper()
	got := w.post(
		t,
		w.token,
		fmt.Sprintf(`mutation{createComment(input:{topicId:%q,content:%q}){comment{number} errors{code}}}`, topic, text),
	)
	if !strings.Contains(got, `"errors":[]`) {
		t.Fatalf("createComment answers %s", got)
	}
}

func TestWatchResumes(t *testing.T) {
	testlevel.Usual(t)
	site := newWatchSite(t)
	site.reply(t, site.topic, "of before")
	for _, topic := range []string{site.number, site.topic, ""} {
		p := newProxy(t, site.url)
		w := startWatch(t, "http://"+p.Addr().String(), topic)
		cut := func(during func()) {
			t.Helper()
			p.cut()
			w.reports("was lost")
			if d := <-w.cut; d < 500*time.Millisecond || d > time.Second {
				t.Errorf("watch waits %s after a cut; want a second at most", d)
			}
			during()
			w.again <- struct{}{}
		}
		w.reports("Watching")
		cut(func() {
			site.reply(t, site.topic, "missed 1")
			site.reply(t, site.topic, "missed 2")
		})
		w.wants("ann  missed 1", "ann  missed 2")
		w.reports("Watching")
		site.reply(t, site.topic, "seen")
		w.wants("Watched  ann  seen")
		cut(func() {
			site.reply(t, site.topic, "missed 3")
			site.reply(t, site.topic, "missed 4")
		})
		w.reports("Watching")
		w.wants("ann  missed 3", "ann  missed 4")
		site.reply(t, site.topic, "last")
		w.wants("ann  last")
		if err := w.stop(); err != nil {
			t.Errorf("watch ends with %v", err)
		}
	}
}

// All topics are watched if none is named, including new ones.
func TestWatchShowsAllTopics(t *testing.T) {
	testlevel.Usual(t)
	site := newWatchSite(t)
	w := startWatch(t, site.url, "")
	w.reports("Watching all topics")
	id, _ := site.createTopic(t, "Another one")
	w.wants("Another one  ann  (new topic)")
	site.reply(t, id, "two\nlines")
	w.wants("Another one  ann  two lines")
	site.reply(t, site.topic, "here")
	w.wants("Watched  ann  here")
}

// The command itself, with one clear error for each possible mistake.
func TestWatchRefusals(t *testing.T) {
	site := newWatchSite(t)
	other := httptest.NewServer(http.NotFoundHandler())
	defer other.Close()
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	silent.Close()
	tests := []struct {
		env  map[string]string
		args []string
		want string
	}{
		{
			nil,
			[]string{"--url", "http://" + silent.Addr().String()},
			"no server answers at http://" + silent.Addr().String() + "/graphql",
		},
		{nil, []string{"--url", other.URL}, "answered 404"},
		{nil, []string{"--url", "localhost:8080"}, "is not a server's address"},
		{nil, []string{"--url", "ftp://localhost"}, "is not a server's address"},
		{map[string]string{"AGORA_URL": site.url}, []string{"--topic", "1"}, "topic 1 not found"},
		{nil, []string{"--url", site.url, "--topic", "nonsense"}, "This is not an id"},
		{nil, []string{"--url", site.url, "--token", "agora_1_wrong"}, "does not accept the token"},
		{
			map[string]string{"AGORA_TOKEN": "agora_1_wrong"},
			[]string{"--url", site.url + "/graphql"},
			"does not accept the token",
		},
		{nil, []string{"17"}, "watch takes flags only"},
	}
	for _, tt := range tests {
		err := run(
			t.Context(),
			append([]string{"agora", "watch"}, tt.args...),
			environment(tt.env),
			strings.NewReader(""),
			io.Discard,
			io.Discard,
		)
		if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("agora watch %s: %v; want one line with %q", strings.Join(tt.args, " "), err, tt.want)
		}
	}
	if out := command(t, nil, "watch", "--help"); !strings.Contains(out, "agora watch --topic 131853") {
		t.Errorf("the help has no example: %s", out)
	}
}

// A session that ends while it is watched ends the watcher, with 4401.
func TestWatchEndsWithItsSession(t *testing.T) {
	site := newWatchSite(t)
	out, in := io.Pipe()
	ended := make(chan error, 1)
	go func() { // ends with the session
		ended <- run(t.Context(), []string{"agora", "watch", "--url", site.url, "--token", site.token, "--topic",
			site.number},
			environment(nil), strings.NewReader(""), in, in)
		in.Close()
	}()
	lines := bufio.NewScanner(out)
	if !lines.Scan() || !strings.Contains(lines.Text(), "Watching topic") {
		t.Fatalf("watch shows %q; want that it watches", lines.Text())
	}
	site.reply(t, site.topic, "hello")
	if !lines.Scan() || !strings.HasSuffix(lines.Text(), "ann  hello") {
		t.Fatalf("watch shows %q; want the reply", lines.Text())
	}
	if got := site.post(t, site.token, `mutation{logout(input:{}){errors{code}}}`); !strings.Contains(got, `"errors":[]`) {
		t.Fatalf("logout answers %s", got)
	}
	if err := <-ended; err == nil || !strings.Contains(err.Error(), "4401") {
		t.Errorf("watch ends with %v; want 4401", err)
	}
}

// Events that the server no longer has are reported in a line, and the watcher continues from there.
func TestWatchReportsReset(t *testing.T) {
	testlevel.Usual(t)
	site := newWatchSite(t)
	w := startWatch(t, site.url, site.number, func(w *watcher) {
		w.show = feedShown{id: site.topic, after: "of another site", seen: map[string]int{site.topic: 7}}
	})
	w.wants("--- more was missed than the server keeps")
	w.reports("Watching topic")
	site.reply(t, site.topic, "first")
	w.wants("ann  first")
}

func TestWatchAppliesEvents(t *testing.T) {
	var out strings.Builder
	w := &watcher{out: &out, width: func() int { return 0 }}
	w.show.seen = map[string]int{"T": 3}
	for _, tt := range []struct {
		payload string
		want    error
		after   string
	}{
		{`{"data":{"event":{"eventId":"a","kind":"ADDED","comment":{"number":3,"content":"known","topic":{"id":"T"}}}}}`, nil,
			"a"},
		{`{"data":{"event":{"eventId":"b","kind":"REMOVED","edge":null}}}`, nil, "b"},
		{`{"data":{"event":{"eventId":"c","kind":"RESET","comment":null}}}`, errReset, "c"},
	} {
		if err := w.event(socketMessage{Type: "next", Payload: []byte(tt.payload)}); err != tt.want ||
			w.show.after != tt.after ||
			out.Len() > 0 {
			t.Errorf(
				"%s gives %v, after %s, and shows %q; want %v, %s and nothing",
				tt.payload,
				err,
				w.show.after,
				out.String(),
				tt.want,
				tt.after,
			)
		}
	}
	if err := errorOf([]answerError{{Extensions: struct {
		Code string `json:"code"`
	}{"CURSOR_INVALID"}}}); err != errReset {
		t.Errorf("a position of other data gives %v; want a reset", err)
	}
}

func TestPausesGrow(t *testing.T) {
	for attempts, longest := range []time.Duration{1, 2, 4, 8, 16, 30, 30, 30} {
		for range 50 {
			if got := pauseAfter(attempts); got > longest*time.Second || got < longest*time.Second/2 {
				t.Errorf("pauseAfter(%d) = %s; want up to %d s, and half of it at least", attempts, got, longest)
			}
		}
	}
}
