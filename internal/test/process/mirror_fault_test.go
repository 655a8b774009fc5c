package process

import (
	"strconv"
	"strings"
	"time"

	"agora/internal/store"
)

// follow has a mirror follow the site of the bench, and returns what stops it.
func (b *bench) follow() (stop func()) {
	b.mirror = newMirror(b.t, "mirror", b.site.redisURL)
	b.mirror.lossy = true
	b.mirror.options = store.ConnectOptions{Replicated: b.fault.set == replicated}
	b.follows, stop = b.mirror.run()
	b.mirror.await(b.follows, 30*time.Second)
	return stop
}

// compareMirror checks that the mirror has received a change of everything that exists at the end, and compares
// its copy with an export, except for objects whose last change was before the fail-over: the replica may lack it.
func (b *bench) compareMirror() {
	b.t.Helper()
	m := b.mirror
	m.await(b.follows, 30*time.Second)
	want := m.exported(b.site)
	m.checkTold("after a fail-over", want)
	leaps := map[string]int64{} // by slot
	for _, slot := range mirrorSlots() {
		last, _ := strconv.ParseInt(m.rdb.HGet(b.t.Context(), slot+"consumers", "seq").Val(), 10, 64) // 0 without changes
		leaps[slot] = last / numbersLeap
	}
	later := 0
	m.mu.Lock()
	for _, d := range m.disorder {
		if d.last/numbersLeap >= leaps[d.key[:strings.Index(d.key, ":")+1]] { // no fail-over came afterwards
			b.t.Error(d)
		}
	}
	for _, all := range []mirrorCopy{m.copy, want} {
		for key := range all {
			received := m.told[strings.TrimSuffix(key, ":text")]
			slot := key[:strings.Index(key, ":")+1]
			switch {
			case received == nil:
				b.t.Errorf("the mirror has received no change of %s", key)
			case received.last/numbersLeap < leaps[slot]:
				delete(all, key)
			case leaps[slot] > 0:
				later++
			}
		}
	}
	m.mu.Unlock()
	if later == 0 {
		b.t.Error("the mirror has received no change of the replica that took over")
	}
	m.compare("after a fail-over", want)
}
