package archive

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"strconv"

	"agora/internal/forum"
	"agora/internal/store/internal/kind"
	"agora/internal/store/internal/record"
)

// header is the first line of an export.
type header struct {
	Agora  int               `json:"agora"`
	Layout map[string]string `json:"layout"`
}

// row is a line between the first and the last: a key, or a part of a big one.
type row struct {
	Kind    string `json:"kind"`
	Key     string `json:"key"`
	Expires int64  `json:"expires"` // Unix ms; 0 for never
	Part    int    `json:"part"`    // from 2; 0 for the first

	// One of these, by the kind's type.
	Hash   map[string]string      `json:"hash"`
	ZSet   map[string]json.Number `json:"zset"`
	Set    []string               `json:"set"`
	String *string                `json:"string"`
}

// footer is the last line: the number of rows, and the SHA-256 of all lines before it.
type footer struct {
	rows int64
	sum  string
}

// footerHead is how the last line begins.
const footerHead = `{"rows":`

// line returns the line, which has no other form.
func (f footer) line() []byte {
	return fmt.Appendf(nil, "%s%d,\"sha256\":%q}\n", footerHead, f.rows, f.sum)
}

// sumText returns a checksum in hexadecimal.
func sumText(sum hash.Hash) string { return hex.EncodeToString(sum.Sum(nil)) }

// reader reads the lines of an export.
type reader struct {
	in    *bufio.Reader
	sum   hash.Hash // of the lines before the footer
	line  int64     // how many lines were read
	long  []byte    // a line that does not fit into the buffer
	first header
	last  *footer // once it was read
}

// newReader reads the header. The file may be compressed with gzip.
func newReader(file io.Reader) (*reader, error) {
	in := bufio.NewReaderSize(file, 256<<10)
	if magic, _ := in.Peek(2); string(magic) == "\x1f\x8b" {
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, damaged(err)
		}
		in = bufio.NewReaderSize(z, 256<<10)
	}
	r := &reader{in: in, sum: sha256.New()}
	line, err := r.next()
	if err == io.EOF {
		return nil, &DamagedError{0, "the file is empty"}
	}
	if err != nil {
		return nil, err
	}
	if err := decode(line, &r.first); err != nil || r.first.Agora == 0 {
		return nil, &DamagedError{1, "this is not an export of agora"}
	}
	return r, r.first.check()
}

// check compares the versions with this program's.
func (h header) check() error {
	for _, v := range []VersionError{
		{"format", strconv.Itoa(h.Agora), strconv.Itoa(Version)},
		{"layout", h.Layout["version"], strconv.Itoa(record.LayoutVersion)},
		{"partitions", h.Layout["partitions"], strconv.Itoa(forum.Partitions)},
	} {
		if v.Has != v.Supported {
			return &v
		}
	}
	if !record.Fields(h.Layout).IsWhole("created", 1) {
		return &DamagedError{1, "the layout does not say when the site was created"}
	}
	if _, err := forum.LoadZone(h.Layout["timeZone"]); err != nil {
		return &DamagedError{1, "the time zone of the site: " + err.Error()}
	}
	return nil
}

// next returns the next line, which is valid until the next call, and adds it to the sum. It returns io.EOF after the
// last line.
func (r *reader) next() ([]byte, error) {
	r.long = r.long[:0]
	for {
		part, err := r.in.ReadSlice('\n')
		line := part
		if len(r.long) > 0 || err == bufio.ErrBufferFull {
			r.long = append(r.long, part...)
			line = r.long
		}
		switch {
		case err == bufio.ErrBufferFull && len(line) <= maxLine:
			continue
		case err == bufio.ErrBufferFull:
			return nil, &DamagedError{r.line + 1, fmt.Sprintf("it has more than %d bytes", maxLine)}
		case err == io.EOF && len(line) == 0:
			return nil, io.EOF
		case err != nil:
			return nil, damaged(err)
		}
		r.line++
		if !bytes.HasPrefix(line, []byte(footerHead)) {
			r.sum.Write(line)
		}
		return line, nil
	}
}

// damaged returns the error for a file that cannot be read to its end.
func damaged(err error) error {
	var corrupt flate.CorruptInputError
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, gzip.ErrChecksum) ||
		errors.Is(err, gzip.ErrHeader) || errors.As(err, &corrupt) {
		return &DamagedError{0, "the file is truncated or damaged: " + err.Error()}
	}
	return err
}

// nextRow returns the next row, undecoded, or io.EOF at the end of a complete export.
func (r *reader) nextRow() ([]byte, error) {
	line, err := r.next()
	switch {
	case err == io.EOF && r.last == nil:
		return nil, &DamagedError{0, "the file is truncated: its last line, with the checksum, is missing"}
	case err != nil:
		return nil, err
	case r.last != nil:
		return nil, &DamagedError{r.line, "it follows the last line of the export"}
	case !bytes.HasPrefix(line, []byte(footerHead)):
		return line, nil
	}
	if r.last = (&footer{r.line - 2, sumText(r.sum)}); !bytes.Equal(line, r.last.line()) {
		return nil, &DamagedError{0, fmt.Sprintf("the file is damaged: its last line is %.100q; want %q", line, r.last.line())}
	}
	return r.nextRow() // there must be none
}

// decodeRow decodes and checks a row.
func (r *reader) decodeRow(line []byte) (row, error) {
	var w row
	err := decode(line, &w)
	if err == nil {
		err = w.check()
	}
	if err != nil {
		return row{}, &DamagedError{r.line, err.Error()}
	}
	return w, nil
}

// decode decodes a line, which must be one value without unknown fields.
func decode(line []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("more than one value")
	}
	return nil
}

// check verifies that a row is one that an export may contain.
func (w row) check() error {
	k, ok := kind.Named(w.Kind)
	if !ok || k.Export != kind.Row {
		return fmt.Errorf("exports have no rows of kind %q", w.Kind)
	}
	if _, ok := k.Read(w.Key); !ok {
		return fmt.Errorf("%q is not a key of kind %s", w.Key, w.Kind)
	}
	if w.Expires < 0 || w.Part < 0 {
		return errors.New("a number is negative")
	}
	has := map[kind.Type]bool{
		kind.Hash: len(w.Hash) > 0, kind.ZSet: len(w.ZSet) > 0, kind.Set: len(w.Set) > 0, kind.String: w.String != nil,
	}
	for typ, is := range has {
		if is != (typ == k.Type) {
			return fmt.Errorf("the content of %q is not a %s", w.Key, k.Type)
		}
	}
	return nil
}
