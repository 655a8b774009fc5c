package limit

import (
	"errors"
	"io"
	"slices"
	"sync"
)

// freeArrival is how much of a body or message is not counted, in bytes: what net/http
// buffers of each connection anyway, and more than most requests have.
const freeArrival = 4 << 10

// Why a body or message is broken off.
var (
	ErrCrowdedAddress = errors.New("too many bytes of requests of one address at once")
	ErrCrowdedServer  = errors.New("too many bytes of requests at once")
)

// Arrivals bounds how many bytes of bodies and messages are held at a time, in all and
// of one address: from their first byte until they were worked on. When there are too
// many, the one of the address that began first, of those that still arrive, is broken
// off; when there are too many in all, that of the address that holds most.
// It is safe for concurrent use.
type Arrivals struct {
	most, each int

	mu    sync.Mutex
	bytes int
	of    map[string]*arrived
}

// arrived is what is held of one address.
type arrived struct {
	bytes  int
	coming []*Arrival // those that still arrive, in the order in which they began
}

// Arrival is one body or message. One goroutine reads it.
type Arrival struct {
	all     *Arrivals
	address string
	cut     func() // breaks off reading
	seen    int    // bytes that were read

	// all.mu guards these.
	held int // bytes that are counted
	over error
}

// NewArrivals makes arrivals in which one body at the limit fits in any case.
func NewArrivals(l Limits) *Arrivals {
	each := max(l.BodiesAddress, l.Body)
	return &Arrivals{most: max(l.Bodies, each), each: each, of: map[string]*arrived{}}
}

// Begin begins to count a body or message of an address. cut breaks off reading it; it
// may be called by another's goroutine. The arrival is to be ended.
func (all *Arrivals) Begin(address string, cut func()) *Arrival {
	return &Arrival{all: all, address: address, cut: cut}
}

// count counts bytes that were read. It returns errCrowdedAddress or errCrowdedServer
// if the body or message was broken off.
func (a *Arrival) count(n int) error {
	before := a.seen
	if a.seen += n; a.seen <= freeArrival {
		return nil
	}
	a.all.mu.Lock()
	defer a.all.mu.Unlock()
	if a.over != nil {
		return a.over
	}
	of := a.all.of[a.address]
	if of == nil {
		of = &arrived{}
		a.all.of[a.address] = of
	}
	if before <= freeArrival {
		of.coming = append(of.coming, a)
	}
	a.all.hold(a, of, n)
	for of.bytes > a.all.each && len(of.coming) > 0 {
		a.all.breakOff(of, ErrCrowdedAddress)
	}
	for a.all.bytes > a.all.most {
		if !a.all.breakOff(a.all.largest(), ErrCrowdedServer) {
			break
		}
	}
	return a.over
}

// hold counts bytes that are held, or with a negative number no longer. The caller holds
// mu, here and below.
func (all *Arrivals) hold(a *Arrival, of *arrived, n int) {
	a.held += n
	of.bytes += n
	all.bytes += n
	if of.bytes == 0 && len(of.coming) == 0 {
		delete(all.of, a.address)
	}
}

// largest is what the address that has most, and of which something still arrives, holds.
func (all *Arrivals) largest() (largest *arrived) {
	for _, of := range all.of {
		if len(of.coming) > 0 && (largest == nil || of.bytes > largest.bytes) {
			largest = of
		}
	}
	return largest
}

// breakOff breaks off what has arrived for longest; it is false when there is nothing.
func (all *Arrivals) breakOff(of *arrived, why error) bool {
	if of == nil || len(of.coming) == 0 {
		return false
	}
	a := of.coming[0]
	of.coming = slices.Delete(of.coming, 0, 1)
	a.over = why
	all.hold(a, of, -a.held)
	a.cut()
	return true
}

// complete notes that all has been read: from here on it is not broken off.
func (a *Arrival) complete() {
	if a.seen <= freeArrival {
		return
	}
	a.all.mu.Lock()
	defer a.all.mu.Unlock()
	a.finish()
}

// settle takes an arrival out of those that still arrive.
func (a *Arrival) finish() {
	if of := a.all.of[a.address]; of != nil {
		if at := slices.Index(of.coming, a); at >= 0 {
			of.coming = slices.Delete(of.coming, at, at+1)
		}
	}
}

// End forgets a body or message. It may be called more than once.
func (a *Arrival) End() {
	if a.seen <= freeArrival {
		return
	}
	a.all.mu.Lock()
	defer a.all.mu.Unlock()
	a.finish()
	if of := a.all.of[a.address]; of != nil {
		a.all.hold(a, of, -a.held)
	}
}

// Reader counts what is read of r.
func (a *Arrival) Reader(r io.ReadCloser) io.ReadCloser { return countedReader{r, a} }

type countedReader struct {
	io.ReadCloser
	in *Arrival
}

// Read implements io.Reader.
func (r countedReader) Read(p []byte) (int, error) {
	n, err := r.ReadCloser.Read(p)
	if over := r.in.count(n); over != nil {
		return n, over
	}
	if err == io.EOF {
		r.in.complete()
	}
	return n, err
}
