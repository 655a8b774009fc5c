package fsck

import (
	"context"
	"maps"
	"slices"

	"agora/internal/store/check"
)

const (
	onLayout     check.Kind = "layout"
	onCatalogue  check.Kind = "catalogue"
	onKey        check.Kind = "key"
	onTopic      check.Kind = "topic"
	onComment    check.Kind = "comment" // not listed by a topic
	onUser       check.Kind = "user"
	onPartition  check.Kind = "partition"
	onMark       check.Kind = "mark"
	onHiddenItem check.Kind = "hidden-item"
	onTask       check.Kind = "task"
	onContainer  check.Kind = "container"
	onEntry      check.Kind = "entry"
	onVoter      check.Kind = "voter"
	onLogged     check.Kind = "logged"
	onSocial     check.Kind = "social" // edges, lists and marks of a user
	onHome       check.Kind = "home"
	onBookmark   check.Kind = "bookmark" // or what is noted of one, of a user
	onEdge       check.Kind = "edge"
	onMember     check.Kind = "member" // a malformed member of a set of edges
	onList       check.Kind = "list"
	onNotes      check.Kind = "notes"    // a user's notifications
	onKarma      check.Kind = "karma"    // of a user
	onCounted    check.Kind = "counted"  // a comment in its author's karma, or a field of what is counted
	onNamed      check.Kind = "named"    // an entry of a list of names, or one of its members
	onRules      check.Kind = "rules"    // of the site
	onCase       check.Kind = "case"     // the reports on a subject
	onEvidence   check.Kind = "evidence" // the copies of a subject
	onQueued     check.Kind = "queued"   // a member of a list of the queue of reports
	onNotify     check.Kind = "notify"   // sent and pending notifications, by subject
	onAct        check.Kind = "act"
	onActEntry   check.Kind = "act-entry"  // of a list of acts
	onModerators check.Kind = "moderators" // of a category
)

// lagsOnly reports whether a target that cannot be checked now may be ignored: indexes of objects
// being written, logs of voters, reverse sides and homes may lag behind.
func lagsOnly(on check.Target) bool {
	return on.Kind == onEntry || on.Kind == onLogged || on.Kind == onEdge || on.Kind == onHome
}

// checks returns how to check a target of each kind, whether for the first time or again.
func (c *checker) checks() map[check.Kind]func(*check.Look) {
	return map[check.Kind]func(*check.Look){
		onLayout:     c.layout,
		onCatalogue:  c.sections,
		onKey:        c.key,
		onTopic:      func(l *check.Look) { c.topic(l) },
		onComment:    c.stray,
		onHiddenItem: c.hiddenEntry,
		onContainer:  c.container,
		onEntry:      func(l *check.Look) { c.entry(l, c.truth(l)) },
		onSocial:     c.social,
		onHome:       c.home,
		onBookmark:   c.bookmark,
		onEdge:       c.edge,
		onMember:     c.member,
		onList:       c.userList,
		onNotes:      c.notes,
		onNotify:     c.notify,
		onRules:      c.rules,
		onCase:       c.reports,
		onEvidence:   c.evidence,
		onQueued:     c.queued,
		onAct:        c.act,
		onActEntry:   c.actEntry,
		onPartition:  c.partition,
		onMark:       c.dirty,
		onTask:       c.task,
		onUser:       c.user,
		onModerators: c.moderators,
		onNamed:      c.named,
		onKarma:      c.karma,
		onCounted:    c.counted,
		onVoter:      c.voter,
		onLogged:     c.logged,
	}
}

// inspectAgain forgets what was found, and checks targets again.
func (c *checker) inspectAgain(ctx context.Context, again map[check.Target]bool) error {
	c.Found, c.Busy = map[check.Target][]check.Found{}, map[check.Target]bool{}
	return check.Together(ctx, c.Run, slices.Collect(maps.Keys(again)), (*check.Look).Examine)
}
