package objects

import (
	"context"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/store/catalogue"
	"agora/internal/store/internal/key"
)

const (
	// proofEvery is how often a proof is asked for, proofTime how long asking may take.
	proofEvery, proofTime = 250 * time.Millisecond, time.Second
	// silence is how long a connection is kept on which no proof arrives.
	silence = 2 * time.Second
	// again is the pause before the channel is subscribed to again.
	again = 100 * time.Millisecond
)

// Run listens for changes of what a cache keeps until ctx is done. It is not a method: see pipeline.Client. Whenever the connection fails, everything is dropped.
//
// The proof that nothing is missing is a message that Run publishes to a channel of its own, by the client that also
// reads objects, and receives on the connection on which it hears of changes. Redis delivers messages in the order in
// which they were published. So when the proof arrives, all changes have been heard that were made before it was sent,
// by whatever the client takes for Redis. PING on the connection would prove that of its own server only.
func Run(ctx context.Context, c *Cache, rdb redis.UniversalClient) {
	for ctx.Err() == nil {
		listen(ctx, c, rdb)
		c.end()
		select {
		case <-ctx.Done():
		case <-time.After(again):
		}
	}
}

// listen hears of changes until the connection fails.
func listen(ctx context.Context, c *Cache, rdb redis.UniversalClient) {
	ctx, end := context.WithCancel(ctx)
	ps := rdb.Subscribe(ctx)
	var proving sync.WaitGroup
	proving.Go(func() { // ends with ctx, or when no proof arrives
		defer func() { _ = ps.Close() }() // so that Receive fails; the connection is of no more use
		c.ask(ctx, rdb)
	})
	defer proving.Wait()
	defer end()
	if ps.PSubscribe(ctx, key.ChangesChannels) != nil || ps.Subscribe(ctx, c.own) != nil {
		return
	}
	for confirmed := 0; ; {
		m, err := ps.Receive(ctx)
		if err != nil {
			return
		}
		switch m := m.(type) {
		case *redis.Subscription:
			switch confirmed++; confirmed {
			case 1: // of a pattern and a channel
			case 2:
				c.begin()
			default: // the client has connected again by itself: messages may be missing
				return
			}
		case *redis.Message:
			if !c.hear(m.Channel, m.Payload) {
				return
			}
		}
	}
}

// ask publishes proofs until ctx is done, or none has arrived for some time.
func (c *Cache) ask(ctx context.Context, rdb redis.Cmdable) {
	tick := time.NewTicker(proofEvery)
	defer tick.Stop()
	begun := c.now()
	for {
		sent := c.now()
		if sent.Sub(begun) > silence && !c.provenSince(sent.Add(-silence)) {
			return
		}
		one, end := context.WithTimeout(ctx, proofTime)
		// A failure means that no proof arrives.
		if channel, message := c.Proof(); channel != "" {
			_ = rdb.Publish(one, channel, message).Err()
		}
		end()
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

func (c *Cache) provenSince(t time.Time) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.proven.After(t)
}

// hear takes a message of a channel: a proof, with when it was sent, or what has changed in a slot. It reports whether it
// understood.
func (c *Cache) hear(channel, text string) bool {
	if channel == c.own {
		since, err := strconv.ParseInt(text, 10, 64)
		c.prove(c.began.Add(time.Duration(since)))
		return err == nil
	}
	understood := true
	for object, change := range catalogue.ChangesIn(text) {
		if catalogue.IsQuiet(change) {
			continue
		}
		n, ok := nameOf(key.SlotPrefix(channel) + object)
		if ok && n.Kind != 0 {
			c.drop(n)
		}
		understood = understood && ok
	}
	return understood
}

// nameOf returns the name of the object with a key; its kind is 0 if none such is kept.
func nameOf(k string) (Name, bool) {
	var kind Kind
	number, ok := strings.CutPrefix(k, key.CategoryPrefix)
	if ok {
		kind = Category
	} else if number, ok = strings.CutPrefix(k, key.TabPrefix); ok {
		kind = Tab
	} else if id := key.TagOf(k); id != 0 {
		return Name{Tag, int64(id)}, true
	} else {
		_, rest, _ := strings.Cut(k, "}:")
		var letter string
		letter, number, _ = strings.Cut(rest, ":")
		switch letter {
		case "u":
			kind = User
		case "t":
			kind = Topic
		case "c":
			kind = Comment
		case "m", "r": // acts, and reports on posts
			return Name{}, true
		}
	}
	id, err := strconv.ParseInt(number, 10, 64)
	return Name{kind, id}, err == nil && kind != 0
}
