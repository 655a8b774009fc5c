package importer

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// Table is a file of a Stack Exchange data dump, by the name of its root element.
type Table string

// The tables that are imported.
const (
	postsTable    Table = "posts"
	commentsTable Table = "comments"
	usersTable    Table = "users"
	votesTable    Table = "votes"
)

// otherTables are the tables that are not imported: the tags of a topic are in its row, and the
// others have no counterpart here.
var otherTables = map[Table]bool{"tags": true, "badges": true, "posthistory": true, "postlinks": true}

// TableOf returns the table of a file by its name: Posts.xml, or compressed Posts.xml.gz, in any
// case; "" if it is not one of a dump.
func TableOf(file string) Table {
	name, is := strings.CutSuffix(strings.TrimSuffix(strings.ToLower(filepath.Base(file)), ".gz"), ".xml")
	if t := Table(name); is && (t.Imported() || otherTables[t]) {
		return t
	}
	return ""
}

// Imported reports whether the rows of the table are imported.
func (t Table) Imported() bool {
	return t == postsTable || t == commentsTable || t == usersTable || t == votesTable
}

// rows yields the rows of a file, gzip or plain, until ctx is done. Rows that want rejects by their
// first bytes are not decoded, because that takes the most time, and have errUnwanted; a nil want
// accepts all. An invalid row has its err set. A non-nil error means that the file cannot be read
// any further, and is the last value yielded.
func (t Table) rows(ctx context.Context, in Input, want func(element []byte) bool) iter.Seq2[row, error] {
	return func(yield func(row, error) bool) {
		file, err := in.Open()
		if err != nil {
			yield(row{}, err)
			return
		}
		defer file.Close()
		f, err := open(file)
		if err != nil {
			yield(row{}, &FileError{File: in.Name, Err: err})
			return
		}
		x := xmlFile{input: f, root: "<" + string(t) + ">", want: want}
		for ctx.Err() == nil {
			r, err := x.row()
			if err == io.EOF || err == nil && !yield(r, nil) {
				return
			}
			if err != nil {
				yield(row{}, &FileError{File: in.Name, Line: f.line, Err: err})
				return
			}
		}
	}
}

var errUnwanted = errors.New("the row was not read")

// xmlFile splits a file of one table into rows.
type xmlFile struct {
	*input
	root string // "<posts>"
	want func(element []byte) bool
	// begun and ended report that the root's tags were read.
	begun, ended bool
}

// row reads the next row. It returns io.EOF at the end, and any other error if the
// file cannot be read any further.
func (x *xmlFile) row() (row, error) {
	for {
		element, line, err := x.element()
		switch {
		case err == io.EOF && !x.ended:
			return row{}, x.early()
		case err == errTooLong:
			return row{line: line, err: err}, nil
		case err != nil:
			return row{}, err
		}
		name := nameOf(element)
		switch {
		case strings.HasPrefix(name, "<?"), strings.HasPrefix(name, "<!"), name == "</row>":
		case x.ended:
			return row{}, fmt.Errorf("unexpected data after %s", x.end())
		case !x.begun && name != x.root:
			return row{}, x.wrong(name)
		case !x.begun:
			x.begun, x.ended = true, bytes.HasSuffix(element, []byte("/>"))
		case name == x.end():
			x.ended = true
		default:
			r := row{line: line, size: len(element), err: errUnwanted}
			if x.want == nil || x.want(element) {
				r.decode(element)
			}
			return r, nil
		}
	}
}

func (x *xmlFile) end() string { return "</" + x.root[1:] }

// early returns the error of a file that ends before its root element.
func (x *xmlFile) early() error {
	if !x.begun {
		return errors.New("the file is empty")
	}
	return fmt.Errorf("the file ends before %s", x.end())
}

// wrong returns the error of a file that begins with this element.
func (x *xmlFile) wrong(name string) error {
	if !strings.HasPrefix(name, "<") {
		return errors.New("this is not XML")
	}
	return fmt.Errorf("this is a file of %.40s, not of %s", name, x.root)
}

// nameOf returns the element's name in angle brackets, without attributes. If it is not an element,
// the result does not begin with a bracket.
func nameOf(element []byte) string {
	end := bytes.IndexAny(element, " \t\r\n/>")
	if bytes.HasPrefix(element, []byte("</")) {
		end = bytes.IndexAny(element, " \t\r\n>")
	}
	if end < 0 {
		end = len(element)
	}
	name := element[:min(end, 64)]
	if bytes.HasPrefix(name, []byte("<")) {
		return string(name) + ">"
	}
	return string(name)
}

