// Package port gives tests addresses to which only they bind.
package port

import (
	"fmt"
	"net"
	"os"
	"sync/atomic"
	"testing"
)

// Bus is how much higher than the port of a Redis the port of its cluster's bus is.
const Bus = 10_000

// lowest is the first port that is given.
const lowest = 20_000

// given is how many ports this process was given.
var given atomic.Int32

// Host returns a loopback address that this process shares with no other one, nor with connections: those that leave
// from 127.0.0.1 take any port there for a while.
func Host() string {
	pid := os.Getpid()
	return fmt.Sprintf("127.%d.%d.%d", 1+pid>>16&0x7f, pid>>8&0xff, pid&0xff)
}

// Free returns an address of Host, host:port, to which a program can bind, end, and bind again. So it can with the
// port that is Bus higher.
func Free(t testing.TB) string {
	t.Helper()
	for range Bus {
		port := lowest + int(given.Add(1))%Bus
		address := fmt.Sprintf("%s:%d", Host(), port)
		if free(address) && free(fmt.Sprintf("%s:%d", Host(), port+Bus)) {
			return address
		}
	}
	t.Fatalf("no port of %s is free", Host())
	return ""
}

func free(address string) bool {
	l, err := net.Listen("tcp", address)
	if err == nil {
		l.Close()
	}
	return err == nil
}
