package httpserver

import (
	"encoding/json"
	"errors"
	"mime"
	"net/http"
	"strconv"

	"agora/graph"
	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/issuer"
	"agora/internal/ratelimit"
	"agora/internal/turns"
)

// LogoutPath is where issuers say that members signed out. Source: OpenID Connect Back-Channel Logout 1.0, section 2.5.
const LogoutPath = "/backchannel-logout"

// maxLogoutBody is the maximum length of a request there in bytes: a token, and what is around it in a form.
const maxLogoutBody = issuer.MaxToken + 1<<10

// logOut answers an issuer that says that a member signed out.
func (o Options) logOut(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	caller := o.addresses.caller(o.Proxies.Client(r), r.UserAgent())
	if err := o.Resolver.Rates.Take(ratelimit.Requests, caller); err != nil {
		refuseLogout(w, http.StatusTooManyRequests, retryAfter(err), "Too many requests. Wait a moment.")
		return
	}
	turn := o.begin(w, r, caller)
	if turn == nil {
		return
	}
	defer turn.End()
	r = r.WithContext(turns.With(r.Context(), turn))
	r.Body = waiting{r.Body, r.Context()}
	token, wrong := logoutToken(w, r)
	if wrong != "" {
		refuseLogout(w, http.StatusBadRequest, 0, wrong)
		return
	}
	ctx := auth.WithCaller(r.Context(), caller)
	ctx = graph.WithNotes(ctx, graph.Notes{Code: func(string) {}, Security: o.Metrics.Security})
	err := o.Resolver.LogOut(ctx, token, guard{o, caller})
	var rejection issuer.Rejection
	switch {
	case err == nil:
		w.WriteHeader(http.StatusOK)
	case errors.As(err, &rejection):
		refuseLogout(w, http.StatusBadRequest, 0, string(rejection))
	case forum.CodeOf(err) == forum.CodeRateLimited:
		refuseLogout(w, http.StatusTooManyRequests, retryAfter(err), "Too many tokens with a wrong signature. Wait a moment.")
	default:
		o.Resolver.Store.Engine.LogFailure(ctx, o.Log, "a member was not signed out", "error", err)
		refuseLogout(w, http.StatusServiceUnavailable, 1, "This cannot be done just now; try again.")
	}
}

// logoutToken returns the token of a request, or what is wrong with it.
func logoutToken(w http.ResponseWriter, r *http.Request) (token, wrong string) {
	if typ, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || typ != "application/x-www-form-urlencoded" {
		return "", "The request must be application/x-www-form-urlencoded."
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxLogoutBody)
	if err := r.ParseForm(); err != nil {
		return "", "The form is malformed or too long."
	}
	if tokens := r.PostForm["logout_token"]; len(tokens) == 1 && issuer.IsToken(tokens[0]) {
		return tokens[0], ""
	}
	return "", "The form needs one logout_token, a signed token."
}

// refuseLogout writes why a request was refused, and in how many seconds it may be tried again, 0 for never.
func refuseLogout(w http.ResponseWriter, status, again int, why string) {
	if again != 0 {
		w.Header().Set("Retry-After", strconv.Itoa(again))
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	code := map[int]string{http.StatusBadRequest: "invalid_request"}[status]
	if code == "" {
		code = "temporarily_unavailable"
	}
	_ = json.NewEncoder(w).Encode(map[string]string{"error": code, "error_description": why}) // the issuer may be gone
}
