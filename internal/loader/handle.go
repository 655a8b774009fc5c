package loader

import (
	"context"
	"errors"
	"maps"

	"github.com/graph-gophers/dataloader/v7"

	"agora/breadth"
	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/listing"
)

// handles are the objects of one type in a response, one for each id. At first they know only their ids. The objects
// that a level needs are read together, each whole and once, through a dataloader that is keyed by id.
type handles[ID ~int64, O, T any] struct {
	d       *dispatcher
	all     map[ID]*T
	loader  *dataloader.Loader[ID, *O] // nil until needed
	batches chan *batch[ID, O]         // what the dataloader asks for
	due     []loading[O, T]            // what the next batch reads
	sent    *batch[ID, O]              // the batch of the pipeline in progress, or nil
	none    *O                         // what is known of an object before it was read
	spare   []T                        // allocated for new objects
	failed  bool                       // some object could not be read

	members func(*T) members[ID, O]
	read    func(*store.Read, []ID) func() ([]*O, []error)
	// kept, if not nil, returns an object that is in memory; nil if it is not.
	kept func(*listing.Memory, ID) *O
	// begin, if not nil, changes what is known of an object before it was read.
	begin func(*T)
	// check, if not nil, sets the final status of an object that was read, depending on whether the viewer may see it,
	// and what this response shows of it. was is what was known of it before.
	check func(o *T, was *O)
	// alias, for types with aliases, says whether what is known of an object holds for its alias too.
	alias func(*T) bool
}

// What is known of objects before they were read.
var (
	noTopic    forum.Topic
	noComment  forum.Comment
	noUser     forum.User
	noCategory forum.Category
	noTab      forum.Tab
	noTag      forum.Tag
	noList     forum.UserList
)

// named returns the objects with the ids, without reading anything.
func (h *handles[ID, O, T]) named(ids []ID) []*T {
	if len(ids) > 2*len(h.all) { // it grows once, not many times
		if h.all == nil {
			h.d.known = append(h.d.known, h)
		}
		all := make(map[ID]*T, len(h.all)+len(ids))
		maps.Copy(all, h.all)
		h.all = all
	}
	objs := make([]*T, len(ids))
	for i, id := range ids {
		o, ok := h.all[id]
		if !ok {
			if len(h.spare) == 0 {
				h.spare = make([]T, len(ids)-i) // one allocation for all new ones
			}
			o, h.spare = &h.spare[0], h.spare[1:]
			h.init(o, id)
			h.all[id] = o
		}
		objs[i] = o
	}
	return objs
}

func (h *handles[ID, O, T]) init(o *T, id ID) {
	m := h.members(o)
	*m.id, *m.read = id, h.none
	if h.begin != nil {
		h.begin(o)
	}
}

func (h *handles[ID, O, T]) one(id ID) *T {
	if o, ok := h.all[id]; ok {
		return o
	}
	return h.named([]ID{id})[0]
}

// ask queues those objects for the next pipeline that were not read yet. It reports whether there is anything to wait
// for.
func (h *handles[ID, O, T]) ask(objs []*T) bool {
	wait := false
	for _, o := range objs {
		o = h.itself(o)
		k := h.members(o).handle
		if k.status == statusUnread && !h.keeps(o) {
			h.load(o)
			k.status = statusRequested
		}
		wait = wait || k.status == statusRequested
	}
	return wait
}

// keeps takes an object from memory, and reports whether it is there.
func (h *handles[ID, O, T]) keeps(o *T) bool {
	if h.kept == nil || h.d.memory == nil {
		return false
	}
	m := h.members(o)
	found := h.kept(h.d.memory, *m.id)
	if found != nil {
		h.take(o, found)
	}
	return found != nil
}

// take sets an object to what is stored, nil if there is nothing.
func (h *handles[ID, O, T]) take(o *T, found *O) {
	m := h.members(o)
	was := *m.read
	m.handle.covered = false
	if found != nil {
		m.handle.status, *m.read = statusWhole, found
	} else {
		m.handle.status, *m.read = statusAbsent, h.none
	}
	if h.check != nil {
		h.check(o, was)
	}
}

// need returns when the objects were read, if they exist, with the reasons why some could not be. An object is read
// once, also for all aliases.
func (h *handles[ID, O, T]) need(ctx context.Context, objs []*T) []error {
	if h.ask(objs) {
		err := breadth.Wait(ctx)
		if err == nil {
			err = errNotRead // reading panicked
		}
		for _, o := range objs {
			if k := h.members(h.itself(o)).handle; k.unread() {
				h.fail(k, err)
			}
		}
	}
	for _, o := range objs {
		if h.alias == nil {
			break
		}
		if k := h.members(o).handle; k.alias && k.unread() {
			*o = *h.itself(o)
			if k.alias = true; !h.alias(o) {
				k.status = statusAbsent
			}
		}
	}
	return h.failures(objs)
}

func (h *handles[ID, O, T]) fail(k *handle, err error) {
	k.status, k.failed = statusFailed, &err
	h.failed = true
}

// failures returns the reasons why objects could not be read, or nil if all could.
func (h *handles[ID, O, T]) failures(objs []*T) []error {
	var errs []error
	if !h.failed {
		return nil
	}
	for i, o := range objs {
		errs = addError(errs, len(objs), i, h.members(o).handle.failure())
	}
	return errs
}

