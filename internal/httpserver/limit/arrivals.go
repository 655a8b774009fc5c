package limit

import (
	"errors"
	"io"
	"slices"
	"sync"
)

// freeArrival is how much of a body or message is not counted, in bytes: net/http buffers as much of each connection
// anyway, and most requests are smaller.
const freeArrival = 4 << 10

// Why reading a body or message was aborted.
var (
	ErrCrowdedAddress = errors.New("too many bytes of requests of one address")
	ErrCrowdedServer  = errors.New("too many bytes of requests")
)

// Arrivals bounds how many bytes of bodies and messages are held at a time, in total and per address: from their
// first byte until they were processed. If there are too many, the oldest one of the address that is still arriving
// is aborted; if there are too many in total, that of the address that holds most. It is safe for concurrent use.
type Arrivals struct {
	most, each int

	mu    sync.Mutex
	bytes int
	of    map[string]*arrived
}

// arrived is what one address holds.
type arrived struct {
	bytes  int
	coming []*Arrival // those still arriving, oldest first
}

// Arrival is one body or message. One goroutine reads it.
type Arrival struct {
	all     *Arrivals
	address string
	cut     func() // aborts reading
	seen    int    // bytes read

	// all.mu guards these.
	held int // bytes counted
	over error
}

// NewArrivals returns arrivals in which one body of the maximum size always fits.
func NewArrivals(l Limits) *Arrivals {
	each := max(l.BodiesAddress, l.Body)
	return &Arrivals{most: max(l.Bodies, each), each: each, of: map[string]*arrived{}}
}

// Begin begins to count a body or message of an address. cut aborts reading it; another arrival's goroutine may call
// it. The arrival must be ended.
func (all *Arrivals) Begin(address string, cut func()) *Arrival {
	return &Arrival{all: all, address: address, cut: cut}
}

// count counts bytes read. It returns ErrCrowdedAddress or ErrCrowdedServer if the body or message was aborted.
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

// hold counts bytes that are held, or no longer held if negative. The caller holds mu, here and below.
func (all *Arrivals) hold(a *Arrival, of *arrived, n int) {
	a.held += n
	of.bytes += n
	all.bytes += n
	if of.bytes == 0 && len(of.coming) == 0 {
		delete(all.of, a.address)
	}
}

// largest returns the address that holds most, of those with something still arriving.
func (all *Arrivals) largest() (largest *arrived) {
	for _, of := range all.of {
		if len(of.coming) > 0 && (largest == nil || of.bytes > largest.bytes) {
			largest = of
		}
	}
	return largest
}

// breakOff aborts the oldest arrival still arriving; false if there is none.
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

// complete records that everything was read: from now on it is not aborted.
func (a *Arrival) complete() {
	if a.seen <= freeArrival {
		return
	}
	a.all.mu.Lock()
	defer a.all.mu.Unlock()
	a.finish()
}

// finish removes an arrival from those still arriving.
func (a *Arrival) finish() {
	if of := a.all.of[a.address]; of != nil {
		if at := slices.Index(of.coming, a); at >= 0 {
			of.coming = slices.Delete(of.coming, at, at+1)
		}
	}
}

// End releases a body or message. It may be called more than once.
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

// Reader returns r with the bytes read from it counted.
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
