package importer

import (
	"context"
	"errors"
	"fmt"
	"unicode/utf8"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/text"
)

// Bounds of a pipeline.
const (
	pipelineSize  = 500
	pipelineBytes = 2 << 20
)

// addTopics posts topics. It returns one entry for each.
func (w *writer) addTopics(ctx context.Context, topics []source[*Topic]) ([]store.Imported[forum.TopicID], error) {
	in := make([]store.NewTopic, len(topics))
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
		in[i] = store.NewTopic{
			Author: w.people[v.Author.ID], Kind: v.Kind, Title: v.Title, Content: v.Content, Format: v.Format, Link: v.Link,
			Category: category, Tags: tags, CreatedAt: v.CreatedAt, DeletedAt: v.DeletedAt, Source: w.source(v.ID),
			Upvotes: v.Upvotes, Downvotes: v.Downvotes, Clicks: v.Clicks,
		}
	}
	all := make([]store.Imported[forum.TopicID], 0, len(in))
	for from := 0; from < len(in); {
		to := from
		for bytes := 0; to < len(in) && to-from < pipelineSize && bytes < pipelineBytes; to++ {
			bytes += len(in[to].Content)
		}
		var made []store.Imported[forum.TopicID]
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

func (w *writer) countTopic(t source[*Topic], m store.Imported[forum.TopicID]) {
	switch {
	case m.Err != nil:
		w.bad(t.record, m.Err)
	case m.Known:
		w.sum.Known++
	default:
		w.sum.Topics++
		if t.value.DeletedAt != 0 {
			w.sum.DeletedTopics++
		}
	}
}

// category finds or makes the category of a topic, and puts it into its tab.
func (w *writer) category(ctx context.Context, t source[*Topic]) (forum.CategoryID, error) {
	c := t.value.Category
	src := w.source(c.ID)
	if c.ID == "" {
		if t.value.Kind != forum.Discussion {
			return 0, nil
		}
		// It belongs to no site, and so it may be one that a site brings.
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

// posted reports whether a topic is here already whose category was deleted here:
// then that stays so.
func (w *writer) posted(ctx context.Context, t source[*Topic], category string) (posted bool, err error) {
	if !w.sections.Deleted[category] {
		return false, nil
	}
	in := store.NewTopic{Author: w.people[t.value.Author.ID], Source: w.source(t.value.ID)}
	err = w.try(ctx, func() (err error) {
		posted, err = w.im.Posted(ctx, in)
		return err
	})
	return posted, err
}

// place puts a category into its tab. A tab that is full goes on without it.
func (w *writer) addToTab(ctx context.Context, r Record, c Category) error {
	tab := w.source(c.Tab.ID)
	if w.sections.Placed[tab+"\n"+w.source(c.ID)] {
		return nil // also if the tab is not there any more
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
		w.report(fmt.Errorf("%s:%d: category %q stays out of tab %q: %s", r.File, r.Line, c.Name, c.Tab.Name,
			refused.Message))
		return nil
	}
	return err
}

// make makes a category or tab under its name, or where another one of the same
// site has it, with its id or a number behind it.
func (w *writer) make(ctx context.Context, name, id string, create func(name string) error) error {
	err := w.try(ctx, func() error { return create(name) })
	for n := 2; forum.CodeOf(err) == forum.CodeTaken; n++ {
		behind := fmt.Sprintf(" (%d)", n)
		if n == 2 && id != name { // a tab has no other id than its name
			behind = " (" + id + ")"
		}
		letters := []rune(name)
		section := forum.MaxName - utf8.RuneCountInString(behind)
		err = w.try(ctx, func() error { return create(string(letters[:min(section, len(letters))]) + behind) })
	}
	return err
}
