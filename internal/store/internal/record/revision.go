package record

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"agora/internal/forum"
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

// PackRevision formats a revision as "number editor time act text": act is that which took it out of sight, 0 for
// none; text is a letter of packings and the packed text, compressed (DEFLATE, base64) if that is shorter. Exports are
// JSON, so that what is stored is text.
func PackRevision(r *forum.Revision) string {
	text, letter := r.Title+"\n"+r.Link+"\n"+r.Content, "m"
	if r.Format == forum.HTML {
		letter = "h"
	}
	var b bytes.Buffer
	w, _ := flate.NewWriter(&b, flate.BestCompression) // the level is known
	io.WriteString(w, text)
	w.Close()
	if z := base64.RawStdEncoding.EncodeToString(b.Bytes()); len(z) < len(text) {
		text, letter = z, strings.ToUpper(letter)
	}
	return fmt.Sprintf("%d %d %d %d %s%s", r.Number, r.EditorID, r.CreatedAt, r.RedactedBy, letter, text)
}

// firstUnpacked is how many bytes of a compressed text are charged and unpacked first; then as many again each time.
const firstUnpacked = 4 << 10

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
	head := strings.SplitN(value, " ", 5)
	if len(head) != 5 || head[4] == "" || packings[head[4][0]].format == "" || Atoi(head[0]) < 1 {
		return nil, 0, "", fmt.Errorf("revision of %s is malformed", key.Subject(of))
	}
	return &forum.Revision{Subject: of, Number: int(Atoi(head[0])), EditorID: forum.UserID(Atoi(head[1])),
		CreatedAt: forum.Time(Atoi(head[2])), RedactedBy: forum.ActID(Atoi(head[3]))}, head[4][0], head[4][1:], nil
}

// unpackers are readers of compressed texts, which take 40 kB each.
var unpackers = sync.Pool{New: func() any { return flate.NewReader(strings.NewReader("")) }}

// unpack returns a compressed text.
func unpack(text string, charge func(bytes int) error) (string, error) {
	from := unpackers.Get().(io.ReadCloser)
	defer unpackers.Put(from)
	from.(flate.Resetter).Reset(base64.NewDecoder(base64.RawStdEncoding, strings.NewReader(text)), nil)
	whole := make([]byte, 0, firstUnpacked)
	for {
		if err := charge(cap(whole) - len(whole)); err != nil {
			return "", err
		}
		for len(whole) < cap(whole) {
			n, err := from.Read(whole[len(whole):cap(whole)])
			whole = whole[:len(whole)+n]
			if err == io.EOF {
				return string(whole), nil
			}
			if err != nil {
				return "", err
			}
		}
		whole = slices.Grow(whole, len(whole))
	}
}
