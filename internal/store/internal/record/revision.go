package record

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/key"
)

// A text is packed as its title, its link and its content, separated by line feeds, which only the content has. Its
// letter says in which language it is written, and whether it is compressed.
var packings = map[byte]struct {
	format     forum.ContentFormat
	compressed bool
}{
	'm': {forum.Markdown, false}, 'M': {forum.Markdown, true},
	'h': {forum.HTML, false}, 'H': {forum.HTML, true},
}

// packLevel is the level of compression of texts. Prose is hardly shorter at the highest one, but a text of two letters
// in random order takes thirty times as long there.
const packLevel = 5

// PackCost returns how many microseconds of a core PackRevision takes at most: a text of two letters takes as much.
func PackCost(r *forum.Revision) int { return (len(r.Title) + len(r.Link) + len(r.Content)) / 10 }

// PackRevision formats a revision as a catalogue.RevisionRow: act is that which took it out of sight, 0 for none; text
// is a letter of packings and the packed text. That is compressed if it is shorter so: then it is its length
// in bytes, a space, and the text (DEFLATE, base64). Exports are JSON, so that what is stored is text.
func PackRevision(r *forum.Revision) string {
	text, letter := r.Title+"\n"+r.Link+"\n"+r.Content, "m"
	if r.Format == forum.HTML {
		letter = "h"
	}
	var b bytes.Buffer
	w, _ := flate.NewWriter(&b, packLevel) // the level is known
	io.WriteString(w, text)
	w.Close()
	if z := fmt.Sprintf("%d %s", len(text), base64.RawStdEncoding.EncodeToString(b.Bytes())); len(z) < len(text) {
		text, letter = z, strings.ToUpper(letter)
	}
	return catalogue.RevisionRow.Format("number", r.Number, "editor", int64(r.EditorID), "time", int64(r.CreatedAt),
		"act", int64(r.RedactedBy), "text", letter+text)
}

// ParseRevisionHead parses the head of a revision as revision_read returns it.
func ParseRevisionHead(of forum.Subject, value string) (*forum.Revision, error) {
	size, packed, _ := strings.Cut(value, " ")
	r, letter, _, err := splitRevision(of, packed)
	if err == nil {
		r.Stored, r.Format = int(Atoi(size)), packings[letter].format
	}
	return r, err
}

// ParseRevision parses the result of PackRevision. charge is called with the number of bytes that are about to be
// unpacked; its error ends that and is returned.
func ParseRevision(of forum.Subject, value string, charge func(bytes int) error) (*forum.Revision, error) {
	r, letter, text, err := splitRevision(of, value)
	if err != nil {
		return nil, err
	}
	if packings[letter].compressed {
		if text, err = unpack(text, charge); err != nil {
			return nil, fmt.Errorf("revision %d of %s: %w", r.Number, key.Subject(of), err)
		}
	}
	title, rest, _ := strings.Cut(text, "\n")
	link, content, ok := strings.Cut(rest, "\n")
	if !ok {
		return nil, fmt.Errorf("revision %d of %s is malformed", r.Number, key.Subject(of))
	}
	r.Text = forum.Text{Title: title, Link: link, Content: content, Format: packings[letter].format}
	return r, nil
}

// splitRevision parses what precedes the text of a revision, and returns the text as it is packed, and its letter.
func splitRevision(of forum.Subject, value string) (r *forum.Revision, letter byte, text string, err error) {
	v, _ := catalogue.RevisionRow.Parse(value)
	packed := v.Text("text")
	if packed == "" || packings[packed[0]].format == "" || v.Int("number") < 1 {
		return nil, 0, "", fmt.Errorf("revision of %s is malformed", key.Subject(of))
	}
	return &forum.Revision{Subject: of, Number: int(v.Int("number")), EditorID: forum.UserID(v.Int("editor")),
		CreatedAt: forum.Time(v.Int("time")), RedactedBy: forum.ActID(v.Int("act"))}, packed[0], packed[1:], nil
}

// unpackers are readers of compressed texts, which take 40 kB each.
var unpackers = sync.Pool{New: func() any { return flate.NewReader(strings.NewReader("")) }}

// firstUnpacked is how many bytes of a text without its length are charged and unpacked first; then as many again each
// time. Version 0.1.0 packed such texts.
const firstUnpacked = 4 << 10

// mostDeflated is above the most bytes that a byte of DEFLATE is unpacked to, which is 1,032.
const mostDeflated = 1100

// unpack returns a compressed text.
func unpack(text string, charge func(bytes int) error) (string, error) {
	room, known := firstUnpacked, false
	if length, rest, ok := strings.Cut(text, " "); ok {
		n, err := strconv.Atoi(length)
		if err != nil || n < 0 || n > mostDeflated*len(rest) {
			return "", fmt.Errorf("%.20q is no length", length)
		}
		room, text, known = n, rest, true
	}
	from := unpackers.Get().(io.ReadCloser)
	defer unpackers.Put(from)
	from.(flate.Resetter).Reset(base64.NewDecoder(base64.RawStdEncoding, strings.NewReader(text)), nil)
	var whole []byte
	for {
		if err := charge(room); err != nil {
			return "", err
		}
		whole = slices.Grow(whole, room)
		n, err := io.ReadFull(from, whole[len(whole):len(whole)+room])
		whole = whole[:len(whole)+n]
		switch {
		case known && (err != nil || !ends(from)):
			return "", fmt.Errorf("it does not have the %d bytes that it says", room)
		case known, err == io.EOF, err == io.ErrUnexpectedEOF:
			return string(whole), nil
		case err != nil:
			return "", err
		}
		room = len(whole)
	}
}

// ends reports whether nothing is left to read.
func ends(r io.Reader) bool {
	_, err := io.ReadFull(r, make([]byte, 1))
	return err == io.EOF
}
