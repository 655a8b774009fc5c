//go:build race

package breadth

import (
	"bytes"
	"runtime"
	"strconv"
)

// goroutine returns the id of the calling goroutine.
func goroutine() uint64 {
	var b [64]byte
	text := bytes.TrimPrefix(b[:runtime.Stack(b[:], false)], []byte("goroutine "))
	digits, _, _ := bytes.Cut(text, []byte(" "))
	id, err := strconv.ParseUint(string(digits), 10, 64)
	if err != nil {
		panic(err)
	}
	return id
}