// itself returns the object that an alias stands for, or the object.
func (h *handles[ID, O, T]) itself(o *T) *T {
	if m := h.members(o); m.handle.alias {
		return h.one(*m.id)
	}
	return o
}

var errNotRead = errors.New("an object was requested but not read")

// forget drops all objects.
func (h *handles[ID, O, T]) forget() { h.all = nil }

// again has an object read again when it is next needed.
func (h *handles[ID, O, T]) again(o *T) {
	h.members(o).handle.status = statusUnread
	h.members(h.itself(o)).handle.status = statusUnread
}

// present returns the objects that were read, nil for those that do not exist.
func present[T any, P interface {
	*T
	Missing() bool
}](objs []P) []P {
	for i, o := range objs {
		if o.Missing() {
			objs[i] = nil
		}
	}
	return objs
}

func (l *Loaders) makeHandles(d *dispatcher) {
	l.makeTopicHandles(d)
	l.makeUserHandles(d)
	l.commentHandles = handles[forum.CommentID, forum.Comment, Comment]{
		d: d, none: &noComment, members: (*Comment).members,
		read: store.From(listing.On, listing.Read.Comments), kept: l.keptComment,
		check: func(c *Comment, was *forum.Comment) {
			if was.Tombstone { // until its topic says so again
				c.Comment = c.AsTombstone()
			}
			l.countVotes(c)
		},
	}
	l.categoryHandles = handles[forum.CategoryID, forum.Category, Category]{
		d: d, none: &noCategory, members: (*Category).members,
		read: store.From(listing.On, listing.Read.Categories), kept: (*listing.Memory).Category,
		check: func(c *Category, _ *forum.Category) {
			if c.status == statusWhole && !l.SeesCategory(c.ID) {
				c.status = statusAbsent
			}
		},
	}
	l.tabHandles = handles[forum.TabID, forum.Tab, Tab]{
		d: d, none: &noTab, members: (*Tab).members, read: store.From(listing.On, listing.Read.Tabs),
		kept: (*listing.Memory).Tab,
	}
	l.tagHandles = handles[forum.TagID, forum.Tag, Tag]{
		d: d, none: &noTag, members: (*Tag).members, read: store.From(listing.On, listing.Read.Tags),
		kept:  (*listing.Memory).Tag,
		check: func(t *Tag, _ *forum.Tag) { nameTag(t) },
	}
	l.listHandles = handles[forum.ListID, forum.UserList, UserList]{
		d: d, none: &noList, members: (*UserList).members,
		read: store.From(listing.On, listing.Read.Lists),
		check: func(u *UserList, _ *forum.UserList) {
			if u.status == statusWhole && !l.seesList(u.UserList) {
				u.status = statusAbsent
			}
		},
	}
}

// keptComment returns a comment that is in memory, if its topic was read or is in memory: one of a hidden topic is
// read, like one that does not exist.
func (l *Loaders) keptComment(m *listing.Memory, id forum.CommentID) *forum.Comment {
	c := m.Comment(id)
	if c == nil {
		return nil
	}
	if t := l.topicHandles.one(c.TopicID); t.unread() && !l.topicHandles.keeps(t) {
		return nil
	}
	return c
}

func (l *Loaders) makeTopicHandles(d *dispatcher) {
	l.topicHandles = handles[forum.TopicID, forum.Topic, Topic]{
		d: d, none: &noTopic, members: (*Topic).members,
		read: store.From(listing.On, listing.Read.Topics), kept: (*listing.Memory).Topic,
		check: func(t *Topic, _ *forum.Topic) {
			if t.status == statusWhole && !t.VisibleTo(l.viewer, l.rules()) {
				t.status = statusAbsent
			}
			l.countClicks(t)
			l.countTopicVotes(t)
		},
		alias: func(t *Topic) bool { return t.status != statusWhole || t.State.Listed() },
	}
	l.listedHandles = handles[forum.TopicID, forum.Topic, Topic]{
		d: d, none: &noTopic, members: (*Topic).members, begin: func(t *Topic) { t.alias = true },
	}
}

func (l *Loaders) makeUserHandles(d *dispatcher) {
	l.userHandles = handles[forum.UserID, forum.User, User]{
		d: d, none: &noUser, members: (*User).members,
		read: store.From(listing.On, listing.Read.Users), kept: (*listing.Memory).User,
		begin: func(u *User) {
			if u.ID == 0 {
				*u = *l.ghost(true)
			}
		},
		check: func(u *User, _ *forum.User) {
			l.endRole(u)
			if u.status == statusAbsent { // an author must not be nil, so it becomes the ghost
				*u = *l.ghost(false)
			}
		},
		alias: func(u *User) bool { return u.ID != 0 }, // else it has become the ghost
	}
	l.presentHandles = handles[forum.UserID, forum.User, User]{
		d: d, none: &noUser, members: (*User).members, begin: func(u *User) { u.alias = true },
		check: func(u *User, _ *forum.User) { l.endRole(u) },
	}
}

// endRole shows a user whose role has ended as a member.
func (l *Loaders) endRole(u *User) {
	if u.status == statusWhole && u.RoleAt(l.store.Engine.Now()) != u.Role {
		ended := *u.User
		ended.Role = forum.RoleUser
		u.User = &ended
	}
}

// ghost returns the ghost, who is not active in the place of somebody who no longer exists.
func (l *Loaders) ghost(active bool) *User {
	g := *forum.Ghost(l.store.Layout().Created)
	g.Active = active
	return &User{handle: handle{status: statusWhole}, User: &g}
}
