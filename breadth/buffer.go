package breadth

import "sync"

const (
	// firstBuffer is the initial size of a buffer, in bytes.
	firstBuffer = 16 << 10
	// keptBuffer is the largest buffer that is reused for another answer, in bytes: one huge answer must not hold its
	// memory forever.
	keptBuffer = 1 << 20
)

var buffers = sync.Pool{New: func() any { return &buffer{b: make([]byte, 0, firstBuffer)} }}

// buffer holds a slice, so that the pool need not allocate for its header.
type buffer struct{ b []byte }

// takeBuffer returns an empty buffer.
func takeBuffer() []byte {
	held := buffers.Get().(*buffer)
	b := held.b[:0]
	held.b = nil
	headers.Put(held)
	return b
}

// headers are the headers of buffers in use.
var headers = sync.Pool{New: func() any { return new(buffer) }}

// Release returns the data of a response for reuse; they may be overwritten by another one. The caller that has
// written them out may call it, once. Calling it is optional.
func Release(data []byte) {
	if cap(data) < firstBuffer || cap(data) > keptBuffer {
		return
	}
	held := headers.Get().(*buffer)
	held.b = data
	buffers.Put(held)
}
