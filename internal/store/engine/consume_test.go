package engine_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store/engine"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/test/must"
	"agora/internal/test/testlevel"
	"agora/internal/test/wait"
)

// A consumer is called with what it follows, in order: changes without an entry of their own once, the others each.
func TestConsumerIsCalledWithChanges(t *testing.T) {
	x, r := newChanges(t), &recorder{}
	e := x.process(nil)
	e.OnChange("copy", topics, r.handle)
	a, b, other := topic(1, 7), topic(2, 7), key.Comment(forum.CommentID(3*forum.Partitions+7))
	x.change(a, "CREATED") // before anybody follows: nothing is written
	x.settle(e)
	want(t, "without objects that a sequence has given", r.take(), nil)
	x.change(a, "CREATED")
	x.change(a, "VOTES")
	x.change(b, "TEXT")
	x.change(other, "CREATED") // is of another kind
	x.change(a, "COMMENT")     // is quiet
	x.change(a, "VOTES")
	tick(t, e)
	want(t, "changes", r.take(), []string{a + " CREATED 1", b + " 3", a + " 4"})
	tick(t, e)
	want(t, "again", r.take(), nil)
	if n := x.rdb.Exists(t.Context(), key.Feed("{p07}:")).Val(); n != 0 {
		t.Errorf("%d feeds are left of what all have handled; want none", n)
	}
}

// A change with which a consumer fails is set aside with what follows of its object, and holds up no other; once it is
// handled, nothing is left.
func TestFailingChangeHoldsUpNoOther(t *testing.T) {
	x, r := newChanges(t), &recorder{bad: map[string]bool{topic(150, 7): true}}
	e := x.process(nil)
	e.OnChange("copy", topics, r.handle)
	tick(t, e)
	tick(t, e)
	bad := topic(150, 7)
	for n := range int64(300) {
		x.change(topic(n+1, 7), "CREATED")
	}
	x.change(bad, "VOTES")
	tick(t, e)
	got := r.take()
	if len(got) != 299 || strings.Contains(strings.Join(got, "\n")+"\n", bad+" ") {
		t.Errorf("handled %d changes; want the 299 of other topics", len(got))
	}
	x.change(bad, "STATE")
	last := x.change(bad, "VOTES")
	for range 25 { // it is tried again after 1, 2, 4, … s, and always within 10 min
		x.clock.Advance(10 * time.Minute)
		tick(t, e)
	}
	dead := must.Do(e.ListDeadTasks(t.Context(), 10))(t)
	if len(dead) != 1 || dead[0].Attempts != 26 || *dead[0].Failure != "cannot handle "+bad || dead[0].Subject.Topic == 0 ||
		e.ConsumerStates()[0].Aside != 1 {
		t.Fatalf("dead tasks: %+v; want the topic after 26 attempts", dead)
	}
	r.bad = nil
	if was, err := e.RetryDeadTask(t.Context(), dead[0].Name+"0"); was || err != nil {
		t.Errorf("RetryDeadTask of another object = %t, %v; want false", was, err)
	}
	if was, err := e.RetryDeadTask(t.Context(), dead[0].Name); !was || err != nil {
		t.Errorf("RetryDeadTask(%q) = %t, %v; want true", dead[0].Name, was, err)
	}
	tick(t, e)
	want(t, "the topic", r.take(),
		[]string{bad + " CREATED 150", bad + fmt.Sprint(" STATE ", last-1), bad + fmt.Sprint(" ", last)})
	if n := x.rdb.Exists(t.Context(), key.Aside("{p07}:", "t:copy")).Val(); n != 0 {
		t.Error("something is still set aside")
	}
}

