package store

import (
	"slices"
	"sync"

	"github.com/redis/go-redis/v9"
)

// slab is memory for many commands of one pipeline and their arguments, which is
// used again for another when their replies were taken.
type slab struct {
	cmds []redis.StringSliceCmd
	refs []redis.Cmder // to them
	args []any
	keys []byte // one after the other
	ends []int  // of the keys
}

// keptArgs is the most arguments of a slab that is kept.
const keptArgs = 16 << 10

var slabs = sync.Pool{New: func() any { return new(slab) }}

// takeSlab gives a slab with n commands, and room for so many arguments.
func takeSlab(n, args int) *slab {
	m := slabs.Get().(*slab)
	m.cmds = slices.Grow(m.cmds[:0], n)[:n]
	m.refs = slices.Grow(m.refs[:0], n)
	m.args = slices.Grow(m.args[:0], args)
	m.keys, m.ends = m.keys[:0], slices.Grow(m.ends[:0], n)
	return m
}

// free gives the slab back. Nobody may look at its commands any more.
func (m *slab) free() {
	if cap(m.args) > keptArgs {
		return
	}
	clear(m.cmds)
	clear(m.refs)
	clear(m.args)
	slabs.Put(m)
}
