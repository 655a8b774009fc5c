package turns

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// slice is how long a turn runs before it offers its processor to others. The more often it changes, the sooner
	// short work is done, but each change costs about a microsecond.
	slice = time.Millisecond
	// overrun is how long a turn runs without an offer before its processor is given to others.
	overrun = 10 * time.Millisecond
	// stuck is after how long that happens whoever waits: the turn may wait for one of them, as for a lock.
	stuck = 100 * time.Millisecond
	// surelyStuck is after how long that happens whatever else of its network runs without a processor.
	surelyStuck = time.Second
	// halfLife is how soon half of the time that a network or user has used no longer counts. The longer it is, the longer
	// one that has used much waits for one that begins to.
	halfLife = 250 * time.Millisecond
	// brief is how much a turn may have used and still be brief, a few times what a page takes. Where only brief turns
	// wait they are served as if briefCredit less had been used: what takes long waits for them, but only so long. Without
	// that, with fifty networks that ask for all they get, one that asks for a page now and then waits like these.
	brief, briefCredit = 3 * time.Millisecond, 20 * time.Millisecond
	// calm is after how long in which no turn has waited turns no longer wait.
	calm = time.Second
	// operations is how many turns there are at a time, operationsEach those of one network while others have some, too,
	// and operationsSpare those that a network may have in any case. The others wait to begin.
	operations, operationsEach, operationsSpare = 64, 16, 2
	// sent is for how many microseconds of Redis's work is sent to it at a time, sentEach that of one network while others
	// have sent some, too, and sentSpare that which a network may send in any case. Redis does one thing at a time: what
	// is sent later waits for all of it.
	sent, sentEach, sentSpare = 8000, 3000, 1000
)

// ErrBusy reports that a network has too much waiting, or that it has waited for too long.
var ErrBusy = errors.New("too many operations of one network are waiting")

// Turns are the turns of a process. It is safe for concurrent use.
type Turns struct {
	Options
	operations, sent *Room
	queued           atomic.Int64 // turns that wait

	mu      sync.Mutex
	since   time.Time // see units
	running []*Turn
	all     share
	ended   []*share    // without turns, remembered for what they have used
	watch   *time.Timer // calls look
	watched bool        // look is to be called soon: turns wait
	overran int
	waited  time.Time // when a turn waited last, until none has for a second; then zero
}

// Options are the settings of Turns.
type Options struct {
	// Processors is how many turns run at a time; 0 is GOMAXPROCS.
	Processors int
	// Patience is how long a turn may wait to begin.
	Patience time.Duration
	// Waiting, if not nil, is called with true when turns have begun to wait, and with false when none has for a second.
	Waiting func(bool)
}

// New returns turns of which none runs.
func New(o Options) *Turns {
	if o.Processors == 0 {
		o.Processors = runtime.GOMAXPROCS(0)
	}
	t := &Turns{
		Options: o, since: time.Now(), operations: NewRoom(operations, operationsEach, operationsSpare),
		sent: NewRoom(sent, sentEach, sentSpare),
	}
	t.watch = time.AfterFunc(overrun, t.look)
	return t
}

// Payer is who pays for a turn.
type Payer struct {
	// Networks are the networks of the address, the widest first. The last one is the address itself.
	Networks []string
	// User is the signed-in user; "" for all who are signed out.
	User string
}

// network returns the name of the widest network.
func (p Payer) network() string {
	if len(p.Networks) == 0 {
		return ""
	}
	return p.Networks[0]
}

// Turn is what one operation has of the processors. One goroutine uses it at a time. A nil Turn waits for nothing.
type Turn struct {
	all *Turns
	// network is the widest network that pays.
	network string
	ready   chan struct{} // receives when it may run
	since   time.Time     // when it began to run, or last offered its processor

	// all.mu guards the following.
	payer   *share // a user's; nil once it has ended
	state   state
	charged time.Time // until when its payer is charged
	granted time.Time // when it got its processor
	used    time.Duration
	started bool // it has run before
	forked  bool // it is not counted among the operations
	kept    bool // it keeps its processor when it offers it: others may wait for what it does
}

// state is what a turn does.
type state byte

const (
	idle  state = iota // it is paused, or has ended
	waits              // it waits for a processor
	runs               // it has a processor
	late               // it runs without one, which was given to others
)

// Begin waits for a processor, and returns a turn, which must be ended. It returns ErrBusy if too many turns of the
// network wait to begin, or this one has waited for too long, and ctx's error if that is done first.
func (t *Turns) Begin(ctx context.Context, who Payer) (*Turn, error) {
	now := time.Now()
	turn := &Turn{all: t, network: who.network()}
	w, err := t.operations.ask(turn.network, 1)
	if err != nil {
		return nil, err
	}
	if w != nil {
		if err := t.admit(ctx, turn.network, w); err != nil {
			return nil, err
		}
	}
	t.mu.Lock()
	turn.payer = t.shareOf(who)
	turn.payer.enter()
	if w == nil && t.starts(turn) {
		t.start(turn, now)
		t.mu.Unlock()
		turn.since = now
		return turn, nil
	}
	turn.queue()
	t.mu.Unlock()
	if !turn.await(ctx) {
		turn.End()
		return nil, ctx.Err()
	}
	return turn, nil
}

