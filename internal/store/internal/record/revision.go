package record

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"fmt"
	"io"
	"strings"

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

// maxText is the largest size of a packed text before it is compressed.
const maxText = 4 * (forum.MaxContent + forum.MaxLink + 1000)

// ParseRevision parses the result of PackRevision.
func ParseRevision(of forum.Subject, value string) (*forum.Revision, error) {
	r := &forum.Revision{Subject: of}
	head := strings.SplitN(value, " ", 5)
	if len(head) != 5 || head[4] == "" {
		return nil, fmt.Errorf("revision of %s: no text", key.Subject(of))
	}
	r.Number, r.EditorID = int(Atoi(head[0])), forum.UserID(Atoi(head[1]))
	r.CreatedAt, r.RedactedBy = forum.Time(Atoi(head[2])), forum.ActID(Atoi(head[3]))
	letter, text := head[4][0], head[4][1:]
	if packings[letter].compressed {
		whole, err := io.ReadAll(io.LimitReader(
			flate.NewReader(base64.NewDecoder(base64.RawStdEncoding, strings.NewReader(text))), maxText))
		if err != nil {
			return nil, fmt.Errorf("revision %d of %s: %w", r.Number, key.Subject(of), err)
		}
		text = string(whole)
	}
	title, rest, _ := strings.Cut(text, "\n")
	link, content, ok := strings.Cut(rest, "\n")
	if packings[letter].format == "" || !ok || r.Number < 1 {
		return nil, fmt.Errorf("revision %d of %s is malformed", r.Number, key.Subject(of))
	}
	r.Text = forum.Text{Title: title, Link: link, Content: content, Format: packings[letter].format}
	return r, nil
}
