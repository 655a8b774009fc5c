package event

import (
	"context"
	"flag"
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"agora/internal/forum"
	"agora/internal/store/listing"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
	"agora/internal/test/testlevel"
	_ "agora/internal/test/testseed"
)

// logModel is a log, a plain model of it, and subscribers.
type logModel struct {
	s      *site // the connections of its hub are cut
	wire   *redistest.Wire
	log    listing.Log
	scope  string
	stream bool
	write  func(t *rapid.T) string // creates an entry, and returns its name

	entries []string
	losses  int
	subs    []*reader
	ids     []bookmark
	counts  map[string]int
}

// bookmark is the id of an event to resume from.
type bookmark struct {
	id     string
	at     int // number of entries up to it; -1 if unknown
	losses int
}

// reader is a subscriber with its known position.
type reader struct {
	sub *Sub
	at  int // number of entries seen; -1 if unknown
	// mayReset reports that more was missed than is stored; losses is how often entries had been
	// lost.
	mayReset bool
	losses   int
}

func (w *logModel) name(e Event) string { return fmt.Sprint(e.Kind, e.Entry.ID) }

// see compares events with the model.
func (w *logModel) see(t *rapid.T, r *reader, events []Event) {
	for _, e := range events {
		switch {
		case e.Kind == forum.EventReset:
			// The hub may detect a loss after a subscriber has detected it.
			twice := r.at < 0 && w.losses > 0
			// A stream does not keep more for slow readers.
			slow := w.stream && len(w.entries)-r.at > forum.StreamLength
			if !r.mayReset && r.losses == w.losses && !twice && !slow {
				t.Fatalf("RESET at %d of %d entries, of which none was lost", r.at, len(w.entries))
			}
			w.counts["resets"]++
			r.at, r.mayReset, r.losses = -1, false, w.losses
		case e.Kind == "": // the beginning of a stream
		default:
			next := r.at
			if r.at < 0 || r.losses < w.losses { // at an unknown position, but never back
				for next = max(r.at, 0); next < len(w.entries) && w.entries[next] != w.name(e); next++ {
				}
			}
			if next >= len(w.entries) || w.entries[next] != w.name(e) {
				t.Fatalf("event %s after %d of %v; losses %d, %d", w.name(e), r.at, w.entries, r.losses, w.losses)
			}
			r.at = next + 1
			w.counts["events"]++
		}
		w.ids = append(w.ids, bookmark{e.ID, r.at, r.losses})
	}
}

func (w *logModel) next(t *rapid.T, r *reader) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	events, err := r.sub.Next(ctx)
	if err != nil {
		t.Fatalf("at %d of %d entries: %v", r.at, len(w.entries), err)
	}
	w.see(t, r, events)
}

func (w *logModel) post(t *rapid.T) { w.entries = append(w.entries, w.write(t)) }

func (w *logModel) subscribe(t *rapid.T, from *bookmark) {
	var after *string
	r := &reader{at: -1, losses: w.losses}
	if from != nil {
		after = &from.id
		r.at, r.losses = from.at, from.losses
		r.mayReset = from.at < 0 || len(w.entries)-from.at > forum.StreamLength
		w.counts["resumes"]++
	}
	var err error
	if r.sub, err = w.s.hub.Subscribe(context.Background(),
		Stream{Scope: w.scope, Logs: []listing.Log{w.log}}, after); err != nil {
		t.Fatalf("Subscribe: %v", err)
	}
	w.subs = append(w.subs, r)
}

// drain makes all subscribers read to the end. After a RESET, only a later entry determines the
// position.
func (w *logModel) drain(t *rapid.T) {
	w.post(t)
	for again := true; again; {
		again = false
		for _, r := range w.subs {
			for r.at < len(w.entries) {
				resets := w.counts["resets"]
				w.next(t, r)
				if w.counts["resets"] > resets {
					w.post(t)
					again = true
				}
			}
		}
	}
}

func (w *logModel) close() {
	for _, r := range w.subs {
		r.sub.Close()
	}
}

// lose removes entries without notifying the hub.
func (w *logModel) lose(t *rapid.T) {
	ctx, rdb := context.Background(), w.s.redis
	w.losses++
	w.counts["losses"]++
	key := w.log.Name()
	if !w.stream {
		rdb.ZRemRangeByRank(ctx, key, -1, -1)
		w.s.announce(w.log)
		return
	}
	if rapid.Bool().Draw(t, "all") {
		last := w.subs[0].sub.at[0].Major
		for rdb.Time(ctx).Val().UnixMilli() <= last { // otherwise it would begin with a known id
		}
		rdb.Del(ctx, key)
		w.s.hub.watchAll(ctx)
		return
	}
	rdb.XTrimMaxLen(ctx, key, 1)
}