// admit waits until another turn of a network may begin.
func (t *Turns) admit(ctx context.Context, network string, w *waiter) error {
	limited, cancel := context.WithTimeoutCause(ctx, t.Patience, ErrBusy)
	defer cancel()
	if err := t.operations.await(limited, network, w); err != nil {
		return context.Cause(limited)
	}
	return nil
}

// Fork returns a paused turn of the same payer, for another goroutine; nil if the turn has ended, and for a nil Turn. It
// must be ended.
func (t *Turn) Fork() *Turn {
	if t == nil {
		return nil
	}
	t.all.mu.Lock()
	defer t.all.mu.Unlock()
	f := &Turn{all: t.all, network: t.network, payer: t.payer, started: true, forked: true}
	if f.payer == nil {
		return nil
	}
	f.payer.enter()
	return f
}

// Charge makes a user of the same network pay from now on.
func (t *Turn) Charge(user string) {
	if t == nil {
		return
	}
	t.all.mu.Lock()
	defer t.all.mu.Unlock()
	if t.payer != nil {
		t.all.move(t, t.payer.up.inside(userPrefix+user))
	}
}

// Lend makes the payer of t pay for another turn, whose work t waits for, if that lets it run sooner.
func (t *Turn) Lend(to *Turn) {
	if t == nil || to == nil {
		return
	}
	t.all.mu.Lock()
	defer t.all.mu.Unlock()
	if t.payer == nil || to.payer == nil {
		return
	}
	if mine, theirs := apart(t.payer, to.payer); mine != nil && mine.used < theirs.used {
		t.all.move(to, t.payer)
	}
}

// End ends the turn. It may be called more than once.
func (t *Turn) End() {
	if t == nil {
		return
	}
	all, now := t.all, time.Now()
	all.mu.Lock()
	defer all.mu.Unlock()
	if t.payer == nil {
		return
	}
	all.stop(t, now)
	all.leave(t.payer, now)
	t.payer = nil
	all.next(now)
	if !t.forked {
		all.operations.give(t.network, 1)
	}
}

// Pause gives the processor to others while the caller waits for something else. It reports whether the turn ran.
func (t *Turn) Pause() bool {
	if t == nil {
		return false
	}
	all, now := t.all, time.Now()
	all.mu.Lock()
	defer all.mu.Unlock()
	if t.state != runs && t.state != late {
		return false
	}
	all.stop(t, now)
	all.next(now)
	return true
}

// Resume waits for a processor after Pause. If ctx is done first, the caller goes on without one, and is to end soon.
func (t *Turn) Resume(ctx context.Context) {
	if t == nil {
		return
	}
	all, now := t.all, time.Now()
	all.mu.Lock()
	if t.payer == nil || t.state != idle {
		all.mu.Unlock()
		return
	}
	if all.starts(t) {
		all.start(t, now)
		all.mu.Unlock()
		t.since = now
		return
	}
	t.queue()
	all.mu.Unlock()
	t.await(ctx)
}

// queue has the turn wait. The caller holds all.mu.
func (t *Turn) queue() {
	if t.ready == nil {
		t.ready = make(chan struct{}, 1)
	}
	t.all.enqueue(t)
}

// await waits until a queued turn runs, or ctx is done, and reports whether it runs.
func (t *Turn) await(ctx context.Context) bool {
	select {
	case <-t.ready:
		t.awake()
		return true
	case <-ctx.Done():
	}
	t.all.mu.Lock()
	defer t.all.mu.Unlock()
	if t.state == waits {
		t.all.stop(t, time.Now())
		return false
	}
	<-t.ready // it was started in the meantime
	return true
}

// awake records that the caller runs: the time that it took to wake it is not charged.
func (t *Turn) awake() {
	now := time.Now()
	t.all.mu.Lock()
	defer t.all.mu.Unlock()
	t.since, t.charged, t.granted = now, now, now
}

// Offer gives the processor to others if the turn has run for a while, and somebody waits who has used less time. It
// returns when the turn runs on. It costs next to nothing if nobody waits.
func (t *Turn) Offer(ctx context.Context) {
	if t == nil || t.all.queued.Load() == 0 {
		return
	}
	all, now := t.all, time.Now()
	if now.Sub(t.since) < slice {
		return
	}
	t.since = now
	all.mu.Lock()
	all.settle(t, now)
	t.granted = now
	if t.kept || t.state != late && (t.state != runs || !all.yields(t, now)) {
		all.mu.Unlock()
		return
	}
	all.stop(t, now)
	t.queue()
	all.next(now)
	all.mu.Unlock()
	t.await(ctx)
}

// isBrief reports whether the turn has used little.
func (t *Turn) isBrief() bool { return t.used <= brief }

// Load returns how many turns of a payer's widest network have not ended.
func (t *Turns) Load(who Payer) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	if s := t.all.in[who.network()]; s != nil {
		return s.open
	}
	return 0
}

// Overran returns how many turns have lost their processor since the start because they did not offer it.
func (t *Turns) Overran() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.overran
}

// Count returns how many turns run and wait.
func (t *Turns) Count() (running, waiting int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.running), int(t.queued.Load())
}
