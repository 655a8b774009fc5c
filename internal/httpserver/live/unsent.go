package live

import "agora/internal/httpserver/limit"

// smallOutbox is how many bytes in the sendQueue of a live connection are not counted in the
// ledger: what most connections have waiting at any time.
const smallOutbox = 4 << 10

// unsent counts what waits in an sendQueue, and what is being written, in the ledger. The
// sendQueue's mu guards it.
type unsent struct {
	h       *limit.Holding // nil until the connection is admitted
	bytes   int            // of all frames that are not written yet
	writing int            // of which those of the frame that is being written
	counted bool           // in h
	end     func()         // ends the connection; it waits for nothing
}

// put counts a frame and reports whether there is room for it.
func (u *unsent) put(f frame) bool {
	u.bytes += f.held()
	return u.count()
}

// drop counts a frame no more that is not written.
func (u *unsent) drop(f frame) {
	u.bytes -= f.held()
	u.count()
}

// written notes that the frame that was taken last has been written.
func (u *unsent) written() {
	if u.writing == 0 {
		return
	}
	u.bytes -= u.writing
	if u.counted {
		u.h.Progress(u.writing)
	}
	u.writing = 0
	u.count()
}

// clear counts nothing any more, but what is being written.
func (u *unsent) clear() {
	u.bytes = u.writing
	u.count()
}

// count has the ledger know what is unsent, and reports whether there is room for it.
func (u *unsent) count() bool {
	switch {
	case u.bytes > smallOutbox:
		if !u.counted && u.h != nil {
			u.counted = true
			u.h.Send(u.end)
		}
		return u.h.Resize(u.bytes)
	case u.counted:
		u.counted = false
		u.h.Resize(0)
		u.h.Stop()
	}
	return true
}

// tooSlow is said to a client that does not keep up.
func tooSlow() closeFrame { return closeFrame{CloseTryLater, "Too slow"} }

// attach has h count what is unsent.
func (o *sendQueue) attach(h *limit.Holding) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.unsent.h, o.unsent.end = h, func() { go o.finish(tooSlow()) } // ends when o.mu is free
}

// detach counts nothing any more.
func (o *sendQueue) detach() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.unsent.h.Close()
	o.unsent = unsent{}
}
