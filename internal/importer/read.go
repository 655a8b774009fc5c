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

	"agora/internal/forum"
)

// Read yields the records of one file of Snap, or of a format that is JSON: gzip or
// plain; values one a line, or one after another, or in arrays. A record that is bad has its Err set,
// and reading goes on; a non-nil error is a *FileError, and the last thing
// yielded. file is the name for messages. An empty file has no records.
func Read(r io.Reader, file string, f Format) iter.Seq2[Record, error] {
	if f == Snap {
		return snapRecords(r, file)
	}
	return func(yield func(Record, error) bool) {
		rd := reader{file: file, language: languages[f]}
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
			rec := rd.record(value, line, err)
			if fault := rd.ends(in, value, rec); fault != nil {
				yield(Record{}, fault)
				return
			}
			if !yield(rec, nil) {
				return
			}
		}
	}
}

// reader turns the values of a file into records.
type reader struct {
	file     string
	language language
	// known tells that the file has been seen to be of the right format.
	known bool
}

// language is how one format is read.
type language struct {
	// record is what a record is called, with its article.
	record string
	// typical reports whether fields of these names make it likely that an object
	// is such a record.
	typical func(has map[string]json.RawMessage) bool
	// read fills the record from a JSON value, or says why it is bad.
	read func(value []byte, rec *Record) error
}

// languages are the formats that are JSON.
var languages = map[Format]language{
	V2EX:       {"a V2EX topic", typicalOfV2EX, readV2EX},
	Discourse:  {"a Discourse topic", typicalOfDiscourse, readDiscourse},
	HackerNews: {"a Hacker News item", typicalOfHackerNews, readHackerNews},
}

func (r *reader) fault(line int, err error) *FileError {
	return &FileError{File: r.file, Line: line, Err: err}
}

// record reads one value; err is why there is none.
func (r *reader) record(value []byte, line int, err error) Record {
	rec := Record{File: r.file, Line: line}
	if err == nil {
		err = r.language.read(value, &rec)
	}
	if err != nil {
		return Record{File: r.file, Line: line, Err: plainError(err)}
	}
	return rec
}

// ends tells why a file cannot be read any further after this record, or nil:
// it is of another format, or the record cannot be told from the next one.
func (r *reader) ends(in *input, value []byte, rec Record) error {
	var syntax *syntaxError
	if errors.As(rec.Err, &syntax) {
		if in.stream {
			return r.fault(rec.Line+linesBefore(value, syntax.Offset), rec.Err)
		}
		return nil
	}
	if r.known || rec.Err == errTooLong {
		return nil
	}
	var has map[string]json.RawMessage
	if json.Unmarshal(value, &has) != nil || has == nil {
		return nil // no object: a bad record that tells nothing of the format
	}
	r.known = true
	if r.language.typical(has) {
		return nil
	}
	for _, f := range Formats() {
		if other, is := languages[f]; is && other.typical(has) {
			return r.fault(rec.Line, fmt.Errorf("this is %s, not %s; give --format %s", other.record, r.language.record, f))
		}
	}
	if rec.Err != nil {
		return r.fault(rec.Line, fmt.Errorf("this is not %s: %w", r.language.record, rec.Err))
	}
	return nil
}

// syntaxError says that a value is no JSON.
type syntaxError struct{ *json.SyntaxError }

// Error adds to the reason where it lies.
func (e *syntaxError) Error() string {
	return fmt.Sprintf("this is not JSON: %v at byte %d of the record", e.SyntaxError, e.Offset)
}

// plainError says in plain English what encoding/json found.
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
	found, _, _ := strings.Cut(mismatch.Value, " ") // behind it may stand a long number
	return fmt.Errorf("%s cannot be of type %s", field, found)
}

// moment is a time as Unix seconds or in RFC 3339, held in Unix milliseconds;
// 0 if it is missing, null or 0.
type moment int64

// noMoment stands for what is not a time.
const noMoment moment = -1

// UnmarshalJSON implements json.Unmarshaler. It does not fail: whoever needs the
// time finds out whether there is one.
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

// earliest and latest bound the times that are taken for real: forums began in
// the nineties, and later than 2100 a unit is wrong.
const (
	earliest moment = 631_152_000_000   // 1990-01-01
	latest   moment = 4_102_444_800_000 // 2100-01-01
)

// known is the time, or 0 if there is none to be taken for real.
func (m moment) known() forum.Time {
	if m < earliest || m >= latest {
		return 0
	}
	return forum.Time(m)
}

// must is the time, which has to be one.
func (m moment) must(field string) (forum.Time, error) {
	if m == 0 {
		return 0, fmt.Errorf("%s is missing", field)
	}
	if m.known() == 0 {
		return 0, fmt.Errorf("%s is not a time between 1990 and 2100", field)
	}
	return m.known(), nil
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }
