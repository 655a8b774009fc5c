package limit

import (
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// Answers that do not fit together wait for each other, and all are produced in the end.
func TestAnswersWaitForRoom(t *testing.T) {
	for _, c := range []struct {
		name               string
		addresses, answers int
		mayGiveWay         bool
	}{{"one address", 1, 8, false}, {"five addresses", 5, 3, true}} {
		synctest.Test(t, func(t *testing.T) {
			l, _ := testLedger()
			gaveWay := 0
			var mu sync.Mutex
			var all sync.WaitGroup
			for n := range c.addresses * c.answers {
				all.Go(func() {
					for !produce(t, l, fmt.Sprint(n%c.addresses), 10<<20) {
						mu.Lock()
						gaveWay++
						mu.Unlock()
						<-time.After(time.Second) // as clients do
					}
				})
			}
			all.Wait()
			if gaveWay > 0 && !c.mayGiveWay {
				t.Errorf("%s: %d answers gave way; want all that fit alone to be produced", c.name, gaveWay)
			}
			if l.total != 0 || len(l.addresses) != 0 {
				t.Errorf("%s: %d bytes and %d addresses are left; want none", c.name, l.total, len(l.addresses))
			}
		})
	}
}

// produce reports whether there was room for an answer, which grows slowly, and is read quickly.
func produce(t *testing.T, l *Ledger, address string, size int) bool {
	h := l.Open(address)
	defer h.Close()
	for n := ledgerStep; n <= size; n += ledgerStep {
		<-time.After(time.Millisecond)
		if !h.Await(t.Context(), n) {
			return false
		}
		l.mu.Lock()
		if a := l.addresses[address]; a.bytes > l.mostAddress || l.total > l.most {
			t.Errorf("an address holds %d bytes, all %d; want at most %d and %d", a.bytes, l.total, l.mostAddress, l.most)
		}
		l.mu.Unlock()
	}
	return h.Resize(size / 2)
}
