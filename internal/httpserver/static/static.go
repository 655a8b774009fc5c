// Package static serves files that do not change while the server runs: the playground and the documentation. Each
// has an entity tag and a copy that is compressed once.
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
	"sync"
	"time"
)

// CachePage makes a browser revalidate the page each time.
const CachePage = "no-cache"

// CacheAsset lets a browser cache an asset for a year (31,536,000 s) without revalidation, even when the page is
// reloaded: different content would have a different path. Source: RFC 8246.
const CacheAsset = "public, max-age=31536000, immutable"

// ContentTypes are the content types by file extension; a file with any other extension is plain text. They do not
// come from the mime package, which depends on the machine it runs on.
var ContentTypes = map[string]string{
	".css":  "text/css; charset=utf-8",
	".html": "text/html; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".json": "application/json",
	".md":   "text/markdown; charset=utf-8",
	".png":  "image/png",
	".svg":  "image/svg+xml",
}

// File is one file, in both encodings.
type File struct {
	Path        string // of the URL
	ContentType string
	Cache       string // its Cache-Control
	Policy      string // its Content-Security-Policy; empty is that of Handler
	ETag        string // without quotes: 16 hexadecimal digits of the content's SHA-256
	Plain       []byte
	zipped      func() []byte
}

// NewFile returns a file at a path of the URL, with the content type of its name. zipped is its content as gzip, or
// nil to compress it when it is first requested so.
func NewFile(at, name string, plain, zipped []byte) File {
	sum := sha256.Sum256(plain)
	contentType, ok := ContentTypes[path.Ext(name)]
	if !ok {
		contentType = "text/plain; charset=utf-8"
	}
	return File{
		Path: at, ContentType: contentType, Cache: CachePage, ETag: hex.EncodeToString(sum[:8]), Plain: plain,
		zipped: sync.OnceValue(func() []byte {
			if zipped == nil {
				zipped = Zip(plain)
			}
			return zipped
		}),
	}
}

// Zip compresses with gzip.
func Zip(plain []byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write(plain) // a buffer takes everything
	_ = z.Close()
	return b.Bytes()
}

// Serve writes the file in the encoding that the client accepts, or 304 if the client has it.
func (f File) Serve(w http.ResponseWriter, r *http.Request) {
	header, body, etag := w.Header(), f.Plain, f.ETag
	if acceptsGzip(r.Header) {
		header.Set("Content-Encoding", "gzip")
		body, etag = f.zipped(), f.ETag+"-gzip"
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

// acceptsGzip reports whether the client accepts gzip with a weight above 0.
func acceptsGzip(h http.Header) bool {
	for _, line := range h.Values("Accept-Encoding") {
		for coding := range strings.SplitSeq(line, ",") {
			name, weight, _ := strings.Cut(coding, ";")
			if !strings.EqualFold(strings.TrimSpace(name), "gzip") {
				continue
			}
			_, q, weighted := strings.Cut(weight, "=")
			value, err := strconv.ParseFloat(strings.TrimSpace(q), 64)
			return !weighted || err == nil && value > 0
		}
	}
	return false
}

// Handler serves the files that find returns. A path that find does not know is answered with 404, and every method
// except GET and HEAD with 405. Each answer has policy as its Content-Security-Policy, unless the file has its own.
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
