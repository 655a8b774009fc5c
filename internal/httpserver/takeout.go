package httpserver

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"agora/breadth"
	"agora/graph"
	"agora/internal/auth"
	"agora/internal/forum"
	export "agora/internal/httpserver/takeout"
	"agora/internal/ratelimit"
	"agora/internal/store/takeout"
	"agora/internal/turns"
)

const (
	// takeoutPatience is how long a client may leave a part of a take-out unread.
	takeoutPatience = 30 * time.Second
	// takeoutProlongs is how long after a take-out was prolonged it is prolonged again.
	takeoutProlongs = forum.TakeoutLease / 4
	// takeoutLeaves is the part of an allowance that a take-out leaves to the other requests of its member, and
	// takeoutLooks how often it looks whether there is more.
	takeoutLeaves, takeoutLooks = 10, 100 * time.Millisecond
)

// takeout answers a request for what the site keeps about a user: the secret in the address is good for one GET. A HEAD
// uses nothing up.
func (t *endpoint) takeout(w http.ResponseWriter, r *http.Request) {
	o := t.site
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Referrer-Policy", "no-referrer")
	caller := o.addresses.caller(o.Proxies.Client(r), r.UserAgent())
	if err := o.Resolver.Rates.Take(ratelimit.Requests, caller); err != nil {
		refuseRate(w, r, err)
		return
	}
	token, ok := auth.ParseToken(strings.TrimPrefix(r.URL.Path, graph.TakeoutPath))
	x := &takeoutRun{endpoint: t, caller: caller, user: token.User, digest: token.Digest(),
		checked: map[string]*document{}}
	if !ok || token.API {
		refuseTakeout(w, r, nil)
		return
	}
	member, err := x.member(r.Context())
	if err != nil || member == nil {
		refuseTakeout(w, r, err)
		return
	}
	x.caller.Viewer, x.caller.Visitor = member, visitorOf(member)
	if why := t.receive(x.caller, 0); why != nil {
		writeRefusal(w, r, accepted{media: mediaJSON}, why)
		return
	}
	if r.Method == http.MethodHead {
		x.headers(w)
		return
	}
	begun, err := o.Resolver.Store.Accounts.BeginTakeout(r.Context(), x.user, x.digest)
	if err != nil || !begun {
		refuseTakeout(w, r, err)
		return
	}
	x.prolonged = o.Resolver.Store.Engine.Now()
	defer x.end(r.Context())
	x.headers(w)
	if err := x.write(r.Context(), w); err != nil {
		if r.Context().Err() == nil {
			o.Resolver.Store.Engine.LogFailure(r.Context(), o.Log, "a take-out was broken off", "user", int64(x.user),
				"error", err)
		}
		panic(http.ErrAbortHandler) // so that the client does not take it for complete
	}
}

// refuseTakeout answers that there is no such take-out, or that it cannot be read because of err.
func refuseTakeout(w http.ResponseWriter, r *http.Request, err error) {
	if err != nil {
		writeRefusal(w, r, accepted{media: mediaJSON}, unavailable("The data cannot be read just now; try again."))
		return
	}
	refuse(w, r, http.StatusNotFound, "NOT_FOUND",
		"The address is not valid, was used, or is older than ten minutes. Ask for a new one.")
}

// takeoutRun is a download of what the site keeps about a user.
type takeoutRun struct {
	*endpoint
	caller    auth.Caller
	user      forum.UserID
	digest    string
	prolonged forum.Time
	checked   map[string]*document // by text
}

// member returns the user, if the take-out can begin.
func (x *takeoutRun) member(ctx context.Context) (*forum.Viewer, error) {
	read := x.site.Resolver.Store.Read(ctx)
	offered, member := read.Accounts.TakeoutOffered(x.user, x.digest), read.Accounts.Member(x.user)
	if err := read.Exec(); err != nil {
		return nil, err
	}
	if ok, err := offered(); err != nil || !ok {
		return nil, err
	}
	return member()
}

func (x *takeoutRun) headers(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/zip")
	w.Header().Set("Content-Disposition", `attachment; filename="account.zip"`)
}

