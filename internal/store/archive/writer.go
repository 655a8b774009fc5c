package archive

import (
	"bufio"
	"crypto/sha256"
	"hash"
	"io"
	"strconv"

	"agora/internal/store/catalogue"
)

// writer writes the lines of an export.
type writer struct {
	out  *bufio.Writer
	sum  hash.Hash // of all lines
	rows int64
	line []byte // the line being written
	// head is the beginning of each line of the current key; part is the number of its line.
	head     []byte
	part     int
	typ      catalogue.Type
	elements int // of the current line
}

func newWriter(w io.Writer) *writer {
	sum := sha256.New()
	return &writer{out: bufio.NewWriterSize(io.MultiWriter(w, sum), 256<<10), sum: sum}
}

// header writes the first line.
func (w *writer) header(layout []string) error {
	w.line = append(w.line[:0], `{"agora":`...)
	w.line = append(strconv.AppendInt(w.line, Version, 10), `,"layout":{`...)
	for i, pair := range layout {
		if i > 0 {
			w.line = append(w.line, ',')
		}
		w.line = append(w.line, pair...)
	}
	w.line = append(w.line, "}}\n"...)
	_, err := w.out.Write(w.line)
	return err
}

// footer writes the last line.
func (w *writer) footer() error {
	if err := w.out.Flush(); err != nil { // into the sum
		return err
	}
	if _, err := w.out.Write(footer{w.rows, sumText(w.sum)}.line()); err != nil {
		return err
	}
	return w.out.Flush()
}

// begin begins the rows of a key that expires at a time (Unix ms), or never.
func (w *writer) begin(k *catalogue.Kind, name string, expires int64) error {
	w.head = append(w.head[:0], `{"kind":"`...)
	w.head = append(w.head, k.Name...)
	w.head = append(w.head, `","key":`...)
	var err error
	if w.head, err = appendString(w.head, name); err != nil {
		return err
	}
	if expires > 0 {
		w.head = strconv.AppendInt(append(w.head, `,"expires":`...), expires, 10)
	}
	w.typ, w.part, w.elements = k.Type, 0, 0
	return nil
}

// add adds an encoded element to the current key.
func (w *writer) add(element []byte) error {
	if w.elements >= maxElements || len(w.line) >= maxBytes {
		if err := w.end(); err != nil {
			return err
		}
	}
	if w.elements++; w.elements > 1 {
		w.line = append(w.line, ',')
	} else {
		w.line = append(w.line[:0], w.head...)
		if w.part++; w.part > 1 {
			w.line = strconv.AppendInt(append(w.line, `,"part":`...), int64(w.part), 10)
		}
		w.line = append(append(append(w.line, `,"`...), w.typ...), `":`...)
		w.line = append(w.line, brackets[w.typ].open...)
	}
	w.line = append(w.line, element...)
	return nil
}

// end ends the current line, if there is one.
func (w *writer) end() error {
	if w.elements == 0 {
		return nil
	}
	w.elements = 0
	w.rows++
	w.line = append(append(w.line, brackets[w.typ].close...), "}\n"...)
	_, err := w.out.Write(w.line)
	return err
}

// brackets are what encloses the elements of a key.
var brackets = map[catalogue.Type]struct{ open, close string }{
	catalogue.Hash: {"{", "}"}, catalogue.ZSet: {"{", "}"}, catalogue.Set: {"[", "]"}, catalogue.String: {},
}
