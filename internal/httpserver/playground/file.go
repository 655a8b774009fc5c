package playground

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"path"
	"strconv"
	"strings"
	"time"
)

// cachePage makes a browser ask each time whether the page is still the same.
const cachePage = "no-cache"

// cacheAsset lets a browser keep an asset for a year (31,536,000 s) without asking, not even
// when the page is reloaded: other content would have another path. Source: RFC 8246.
const cacheAsset = "public, max-age=31536000, immutable"

// contentTypes are the types of what the page loads; a file of another ending is plain text.
// They are not left to the mime package, which asks the machine it runs on.
var contentTypes = map[string]string{
	".css":  "text/css; charset=utf-8",
	".html": "text/html; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".svg":  "image/svg+xml",
}

// file is one answer, in both codings.
type file struct {
	path        string // of the URL
	contentType string
	cache       string
	policy      string // its Content-Security-Policy
	etag        string // without quotes
	plain       []byte
	zipped      []byte
}

// newFile makes a file with a long life, under a path that has a hash of its content.
func newFile(name string, plain, zipped []byte) file {
	sum := sha256.Sum256(plain)
	hash := hex.EncodeToString(sum[:8])
	contentType, ok := contentTypes[path.Ext(name)]
	if !ok {
		contentType = "text/plain; charset=utf-8"
	}
	return file{
		path:        "/playground/" + hash + "/" + path.Base(name),
		contentType: contentType,
		cache:       cacheAsset,
		policy:      strictPolicy,
		etag:        hash,
		plain:       plain,
		zipped:      zipped,
	}
}

func zip(plain []byte) ([]byte, error) {
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

func unzip(zipped []byte) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(zipped))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

// serve writes the file, in the coding the client takes, or that the client has it already.
func (f file) serve(w http.ResponseWriter, r *http.Request) {
	header, body, etag := w.Header(), f.plain, f.etag
	if acceptsGzip(r.Header) {
		header.Set("Content-Encoding", "gzip")
		body, etag = f.zipped, f.etag+"-gzip"
	}
	header.Set("Content-Type", f.contentType)
	header.Set("Cache-Control", f.cache)
	header.Set("Content-Security-Policy", f.policy)
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
