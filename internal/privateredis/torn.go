package privateredis

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The append-only file of a killed redis-server may end within a transaction. Redis 7.0 truncates
// such a file after the last whole command, not before MULTI. What it appends later then belongs to
// that transaction, and the next start loses it. So the file is truncated here, before Redis reads
// it.

const (
	aofDir      = "appendonlydir"
	aofManifest = "appendonly.aof.manifest"
	// tornPrefix is the prefix of files with data that was cut off, followed by the time.
	tornPrefix = "torn-"
	// maxTorn is how many of these files are kept.
	maxTorn = 10
)

// tear describes what repairTail cut off.
type tear struct {
	file  string
	bytes int64
	// kept is the file with a copy of these bytes, unless keepErr is the reason for having none.
	kept    string
	keepErr error
}

// repairTail cuts an unfinished command or transaction off the end of the append-only file, and
// keeps a copy of it. It returns nil if the file is complete. Files damaged in another way are left
// to Redis, which refuses them.
func (d *directory) repairTail(now time.Time) (*tear, error) {
	path, err := lastIncrement(d.path)
	if err != nil || path == "" {
		return nil, err
	}
	f, err := openPlain(path, os.O_RDWR)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	whole, err := wholeCommands(f)
	var damage *damageError
	if errors.As(err, &damage) || err == nil && whole == info.Size() {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	t := &tear{file: path, bytes: info.Size() - whole}
	t.kept, t.keepErr = d.keepTorn(io.NewSectionReader(f, whole, t.bytes), now)
	if err := f.Truncate(whole); err != nil {
		return nil, err
	}
	return t, f.Sync()
}

// lastIncrement returns the file that Redis appends to, by its manifest, or "".
func lastIncrement(dir string) (string, error) {
	text, err := os.ReadFile(filepath.Join(dir, aofDir, aofManifest))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	last := ""
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line) // file NAME seq N type b|h|i
		if len(f) == 6 && f[0] == "file" && f[4] == "type" && f[5] == "i" && filepath.Base(f[1]) == f[1] {
			last = filepath.Join(dir, aofDir, f[1])
		}
	}
	return last, nil
}

// keepTorn copies the data to be cut off to a file of its own, and removes the oldest such files.
func (d *directory) keepTorn(r io.Reader, now time.Time) (string, error) {
	path := filepath.Join(d.path, tornPrefix+now.UTC().Format("20060102T150405.000000000Z")+".aof")
	f, err := openPlain(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY)
	if err != nil {
		return "", err
	}
	_, err = io.Copy(f, r)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		os.Remove(path)
		return "", err
	}
	all, err := fs.Glob(os.DirFS(d.path), tornPrefix+"*.aof")
	if err != nil {
		return path, err
	}
	slices.Sort(all)
	for _, name := range all[:max(0, len(all)-maxTorn)] {
		err = errors.Join(err, os.Remove(filepath.Join(d.path, name)))
	}
	return path, err
}

// damageError means that a file is not a sequence of commands.
type damageError struct {
	at int64
}

// Error implements error.
func (e *damageError) Error() string {
	return fmt.Sprintf("no command begins or ends at byte %d", e.at)
}

// wholeCommands returns how many bytes of an append-only file are complete commands and
// transactions. Zeros up to the end count as cut off: a file system may leave them after a power
// failure. Anything else that is not a command is a *damageError.
func wholeCommands(r io.Reader) (int64, error) {
	a := &aofReader{r: bufio.NewReaderSize(r, 1<<16)}
	whole, open := int64(0), false
	for {
		name, err := a.command()
		switch {
		case err == io.EOF:
			return whole, nil
		case errors.Is(err, errSyntax):
			at := a.at
			if a.onlyZeros() {
				return whole, nil
			}
			return whole, &damageError{at}
		case err != nil:
			return whole, err
		case strings.EqualFold(name, "MULTI"):
			open = true
			continue
		case strings.EqualFold(name, "EXEC"):
			open = false
		}
		if !open {
			whole = a.at
		}
	}
}

