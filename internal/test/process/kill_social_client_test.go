package process

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"syscall"
	"time"

	"agora/internal/forum"
)

// socialCall is a call that sets a value.
type socialCall struct {
	of         *socialValue
	want       string
	sent, done time.Time
	fate       fate
}

// socialValue is something that calls change, some of which may overlap: an edge, a tag of a topic, its category. It
// had no value before the first call.
type socialValue struct{ calls []*socialCall }

func (v *socialValue) begin(want string) *socialCall {
	c := &socialCall{of: v, want: want, sent: time.Now(), done: forever}
	v.calls = append(v.calls, c)
	return c
}

// forever is the end of a call that may take effect at any time.
var forever = time.Unix(1<<40, 0)

func (c *socialCall) end(f fate) {
	c.fate = f
	switch f {
	case acknowledged:
		c.done = time.Now()
	case unknown:
		c.done = time.Now().Add(inFlight)
	case refused:
		c.of.calls = slices.DeleteFunc(c.of.calls, func(o *socialCall) bool { return o == c })
	}
}

// allowed returns the possible values: those of every call that no acknowledged call followed.
func (v *socialValue) allowed() []string {
	var latest time.Time // when an acknowledged call was sent
	for _, c := range v.calls {
		if c.fate == acknowledged && c.sent.After(latest) {
			latest = c.sent
		}
	}
	var values []string
	if latest.IsZero() {
		values = append(values, "")
	}
	for _, c := range v.calls {
		if !c.done.Before(latest) {
			values = append(values, c.want)
		}
	}
	return values
}

// surely reports whether the value has only one possibility.
func (v *socialValue) surely(x string) bool {
	return !slices.ContainsFunc(v.allowed(), func(a string) bool { return a != x })
}

// socialPost is a topic that a client sent.
type socialPost struct {
	content string
	owner   *socialUser
	id      string // "" until acknowledged
	num     forum.TopicID
	created time.Time
	kind    string
	deleted *socialValue // "yes"
	goneAt  time.Time    // of the acknowledgement
	place   *socialValue
	tags    map[string]*socialValue
}

// socialList is a list of users that a client created.
type socialList struct {
	id      string
	num     forum.ListID
	deleted *socialValue
}

// socialUser is an account. One client uses it, until it is deleted.
type socialUser struct {
	login, id, token string
	num              forum.UserID
	deleted          *socialValue
	posts            []*socialPost
	lists            []*socialList
	// blocks are the ends of following that block calls may still cause, by user.
	blocks map[forum.UserID][]*socialCall
}

func itoa[T ~int64](id T) string { return strconv.FormatInt(int64(id), 10) }

// value returns the value with a name; the caller holds the lock, as for all values.
func (w *socialRun) value(place string) *socialValue {
	v := w.values[place]
	if v == nil {
		v = &socialValue{}
		w.values[place] = v
	}
	return v
}

// follows is one of a user's sets of edges, and a member of it.
func (w *socialRun) follows(from forum.UserID, set, member string) *socialValue {
	return w.value(placeOf("u", from, ":"+set) + " " + member)
}

// The operations of the test, except those of TestKill.
const (
	opEnrol      = `mutation($i: RegisterInput!) { r: register(input: $i) { token viewer { user { id } } errors { code } } }`
	opPost       = `mutation($i: CreateTopicInput!) { r: createTopic(input: $i) { topic { id createdAt } errors { code } } }`
	opFollow     = `mutation($i: FollowInput!) { r: follow(input: $i) { changed errors { code } } }`
	opBlock      = `mutation($i: BlockInput!) { r: block(input: $i) { changed errors { code } } }`
	opCreateList = `mutation($i: CreateListInput!) { r: createList(input: $i) { list { id } errors { code } } }`
	opListUsers  = `mutation($i: UpdateListMembersInput!) { r: updateListMembers(input: $i) { errors { code } } }`
	opDeleteList = `mutation($i: DeleteListInput!) { r: deleteList(input: $i) { errors { code } } }`
	opTagID      = `query($id: String!) { r: tag(name: $id) { id } }`
	opHome       = `query($n: Int!, $after: String) { r: viewer { home { topics(first: $n, after: $after) {
		pageInfo { hasNextPage endCursor } nodes { id createdAt } } } } }`
)

type socialPayload struct {
	Topic *struct {
		ID        string
		CreatedAt time.Time
	}
	List    *seenID
	Viewer  *struct{ User seenID }
	Token   string
	Changed bool
	Errors  []struct{ Code string }
}

