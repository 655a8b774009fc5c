package importer

import (
	"context"
	"strings"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/bulk"
	"agora/internal/text"
)

// writer writes records to the store, one chunk at a time.
type writer struct {
	o        Options
	store    *store.Store
	im       *bulk.Import
	sections bulk.Sections
	// people are the members seen so far, by Source.
	people map[string]forum.UserID
	// names are the members by the folded name used in a mention, or several.
	names  map[string]forum.UserID
	thread thread
	// pins are the numbers of pinned topics where this import pins any: in categories, and on the front
	// at 0.
	pins map[forum.CategoryID]int
	sum  Summary
}

func newWriter(s *store.Store, o Options) *writer {
	return &writer{
		o: o, store: s, im: s.Import(), people: map[string]forum.UserID{}, names: map[string]forum.UserID{},
		thread: newThread(), pins: map[forum.CategoryID]int{},
		sum: Summary{Skipped: map[string]int{}, Missing: map[string]int{}},
	}
}

// source returns the permanent name of an object of the other site.
func (w *writer) source(id string) string { return w.o.Source + ":" + id }

func (w *writer) begin(ctx context.Context) error {
	return w.try(ctx, func() (err error) {
		w.sections, err = w.im.Sections(ctx)
		return err
	})
}

const (
	// tries is how often a step is tried while Redis does not answer, for half a minute in total.
	// Each step is idempotent.
	tries = 6
	// firstRest is the wait before the second try. It doubles with each try, up to maxRest.
	firstRest = time.Second
	maxRest   = 10 * time.Second
)

func (w *writer) try(ctx context.Context, step func() error) error {
	rest := w.o.rest
	for n := 1; ; n++ {
		err := step()
		if err == nil || n == tries || forum.CodeOf(err) != "" || ctx.Err() != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(rest):
			rest = min(2*rest, maxRest)
		}
	}
}

// write writes a chunk: members, their follows, categories, topics, comments, then all lists.
func (w *writer) write(ctx context.Context, c chunk) error {
	if err := w.addPeople(ctx, c); err != nil {
		return err
	}
	var topics []source[*Topic]
	var follows []*Follow
	for _, r := range c.records {
		w.sum.Records += r.rows()
		w.sum.Changes.Add(r.Changes)
		switch {
		case r.Err != nil:
			w.bad(r, r.Err)
		case r.Topic != nil:
			topics = append(topics, source[*Topic]{r, r.Topic})
		case r.Follow != nil:
			follows = append(follows, r.Follow)
		case r.Skipped != "":
			w.sum.Skipped[r.Skipped] += r.rows()
		case r.Missing != "":
			w.sum.Missing[r.Missing] += r.Count
		case r.Votes:
			w.sum.Votes += r.rows()
		case r.Person != nil:
			w.sum.Members++
		}
	}
	for _, err := range c.files {
		w.sum.Files++
		w.report(err)
	}
	if err := w.addFollows(ctx, follows); err != nil {
		return err
	}
	made, err := w.addTopics(ctx, topics)
	if err != nil {
		return err
	}
	replies, comments, err := w.addComments(ctx, w.jobs(c, made))
	if err != nil {
		return err
	}
	return w.try(ctx, func() error { return w.im.Publish(ctx, made, comments, replies) })
}

// source is a value with its record.
type source[T any] struct {
	record Record
	value  T
}

// bad counts and reports a record that cannot be imported.
func (w *writer) bad(r Record, err error) {
	w.sum.Bad++
	w.report(r.fault(err))
}

func (w *writer) report(err error) {
	if w.o.Bad != nil {
		w.o.Bad(err)
	}
}

// usersBatch is the maximum number of members created in one pipeline.
const usersBatch = 500

// addPeople creates accounts for all new members of a chunk.
func (w *writer) addPeople(ctx context.Context, c chunk) error {
	var fresh []bulk.ImportUser
	var folds []string
	meet := func(p Person, at forum.Time) {
		if _, met := w.people[p.ID]; met || p.ID == "" {
			return
		}
		w.people[p.ID] = 0
		if p.CreatedAt != 0 {
			at = p.CreatedAt
		}
		fresh = append(fresh, bulk.ImportUser{Source: w.source(p.ID), Logins: text.Logins(p.Name, p.SourceID), Name: p.Name, CreatedAt: at})
		folds = append(folds, w.fold(p.Name))
	}
	for _, r := range c.records {
		if r.Person != nil {
			meet(*r.Person, w.store.Engine.Now())
		}
		if r.Follow != nil {
			meet(r.Follow.From, w.store.Engine.Now())
			meet(r.Follow.To, w.store.Engine.Now())
		}
		if r.Comment != nil {
			meet(r.Comment.Author, r.Comment.CreatedAt)
		}
		if r.Topic == nil {
			continue
		}
		meet(r.Topic.Author, r.Topic.CreatedAt)
		for _, comment := range r.Topic.Comments {
			meet(comment.Author, comment.CreatedAt)
		}
	}
	prefix := len(w.source(""))
	for from := 0; from < len(fresh); from += usersBatch {
		batch := fresh[from:min(from+usersBatch, len(fresh))]
		var ids []forum.UserID
		var created []bool
		err := w.try(ctx, func() (err error) {
			ids, created, err = w.im.Users(ctx, batch, foldLogin)
			return err
		})
		if err != nil {
			return err
		}
		for i, u := range batch {
			w.people[u.Source[prefix:]] = ids[i]
			w.name(folds[from+i], ids[i])
			if created[i] {
				w.sum.Users++
			}
		}
	}
	return nil
}

// several stands for more than one member with the same name.
const several forum.UserID = -1

// fold returns the folded form in which a mention names a member, or "".
func (w *writer) fold(name string) string {
	if w.o.Format == StackExchange { // names contain spaces there, but mentions do not
		name = strings.ReplaceAll(name, " ", "")
	}
	return foldLogin(name)
}

// name records the member with a name. The first one gets it. Where names are not unique, a name of
// several members means none of them.
func (w *writer) name(fold string, id forum.UserID) {
	switch {
	case fold == "" || id == 0:
	case w.names[fold] == 0:
		w.names[fold] = id
	case w.o.Format == StackExchange:
		w.names[fold] = several
	}
}

func foldLogin(login string) string {
	fold, _ := text.FoldLogin(login)
	return fold
}
