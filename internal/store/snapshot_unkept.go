package store

import (
	"encoding/binary"
	"sync"

	"agora/internal/forum"
	"agora/internal/store/internal/record"
)

// unkept are snapshots that Redis refused to store: it is full, or takes no writes. This
// process serves them for as long as they are good, so that reading goes on.
type unkept struct {
	mu     sync.Mutex
	packed map[string]string
}

// unkeptMost is how many there are at most, of up to 20 kB each.
const unkeptMost = 32

// get returns a snapshot, or "".
func (u *unkept) get(key string) string {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.packed[key]
}

// put keeps a snapshot in the place of the oldest, if there are too many.
func (u *unkept) put(key, packed string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if len(u.packed) >= unkeptMost {
		oldest := ""
		for k, p := range u.packed {
			if oldest == "" || takenAt(p) < takenAt(u.packed[oldest]) {
				oldest = k
			}
		}
		delete(u.packed, oldest)
	}
	if u.packed == nil {
		u.packed = map[string]string{}
	}
	u.packed[key] = packed
}

// takenAt is when a snapshot was taken.
func takenAt(packed string) forum.Time {
	return forum.Time(binary.BigEndian.Uint64([]byte(packed[:record.SnapshotHead])))
}
