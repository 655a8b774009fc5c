package httpserver

import (
	"math"
	"net/http"
	"strconv"
	"time"

	"agora/internal/ratelimit"
)

// The headers that say what a caller has left. Their names are canonical, not as in the source, which matters to no
// client. Source: draft-ietf-httpapi-ratelimit-headers-10.
const (
	allowanceHeader = "Ratelimit"
	policyHeader    = "Ratelimit-Policy"
)

// setAllowance replaces what the header of an answer says is left, by one kind.
func setAllowance(h http.Header, kind ratelimit.Kind, left ratelimit.Left) {
	if left.Limit == 0 {
		return
	}
	delete(h, allowanceHeader)
	delete(h, policyHeader)
	addAllowance(h, kind, left)
}

// addAllowance adds what is left of a kind to the header of an answer: r is what is left, t the seconds until it is
// all of it again, q the whole, and w the seconds for which that is. A kind without a limit adds nothing.
func addAllowance(h http.Header, kind ratelimit.Kind, left ratelimit.Left) {
	if left.Limit == 0 {
		return
	}
	write := func(header, a string, n int, b string, seconds float64) {
		text := make([]byte, 0, 48)
		text = append(append(append(text, '"'), kind...), a...)
		text = append(strconv.AppendInt(text, int64(n), 10), b...)
		text = strconv.AppendInt(text, int64(math.Ceil(seconds)), 10)
		h[header] = append(h[header], string(text))
	}
	write(allowanceHeader, `";r=`, left.Calls, ";t=", left.Wait.Seconds())
	write(policyHeader, `";q=`, left.Limit, ";w=", time.Minute.Seconds())
}
