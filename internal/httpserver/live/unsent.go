package live

import "agora/internal/httpserver/limit"

// smallQueue is how many bytes in the sendQueue of a live connection are not counted in the ledger: what most
// connections have waiting at any time.
const smallQueue = 4 << 10

// unsent counts the bytes in a sendQueue, and those being written, in the ledger. The sendQueue's mu guards it.
type unsent struct {
	h       *limit.Holding // nil until the connection is admitted
	bytes   int            // of all frames not written yet
	writing int            // the part of bytes being written
	counted bool           // in h
	end     func()         // ends the connection without waiting
}

// put counts a frame and reports whether there is room for it.
func (u *unsent) put(f frame) bool {
	u.bytes += f.held()
	return u.count()
}

// drop subtracts a frame that is not written.
func (u *unsent) drop(f frame) {
	u.bytes -= f.held()
	u.count()
}

// written records that the frame taken last has been written.
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

// clear subtracts everything except what is being written.
func (u *unsent) clear() {
	u.bytes = u.writing
	u.count()
}

// count updates the ledger, and reports whether there is room.
func (u *unsent) count() bool {
	switch {
	case u.bytes > smallQueue:
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

// tooSlow is the close frame for a client that does not keep up.
func tooSlow() closeFrame { return closeFrame{CloseTryLater, "Too slow"} }

// attach counts unsent bytes in h.
func (o *sendQueue) attach(h *limit.Holding) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.unsent.h, o.unsent.end = h, func() { go o.finish(tooSlow()) } // ends when o.mu is free
}

// detach stops counting.
func (o *sendQueue) detach() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.unsent.h.Close()
	o.unsent = unsent{}
}
