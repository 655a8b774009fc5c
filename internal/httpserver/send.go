package httpserver

import (
	"net/http"
	"time"

	"agora/internal/httpserver/limit"
)

const (
	// sendChunk is how many bytes of an answer a client must read within sendTime: at least 6.4 kB/s.
	sendChunk = 64 << 10
	sendTime  = 10 * time.Second
)

// longAgo is a deadline that ends a connection immediately.
var longAgo = time.Unix(1, 0)

// sender writes an answer to a client that may be slow.
type sender struct {
	w   http.ResponseWriter
	out *http.ResponseController
	h   *limit.Holding // counts the answer; nil if it is small
}

// newSender returns a sender; stop must be called when everything is written.
func newSender(w http.ResponseWriter, h *limit.Holding) *sender {
	s := &sender{w: w, out: http.NewResponseController(w), h: h}
	h.Send(func() { _ = s.out.SetWriteDeadline(longAgo) })
	return s
}

// Write implements io.Writer. The client must read each chunk in time.
func (s *sender) Write(p []byte) (n int, err error) {
	for len(p) > 0 {
		chunk := p[:min(len(p), sendChunk)]
		if !s.h.Extend(func() { _ = s.out.SetWriteDeadline(time.Now().Add(sendTime)) }) {
			return n, http.ErrHandlerTimeout
		}
		wrote, err := s.w.Write(chunk)
		n += wrote
		s.h.Progress(wrote)
		if err != nil {
			return n, err
		}
		p = p[wrote:]
	}
	return n, nil
}

func (s *sender) stop() { s.h.Stop() }