// errSyntax is the error of aofReader if it finds anything other than a command or its end.
var errSyntax = errors.New("syntax")

// aofReader reads commands in Redis's format, and comments.
type aofReader struct {
	r  *bufio.Reader
	at int64 // number of valid bytes read
}

const (
	// maxLine is the maximum length of a line with a number, maxNote that of a comment.
	maxLine = 32
	maxNote = 1024
	// maxArgument is the maximum length of an argument in bytes, as in Redis (proto-max-bulk-len).
	maxArgument = 512 << 20
	// maxName is how much of a command's name is read.
	maxName = 8
)

// command reads one command and returns the beginning of its name, or "" for a comment. It returns
// io.EOF if the file ends before or within the command.
func (a *aofReader) command() (string, error) {
	first, err := a.r.Peek(1)
	if err != nil {
		return "", err
	}
	if first[0] == '#' {
		_, err := a.line('#', maxNote)
		return "", err
	}
	n, err := a.number('*', 1<<20)
	if err != nil {
		return "", err
	}
	if n < 1 {
		return "", errSyntax
	}
	name := ""
	for i := range n {
		length, err := a.number('$', maxArgument)
		if err != nil {
			return "", err
		}
		if i == 0 {
			start := make([]byte, min(length, maxName))
			if err := a.full(start); err != nil {
				return "", err
			}
			name = string(start)
			length -= len(start)
		}
		if err := a.skip(length); err != nil {
			return "", err
		}
	}
	return name, nil
}

// number reads a line with a number, such as "$17".
func (a *aofReader) number(mark byte, most int) (int, error) {
	text, err := a.line(mark, maxLine)
	if err != nil {
		return 0, err
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > most {
		return 0, errSyntax
	}
	return n, nil
}

// line reads a line that begins with mark, and returns the rest of it.
func (a *aofReader) line(mark byte, most int) (string, error) {
	text, err := a.r.Peek(most)
	if err != nil && err != io.EOF {
		return "", err
	}
	end := bytes.IndexByte(text, '\n')
	switch {
	case len(text) == 0:
		return "", io.EOF
	case text[0] != mark:
		return "", errSyntax
	case end < 0 && err == io.EOF && bytes.IndexByte(text, 0) < 0:
		return "", io.EOF
	case end < 0:
		return "", a.zerosIn(text)
	case end < 2 || text[end-1] != '\r':
		return "", errSyntax
	}
	rest := string(text[1 : end-1])
	return rest, a.drop(end + 1)
}

// zerosIn consumes the part of an unfinished line before its first zero.
func (a *aofReader) zerosIn(text []byte) error {
	if zero := bytes.IndexByte(text, 0); zero >= 0 {
		if err := a.drop(zero); err != nil {
			return err
		}
	}
	return errSyntax
}

// full reads the beginning of an argument.
func (a *aofReader) full(p []byte) error {
	n, err := io.ReadFull(a.r, p)
	a.at += int64(n)
	if err == io.ErrUnexpectedEOF {
		return io.EOF
	}
	return err
}

// skip skips the rest of an argument and the end of its line.
func (a *aofReader) skip(n int) error {
	if err := a.drop(n); err != nil {
		return err
	}
	for _, want := range []byte("\r\n") {
		next, err := a.r.Peek(1)
		if err != nil {
			return err
		}
		if next[0] != want {
			return errSyntax
		}
		if err := a.drop(1); err != nil {
			return err
		}
	}
	return nil
}

func (a *aofReader) drop(n int) error {
	done, err := a.r.Discard(n)
	a.at += int64(done)
	return err
}

// onlyZeros reports whether only zeros remain.
func (a *aofReader) onlyZeros() bool {
	for {
		b, err := a.r.ReadByte()
		if err != nil {
			return err == io.EOF
		}
		if b != 0 {
			return false
		}
	}
}
