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
	"agora/internal/store"
	"agora/internal/store/internal/record"
)

// header is the first line of an export.
type header struct {
	Agora  int               `json:"agora"`
	Layout map[string]string `json:"layout"`
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
	if err := json.Unmarshal(line, &r.first); err != nil || r.first.Agora == 0 {
		return nil, &DamagedError{1, "this is not an export of agora"}
	}
	return r, r.first.check()
}

// check compares the versions with this program's.
func (h header) check() error {
	for _, v := range []VersionError{
		{"format", strconv.Itoa(h.Agora), strconv.Itoa(Version)},
		{"partitions", h.Layout["partitions"], strconv.Itoa(forum.Partitions)},
	} {
		if v.Has != v.Supported {
			return &v
		}
	}
	if v := record.Fields(h.Layout).Int("version"); v < store.OldestLayout() || v > record.LayoutVersion {
		return &VersionError{"layout", h.Layout["version"], strconv.Itoa(record.LayoutVersion)}
	}
	if !record.Fields(h.Layout).IsWhole("created", 1) {
		return &DamagedError{1, "the layout does not say when the site was created"}
	}
	if _, err := forum.LoadZone(h.Layout["timeZone"]); err != nil {
		return &DamagedError{1, "the time zone of the site: " + err.Error()}
	}
	return nil
}

// next returns the next line, which is valid until the next call, and adds it to the sum. It returns io.EOF
// after the last line.
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
		return nil, &DamagedError{0, fmt.Sprintf("the file is damaged: its last line is %.100q; want %q", line,
			r.last.line())}
	}
	return r.nextRow() // there must be none
}
