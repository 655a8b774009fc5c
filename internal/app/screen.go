package app

import (
	"context"
	"errors"
	"strconv"
	"unicode/utf8"

	"agora/breadth"
	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/loader"
	"agora/internal/store/accounts"
	"agora/internal/store/posts"
	"agora/internal/text"
)

// Text is a text that a viewer wants to show to others: its content, or lines of plain text, and addresses.
type Text struct {
	parts []textPart
	// plain is all of it without markup, body its content alone, Links the number of links in it.
	plain, body string
	Links       int
}

type textPart struct {
	path  []string
	plain string
	// hosts are those of links, named are texts that may name others.
	hosts, named []string
}

// Add adds a text without markup, if there is one. An address counts as a link; plain text of several lines may have
// links as Markdown does.
func (t *Text) Add(p forum.Posted, s string) {
	part := textPart{path: forum.Path(p.Input), plain: s, named: []string{s}}
	switch p.Form {
	case forum.FormText:
		part.hosts = text.ContentOf(s, forum.Markdown).Hosts
	case forum.FormAddress:
		if part.hosts, part.named = []string{text.Host(s)}, nil; part.hosts[0] == "" {
			return
		}
	}
	if s != "" {
		t.addPart(part)
	}
}

// Content adds a text with markup, if there is one.
func (t *Text) Content(p forum.Posted, s string, format forum.ContentFormat) {
	if s != "" {
		c := text.ContentOf(s, format)
		t.addPart(textPart{path: forum.Path(p.Input), plain: c.Plain, hosts: c.Hosts, named: []string{c.Plain, s}})
		t.body += c.Plain
	}
}

func (t *Text) addPart(p textPart) {
	t.parts = append(t.parts, p)
	t.plain += p.plain + "\n"
	t.Links += len(p.hosts)
}

// Collect returns what a viewer wants to show, as fill adds it, if anything is to be checked; nil for moderators,
// who may post anything, and if the site has no blocklist and the viewer is not new.
func (a App) Collect(ctx context.Context, fill func(*Text)) *Text {
	v := auth.ViewerFrom(ctx)
	if v.Moderator() {
		return nil
	}
	list, err := a.Store.Rules.Blocklist(ctx)
	if err == nil && list.Empty() && !a.Store.Rules.Current(ctx).New(v, a.Store.Engine.Now()) {
		return nil
	}
	t := &Text{}
	fill(t)
	return t
}

// NotBlocked returns BLOCKED_TEXT if a text has something of the blocklist.
func (a App) NotBlocked(ctx context.Context, t *Text) error {
	if t == nil {
		return nil
	}
	list, err := a.Store.Rules.Blocklist(ctx)
	if err != nil {
		return err
	}
	for _, p := range t.parts {
		if word := list.Word(p.plain); word != "" {
			return forum.BlockedText(p.path, forum.BlockWord, word)
		}
		for _, host := range p.hosts {
			if domain := list.Domain(host); domain != "" {
				return forum.BlockedText(p.path, forum.BlockDomain, domain)
			}
		}
		for _, text := range p.named {
			if domain := list.Named(text); domain != "" {
				return forum.BlockedText(p.path, forum.BlockDomain, domain)
			}
		}
	}
	return nil
}

// CheckText returns BLOCKED_TEXT, or NEW_MEMBER for a new member's text with too many links or mentions.
func (a App) CheckText(ctx context.Context, t *Text, mentions int) error {
	if err := a.NotBlocked(ctx, t); err != nil || t == nil {
		return err
	}
	v, now, rules := auth.ViewerFrom(ctx), a.Store.Engine.Now(), a.Store.Rules.Current(ctx)
	switch {
	case !rules.New(v, now):
	case rules.NewMemberLinks != nil && t.Links > *rules.NewMemberLinks:
		return rules.NewMemberRefused(v, now, forum.RuleLinks, 0)
	case rules.NewMemberMentions != nil && mentions > *rules.NewMemberMentions:
		return rules.NewMemberRefused(v, now, forum.RuleMentions, 0)
	}
	return nil
}

// Edit is an edit of a text.
type Edit struct {
	Of forum.Subject
	// Before is the present text, nil if only tags are added; After is that which replaces it.
	Before *forum.Revision
	After  forum.Text
}