// send sends a mutation and records the outcome for its calls. It may be refused with one of the codes.
func (w *socialRun) send(
	kind string,
	u *socialUser,
	query string,
	input map[string]any,
	calls []*socialCall,
	codes ...string,
) (p socialPayload, f fate) {
	token := ""
	if u != nil {
		token = u.token
	}
	a, err := w.ask(patience(), token, query, map[string]any{"i": input})
	code := ""
	switch {
	case errors.Is(err, syscall.ECONNREFUSED): // it will be back in a moment
		w.site.awaitAny()
	case err != nil:
	case len(a.Errors) > 0:
		switch code = a.Errors[0].Extensions.Code; code {
		case "TIMEOUT", "INTERNAL_SERVER_ERROR", "UNAVAILABLE", "CONFLICT":
		default:
			f = refused
		}
	default:
		if err := json.Unmarshal(a.Data.R, &p); err != nil {
			w.site.t.Errorf("%s: payload %s: %v", kind, a.Data.R, err)
		} else if f = acknowledged; len(p.Errors) > 0 {
			f, code = refused, p.Errors[0].Code
		}
	}
	w.count(kind, f)
	w.mu.Lock()
	defer w.mu.Unlock()
	if f == refused && !slices.Contains(codes, code) {
		w.site.t.Errorf("%s %v: refused: %s", kind, input, code)
	}
	for _, c := range calls {
		c.end(f)
	}
	return p, f
}

// begin records calls under the lock.
func (w *socialRun) begin(note func() []*socialCall) []*socialCall {
	w.mu.Lock()
	defer w.mu.Unlock()
	return note()
}

// enrol registers a new account; nil if that is not acknowledged.
func (w *socialRun) enrol() *socialUser {
	w.mu.Lock()
	w.enrolled++
	u := &socialUser{
		login:   fmt.Sprintf("member%d", w.enrolled),
		blocks:  map[forum.UserID][]*socialCall{},
		deleted: &socialValue{},
	}
	w.mu.Unlock()
	p, f := w.send("register", nil, opEnrol, newcomer(u.login), nil)
	if f != acknowledged {
		return nil
	}
	u.token, u.id, u.num = p.Token, p.Viewer.User.ID, numberOf[forum.UserID](w.site.t, p.Viewer.User.ID)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.users = append(w.users, u)
	return u
}

// work writes and reads until ctx ends, as one user after the other.
func (w *socialRun) work(ctx context.Context, u *socialUser) {
	kinds := []struct {
		weight int
		do     func()
	}{
		{22, func() { w.post(u) }},
		{6, func() { w.drop(u) }},
		{8, func() { w.tag(u) }},
		{6, func() { w.move(u) }},
		{20, func() { w.follow(u) }},
		{8, func() { w.followSubject(u) }},
		{7, func() { w.block(u) }},
		{8, func() { w.list(u) }},
		{15, func() { w.readHome(u) }},
	}
	for ctx.Err() == nil {
		if rand.IntN(1000) == 0 || len(u.posts) == 1 && rand.IntN(50) == 0 { // the earlier, the fewer edges
			w.leave(ctx, &u)
			continue
		}
		at := rand.IntN(100)
		for _, k := range kinds {
			if at -= k.weight; at < 0 {
				k.do()
				break
			}
		}
	}
}

// leave deletes the account, and creates another for the client to continue with.
func (w *socialRun) leave(ctx context.Context, u **socialUser) {
	calls := w.begin(func() []*socialCall { return []*socialCall{(*u).deleted.begin("yes")} })
	w.send("deleteAccount", *u, opDeleteAccount, map[string]any{"password": "a good password"}, calls)
	for ctx.Err() == nil {
		if next := w.enrol(); next != nil {
			*u = next
			return
		}
	}
}

func (w *socialRun) post(u *socialUser) {
	p := &socialPost{
		owner:   u,
		kind:    []string{"STATUS", "ARTICLE", "DISCUSSION"}[rand.IntN(3)],
		deleted: &socialValue{},
		place:   &socialValue{},
		tags:    map[string]*socialValue{},
	}
	input := map[string]any{"kind": p.kind}
	tags := []string{}
	calls := w.begin(func() (calls []*socialCall) {
		w.sent++
		p.content = fmt.Sprintf("post %d by %s", w.sent, u.login)
		w.posts[p.content] = p
		for _, tag := range killTags {
			p.tags[tag] = &socialValue{}
			if rand.IntN(4) == 0 {
				tags, calls = append(tags, tag), append(calls, p.tags[tag].begin("yes"))
			}
		}
		if p.kind == "DISCUSSION" || p.kind == "ARTICLE" && rand.IntN(2) == 0 {
			category := w.category()
			input["category"] = map[string]any{"id": category}
			calls = append(calls, p.place.begin(category))
		}
		return calls
	})
	input["content"], input["tags"] = p.content, tags
	if p.kind != "STATUS" {
		input["title"] = p.content
	}
	if p.kind == "ARTICLE" {
		input["link"] = "https://example.org/"
	}
	payload, f := w.send("createTopic "+p.kind, u, opPost, input, calls)
	if f != acknowledged {
		return
	}
	w.mu.Lock()
	p.id, p.created, p.num = payload.Topic.ID, payload.Topic.CreatedAt, numberOf[forum.TopicID](w.site.t, payload.Topic.ID)
	u.posts = append(u.posts, p)
	w.mu.Unlock()
	if rand.IntN(2) == 0 {
		w.readHome(u)
	}
}
