package httpserver

import (
	"net/netip"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"agora/internal/auth"
)

// addressesMost is how many addresses are remembered, about 1 MB.
const addressesMost = 4096

// addresses knows the signed-out callers at addresses. It remembers those of the last ones, because a pseudonym takes over
// a microsecond. It is safe for concurrent use.
type addresses struct {
	pseudonym func(kind, of string) string

	mu    sync.Mutex
	known *simplelru.LRU[netip.Addr, auth.Caller]
}

func newAddresses(pseudonym func(kind, of string) string) *addresses {
	known, _ := simplelru.NewLRU[netip.Addr, auth.Caller](addressesMost, nil) // the size is positive
	return &addresses{pseudonym: pseudonym, known: known}
}

// caller returns the signed-out caller at an address.
func (a *addresses) caller(ip netip.Addr, agent string) auth.Caller {
	a.mu.Lock()
	c, ok := a.known.Get(ip)
	a.mu.Unlock()
	if !ok {
		c = a.identify(ip)
		a.mu.Lock()
		a.known.Add(ip, c)
		a.mu.Unlock()
	}
	c.UserAgent = userAgent(agent)
	return c
}

// identify returns the names of an address. They are pseudonyms of 16 digits, also in the log. The owner of one IPv6
// address has the whole network of 64 bits, which counts as one address.
func (a *addresses) identify(ip netip.Addr) auth.Caller {
	pseudonym := func(network string) string { return a.pseudonym("address", network)[:16] }
	address := pseudonym(networkOf(ip).String())
	c := auth.Caller{Visitor: address, Address: address}
	if ip.Is6() {
		for _, bits := range widerNetworks {
			c.Networks = append(c.Networks, pseudonym(netip.PrefixFrom(ip, bits).Masked().String()))
		}
	}
	return c
}

// widerNetworks are the prefix lengths of auth.Caller.Networks.
var widerNetworks = []int{56, 48}

// networkOf returns the address itself, or the first address of its 64-bit network for IPv6.
func networkOf(ip netip.Addr) netip.Addr {
	if ip.Is6() {
		return netip.PrefixFrom(ip, 64).Masked().Addr()
	}
	return ip
}
