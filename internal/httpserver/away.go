package httpserver

import (
	"net/http"
	"strconv"

	"agora/internal/store"
)

// Away returns the handler of a server that has not found its data yet: it is healthy, is not ready, and refuses all
// else.
func Away() http.Handler {
	mux := http.NewServeMux()
	Options{}.healthRoute(mux)
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, http.StatusServiceUnavailable, map[string]any{
			"redis": "does not answer", "draining": false, "troubles": []store.Trouble{store.TroubleAway},
		})
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Retry-After", strconv.Itoa(store.RetryAfter))
		refuseWith(w, r, http.StatusServiceUnavailable, "The data cannot be reached at the moment. Try again.",
			map[string]any{"code": "UNAVAILABLE", "retryAfterSeconds": store.RetryAfter})
	})
	return unsniffed(mux)
}
