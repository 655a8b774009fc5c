package paging

import (
	"encoding/binary"
	"sync"

	"agora/internal/forum"
	"agora/internal/store/internal/record"
)

// Unkept holds snapshots that Redis refused to store because it is full or accepts no writes. This process
// serves them for as long as they are valid, so that reading goes on.
type Unkept struct {
	mu     sync.Mutex
	Packed map[string]string
}

// MaxUnkept is the maximum number of snapshots, of up to 20 kB each.
const MaxUnkept = 32

// Get returns a snapshot, or "".
func (u *Unkept) Get(key string) string {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.Packed[key]
}

// Put stores a snapshot, replacing the oldest if there are too many.
func (u *Unkept) Put(key, packed string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if len(u.Packed) >= MaxUnkept {
		oldest := ""
		for k, p := range u.Packed {
			if oldest == "" || TakenAt(p) < TakenAt(u.Packed[oldest]) {
				oldest = k
			}
		}
		delete(u.Packed, oldest)
	}
	if u.Packed == nil {
		u.Packed = map[string]string{}
	}
	u.Packed[key] = packed
}

// TakenAt returns when a snapshot was taken.
func TakenAt(packed string) forum.Time {
	return forum.Time(binary.BigEndian.Uint64([]byte(packed[:record.SnapshotHead])))
}
