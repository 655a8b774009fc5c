package live

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

// sharedSubscriptions are the running subscriptions. Equal ones are one shared subscription: an event is executed
// once, whatever the number of its members. Subscriptions that resume after an event are a shared subscription of
// their own until they have caught up with another.
type sharedSubscriptions struct {
	mu sync.Mutex
	// present are the shared subscriptions whose members have received everything so far, by their key; new ones join
	// them.
	present map[string]*sharedSubscription
	// at are the shared subscriptions whose position is known.
	at map[resumePoint]*sharedSubscription
}

// resumePoint is where a shared subscription continues: after a position, for subscriptions with a key.
type resumePoint struct{ key, position string }

func newSharedSubscriptions() sharedSubscriptions {
	return sharedSubscriptions{present: map[string]*sharedSubscription{}, at: map[resumePoint]*sharedSubscription{}}
}

// member finds or creates the shared subscription, with the operation as its member.
func (l *Connections) member(
	ctx context.Context,
	h Host,
	run *liveOperation,
	op Operation,
	caller auth.Caller,
) *sharedSubscription {
	key, after := keyOf(op, caller)
	l.Metrics.subscribed(1)
	all := &l.shared
	all.mu.Lock()
	defer all.mu.Unlock()
	if all.join(run, resumePoint{key, after}) {
		return run.shared
	}
	f := &sharedSubscription{
		point:    resumePoint{key, after},
		position: after,
		live:     l,
		host:     h,
		op:       op,
		opened:   make(chan struct{}),
		members:  map[*liveOperation]struct{}{run: {}},
	}
	served := auth.Caller{Viewer: caller.Viewer, Barred: caller.Barred}
	if caller.Viewer != nil {
		served.Visitor = caller.Visitor
	}
	f.ctx, f.cancel = context.WithCancel(auth.WithCaller(h.Detach(ctx), served))
	run.shared = f
	if after == "" {
		all.present[key] = f
	} else {
		all.at[f.point] = f
	}
	l.all.Go(f.run) // ends with its source or its last member; Shutdown waits for it
	return f
}

// join makes an operation a member of the shared subscription that continues at begin, if there is one. The caller
// holds mu.
func (all *sharedSubscriptions) join(run *liveOperation, begin resumePoint) bool {
	f := all.present[begin.key]
	if begin.position != "" {
		f = all.at[begin]
	}
	if f == nil {
		return false
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if begin.position != "" && f.position != begin.position {
		return false // it has continued and is about to change its position
	}
	f.members[run] = struct{}{}
	run.shared = f
	return true
}

// leave removes a member, and ends the shared subscription with the last one.
func (all *sharedSubscriptions) leave(run *liveOperation) {
	all.mu.Lock()
	defer all.mu.Unlock()
	f := run.shared
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, member := f.members[run]; !member {
		return // the shared subscription has already ended
	}
	delete(f.members, run)
	f.live.shares.Give(run.charge)
	f.live.Metrics.subscribed(-1)
	if len(f.members) == 0 {
		all.drop(f)
		f.cancel()
	}
}

// drop keeps further operations from joining a shared subscription. The caller holds mu.
func (all *sharedSubscriptions) drop(f *sharedSubscription) {
	if all.present[f.point.key] == f {
		delete(all.present, f.point.key)
	}
	if all.at[f.point] == f {
		delete(all.at, f.point)
	}
}

// merge records the position of a shared subscription, and unites it with an equal one at the same position: both
// receive the same events from now on.
func (all *sharedSubscriptions) merge(f *sharedSubscription) {
	all.mu.Lock()
	defer all.mu.Unlock()
	f.mu.Lock()
	defer f.mu.Unlock()
	come := resumePoint{f.point.key, f.position}
	if len(f.members) == 0 || f.position == "" || all.at[come] == f {
		return
	}
	if all.at[f.point] == f {
		delete(all.at, f.point)
	}
	other := all.at[come]
	f.point, all.at[come] = come, f
	if other == nil {
		return
	}
	other.mu.Lock()
	defer other.mu.Unlock()
	switch {
	case other.position != f.position || !other.isOpen(): // it has continued, or may still fail
	case len(other.members) > len(f.members):
		all.unite(other, f)
	default:
		all.unite(f, other)
	}
}

// unite moves the members of a shared subscription to another one at the same position, and ends it. The caller holds
// mu and theirs.
func (all *sharedSubscriptions) unite(into, from *sharedSubscription) {
	maps.Copy(into.members, from.members)
	for run := range from.members {
		run.shared = into
	}
	from.members = nil
	if all.present[from.point.key] == from {
		all.present[from.point.key] = into
	}
	all.at[into.point] = into
	from.cancel()
}

// keyOf returns the same key for subscriptions of one viewer, by sessions or by one API token, that differ only in the
// event after which they resume.
func keyOf(op Operation, caller auth.Caller) (key, after string) {
	c := op.Context
	values := c.Variables
	if arg := afterOf(c.Operation.SelectionSet); arg != nil {
		v, _ := arg.Value(c.Variables) // it was already coerced
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
	if caller.Barred != nil {
		who = fmt.Sprintf("%p", caller.Barred) // why is for nobody else
	}
	if v := caller.Viewer; v != nil {
		who = fmt.Sprintf("%d %s %s", v.ID, v.Role, v.TokenDigest())
	}
	return strings.Join([]string{op.Document, c.OperationName, who, op.Variant, string(variables)}, "\n"), after
}

// afterOf returns the argument `after` of the root field, or nil.
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
		case *ast.FragmentSpread: // no cycles, because the document is valid
			if after := afterOf(sel.Definition.SelectionSet); after != nil {
				return after
			}
		}
	}
	return nil
}

// uses counts the uses of a variable in a selection.
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