// A consumer that fails with everything waits once it has set aside a hundred objects, and goes on when it works again.
func TestConsumerThatFailsWithEverythingWaits(t *testing.T) {
	x, r := newChanges(t), &recorder{bad: map[string]bool{}}
	e := x.process(nil)
	e.OnChange("copy", topics, r.handle)
	tick(t, e)
	tick(t, e)
	for n := range int64(150) {
		r.bad[topic(n+1, 7)] = true
		x.change(topic(n+1, 7), "CREATED")
	}
	for range 5 {
		tick(t, e)
		x.clock.Advance(15 * time.Second)
	}
	if n := x.rdb.HLen(t.Context(), key.Aside("{p07}:", "t:copy")).Val(); n != 100 {
		t.Errorf("%d objects are set aside; want 100", n)
	}
	if n := x.rdb.ZCard(t.Context(), key.Feed("{p07}:")).Val(); n != 50 {
		t.Errorf("%d changes wait in the feed; want 50", n)
	}
	for _, most := range []int{99, 1000} {
		if n, err := e.RetryDeadTasks(t.Context(), most); n != min(most, 100) || err != nil {
			t.Errorf("RetryDeadTasks(%d) = %d, %v; want all of 100 at most", most, n, err)
		}
	}
	r.bad = nil
	x.settle(e)
	tick(t, e)
	if n := len(r.take()); n != 150 {
		t.Errorf("handled %d changes; want all 150", n)
	}
	if p := e.ConsumerStates()[0]; p.Lag != 0 || p.Aside != 0 || p.Oldest != 0 || p.Failures == 0 {
		t.Errorf("the consumer is at %+v; want nothing left, and its failures", p)
	}
}

// A new consumer walks over all objects of its kinds, and misses nothing that is changed meanwhile.
func TestNewConsumerWalks(t *testing.T) {
	x, r := newChanges(t), &recorder{}
	there := map[string]bool{"{p07}:t:263:case": true, key.Category(2): true, key.Tab(2): true,
		key.Act(forum.MaxID + 3): true, key.Act(forum.MaxSectionActID + 1): true, key.User(519): true,
		key.Comment(775): true, key.Act(1031): true}
	for n := range int64(450) {
		there[topic(10+n, 7)] = true
	}
	for k := range there {
		must.OK(t, x.rdb.HSet(t.Context(), k, "n", 1).Err())
	}
	for k, n := range map[string]int{key.Sequence(7): 459, key.CategorySequence: 2, key.TabSequence: 2,
		key.SectionActSequence: 3, key.SiteActSequence: 1} {
		must.OK(t, x.rdb.Set(t.Context(), k, n, 0).Err())
	}
	e := x.process(nil)
	e.OnChange("copy", all, func(ctx context.Context, some []engine.Change) error {
		if n := len(r.seen); n > 100 && n < 300 { // while it walks
			x.change(topic(10, 7), "STATE")
			x.change(topic(450, 7), "DELETED")
			x.change(topic(1000+int64(n), 7), "CREATED")
			x.rdb.Incr(ctx, key.Sequence(7))
		}
		return r.handle(ctx, some)
	})
	x.settle(e)
	got := map[string]bool{}
	words := map[string]int{}
	for _, c := range r.seen {
		name := strings.TrimPrefix(nameOf(c), "case of ")
		if c.Kind == engine.CaseChanges {
			name += ":case"
		}
		got[name] = true
		words[c.Word]++
	}
	for k := range there {
		if !got[k] {
			t.Errorf("the walk missed %s", k)
		}
	}
	if words["STATE"] == 0 || words["STATE"] != words["DELETED"] || words["STATE"] != words["CREATED"] {
		t.Errorf("the words are %v; want as many of each that was said during the walk", words)
	}
}

// One process at a time has a slot. What a suspended holder began is given to another one after seconds, and it can note
// nothing more: its context ends.
func TestSlotHasOneHolder(t *testing.T) {
	x, second := newChanges(t), &recorder{}
	ticks, began, ended := make(chan time.Time), make(chan struct{}), make(chan struct{})
	first, other := x.process(ticks), x.process(nil)
	first.OnChange("copy", topics, func(ctx context.Context, _ []engine.Change) error {
		close(began)
		<-ctx.Done()
		close(ended)
		return nil
	})
	other.OnChange("copy", topics, second.handle)
	tick(t, first)
	tick(t, first)
	x.change(topic(1, 7), "TEXT")
	must.OK(t, first.Consume(t.Context()))
	<-began
	x.clock.Advance(record.TaskLease*time.Millisecond - time.Millisecond)
	tick(t, other)
	before := x.lease("{p07}:", "copy")
	ticks <- time.Time{}
	wait.Until(t, "the lease is renewed", func() bool { return x.lease("{p07}:", "copy") > before })
	x.clock.Advance(record.TaskLease*time.Millisecond - time.Millisecond)
	tick(t, other)
	want(t, "the second process, while the first holds the slot", second.take(), nil)
	x.clock.Advance(time.Millisecond)
	tick(t, other)
	want(t, "the second process, later", second.take(), []string{topic(1, 7) + " 1"})
	ticks <- time.Time{}
	<-ended
	first.WaitForConsumers()
	x.change(topic(1, 7), "TEXT")
	tick(t, other)
	want(t, "the second process, at last", second.take(), []string{topic(1, 7) + " 2"})
}

