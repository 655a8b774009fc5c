//go:build linux

package floods

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"

	"agora/internal/test/wait"
)

const (
	// frontPage is what the canary asks for.
	frontPage = `{ front { topics(first: 20) { nodes { id title author { login } category { name } votes { up down net } ` +
		`commentCount comments(first: 5) { nodes { content author { login } } } } } } }`
	// canaryAddress is the address of the canary.
	canaryAddress = "127.9.9.9"
	// canaryEvery is the time between its requests.
	canaryEvery = 50 * time.Millisecond
	// canaryPatience is how long it waits for an answer.
	canaryPatience = 20 * time.Second
)

// canary asks a server for the front page, on connections of its own.
type canary struct {
	url    string
	body   []byte
	client http.Client
}

func newCanary(addr string) *canary {
	body, err := json.Marshal(map[string]string{"query": frontPage})
	if err != nil {
		panic(err)
	}
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(canaryAddress)}}
	return &canary{url: "http://" + addr + "/graphql", body: body, client: http.Client{Timeout: canaryPatience,
		Transport: &http.Transport{DialContext: dialer.DialContext, MaxIdleConnsPerHost: 1000, DisableCompression: true}}}
}

// ask asks once, and returns the answer if it is whole.
func (c *canary) ask() ([]byte, error) {
	r, err := http.NewRequest(http.MethodPost, c.url, bytes.NewReader(c.body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	resp, err := c.client.Do(r)
	if err != nil {
		return nil, errors.New("no answer")
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	switch {
	case err != nil:
		return nil, err
	case resp.StatusCode != http.StatusOK:
		return nil, fmt.Errorf("status %d %s", resp.StatusCode, codeIn(text))
	case bytes.Contains(text, []byte(`"missing":`)):
		return nil, errMissing
	case bytes.Contains(text, []byte(`"errors":`)):
		return nil, fmt.Errorf("error %s", codeIn(text))
	}
	return text, nil
}

// errMissing is the failure of an answer that lacks rows, or has others.
var errMissing = errors.New("rows are missing")

// codeIn returns the code of the first error in an answer; "" for none.
func codeIn(answer []byte) string {
	_, rest, _ := bytes.Cut(answer, []byte(`"code":"`))
	code, _, _ := bytes.Cut(rest, []byte(`"`))
	return string(code)
}

// seen is what a canary has seen: how long answers took, from the time at which the request was due.
type seen struct {
	took          []time.Duration // sorted
	failed, lacks int
	failure       string // one of them
}

// at returns the time within which a share of the requests was answered.
func (s seen) at(share float64) time.Duration {
	if len(s.took) == 0 {
		return 0
	}
	return s.took[max(0, int(math.Ceil(share*float64(len(s.took))))-1)]
}

// watch asks regularly for some time, whether or not earlier requests are answered, and waits for all answers, which
// must be want.
func (c *canary) watch(life time.Duration, want []byte) (s seen) {
	var mu sync.Mutex
	var all sync.WaitGroup
	defer c.client.CloseIdleConnections()
	began := time.Now()
	for n := range int(life / canaryEvery) {
		due := began.Add(time.Duration(n) * canaryEvery)
		wait.Pause(context.Background(), time.Until(due))
		all.Go(func() { // ends with the answer, after canaryPatience at the latest
			text, err := c.ask()
			took := time.Since(due)
			if err == nil && !bytes.Equal(text, want) {
				err = errMissing
			}
			mu.Lock()
			defer mu.Unlock()
			s.took = append(s.took, took)
			switch err {
			case nil:
			case errMissing:
				s.lacks++
			default:
				s.failed++
				s.failure = err.Error()
			}
		})
	}
	all.Wait()
	slices.Sort(s.took)
	return s
}
