package importer

import (
	"context"
	"errors"
	"fmt"
	"unicode/utf8"

	"agora/internal/forum"
	"agora/internal/store/bulk"
	"agora/internal/store/posts"
	"agora/internal/text"
)

// Limits of a pipeline.
const (
	pipelineSize  = 500
	pipelineBytes = 2 << 20
)

// addTopics posts topics. It returns one entry for each.
func (w *writer) addTopics(ctx context.Context, topics []source[*Topic]) ([]bulk.Imported[forum.TopicID], error) {
	in := make([]posts.NewTopic, len(topics))
	for i, t := range topics {
		category, err := w.category(ctx, t)
		if err != nil {
			return nil, err
		}
		v := t.value
		tags, err := text.Tags(nil, v.Tags)
		if err != nil {
			return nil, err
		}
		in[i] = posts.NewTopic{
			Author: w.people[v.Author.ID], Kind: v.Kind, Title: v.Title, Content: v.Content, Format: v.Format, Link: v.Link,
			Category: category, Tags: tags, Mentions: w.mentions(v.Content, v.Format, nil),
			CreatedAt: v.CreatedAt, Source: w.source(v.ID), Locked: v.Locked,
			Upvotes: v.Upvotes, Downvotes: v.Downvotes, Clicks: v.Clicks,
		}
		if err := w.pin(ctx, &in[i], v); err != nil {
			return nil, err
		}
	}
	all := make([]bulk.Imported[forum.TopicID], 0, len(in))
	for from := 0; from < len(in); {
		to := from
		for bytes := 0; to < len(in) && to-from < pipelineSize && bytes < pipelineBytes; to++ {
			bytes += len(in[to].Content)
		}
		var made []bulk.Imported[forum.TopicID]
		err := w.try(ctx, func() (err error) {
			made, err = w.im.Topics(ctx, in[from:to])
			return err
		})
		if err != nil {
			return nil, err
		}
		all = append(all, made...)
		from = to
	}
	for i, m := range all {
		w.countTopic(topics[i], m)
	}
	return all, nil
}

func (w *writer) countTopic(t source[*Topic], m bulk.Imported[forum.TopicID]) {
	switch {
	case m.Err != nil:
		w.bad(t.record, m.Err)
	case m.Known:
		w.sum.Known++
	default:
		w.sum.Topics++
	}
}

// category finds or creates the category of a topic, and adds it to its tab.
func (w *writer) category(ctx context.Context, t source[*Topic]) (forum.CategoryID, error) {
	c := t.value.Category
	src := w.source(c.ID)
	if c.ID == "" {
		if t.value.Kind != forum.Discussion {
			return 0, nil
		}
		// It belongs to no site, so a later import may adopt it.
		c = Category{ID: "default " + text.Fold(w.o.Category), Name: w.o.Category}
		src = ":" + c.ID
	}
	if _, met := w.sections.Categories[src]; !met {
		if posted, err := w.posted(ctx, t, src); posted || err != nil {
			return 0, err
		}
		err := w.make(ctx, c.Name, c.ID, func(name string) error {
			_, err := w.im.Category(ctx, w.sections, src, name, text.Fold(name), c.Description)
			return err
		})
		if err != nil {
			return 0, err
		}
		w.sum.Categories++
	}
	if c.Tab.ID != "" {
		if err := w.addToTab(ctx, t.record, c); err != nil {
			return 0, err
		}
	}
	return w.sections.Categories[src], nil
}

// posted reports whether a topic was imported already and its category deleted here. Then the
// category is not created again.
func (w *writer) posted(ctx context.Context, t source[*Topic], category string) (posted bool, err error) {
	if !w.sections.Deleted[category] {
		return false, nil
	}
	in := posts.NewTopic{Author: w.people[t.value.Author.ID], Source: w.source(t.value.ID)}
	err = w.try(ctx, func() (err error) {
		posted, err = w.im.Posted(ctx, in)
		return err
	})
	return posted, err
}

// addToTab adds a category to its tab, unless the tab is full.
func (w *writer) addToTab(ctx context.Context, r Record, c Category) error {
	tab := w.source(c.Tab.ID)
	if w.sections.Placed[tab+"\n"+w.source(c.ID)] {
		return nil // also if the tab was deleted
	}
	if _, met := w.sections.Tabs[tab]; !met {
		err := w.make(ctx, c.Tab.Name, c.Tab.ID, func(name string) error {
			_, err := w.im.Tab(ctx, w.sections, tab, name, text.Fold(name))
			return err
		})
		if err != nil {
			return err
		}
		w.sum.Tabs++
	}
	err := w.try(ctx, func() error { return w.im.AddToTab(ctx, w.sections, tab, w.source(c.ID)) })
	var refused *forum.Error
	if errors.As(err, &refused) {
		w.report(r.fault(fmt.Errorf("category %q is not added to tab %q: %s", c.Name, c.Tab.Name, refused.Message)))
		return nil
	}
	return err
}

// make creates a category or tab under its name. If another one of the same site has that name, it
// appends its id or a number.
func (w *writer) make(ctx context.Context, name, id string, create func(name string) error) error {
	err := w.try(ctx, func() error { return create(name) })
	for n := 2; forum.CodeOf(err) == forum.CodeTaken; n++ {
		suffix := fmt.Sprintf(" (%d)", n)
		if n == 2 && id != name { // the id of a tab is its name
			suffix = " (" + id + ")"
		}
		room := forum.MaxName - utf8.RuneCountInString(suffix)
		err = w.try(ctx, func() error { return create(text.Truncate(name, room) + suffix) })
	}
	return err
}

// pin pins a topic where it was pinned, as far as there is room.
func (w *writer) pin(ctx context.Context, topic *posts.NewTopic, v *Topic) error {
	for _, p := range []struct {
		at   forum.Time
		in   forum.CategoryID // 0 for the front
		here *forum.Time
	}{
		{v.PinnedFront, 0, &topic.PinnedFront},
		{v.PinnedCategory, topic.Category, &topic.PinnedCategory},
	} {
		if p.at == 0 {
			continue
		}
		if _, counted := w.pins[p.in]; !counted {
			err := w.try(ctx, func() (err error) {
				w.pins[p.in], err = w.im.Pinned(ctx, p.in)
				return err
			})
			if err != nil {
				return err
			}
		}
		if w.pins[p.in] >= forum.MaxPins {
			w.sum.Changes.Pins++
			continue
		}
		w.pins[p.in]++
		*p.here = p.at
	}
	return nil
}
