package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/url"
	"os"
	"strings"
	"time"

	"golang.org/x/term"
)

// watch shows replies of a running server, until ctx is done.
func (p program) watch(ctx context.Context, c watchOptions) error {
	address, err := socketAddress(c.URL)
	if err != nil {
		return err
	}
	w := &watcher{
		server:  oneLine(c.URL),
		address: address,
		token:   c.Token,
		topic:   c.Topic,
		out:     p.stdout,
		notes:   p.stderr,
		width:   widthOf(p.stdout),
		pause:   pause,
	}
	return w.run(ctx)
}

// socketAddress returns the URL of a server's socket.
func socketAddress(server string) (string, error) {
	u, err := url.Parse(server)
	schemes := map[string]string{"http": "ws", "https": "wss", "ws": "ws", "wss": "wss"}
	if err != nil || u.Host == "" || schemes[u.Scheme] == "" {
		return "", fmt.Errorf("--url: %q is not a server's address, such as http://localhost:8080", server)
	}
	u.Scheme = schemes[u.Scheme]
	if path := strings.TrimSuffix(u.Path, "/"); strings.HasSuffix(path, "/graphql") {
		u.Path = path
	} else {
		u.Path = path + "/graphql"
	}
	return u.String(), nil
}

// widthOf returns a function that returns the present width of a terminal; 0 means no terminal, and no limit.
func widthOf(out io.Writer) func() int {
	f, ok := out.(*os.File)
	return func() int {
		if !ok {
			return 0
		}
		width, _, err := term.GetSize(int(f.Fd()))
		if err != nil {
			return 0
		}
		return width
	}
}

// pause waits, or returns an error if ctx is done first.
func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// longestPause is the longest time between two attempts to connect.
const longestPause = 30 * time.Second

// pauseAfter returns how long to wait after a number of failed attempts: 1, 2, 4, … seconds, minus a random part of
// up to a half, so that not all clients of a server reconnect at the same moment.
func pauseAfter(attempts int) time.Duration {
	d := min(time.Second<<min(attempts, 10), longestPause)
	return d - rand.N(d/2)
}

// watcher shows replies as they arrive.
type watcher struct {
	server, address, token, topic string
	out, notes                    io.Writer
	width                         func() int
	pause                         func(context.Context, time.Duration) error

	begun bool // it has been connected before
	show  feedShown
}

// final is an error after which another attempt would be useless.
type final struct{ error }

// errReset reports that the server no longer has the missed events.
var errReset = errors.New("more was missed than the server keeps")

// run connects again and again until ctx is done, or the error is final.
func (w *watcher) run(ctx context.Context) error {
	for attempts := 0; ; attempts++ {
		began := time.Now()
		heard, err := w.connected(ctx)
		var end final
		switch {
		case ctx.Err() != nil:
			return nil
		case errors.Is(err, errReset):
			w.show = feedShown{}
			fmt.Fprintln(w.out, "--- more was missed than the server keeps; new replies from now on: ---")
			continue
		case errors.As(err, &end) || !w.begun:
			return err
		}
		if heard || time.Since(began) > longestPause {
			attempts = 0
		}
		wait := pauseAfter(attempts)
		fmt.Fprintf(
			w.notes,
			"The connection was lost (%s). Reconnecting in %s.\n",
			oneLine(err.Error()),
			wait.Round(100*time.Millisecond),
		)
		if w.pause(ctx, wait) != nil {
			return nil
		}
	}
}

// connected connects, and shows replies until the connection ends. heard reports whether anything arrived.
func (w *watcher) connected(ctx context.Context) (heard bool, err error) {
	s, err := openSocket(ctx, w.address, w.token)
	if err != nil {
		return false, err
	}
	defer s.close()
	if err := w.begin(s); err != nil {
		return false, err
	}
	w.begun = true
	return w.follow(s)
}