// element reads from "<" to the next ">" outside of quotes, and returns the line in which that
// begins. A broken element ends before the next row or closing tag, so that it does not affect
// others. Errors are those of input.next.
func (x *xmlFile) element() (element []byte, line int, err error) {
	if _, err := x.peek(); err != nil {
		return nil, x.line, err
	}
	line = x.line
	x.value = x.value[:0]
	begin, _ := x.r.Peek(len("<!"))
	t := tag{comment: string(begin) == "<!"}
	size := 0
	for !t.closed {
		c, err := x.r.Peek(1)
		if err != nil && err != io.EOF {
			return nil, line, readError(err)
		}
		if err == io.EOF || c[0] == '<' && size > 0 && x.atElement() {
			break
		}
		chunk, _ := x.r.Peek(x.r.Buffered()) // does not block
		used := t.scan(chunk)
		x.line += bytes.Count(chunk[:used], []byte("\n"))
		if size += used; size <= MaxRecord {
			x.value = append(x.value, chunk[:used]...)
		}
		if _, err := x.r.Discard(used); err != nil {
			return nil, line, readError(err)
		}
	}
	if size > MaxRecord {
		return nil, line, errTooLong
	}
	return x.value, line, nil
}

// atElement reports whether a row or a closing tag begins here.
func (x *xmlFile) atElement() bool {
	next, _ := x.r.Peek(len("<row"))
	return string(next) == "<row" || len(next) > 1 && next[1] == '/'
}

// tag tracks the quotes of an element byte by byte.
type tag struct {
	quote   byte // the open quote, or 0
	comment bool // quotes mean nothing in it
	closed  bool
}

// scan processes the chunk up to the end of the element, or up to the next "<" after the first
// byte. It returns the number of bytes processed.
func (t *tag) scan(chunk []byte) int {
	for i, c := range chunk {
		switch {
		case c == '<' && i > 0:
			return i
		case t.quote != 0:
			if c == t.quote {
				t.quote = 0
			}
		case (c == '"' || c == '\'') && !t.comment:
			t.quote = c
		case c == '>':
			t.closed = true
			return i + 1
		}
	}
	return len(chunk)
}

// decode parses the attributes of an element. Characters that XML does not allow, but that dumps
// contain, do not make a row invalid.
func (r *row) decode(element []byte) {
	if r.attributes, r.err = attributesOf(element); r.err == nil {
		return
	}
	cleaned, dropped := clean(element)
	if attributes, err := attributesOf(cleaned); err == nil {
		r.attributes, r.err = attributes, nil
		r.changes.ControlCharacters += dropped
	}
}

func attributesOf(element []byte) ([]xml.Attr, error) {
	token, err := xml.NewDecoder(bytes.NewReader(element)).RawToken()
	var syntax *xml.SyntaxError
	if errors.As(err, &syntax) {
		return nil, fmt.Errorf("this is not XML: %s", syntax.Msg)
	}
	if err != nil {
		return nil, err
	}
	start, is := token.(xml.StartElement)
	if !is || start.Name.Local != "row" {
		return nil, errors.New("this is not a row")
	}
	return start.Attr, nil
}

// reference matches a numeric character reference.
var reference = regexp.MustCompile(`&#(x[0-9A-Fa-f]+|[0-9]+);`)

// clean drops control characters, and replaces other characters that XML does not allow by U+FFFD.
// It counts what it dropped.
func clean(element []byte) (cleaned []byte, dropped int) {
	keep := func(r rune) rune {
		switch {
		case r == '\t' || r == '\n' || r == '\r':
			return r
		case r < ' ':
			dropped++
			return -1
		case noncharacter(r) || r >= 0xD800 && r <= 0xDFFF || r > 0x10FFFF:
			return '\uFFFD'
		}
		return r
	}
	cleaned = bytes.Map(keep, bytes.ToValidUTF8(element, []byte("\uFFFD")))
	cleaned = reference.ReplaceAllFunc(cleaned, func(ref []byte) []byte {
		digits, base := string(ref[2:len(ref)-1]), 10
		if digits[0] == 'x' {
			digits, base = digits[1:], 16
		}
		n, err := strconv.ParseInt(digits, base, 32)
		if err != nil {
			return []byte("\uFFFD")
		}
		switch r := keep(rune(n)); r {
		case rune(n):
			return ref
		case -1:
			return nil
		default:
			return []byte(string(r))
		}
	})
	return cleaned, dropped
}
