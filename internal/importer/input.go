package importer

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
)

// input splits a file into JSON values.
type input struct {
	r *bufio.Reader
	// line is the line of the next byte, from 1.
	line int
	// value holds the last value read.
	value []byte
	// begun reports that the first value was inspected, which determines stream: values end at
	// their closing brackets, otherwise at the end of their line.
	begun, stream bool
	// array reports that the next value is in an array, and comma that a comma must precede it.
	array, comma bool
	// index is the place of the last value in its array, from 1; 0 if it is in none.
	index int
}

// bufferSize is the size of the read buffer in bytes; most lines fit.
const bufferSize = 256 << 10

// errTooLong is the error of a value of more than MaxRecord bytes, which was skipped.
var errTooLong = fmt.Errorf("the record has more than %d bytes", MaxRecord)

// open detects whether the file is compressed.
func open(r io.Reader) (*input, error) {
	br := bufio.NewReaderSize(r, bufferSize)
	if magic, _ := br.Peek(2); string(magic) == "\x1f\x8b" {
		z, err := gzip.NewReader(br)
		if err != nil {
			return nil, readError(err)
		}
		br = bufio.NewReaderSize(z, bufferSize)
	}
	if mark, _ := br.Peek(3); string(mark) == "\ufeff" {
		if _, err := br.Discard(3); err != nil {
			return nil, readError(err)
		}
	}
	return &input{r: br, line: 1}, nil
}

// next reads a value, which is valid until the next call, and returns the line in which it begins.
// It returns io.EOF at the end, errTooLong for a skipped value, and any other error if the file
// cannot be read any further.
func (in *input) next() (value []byte, line int, err error) {
	if !in.begun {
		in.begun = true
		if value, line, err := in.begin(); value != nil || err != nil {
			return value, line, err
		}
	}
	if in.stream {
		return in.nextValue()
	}
	for {
		line := in.line
		value, err := in.readLine()
		if err != nil || len(bytes.TrimSpace(value)) > 0 {
			return value, line, err
		}
	}
}

// begin determines how values are separated. It returns the first value if that required reading
// it.
func (in *input) begin() ([]byte, int, error) {
	c, err := in.peek()
	if err != nil {
		return nil, in.line, err
	}
	switch c {
	case '[':
		in.stream = true
		return nil, 0, nil
	case '{':
	default:
		return nil, in.line, fmt.Errorf("this is not JSON: it begins with %q, not with { or [", rune(c))
	}
	line := in.line
	first, err := in.readLine()
	if err != nil {
		return nil, line, err
	}
	first = bytes.Clone(first) // Peek may move the buffer
	var n nesting
	for _, c := range first {
		n.add(c)
	}
	if after, err := in.r.Peek(1); n.depth < 1 || n.inString || err == nil && after[0] == '{' {
		return first, line, nil
	}
	in.stream, in.line = true, line
	in.r = bufio.NewReaderSize(io.MultiReader(bytes.NewReader(first), in.r), bufferSize)
	return nil, 0, nil
}

// readLine reads the rest of the line.
func (in *input) readLine() ([]byte, error) {
	in.value = in.value[:0]
	size := 0
	for {
		part, err := in.r.ReadSlice('\n')
		size += len(part)
		if err == nil && size == len(part) { // all in the buffer: no copy needed
			in.line++
			return part, nil
		}
		if size <= MaxRecord {
			in.value = append(in.value, part...)
		}
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case err == nil:
			in.line++
		case err != io.EOF || size == 0:
			return nil, readError(err)
		}
		if size > MaxRecord {
			return nil, errTooLong
		}
		return in.value, nil
	}
}

// nextValue reads the next value of a stream, skipping brackets and commas of arrays around it.
func (in *input) nextValue() ([]byte, int, error) {
	for {
		c, err := in.peek()
		if err == io.EOF && in.array {
			return nil, in.line, errors.New("the file ends within an array")
		}
		if err != nil {
			return nil, in.line, err
		}
		switch {
		case c == '[' && !in.array:
			in.array, in.comma, in.index = true, false, 0
		case c == ']' && in.array:
			in.array, in.index = false, 0
		case c == ',' && in.array && in.comma:
			in.comma = false
		case in.array && in.comma:
			return nil, in.line, fmt.Errorf("found %q instead of a comma between two records", rune(c))
		default:
			if in.comma = in.array; in.array {
				in.index++
			}
			line := in.line
			value, err := in.readValue(c)
			if err == io.EOF {
				err = fmt.Errorf("the file ends within the record that begins in line %d", line)
				line = in.line
			}
			return value, line, err
		}
		in.skip()
	}
}

// readValue reads a value that begins with c, up to its closing bracket; a value without brackets
// ends before the next delimiter.
func (in *input) readValue(c byte) ([]byte, error) {
	var n nesting
	nested := c == '{' || c == '[' || c == '"'
	in.value = in.value[:0]
	size := 0
	for {
		if _, err := in.r.Peek(1); err != nil {
			if err == io.EOF && !nested {
				return in.value, nil
			}
			return nil, readError(err)
		}
		chunk, _ := in.r.Peek(in.r.Buffered()) // does not block
		used, closed := 0, false
		for used < len(chunk) && !closed {
			if !nested && size+used > 0 && endsToken(chunk[used]) {
				closed = true
				break
			}
			closed = n.add(chunk[used]) && nested
			used++
		}
		in.line += bytes.Count(chunk[:used], []byte("\n"))
		if size += used; size <= MaxRecord {
			in.value = append(in.value, chunk[:used]...)
		}
		if _, err := in.r.Discard(used); err != nil {
			return nil, readError(err)
		}
		if closed && size > MaxRecord {
			return nil, errTooLong
		}
		if closed {
			return in.value, nil
		}
	}
}

// endsToken reports whether a number or word ends before c.
func endsToken(c byte) bool { return c <= ' ' || c == ',' || c == ']' || c == '}' }

// peek skips white space and returns the byte after it without consuming it.
func (in *input) peek() (byte, error) {
	for {
		b, err := in.r.Peek(1)
		if err != nil {
			return 0, readError(err)
		}
		switch b[0] {
		case '\n', ' ', '\t', '\r':
			in.skip()
		default:
			return b[0], nil
		}
	}
}

// skip consumes a byte that was peeked at.
func (in *input) skip() {
	if c, err := in.r.ReadByte(); err == nil && c == '\n' {
		in.line++
	}
}

// nesting tracks the brackets of a JSON value byte by byte.
type nesting struct {
	depth             int
	inString, escaped bool
}

// add processes c and reports whether the value may end with it.
func (n *nesting) add(c byte) bool {
	switch {
	case n.escaped:
		n.escaped = false
		return false
	case n.inString:
		n.escaped = c == '\\'
		n.inString = c != '"'
	case c == '"':
		n.inString = true
	case c == '{' || c == '[':
		n.depth++
	case c == '}' || c == ']':
		n.depth--
	}
	return n.depth < 1 && !n.inString
}

// linesBefore counts the line ends in the first bytes of a value.
func linesBefore(value []byte, offset int64) int {
	return bytes.Count(value[:min(max(offset-1, 0), int64(len(value)))], []byte("\n"))
}

// readError returns a readable error for a file that cannot be read any further.
func readError(err error) error {
	var corrupt flate.CorruptInputError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("the file is truncated: its gzip data ends early")
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum), errors.As(err, &corrupt):
		return fmt.Errorf("the file is damaged: %w", err)
	}
	return err
}
