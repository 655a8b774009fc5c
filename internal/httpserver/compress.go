package httpserver

import (
	"bytes"
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// Encodings of bodies, as HTTP names them.
const (
	encodingNone = ""
	encodingGzip = "gzip"
	encodingZstd = "zstd"
)

// minCompressed is the smallest body that is compressed, in bytes: a smaller one fits into one packet anyway.
const minCompressed = 1 << 10

// encodingFor returns the encoding in which a body of that size is sent to a client.
func encodingFor(r *http.Request, size int) string {
	if size < minCompressed {
		return encodingNone
	}
	best, encoding := 0.0, encodingNone
	for _, name := range []string{encodingGzip, encodingZstd} { // zstd if both are accepted equally
		if q := acceptance(r.Header["Accept-Encoding"], name); q > 0 && q >= best {
			best, encoding = q, name
		}
	}
	return encoding
}

// acceptance returns the weight that an Accept-Encoding header assigns to an encoding. Source: RFC 9110, 12.5.3.
func acceptance(header []string, encoding string) float64 {
	any := 0.0
	for _, part := range strings.Split(strings.Join(header, ","), ",") {
		name, params, _ := strings.Cut(part, ";")
		q := 1.0
		if value, ok := strings.CutPrefix(strings.ReplaceAll(params, " ", ""), "q="); ok {
			var err error
			if q, err = strconv.ParseFloat(value, 64); err != nil {
				q = 0
			}
		}
		switch name = strings.TrimSpace(name); {
		case strings.EqualFold(name, encoding):
			return q
		case name == "*":
			any = q
		}
	}
	return any
}

// compressor compresses bodies. It has as many encoders as there are processors, so that their memory is bounded
// however many bodies are sent at a time; a caller that finds none free waits for one. It is safe for concurrent use.
type compressor struct {
	gzip chan *gzip.Writer
	zstd *zstd.Encoder
}

// bodyCompressor compresses the bodies of this process.
var bodyCompressor = sync.OnceValue(newCompressor)

func newCompressor() *compressor {
	n := runtime.GOMAXPROCS(0)
	c := &compressor{gzip: make(chan *gzip.Writer, n)}
	for range n {
		w, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed) // fails only for unknown levels
		c.gzip <- w
	}
	c.zstd, _ = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(n),
		zstd.WithLowerEncoderMem(true), zstd.WithWindowSize(256<<10)) // fails only for unknown options
	return c
}

// compress returns a body, passed in pieces, in an encoding.
func (c *compressor) compress(encoding string, pieces ...[]byte) []byte {
	if encoding == encodingZstd {
		return c.zstd.EncodeAll(bytes.Join(pieces, nil), nil)
	}
	w := <-c.gzip
	defer func() { c.gzip <- w }()
	var b bytes.Buffer
	w.Reset(&b)
	for _, p := range pieces {
		w.Write(p) // a bytes.Buffer accepts everything
	}
	w.Close()
	return b.Bytes()
}

// serveText returns a handler that serves a text that does not change.
func serveText(contentType, text string) http.HandlerFunc {
	bodies := map[string]func() []byte{encodingNone: func() []byte { return []byte(text) }}
	for _, encoding := range []string{encodingGzip, encodingZstd} {
		bodies[encoding] = sync.OnceValue(func() []byte { return bodyCompressor().compress(encoding, []byte(text)) })
	}
	return func(w http.ResponseWriter, r *http.Request) {
		encoding, h := encodingFor(r, len(text)), w.Header()
		body := bodies[encoding]()
		tag := tagOf(contentType+encoding, nil, body)
		h.Set("Content-Type", contentType)
		h.Set("Vary", "Accept-Encoding")
		h.Set("ETag", tag)
		h.Set("Cache-Control", "no-cache")
		if matches(r.Header.Get("If-None-Match"), tag) {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		if encoding != encodingNone {
			h.Set("Content-Encoding", encoding)
		}
		h.Set("Content-Length", strconv.Itoa(len(body)))
		w.Write(body)
	}
}
