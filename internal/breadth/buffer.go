package breadth

import "sync"

const (
	// firstBuffer is how large a buffer is made, in bytes.
	firstBuffer = 16 << 10
	// keptBuffer is the largest buffer that is kept for another answer, in bytes:
	// one huge answer shall not hold its memory for ever.
	keptBuffer = 1 << 20
)

var buffers = sync.Pool{New: func() any { return &buffer{b: make([]byte, 0, firstBuffer)} }}

// buffer holds a slice, so that the pool need not allocate for its header.
type buffer struct{ b []byte }

// takeBuffer gives an empty buffer.
func takeBuffer() []byte {
	held := buffers.Get().(*buffer)
	b := held.b[:0]
	held.b = nil
	headers.Put(held)
	return b
}

// headers are the headers of buffers that are in use.
var headers = sync.Pool{New: func() any { return new(buffer) }}

// Release gives the data of a response back, to be overwritten by another one.
// Whoever has written them out may call it, once; nobody has to.
func Release(data []byte) {
	if cap(data) < firstBuffer || cap(data) > keptBuffer {
		return
	}
	held := headers.Get().(*buffer)
	held.b = data
	buffers.Put(held)
}
