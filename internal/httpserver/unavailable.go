package httpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"agora/internal/store"
)

// unavailable refuses a request that may be tried again soon.
func unavailable(format string, args ...any) *refusal {
	why := refused(
		http.StatusServiceUnavailable,
		"UNAVAILABLE",
		format,
		args...).with("Retry-After", strconv.Itoa(store.RetryAfter))
	why.errors[0].Extensions["retryAfterSeconds"] = store.RetryAfter
	return why
}

// unexecuted returns a refusal that replaces an empty response, if Redis failed before anything was changed or read;
// nil if there is something in it.
func unexecuted(ctx context.Context, resp *graphql.Response) *refusal {
	if len(resp.Errors) == 0 || !allUnavailable(resp.Errors) || !onlyNulls(resp.Data) {
		return nil
	}
	if t := store.UsageFrom(ctx); t != nil && t.Changed.Load() {
		return nil
	}
	why := &refusal{status: http.StatusServiceUnavailable, errors: resp.Errors}
	return why.with("Retry-After", strconv.Itoa(store.RetryAfter))
}

// allUnavailable reports whether all errors are temporary failures.
func allUnavailable(errs gqlerror.List) bool {
	for _, err := range errs {
		if err.Extensions["code"] != "UNAVAILABLE" || err.Extensions["retryAfterSeconds"] == nil {
			return false
		}
	}
	return true
}

// onlyNulls reports whether all fields of data are null.
func onlyNulls(data json.RawMessage) bool {
	if len(data) == 0 {
		return true
	}
	if bytes.IndexByte(data, '[') >= 0 || bytes.Count(data, []byte("{")) > 1 {
		return false
	}
	var fields map[string]any
	if json.Unmarshal(data, &fields) != nil {
		return false
	}
	for _, value := range fields {
		if value != nil {
			return false
		}
	}
	return true
}
