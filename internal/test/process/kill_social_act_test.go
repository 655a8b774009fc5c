package process

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"time"

	"agora/internal/forum"
)

// change sends a change of one of a client's topics, if it has one that may still exist.
func (w *socialRun) change(
	kind string,
	u *socialUser,
	query string,
	of func(*socialPost) (map[string]any, *socialCall),
) (*socialPost, fate) {
	var p *socialPost
	var input map[string]any
	calls := w.begin(func() []*socialCall {
		if len(u.posts) == 0 {
			return nil
		}
		if p = u.posts[rand.IntN(len(u.posts))]; p.deleted.surely("yes") {
			return nil
		}
		var call *socialCall
		if input, call = of(p); call == nil {
			return nil
		}
		input["topicId"] = p.id
		return []*socialCall{call}
	})
	if calls == nil {
		return nil, refused
	}
	codes := []string{}
	if !p.deleted.surely("") {
		codes = []string{"LOCKED", "NOT_FOUND"}
	}
	_, f := w.send(kind, u, query, input, calls, codes...)
	return p, f
}

func (w *socialRun) drop(u *socialUser) {
	p, f := w.change("deleteTopic", u, opDeleteTopic, func(p *socialPost) (map[string]any, *socialCall) {
		return map[string]any{}, p.deleted.begin("yes")
	})
	if f == acknowledged {
		w.mu.Lock()
		p.goneAt = time.Now()
		w.mu.Unlock()
	}
}

func (w *socialRun) tag(u *socialUser) {
	w.change("tagTopic", u, opTagTopic, func(p *socialPost) (map[string]any, *socialCall) {
		tag := pick(killTags)
		if rand.IntN(2) == 0 {
			return map[string]any{"add": []string{tag}}, p.tags[tag].begin("yes")
		}
		return map[string]any{"remove": []string{tag}}, p.tags[tag].begin("")
	})
}

func (w *socialRun) move(u *socialUser) {
	w.change("updateTopic", u, opUpdateTopic, func(p *socialPost) (map[string]any, *socialCall) {
		if p.kind == "STATUS" {
			return nil, nil
		}
		category := w.category()
		return map[string]any{"category": map[string]any{"id": category}}, p.place.begin(category)
	})
}

// other returns another user, rarely a deleted one.
func (w *socialRun) other(u *socialUser) *socialUser {
	for {
		if o := w.users[rand.IntN(len(w.users))]; o != u && (o.deleted.surely("") || rand.IntN(10) == 0) {
			return o
		}
	}
}

// yes returns a state as a value.
func yes(want bool) string { return map[bool]string{true: "yes"}[want] }

func (w *socialRun) follow(u *socialUser) {
	want := rand.IntN(3) > 0
	input := map[string]any{"following": want}
	calls := w.begin(func() []*socialCall {
		o := w.other(u)
		input["targetId"] = o.id
		to := o.num
		if rand.IntN(12) == 0 {
			to = w.archive
			input["targetId"] = userID(w.archive)
		}
		return []*socialCall{w.follows(u.num, "following", itoa(to)).begin(yes(want))}
	})
	w.send("follow user", u, opFollow, input, calls, "BLOCKED", "NOT_FOUND")
}

// followSubject follows or unfollows a category or a tag. The tag may not exist.
func (w *socialRun) followSubject(u *socialUser) {
	want := rand.IntN(2) == 0
	id, prefix, codes := w.category(), "c", []string(nil)
	if rand.IntN(2) == 0 {
		a, err := w.ask(patience(), u.token, opTagID, map[string]any{"id": pick(killTags)})
		var tag *seenID
		if err != nil || json.Unmarshal(a.Data.R, &tag) != nil || tag == nil {
			return
		}
		id, prefix, codes = tag.ID, "g", []string{"NOT_FOUND"}
	}
	calls := w.begin(func() []*socialCall {
		return []*socialCall{w.follows(u.num, "subjects", prefix+subjectNumber(w.site.t, id)).begin(yes(want))}
	})
	w.send("follow subject", u, opFollow, map[string]any{"targetId": id, "following": want}, calls, codes...)
}

