// Package static serves files that stay the same for as long as the server runs: the playground
// and the documentation. Each has an entity tag and a compressed copy, made once.
package static

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"path"
	"strconv"
	"strings"
	"time"
)

// CachePage makes a browser ask each time whether the page is still the same.
const CachePage = "no-cache"

// CacheAsset lets a browser keep an asset for a year (31,536,000 s) without asking, not even
// when the page is reloaded: other content would have another path. Source: RFC 8246.
const CacheAsset = "public, max-age=31536000, immutable"

// ContentTypes are the content types by file extension; a file with any other extension is plain
// text. They do not come from the mime package, which depends on the machine it runs on.
var ContentTypes = map[string]string{
	".css":  "text/css; charset=utf-8",
	".html": "text/html; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".md":   "text/markdown; charset=utf-8",
	".png":  "image/png",
	".svg":  "image/svg+xml",
}

// File is one answer, in both codings.
type File struct {
	Path        string // of the URL
	ContentType string
	Cache       string // its Cache-Control
	Policy      string // its Content-Security-Policy; empty is that of Handler
	ETag        string // without quotes: 16 hexadecimal digits of the content's SHA-256
	Plain       []byte
	Zipped      []byte // gzip
}

// NewFile returns a file at a path of the URL, whose content type follows from its name. zipped
// is its content as gzip, or nil if it is still to be compressed.
func NewFile(at, name string, plain, zipped []byte) (File, error) {
	sum := sha256.Sum256(plain)
	if zipped == nil {
		var err error
		if zipped, err = Zip(plain); err != nil {
			return File{}, err
		}
	}
	contentType, ok := ContentTypes[path.Ext(name)]
	if !ok {
		contentType = "text/plain; charset=utf-8"
	}
	return File{
		Path: at, ContentType: contentType, Cache: CachePage, ETag: hex.EncodeToString(sum[:8]),
		Plain: plain, Zipped: zipped,
	}, nil
}

// Zip compresses with gzip.
func Zip(plain []byte) ([]byte, error) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write(plain); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// Serve writes the file in the coding that the client accepts, or 304 if the client has it.
func (f File) Serve(w http.ResponseWriter, r *http.Request) {
	header, body, etag := w.Header(), f.Plain, f.ETag
	if acceptsGzip(r.Header) {
		header.Set("Content-Encoding", "gzip")
		body, etag = f.Zipped, f.ETag+"-gzip"
	}
	header.Set("Content-Type", f.ContentType)
	header.Set("Cache-Control", f.Cache)
	if f.Policy != "" {
		header.Set("Content-Security-Policy", f.Policy)
	}
	header.Set("ETag", strconv.Quote(etag))
	header.Set("Vary", "Accept-Encoding")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
}

// acceptsGzip reports whether the client names gzip and does not refuse it with weight 0.
func acceptsGzip(h http.Header) bool {
	for _, line := range h.Values("Accept-Encoding") {
		for coding := range strings.SplitSeq(line, ",") {
			name, weight, _ := strings.Cut(coding, ";")
			if !strings.EqualFold(strings.TrimSpace(name), "gzip") {
				continue
			}
			_, q, given := strings.Cut(weight, "=")
			value, err := strconv.ParseFloat(strings.TrimSpace(q), 64)
			return !given || err == nil && value > 0
		}
	}
	return false
}

// Handler serves the files that find returns. It answers a path that find does not know with 404,
// and every method but GET and HEAD with 405. Each answer has policy as its
// Content-Security-Policy, unless the file has one of its own.
func Handler(policy string, find func(path string) (File, bool)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("Content-Security-Policy", policy)
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Referrer-Policy", "no-referrer")
		f, ok := find(r.URL.Path)
		switch {
		case !ok:
			http.NotFound(w, r)
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			header.Set("Allow", "GET, HEAD")
			http.Error(w, "use GET or HEAD", http.StatusMethodNotAllowed)
		default:
			f.Serve(w, r)
		}
	})
}
