package httpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"sync"

	"github.com/vektah/gqlparser/v2/ast"

	"agora/internal/auth"
)

// feeds are the subscriptions that run. Equal ones are one feed: an event is executed
// once, whatever the number of those who wait for it. Those that resume after an event are
// a feed of their own until they have been told the same as another.
type feeds struct {
	mu    sync.Mutex
	equal map[string]*equals // by their key
}

// equals are the feeds of subscriptions that differ at most in where they begin.
type equals struct {
	present *feed            // whose members have been told all that happened; new ones join it
	at      map[string]*feed // by the position after which they go on
}

// member finds or makes the feed, with the operation as its member.
func (t *endpoint) member(ctx context.Context, run *running, op operation, caller auth.Caller) *feed {
	key, after := t.feedKey(op, caller)
	t.site.Metrics.subscribed(1)
	all := &t.live.feeds
	all.mu.Lock()
	defer all.mu.Unlock()
	set := all.equal[key]
	if set == nil {
		set = &equals{at: map[string]*feed{}}
		all.equal[key] = set
	}
	if set.join(run, after) {
		return run.feed
	}
	f := &feed{key: key, listed: after, position: after, t: t, op: op, opened: make(chan struct{}), members: map[*running]struct{}{run: {}}}
	served := auth.Caller{Viewer: caller.Viewer}
	if caller.Viewer != nil {
		served.Visitor = caller.Visitor
	}
	base := context.WithValue(context.Background(), callKey{}, &Call{id: RequestID(ctx)})
	f.ctx, f.cancel = context.WithCancel(auth.WithCaller(base, served))
	run.feed = f
	if after == "" {
		set.present = f
	} else {
		set.at[after] = f
	}
	t.live.all.Go(f.run) // ends with its source or its last member; Shutdown waits for it
	return f
}

// join makes an operation a member of the feed that goes on where it begins, if there is one.
func (set *equals) join(run *running, after string) bool {
	f := set.present
	if after != "" {
		f = set.at[after]
	}
	if f == nil {
		return false
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if after != "" && f.position != after {
		return false
	}
	f.members[run] = struct{}{}
	run.feed = f
	return true
}

// leave takes a member out, and ends the feed with the last one.
func (all *feeds) leave(run *running) {
	all.mu.Lock()
	defer all.mu.Unlock()
	f := run.feed
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, member := f.members[run]; !member {
		return // the feed has ended before
	}
	delete(f.members, run)
	f.t.site.Metrics.subscribed(-1)
	if len(f.members) == 0 {
		all.drop(f)
		f.cancel()
	}
}

// drop has nobody join a feed any more. The caller holds mu.
func (all *feeds) drop(f *feed) {
	set := all.equal[f.key]
	if set == nil {
		return
	}
	if set.present == f {
		set.present = nil
	}
	if set.at[f.listed] == f {
		delete(set.at, f.listed)
	}
	if set.present == nil && len(set.at) == 0 {
		delete(all.equal, f.key)
	}
}

// settle lists a feed under the position to which it has come, and makes it one with an
// equal feed that is there already: what both are told from now on is the same. It
// returns false when the feed is no more.
func (all *feeds) settle(f *feed) bool {
	all.mu.Lock()
	defer all.mu.Unlock()
	f.mu.Lock()
	defer f.mu.Unlock()
	set := all.equal[f.key]
	if len(f.members) == 0 || set == nil {
		return false
	}
	if f.position == "" {
		return true
	}
	other := set.at[f.position]
	if other == f {
		return true
	}
	if set.at[f.listed] == f {
		delete(set.at, f.listed)
	}
	f.listed = f.position
	set.at[f.position] = f
	if other == nil {
		return true
	}
	other.mu.Lock()
	defer other.mu.Unlock()
	if other.position != f.position || !other.isOpen() {
		return true
	}
	into, from := f, other
	if len(from.members) > len(into.members) {
		into, from = from, into
	}
	set.unite(into, from)
	return into == f
}

// unite moves the members of a feed to another that stands at the same position, and ends
// it. The caller holds all three locks.
func (set *equals) unite(into, from *feed) {
	maps.Copy(into.members, from.members)
	for run := range from.members {
		run.feed = into
	}
	from.members = nil
	if set.present == from {
		set.present = into
	}
	into.listed = into.position
	set.at[into.position] = into
	from.cancel()
}

// feedKey is the same for subscriptions of one viewer that are equal but for the event
// after which they resume.
func (t *endpoint) feedKey(op operation, caller auth.Caller) (key, after string) {
	c := op.context
	values := c.Variables
	if arg := afterOf(c.Operation.SelectionSet); arg != nil {
		v, _ := arg.Value(c.Variables) // it was coerced before
		after, _ = v.(string)
		// An empty one is refused when the source is opened.
		if name := arg.Raw; arg.Kind == ast.Variable && v != "" && uses(c.Operation.SelectionSet, name) == 1 {
			values = maps.Clone(values)
			delete(values, name)
		}
	}
	variables, err := json.Marshal(values) // keys are sorted
	if err != nil {
		variables = fmt.Appendf(nil, "%p", c) // equal to no other
	}
	who := "-"
	if v := caller.Viewer; v != nil {
		who = fmt.Sprintf("%d %s", v.ID, v.Role)
	}
	return strings.Join([]string{op.document, c.OperationName, who, c.Headers.Get(TraceHeader), string(variables)}, "\n"), after
}

// afterOf is the argument `after` of the field of the root, or nil.
func afterOf(set ast.SelectionSet) *ast.Value {
	for _, sel := range set {
		switch sel := sel.(type) {
		case *ast.Field:
			if after := sel.Arguments.ForName("after"); after != nil {
				return after.Value
			}
		case *ast.InlineFragment:
			if after := afterOf(sel.SelectionSet); after != nil {
				return after
			}
		case *ast.FragmentSpread: // none spreads itself: the document is valid
			if after := afterOf(sel.Definition.SelectionSet); after != nil {
				return after
			}
		}
	}
	return nil
}

// uses counts where a variable is used beneath a selection.
func uses(set ast.SelectionSet, name string) (n int) {
	for _, sel := range set {
		switch sel := sel.(type) {
		case *ast.Field:
			n += usesIn(sel.Arguments, name) + usesInAll(sel.Directives, name) + uses(sel.SelectionSet, name)
		case *ast.InlineFragment:
			n += usesInAll(sel.Directives, name) + uses(sel.SelectionSet, name)
		case *ast.FragmentSpread:
			n += usesInAll(sel.Directives, name) + uses(sel.Definition.SelectionSet, name)
		}
	}
	return n
}

func usesInAll(directives ast.DirectiveList, name string) (n int) {
	for _, d := range directives {
		n += usesIn(d.Arguments, name)
	}
	return n
}

func usesIn(args ast.ArgumentList, name string) (n int) {
	for _, arg := range args {
		n += usesInValue(arg.Value, name)
	}
	return n
}

func usesInValue(v *ast.Value, name string) (n int) {
	if v.Kind == ast.Variable && v.Raw == name {
		n++
	}
	for _, child := range v.Children {
		n += usesInValue(child.Value, name)
	}
	return n
}