// end lets another take-out of the user begin. If that fails, it can begin when this one is no longer prolonged.
func (x *takeoutRun) end(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	if err := x.site.Resolver.Store.Accounts.EndTakeout(ctx, x.user, x.digest); err != nil {
		x.site.Resolver.Store.Engine.LogFailure(ctx, x.site.Log, "the end of a take-out was not recorded", "error", err)
	}
}

// write writes the file.
func (x *takeoutRun) write(ctx context.Context, w http.ResponseWriter) error {
	ctx = auth.WithCaller(ctx, x.caller)
	s := x.site.Resolver.Store
	pages := takeout.Pages(s, x.user)
	for name, next := range pages {
		pages[name] = func(ctx context.Context) (items []takeout.Item, commands int, more bool, err error) {
			err = x.turn(ctx, func(ctx context.Context) error {
				items, commands, more, err = next(ctx)
				return err
			})
			x.Owe(x.caller, commands, 0)
			return items, commands, more, err
		}
	}
	return export.Write(ctx, patient{w, http.NewResponseController(w)}, export.Source{
		User: x.user, Site: x.site.Resolver.SiteName, At: s.Engine.Now(), Pages: pages, Run: x.query,
	})
}

// afford waits until a caller has a part of the allowance of cost left, so that a take-out stops for what it owes.
func afford(ctx context.Context, rates *ratelimit.Limiter, caller auth.Caller) error {
	tick := time.NewTicker(takeoutLooks)
	defer tick.Stop()
	for {
		left, _ := rates.TakeN(ratelimit.Cost, 0, caller) // which is refused as long as the caller is in debt
		if left.Calls >= left.Limit/takeoutLeaves {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}

// turn runs a part of the work in a turn of the caller's network once the caller can afford it, and prolongs the take-out.
func (x *takeoutRun) turn(ctx context.Context, work func(context.Context) error) error {
	s := x.site.Resolver.Store
	if now := s.Engine.Now(); now-x.prolonged > forum.Time(takeoutProlongs.Milliseconds()) {
		ok, err := s.Accounts.ProlongTakeout(ctx, x.user, x.digest)
		if err == nil && !ok {
			err = errors.New("it took too long, or the account was deleted")
		}
		if err != nil {
			return err
		}
		x.prolonged = now
	}
	if err := afford(ctx, x.site.Resolver.Rates, x.caller); err != nil {
		return err
	}
	turn, err := x.live.Turns.Begin(ctx, x.caller.Payer())
	if err != nil {
		return err
	}
	defer turn.End()
	return work(turns.With(ctx, turn))
}

// query runs a query of the take-out as the user.
func (x *takeoutRun) query(ctx context.Context, text string, variables map[string]any) (data []byte, err error) {
	found := x.checked[text]
	if found == nil {
		var why *refusal
		if found, why = x.documents.check(text, hashOf(text), true); why != nil {
			return nil, why.errors
		}
		x.checked[text] = found
	}
	op, why := x.coerce(params{variables: variables}, chosen{found, found.doc.Operations[0]}, http.Header{}, false, false)
	if why != nil {
		return nil, why.errors
	}
	x.Owe(x.caller, op.Cost, 0)
	h := x.ledger.Open(x.caller.Address)
	defer h.Close()
	err = x.turn(ctx, func(ctx context.Context) error {
		resp, why := x.run(ctx, op, h)
		if why != nil {
			return why.errors
		}
		data = append(data, resp.Data...)
		breadth.Release(resp.Data)
		return failed(resp)
	})
	return data, err
}

// failed returns the error of a response; export.ErrNoRoom if it only has no room for texts.
func failed(resp *graphql.Response) error {
	if len(resp.Errors) == 0 {
		return nil
	}
	for _, err := range resp.Errors {
		if err.Extensions["code"] != "COST_LIMIT_EXCEEDED" {
			return fmt.Errorf("query: %w", gqlerror.List{err})
		}
	}
	return export.ErrNoRoom
}

// patient is a response that may be written as long as its client reads.
type patient struct {
	http.ResponseWriter
	control *http.ResponseController
}

// Write implements io.Writer.
func (p patient) Write(b []byte) (int, error) {
	err := p.control.SetWriteDeadline(time.Now().Add(takeoutPatience))
	if err != nil && !errors.Is(err, http.ErrNotSupported) {
		return 0, err
	}
	return p.ResponseWriter.Write(b)
}
