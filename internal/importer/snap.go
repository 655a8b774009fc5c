package importer

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"iter"
	"strconv"
)

// skippedSelf is the reason for which an edge is left out.
const skippedSelf = "users who follow themselves"

// snapRecords yields the edges of a SNAP edge list, one per line. Comments, which begin with #, and
// empty lines are skipped.
func snapRecords(r io.Reader, file string) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		rd := reader{file: file}
		in, err := open(r)
		if err != nil {
			yield(Record{}, rd.fault(0, err))
			return
		}
		for {
			at := in.line
			line, err := in.readLine()
			if err == io.EOF {
				return
			}
			if err != nil && err != errTooLong {
				yield(Record{}, rd.fault(at, err))
				return
			}
			line = bytes.TrimSpace(line)
			if err == nil && (len(line) == 0 || line[0] == '#') {
				continue
			}
			rec := rd.edge(line, at, err)
			if fault := rd.noEdges(line, rec); fault != nil {
				yield(Record{}, fault)
				return
			}
			if !yield(rec, nil) {
				return
			}
		}
	}
}

// edge parses one line; err is the error of reading it.
func (r *reader) edge(line []byte, at int, err error) Record {
	rec := Record{File: r.file, Line: at}
	if err == nil {
		err = readEdge(line, &rec)
	}
	if err != nil {
		return Record{File: r.file, Line: at, Err: err}
	}
	return rec
}

// noEdges returns why a file is not an edge list, or nil: its first line is invalid and does not
// even begin with a number.
func (r *reader) noEdges(line []byte, rec Record) error {
	if r.known || rec.Err == errTooLong {
		return nil
	}
	if r.known = rec.Err == nil || isDigit(line[0]); r.known {
		return nil
	}
	return r.fault(
		rec.Line,
		fmt.Errorf("this is not an edge list: it begins with %q, not with # or a number", []rune(string(line))[0]),
	)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// readEdge parses an edge. A line with a weight is invalid, because weights may mean distrust.
func readEdge(line []byte, rec *Record) error {
	fields := bytes.Fields(line)
	if len(fields) != 2 {
		return fmt.Errorf("the line has %d fields, not the numbers of two users", len(fields))
	}
	from, fromErr := readNode(fields[0])
	to, toErr := readNode(fields[1])
	if err := cmp.Or(fromErr, toErr); err != nil {
		return err
	}
	if from == to {
		rec.Skipped = skippedSelf
		return nil
	}
	rec.Follow = &Follow{From: from, To: to}
	return nil
}

// readNode returns the member with a number, 0 or more, which is all that is known of one.
func readNode(number []byte) (Person, error) {
	n, err := strconv.ParseUint(string(number), 10, 63)
	if err != nil {
		return Person{}, fmt.Errorf("%.20q is not the number of a user", number)
	}
	id := strconv.FormatUint(n, 10) // one form for 7 and 07
	return Person{ID: id, Name: "User " + id, SourceID: id}, nil
}
