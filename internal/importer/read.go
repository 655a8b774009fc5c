package importer

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"
	"time"
)

// Read yields the records of one file in Snap or in a JSON format: gzip or plain; values one per
// line, or one after another, or in arrays. An invalid record has its Err set, and reading
// continues. A non-nil error is a *FileError, and the last value yielded. file is the name for
// messages. An empty file has no records. Options must have been checked.
func Read(r io.Reader, file string, o Options) iter.Seq2[Record, error] {
	if o.Format == Snap {
		return snapRecords(r, file)
	}
	return func(yield func(Record, error) bool) {
		rd := reader{file: file, language: languages[o.Format], origin: o.origin}
		in, err := open(r)
		if err != nil {
			yield(Record{}, rd.fault(0, err))
			return
		}
		for {
			value, line, err := in.next()
			if err == io.EOF {
				return
			}
			if err != nil && err != errTooLong {
				yield(Record{}, rd.fault(line, err))
				return
			}
			rec := rd.record(value, Record{File: file, Line: line, Index: in.index}, err)
			if fault := rd.ends(in, value, rec.Record); fault != nil {
				yield(Record{}, fault)
				return
			}
			for _, part := range rec.parts {
				if !yield(part, nil) {
					return
				}
			}
			if !yield(rec.Record, nil) {
				return
			}
		}
	}
}

// reader converts the values of a file to records.
type reader struct {
	file     string
	language language
	origin   origin
	// known reports that the file has the right format.
	known bool
}

// language describes how a JSON format is read.
type language struct {
	// record is the name of a record, with its article.
	record string
	// typical reports whether an object with these fields is likely to be such a record.
	typical func(has map[string]json.RawMessage) bool
	// read fills the record from a JSON value, or returns why it is invalid.
	read func(value []byte, rec *reading) error
}

// reading is a record that is being read.
type reading struct {
	Record
	origin
	// parts are further records in the same value, such as posts of a topic that are left out. They
	// have its place.
	parts []Record
}

// leave adds that a number of rows in the value are left out.
func (r *reading) leave(why string, rows int) {
	if rows > 0 {
		r.part(Record{Skipped: why, Count: rows})
	}
}

// lack adds that the value names a number of things that are not in it.
func (r *reading) lack(what string, n int) {
	if n > 0 {
		r.part(Record{Missing: what, Count: n})
	}
}

// part adds a part.
func (r *reading) part(p Record) {
	p.File, p.Line, p.Index = r.File, r.Line, r.Index
	r.parts = append(r.parts, p)
}

// languages are the JSON formats.
var languages = map[Format]language{
	V2EX:       {"a V2EX topic", typicalOfV2EX, readV2EX},
	Discourse:  {"a Discourse topic", typicalOfDiscourse, readDiscourse},
	HackerNews: {"a Hacker News item", typicalOfHackerNews, readHackerNews},
}

func (r *reader) fault(line int, err error) *FileError {
	return &FileError{File: r.file, Line: line, Err: err}
}

// record reads one value at a place; err is the error of reading it from the file.
func (r *reader) record(value []byte, at Record, err error) reading {
	rec := reading{Record: at, origin: r.origin}
	if err == nil {
		err = r.language.read(value, &rec)
	}
	if err != nil {
		at.Err = plainError(err)
		rec.Record = at
	}
	return rec
}

// ends returns why a file cannot be read any further after this record, or nil: it is in another
// format, or the end of the record is unknown.
func (r *reader) ends(in *input, value []byte, rec Record) error {
	var syntax *syntaxError
	if errors.As(rec.Err, &syntax) {
		if in.stream {
			return r.fault(rec.Line+linesBefore(value, syntax.Offset), rec.indexed(rec.Err))
		}
		return nil
	}
	if r.known || rec.Err == errTooLong {
		return nil
	}
	var has map[string]json.RawMessage
	if json.Unmarshal(value, &has) != nil || has == nil {
		return nil // not an object: an invalid record that does not identify the format
	}
	r.known = true
	if r.language.typical(has) {
		return nil
	}
	for _, f := range Formats() {
		if other, is := languages[f]; is && other.typical(has) {
			return r.fault(rec.Line, fmt.Errorf("this is %s, not %s; use --format %s", other.record, r.language.record, f))
		}
	}
	if rec.Err != nil {
		return r.fault(rec.Line, fmt.Errorf("this is not %s: %w", r.language.record, rec.Err))
	}
	return nil
}

// syntaxError means that a value is not JSON.
type syntaxError struct{ *json.SyntaxError }

// Error adds the position to the reason.
func (e *syntaxError) Error() string {
	return fmt.Sprintf("this is not JSON: %v at byte %d of the record", e.SyntaxError, e.Offset)
}

// plainError rewrites an error of encoding/json in plain English.
func plainError(err error) error {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return &syntaxError{syntax}
	}
	var mismatch *json.UnmarshalTypeError
	if !errors.As(err, &mismatch) {
		return err
	}
	field := mismatch.Field
	if field == "" {
		field = "the record"
	}
	found, _, _ := strings.Cut(mismatch.Value, " ") // it may be followed by a long number
	return fmt.Errorf("%s cannot be of type %s", field, found)
}

// moment is a time as Unix seconds or in RFC 3339, held in Unix milliseconds;
// 0 if it is missing, null or 0.
type moment int64

// noMoment is an invalid time.
const noMoment moment = -1

// UnmarshalJSON implements json.Unmarshaler. It never fails; an invalid time is only an error if it
// is needed.
func (m *moment) UnmarshalJSON(b []byte) error {
	s := string(b)
	if s == "null" {
		return nil
	}
	*m = noMoment
	if quoted := strings.Trim(s, `"`); quoted != s {
		if t, err := time.Parse(time.RFC3339, quoted); err == nil {
			*m = moment(t.UnixMilli())
		}
	} else if n, err := strconv.ParseInt(s, 10, 64); err == nil && n > -int64(latest) && n < int64(latest) {
		*m = moment(n * 1000)
	}
	return nil
}

// earliest and latest bound plausible times: forums began in the nineties, and a time after 2100
// has the wrong unit. No post is later than now, either; see origin.
const (
	earliest moment = 631_152_000_000   // 1990-01-01
	latest   moment = 4_102_444_800_000 // 2100-01-01
)

func itoa(n int64) string { return strconv.FormatInt(n, 10) }