// A slow consumer delays no other, and what it has not handled stays.
func TestSlowConsumerDelaysNoOther(t *testing.T) {
	x, fast := newChanges(t), &recorder{}
	begun, end, e := make(chan struct{}, 100), make(chan struct{}), x.process(nil)
	e.OnChange("slow", topics, func(context.Context, []engine.Change) error {
		begun <- struct{}{}
		<-end
		return nil
	})
	calls := make(chan struct{}, 100)
	e.OnChange("fast", topics, func(ctx context.Context, some []engine.Change) error {
		defer func() { calls <- struct{}{} }()
		return fast.handle(ctx, some)
	})
	tick(t, e)
	tick(t, e)
	for n := range int64(3) {
		x.change(topic(n+1, 7), "TEXT")
		wait.Until(t, "the fast consumer is called", func() bool { // its turn before may not have ended
			must.OK(t, e.Consume(t.Context()))
			return len(calls) > int(n)
		})
		want(t, "the fast consumer", fast.take(), []string{topic(n+1, 7) + fmt.Sprint(" ", n+1)})
		x.clock.Advance(10 * time.Second)
	}
	<-begun
	if n := x.rdb.ZCard(t.Context(), key.Feed("{p07}:")).Val(); n != 3 {
		t.Errorf("%d changes are kept; want 3 for the slow consumer", n)
	}
	if p := e.ConsumerStates()[0]; p != (engine.ConsumerState{Name: "slow", Lag: 3, Oldest: 20 * time.Second}) {
		t.Errorf("the slow consumer is at %+v; want it 3 changes and 20 s behind", p)
	}
	close(end)
	x.settle(e)
	if n := x.rdb.ZCard(t.Context(), key.Feed("{p07}:")).Val(); n != 0 {
		t.Errorf("%d changes are left; want none", n)
	}
}

// A consumer that nobody has served for an hour leaves nothing, but one that another process serves stays.
func TestForgottenConsumerLeavesNothing(t *testing.T) {
	testlevel.Usual(t)
	x, r := newChanges(t), &recorder{bad: map[string]bool{topic(1, 7): true}}
	newer, older, none := x.process(nil), x.process(nil), x.process(nil)
	newer.OnChange("copy", topics, r.handle)
	newer.OnChange("added", all, r.handle)
	older.OnChange("copy", topics, r.handle)
	tick(t, newer)
	tick(t, newer)
	x.change(topic(1, 7), "TEXT")
	for range 2 { // hours
		for range 4 {
			x.clock.Advance(15*time.Minute + time.Second)
			tick(t, newer)
		}
		tick(t, older)
		tick(t, none)
	}
	f := x.rdb.HGetAll(t.Context(), key.Consumers("{p07}:")).Val()
	if f["t:copy"] == "" || f["cmrtu:added"] == "" {
		t.Fatalf("followed by %v; want both consumers", f)
	}
	for range 6 {
		x.clock.Advance(15 * time.Minute)
		tick(t, older)
	}
	f = x.rdb.HGetAll(t.Context(), key.Consumers("{p07}:")).Val()
	if f["t:copy"] == "" || f["cmrtu:added"] != "" || f["kinds"] != "t" {
		t.Errorf("followed by %v; want the known consumer only", f)
	}
	x.clock.Advance(2 * time.Hour)
	tick(t, none)
	want(t, "keys at the end", x.left(), nil)
}

// A second registration would replace the first.
func TestSecondRegistrationPanics(t *testing.T) {
	for what, register := range map[string]func(e *engine.Engine){
		"OnChange": func(e *engine.Engine) { e.OnChange("copy", topics, nil) },
		"OnMark":   func(e *engine.Engine) { e.OnMark("t", nil) },
		"OnTask":   func(e *engine.Engine) { e.OnTask(record.TaskHome, nil) },
	} {
		e := engine.New(nil)
		register(e)
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("a second %s of the same does not panic", what)
				}
			}()
			register(e)
		}()
		register(e.Copy()) // has none
	}
}
