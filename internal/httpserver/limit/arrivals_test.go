package limit

import (
	"errors"
	"testing"

	"agora/internal/test/must"
)

// arriving is an arrival in a test.
type arriving struct {
	*Arrival
	cuts int
}

func startArriving(all *Arrivals, address string) *arriving {
	a := &arriving{}
	a.Arrival = all.Begin(address, func() { a.cuts++ })
	return a
}

// wantState checks whether arrivals were aborted, and why, and what all hold.
func wantState(t *testing.T, all *Arrivals, held int, over map[*arriving]error) {
	t.Helper()
	if all.bytes != held {
		t.Errorf("%d bytes held; want %d", all.bytes, held)
	}
	for a, why := range over {
		if !errors.Is(a.over, why) || a.cuts != map[bool]int{false: 1, true: 0}[why == nil] {
			t.Errorf("an arrival of %s: %v, aborted %d times; want %v", a.address, a.over, a.cuts, why)
		}
	}
}

const kib = 1 << 10

// The oldest arrival of an address is aborted if the address has too much, and none of another.
func TestArrivalsOfOneAddressAreBounded(t *testing.T) {
	all := NewArrivals(Limits{Body: 50 * kib, Bodies: 1000 * kib, BodiesAddress: 100 * kib})
	a, b, c, other := startArriving(all, "x"), startArriving(all, "x"), startArriving(all, "x"), startArriving(all, "y")
	small := startArriving(all, "x")
	for _, step := range []struct {
		of    *arriving
		bytes int
	}{{small, freeArrival}, {a, 45 * kib}, {b, 45 * kib}, {other, 100 * kib}} {
		must.OK(t, step.of.count(step.bytes))
	}
	wantState(t, all, 190*kib, map[*arriving]error{a: nil, b: nil, other: nil, small: nil})
	if err := c.count(15 * kib); err != nil {
		t.Error(err)
	}
	wantState(t, all, 160*kib, map[*arriving]error{a: ErrCrowdedAddress, b: nil, c: nil, other: nil, small: nil})
	if err := a.count(1); !errors.Is(err, ErrCrowdedAddress) {
		t.Errorf("an aborted arrival reads on: %v", err)
	}
	b.complete() // it is being processed: it stays, and what is still arriving is aborted
	if err := c.count(45 * kib); !errors.Is(err, ErrCrowdedAddress) {
		t.Errorf("one too many besides the complete ones: %v", err)
	}
	for _, x := range []*arriving{a, b, c, other, small} {
		x.End()
		x.End()
	}
	if all.bytes != 0 || len(all.of) != 0 {
		t.Errorf("%d bytes of %d addresses are left; want none", all.bytes, len(all.of))
	}
}

// If there is too much in total, the address that has most loses its oldest arrival.
func TestArrivalsAreBounded(t *testing.T) {
	all := NewArrivals(Limits{Body: 50 * kib, Bodies: 200 * kib, BodiesAddress: 100 * kib})
	var large [2]*arriving
	for i := range large {
		large[i] = startArriving(all, "large")
		must.OK(t, large[i].count(45*kib))
	}
	one := startArriving(all, "one")
	must.OK(t, one.count(80*kib))
	two := startArriving(all, "two")
	if err := two.count(40 * kib); err != nil {
		t.Error(err)
	}
	wantState(t, all, 165*kib, map[*arriving]error{large[0]: ErrCrowdedServer, large[1]: nil, one: nil, two: nil})
	for _, a := range []*arriving{large[1], one, two} {
		a.complete()
	}
	late := startArriving(all, "late")
	if err := late.count(40 * kib); !errors.Is(err, ErrCrowdedServer) {
		t.Errorf("one too many besides complete ones: %v; want it aborted", err)
	}
}
