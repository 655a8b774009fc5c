package pipeline

import (
	"slices"
	"sync"

	"github.com/redis/go-redis/v9"
)

// Buffer is memory for many commands of one pipeline and their arguments. It is reused for another pipeline
// once the replies were read.
type Buffer struct {
	Cmds []redis.StringSliceCmd
	Refs []redis.Cmder // to them
	Args []any
	Keys []byte // concatenated
	Ends []int  // of the keys
}

// keptArgs is the maximum number of arguments of a buffer that is reused.
const keptArgs = 16 << 10

var buffers = sync.Pool{New: func() any { return new(Buffer) }}

// TakeBuffer returns a buffer with n commands and room for args arguments.
func TakeBuffer(n, args int) *Buffer {
	b := buffers.Get().(*Buffer)
	b.Cmds = slices.Grow(b.Cmds[:0], n)[:n]
	b.Refs = slices.Grow(b.Refs[:0], n)
	b.Args = slices.Grow(b.Args[:0], args)
	b.Keys, b.Ends = b.Keys[:0], slices.Grow(b.Ends[:0], n)
	return b
}

// Free returns the buffer to the pool. Its commands must not be used any more.
func (b *Buffer) Free() {
	if cap(b.Args) > keptArgs {
		return
	}
	clear(b.Cmds)
	clear(b.Refs)
	clear(b.Args)
	buffers.Put(b)
}