// CheckEdit returns the errors of CheckText, and NEW_MEMBER as long as a post of the viewer would be held, or if most of an
// approved post would be another text: what was approved must not become another text. Apart is set for an edit that must
// not be merged into the one before, because the first text of the post is what was approved.
func (a App) CheckEdit(ctx context.Context, t *Text, mentions int, e Edit) (apart bool, err error) {
	if err := a.CheckText(ctx, t, mentions); err != nil || t == nil {
		return false, err
	}
	v, now, rules := auth.ViewerFrom(ctx), a.Store.Engine.Now(), a.Store.Rules.Current(ctx)
	if rules.HeldPosts == 0 || !rules.New(v, now) {
		return false, nil
	}
	n, approved, err := a.Store.Accounts.ApprovedPosts(ctx, v.ID, e.Of)
	another := n < rules.HeldPosts
	if err == nil && !another && approved && e.Before != nil {
		another, err = replacesMost(ctx, e)
	}
	if err == nil && another {
		err = rules.NewMemberRefused(v, now, forum.RuleEdits, 0)
	}
	return approved, err
}

// replacesMost reports whether an edit leaves less than half of what was approved in a post, or leads to another site. Its
// author cannot edit a held post, so that its first text was approved.
func replacesMost(ctx context.Context, e Edit) (bool, error) {
	first, l := e.Before.Text, loader.From(ctx)
	if e.Before.Number > 1 {
		found, errs := l.Revisions(ctx, []posts.RevisionRef{{Of: e.Of, Number: 1}})
		if err := errors.Join(errs...); err != nil {
			return false, err
		}
		if found[0] != nil { // data of earlier versions may lack it
			texts, errs := l.RevisionTexts(ctx, found)
			if err := errors.Join(errs...); err != nil {
				return false, err
			}
			first = *texts[0]
		}
	}
	if e.After.Link != first.Link && text.Host(e.After.Link) != text.Host(first.Link) {
		return true, nil
	}
	was, is := first.Title+"\n"+first.Content, e.After.Title+"\n"+e.After.Content
	if err := breadth.MeterFrom(ctx).Charge(text.ShareCost(was, is), 0); err != nil {
		return false, err
	}
	return text.Share(was, is) < 0.5, nil
}

// Post calls post, unless CheckText refuses the text, a new member has posted too much today, or the same text was
// posted lately. post gets whether the post is held. Members who are not new cost no read. once identifies the call if
// it can be repeated, "" if it cannot.
func (a App) Post(ctx context.Context, t *Text, mentions int, once string,
	post func(held bool) error) error {
	if err := a.CheckText(ctx, t, mentions); err != nil {
		return err
	}
	v, rules := auth.ViewerFrom(ctx), a.Store.Rules.Current(ctx)
	if t == nil || !rules.Counts() || !rules.New(v, a.Store.Engine.Now()) {
		return post(false)
	}
	p := accounts.PostAttempt{By: v, Text: text.Fold(t.body), Once: once}
	if p.Length = utf8.RuneCountInString(p.Text); p.Length < forum.DuplicateLength { // a title makes it another one
		p.Text = text.Fold(t.plain)
		p.Length = utf8.RuneCountInString(p.Text)
	}
	held, err := a.Store.Accounts.CountPost(ctx, rules, p)
	if err != nil {
		return err
	}
	if err = post(held); forum.CodeOf(err) != "" { // it was not posted
		if failed := a.Store.Accounts.UncountPost(ctx, p); failed != nil {
			a.Log.WarnContext(ctx, "a refused post of a new member counts", "error", failed)
		}
	}
	return err
}

// OnceOf identifies a call with an idempotency key, for the counts of new members; "" without one.
func OnceOf(call, key string) string {
	if key == "" {
		return ""
	}
	return call + ":" + key
}

// Posted checks a text of an input if it is set, and returns it as it is stored, or nil.
func Posted(p forum.Posted, s *string) (*string, error) {
	if s == nil {
		return nil, nil
	}
	checked, err := text.Posted(p, *s)
	return &checked, err
}

// Tags adds the names of tags of a field of the input.
func (t *Text) Tags(field string, tags forum.TopicTags) {
	for i, tag := range tags {
		t.addPart(textPart{path: forum.Path(field, strconv.Itoa(i)), plain: tag.Name, named: []string{tag.Name}})
	}
}
