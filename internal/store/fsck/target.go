package fsck

import (
	"context"
	"maps"
	"slices"
	"strings"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/check"
	"agora/internal/store/internal/key"
)

const (
	onLayout     check.Kind = "layout"
	onKey        check.Kind = "key"
	onMark       check.Kind = "mark"
	onHiddenItem check.Kind = "hidden-item"
	onTask       check.Kind = "task"
	onEntry      check.Kind = "entry"
	onSocial     check.Kind = "social"   // edges, lists and marks of a user
	onBookmark   check.Kind = "bookmark" // or what is noted of one, of a user
	onEdge       check.Kind = "edge"
	onMember     check.Kind = "member"     // a malformed member of a set of edges
	onNamed      check.Kind = "named"      // an entry of a list of names, or one of its members
	onModerators check.Kind = "moderators" // of a category
)

// own returns the checks of this package.
func (c *checker) own() check.Subject {
	return check.Subject{
		Kinds: map[check.Kind]func(*check.Look){
			onLayout:          c.layout,
			onKey:             c.key,
			check.OnTopic:     func(l *check.Look) { c.topic(l) },
			check.OnComment:   c.stray,
			onHiddenItem:      c.hiddenEntry,
			check.OnContainer: c.tagIndex,
			onEntry:           func(l *check.Look) { c.entry(l, c.truth(l)) },
			onSocial:          c.social,
			onBookmark:        c.bookmark,
			onEdge:            c.edge,
			onMember:          c.member,
			check.OnList:      c.userList,
			check.OnPartition: c.partition,
			onMark:            c.dirty,
			onTask:            c.task,
			check.OnUser:      c.user,
			onModerators:      c.moderators,
			onNamed:           c.named,
		},
		Entries: map[check.Kind]func(*check.Look, check.Entry){onEntry: c.held, onNamed: c.namedEntry,
			onMember: c.edgeEntry},
		With: map[check.Kind]func(check.Target) ([]check.Target, []check.List){
			check.OnPartition: partitionLists, check.OnUser: userLists, check.OnList: listMembers,
			check.OnCategory: ofCategory,
		},
		Scanned: scanned,
		Site:    []check.Target{{Kind: onLayout}},
		Lists: slices.Concat(check.Sets(onMark, key.SharedActMarks...), nameLists(key.UserNames),
			nameLists(key.Applicants), nameLists(key.TagNames)),
		Lags: []check.Kind{onEntry, onEdge},
		Swept: []Rule{RuleIndexMissing, RuleIndexScore, RuleIndexStray, RuleIndexRev, RuleIndexTombstone, RuleTopicLeft,
			RuleTopicFanOut, RuleTopicCategory, RuleRegistration, RuleEmailChange, RuleLoginChange, RuleStaleClaim, RuleNameList},
	}
}

// scanned notes what is examined because of a key.
func scanned(r *check.Run, name string, k catalogue.Key) {
	switch k.Object {
	case catalogue.OfReverseEnded, catalogue.OfContainerEnded:
		r.Lists[name] = edgeList(name)
	case catalogue.OfTopic, catalogue.OfIndex, catalogue.OfTag:
		for _, end := range []string{":bookmarkers", ":watchers", ":followers"} {
			if strings.HasSuffix(name, end) {
				r.Lists[name] = edgeList(name)
			}
		}
	}
}

// partitionLists returns the lists of a partition whose entries are examined one by one.
func partitionLists(on check.Target) ([]check.Target, []check.List) {
	p := forum.Partition(on.ID)
	lists := check.Sets(onMark, key.Dirty(p))
	for k, kind := range map[string]check.Kind{key.Hidden(p): onHiddenItem, key.Due(p): onTask, key.Dead(p): onTask} {
		lists = append(lists, check.List{Key: k, On: check.Target{Kind: kind, ID: int64(p)}})
	}
	return nil, lists
}

// userLists returns what else is examined of a user, and the lists whose entries are examined one by one.
func userLists(on check.Target) (all []check.Target, lists []check.List) {
	id := forum.UserID(on.ID)
	all = append(all, check.Target{Kind: onSocial, ID: on.ID})
	for _, names := range []key.Names{key.UserNames, key.Applicants} {
		all = append(all, check.Target{Kind: onNamed, Key: string(names), ID: on.ID})
	}
	lists = indexLists(key.UserCommentsContainer(id))
	for _, of := range slices.Concat(nearSets, farSets) {
		lists = append(lists, edgeList(of(id)))
	}
	bookmark := check.Target{Kind: onBookmark, ID: on.ID}
	return all, append(lists, check.List{Key: key.Bookmarks(id), On: bookmark},
		check.List{Key: key.HiddenBookmarks(id), On: bookmark})
}

func listMembers(on check.Target) ([]check.Target, []check.List) {
	return nil, []check.List{edgeList(key.ListMembers(forum.ListID(on.ID)))}
}

func ofCategory(on check.Target) ([]check.Target, []check.List) {
	return []check.Target{{Kind: onModerators, ID: on.ID}}, nil
}

// inspectAgain forgets what was found, and checks targets again.
func (c *checker) inspectAgain(ctx context.Context, again map[check.Target]bool) error {
	c.Found, c.Busy = map[check.Target][]check.Found{}, map[check.Target]bool{}
	return check.Together(ctx, c.Run, slices.Collect(maps.Keys(again)), (*check.Look).Examine)
}