// run executes random steps.
func (w *logModel) run(t *rapid.T) {
	defer w.close()
	w.subscribe(t, nil)
	w.drain(t)
	for range rapid.IntRange(1, 15).Draw(t, "steps") {
		switch rapid.SampledFrom([]string{"post", "post", "post", "read", "read", "subscribe", "resume", "resume", "cut",
			"cut", "close", "flood", "lose"}).Draw(t, "step") {
		case "post":
			for range rapid.IntRange(1, 4).Draw(t, "posts") {
				w.post(t)
			}
		case "read":
			r := w.subs[rapid.IntRange(0, len(w.subs)-1).Draw(t, "reader")]
			if r.at >= 0 && r.at < len(w.entries) && r.losses == w.losses {
				w.next(t, r)
			}
		case "subscribe":
			w.subscribe(t, nil)
		case "resume":
			w.subscribe(t, &w.ids[rapid.IntRange(0, len(w.ids)-1).Draw(t, "after")])
		case "cut":
			w.counts["cuts"] += w.wire.CutListeners()
		case "close":
			i := rapid.IntRange(0, len(w.subs)-1).Draw(t, "closed")
			w.subs[i].sub.Close()
			w.subs = append(w.subs[:i:i], w.subs[i+1:]...)
			if len(w.subs) == 0 {
				w.subscribe(t, nil)
			}
		case "flood":
			if rapid.IntRange(0, 9).Draw(t, "rarely") == 0 {
				for range forum.StreamLength - 3 + rapid.IntRange(0, 6).Draw(t, "more") {
					w.post(t)
				}
			}
		case "lose":
			if rapid.IntRange(0, 4).Draw(t, "now and then") == 0 {
				w.drain(t)
				w.lose(t)
			}
		}
	}
	w.drain(t)
}

// fewChecks makes a random test run 30 checks if nothing else is said, because each takes longer than those of other
// tests.
func fewChecks(t *testing.T) {
	checks := flag.Lookup("rapid.checks").Value
	if was := checks.String(); was == "100" {
		checks.Set("30")
		t.Cleanup(func() { checks.Set(was) })
	}
}

// Whatever happens to connections and data, each subscriber sees each entry once, in order, or gets
// a RESET.
func TestSubscribersAgreeWithModel(t *testing.T) {
	testlevel.Usual(t)
	for _, stream := range []bool{false, true} {
		t.Run(map[bool]string{false: "comments", true: "stream"}[stream], func(t *testing.T) {
			fewChecks(t)
			s := newSite(t)
			var wire redistest.Wire
			cut := s.over(&wire)
			counts := map[string]int{}
			rapid.Check(t, func(t *rapid.T) {
				w := &logModel{s: cut, wire: &wire, counts: counts, stream: stream}
				if stream {
					w.ofCategory()
				} else {
					w.ofComments()
				}
				w.run(t)
			})
			t.Logf("%v", counts)
		})
	}
}

// ofComments makes the log the comments of a new topic.
func (w *logModel) ofComments() {
	topic := w.s.post("topic")
	w.log, w.scope = listing.CommentLog(topic), fmt.Sprint("comments ", topic)
	writer := *w.s
	writer.topic = topic
	w.write = func(t *rapid.T) string {
		id := writer.reply("reply")
		if rapid.IntRange(0, 9).Draw(t, "deleted") == 0 { // no event
			must.OK(t, writer.Posts.DeleteComment(context.Background(), writer.ann, id))
		}
		return fmt.Sprint(forum.EventAdded, id)
	}
}

// ofCategory makes the log the topics of a new category.
func (w *logModel) ofCategory() {
	id := w.s.Category(fmt.Sprint("category ", time.Now().UnixNano()))
	of := forum.Timeline{Kind: forum.CategoryTimeline, Owner: int64(id), Order: forum.ByCreated}
	w.log, w.scope = listing.TimelineLogs(of, nil, nil)[0], fmt.Sprint("category ", id)
	var there []forum.TopicID
	w.write = func(t *rapid.T) string {
		if len(there) > 0 && rapid.IntRange(0, 9).Draw(t, "goes") == 0 {
			removed := there[0]
			there = there[1:]
			must.OK(t, w.s.Posts.DeleteTopic(context.Background(), w.s.ann, removed))
			return fmt.Sprint(forum.EventRemoved, removed)
		}
		topic := w.s.postIn(id)
		there = append(there, topic)
		return fmt.Sprint(forum.EventAdded, topic)
	}
}