// block blocks or unblocks a user. A block ends following both ways, if it changes anything when it is acknowledged;
// otherwise it may do so until a later call has.
func (w *socialRun) block(u *socialUser) {
	want := rand.IntN(2) == 0
	input := map[string]any{"blocked": want}
	var o *socialUser
	var ends []*socialCall
	call := w.begin(func() []*socialCall {
		o = w.other(u)
		input["userId"] = o.id
		if want {
			ends = []*socialCall{
				w.follows(u.num, "following", itoa(o.num)).begin(""),
				w.follows(o.num, "following", itoa(u.num)).begin(""),
			}
		}
		return []*socialCall{w.follows(u.num, "blocked", itoa(o.num)).begin(yes(want))}
	})
	p, f := w.send("block", u, opBlock, input, call, "NOT_FOUND")
	w.mu.Lock()
	defer w.mu.Unlock()
	if f == acknowledged {
		var loose []*socialCall
		for _, end := range u.blocks[o.num] {
			if end.sent.Add(patient + inFlight).Before(call[0].sent) {
				end.done = time.Now().Add(inFlight)
			} else {
				loose = append(loose, end)
			}
		}
		u.blocks[o.num] = loose
	}
	for _, end := range ends {
		switch {
		case f == refused, f == acknowledged && p.Changed:
			end.end(f)
		default:
			u.blocks[o.num] = append(u.blocks[o.num], end)
		}
	}
}

// list creates a list of users, changes its members, or deletes one.
func (w *socialRun) list(u *socialUser) {
	if n := rand.IntN(10); n < 2 && len(u.lists) < 20 || len(u.lists) == 0 {
		w.createList(u)
		return
	}
	l := u.lists[rand.IntN(len(u.lists))]
	if l.deleted.surely("yes") {
		return
	}
	codes := []string{}
	if !l.deleted.surely("") {
		codes = append(codes, "NOT_FOUND")
	}
	if rand.IntN(10) == 0 {
		calls := w.begin(func() []*socialCall { return []*socialCall{l.deleted.begin("yes")} })
		w.send("deleteList", u, opDeleteList, map[string]any{"listId": l.id}, calls, codes...)
		return
	}
	input := map[string]any{"listId": l.id}
	calls := w.begin(func() (calls []*socialCall) {
		lists, met := map[string][]string{"add": {}, "remove": {}}, map[*socialUser]bool{}
		for range 1 + rand.IntN(5) {
			o, to, want := w.other(u), "add", "yes"
			if rand.IntN(2) == 0 {
				to, want = "remove", ""
			}
			if met[o] {
				continue
			}
			met[o] = true
			lists[to] = append(lists[to], o.id)
			calls = append(calls, w.value(placeOf("l", l.num, ":members")+" "+itoa(o.num)).begin(want))
		}
		input["add"], input["remove"] = lists["add"], lists["remove"]
		return calls
	})
	w.send("updateListMembers", u, opListUsers, input, calls, "BLOCKED", "NOT_FOUND")
}

func (w *socialRun) createList(u *socialUser) {
	w.mu.Lock()
	w.sent++
	name := fmt.Sprintf("list %d", w.sent)
	w.mu.Unlock()
	p, f := w.send("createList", u, opCreateList, map[string]any{"name": name}, nil)
	if f == acknowledged {
		u.lists = append(
			u.lists,
			&socialList{id: p.List.ID, num: numberOf[forum.ListID](w.site.t, p.List.ID), deleted: &socialValue{}},
		)
	}
}

// socialPage is a page of a home.
type socialPage struct {
	Nodes []struct {
		ID        string
		CreatedAt time.Time
	}
	PageInfo seenPage
}

type seenHome struct{ Home struct{ Topics socialPage } }

// readHome reads the beginning of the client's home. It never shows a topic whose deletion was acknowledged, and
// always the client's own topics whose creation was.
func (w *socialRun) readHome(u *socialUser) {
	asked := time.Now()
	want := map[string]*socialPost{}
	w.begin(func() []*socialCall {
		for _, p := range u.posts {
			if p.deleted.surely("") {
				want[p.id] = p
			}
		}
		return nil
	})
	a, err := w.ask(patience(), u.token, opHome, map[string]any{"n": 30})
	var seen seenHome
	if err != nil || len(a.Errors) > 0 || json.Unmarshal(a.Data.R, &seen) != nil {
		return
	}
	page := seen.Home.Topics
	w.mu.Lock()
	defer w.mu.Unlock()
	w.homes++
	shown := map[string]bool{}
	var last time.Time
	for _, node := range page.Nodes {
		shown[node.ID], last = true, node.CreatedAt
	}
	for id, p := range want {
		if !shown[id] && (!page.PageInfo.HasNextPage || p.created.After(last)) {
			w.site.t.Errorf("the home of %s does not show %q, which was acknowledged", u.login, p.content)
		}
	}
	for _, p := range w.posts {
		if !p.goneAt.IsZero() && p.goneAt.Before(asked) && shown[p.id] {
			w.site.t.Errorf("the home of %s shows %q; its deletion was acknowledged", u.login, p.content)
		}
	}
}
