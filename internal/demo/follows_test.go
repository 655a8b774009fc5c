package demo

import (
	"fmt"
	"slices"
	"testing"
	"unicode/utf8"

	"agora/internal/forum"
)

// tagged returns all tags in use.
func tagged(d Data) map[string]bool {
	tags := map[string]bool{}
	for _, t := range d.Topics {
		for _, tag := range t.Tags {
			tags[tag] = true
		}
	}
	return tags
}

func TestStatusesAreValidAndSorted(t *testing.T) {
	d := Build(someNow)
	texts := map[string]bool{}
	before := someNow - span
	for _, s := range d.Statuses {
		checkText(t, s.Content)
		if n := utf8.RuneCountInString(s.Content); n < 1 || n > forum.MaxStatus || texts[s.Content] {
			t.Errorf("status %q has %d code points, or is a duplicate", s.Content, n)
		}
		texts[s.Content] = true
		if s.CreatedAt < before || s.CreatedAt >= someNow {
			t.Errorf("status %q was posted at %d; want %d or later, and before now", s.Content, s.CreatedAt, before)
		}
		before = s.CreatedAt
	}
	if len(d.Statuses) < 20 {
		t.Errorf("%d statuses; want 20 or more", len(d.Statuses))
	}
}

func TestFollowsAreValid(t *testing.T) {
	d := Build(someNow)
	tags, seen := tagged(d), map[Follow]bool{}
	follows, demo := make([]int, len(d.Users)), map[string]int{}
	for _, f := range d.Follows {
		targets := 0
		for what, is := range map[string]bool{"users": f.Whom != none, "categories": f.Category != none,
			"tags": f.Tag != ""} {
			if !is {
				continue
			}
			targets++
			if f.User == demoUser {
				demo[what]++
			}
		}
		if targets != 1 || f.Whom == f.User || seen[f] || f.Tag != "" && !tags[f.Tag] {
			t.Errorf("follow %+v has %d targets, is of the user, is a duplicate, or names an unused tag", f, targets)
		}
		seen[f] = true
		follows[f.User]++
	}
	if slices.Contains(follows, 0) {
		t.Errorf("members follow %v; want 1 or more each", follows)
	}
	if got, want := fmt.Sprint(demo), "map[categories:3 tags:3 users:8]"; got != want {
		t.Errorf("the demo user follows %s; want %s", got, want)
	}
}

func TestListsAreValid(t *testing.T) {
	d := Build(someNow)
	for _, l := range d.Lists {
		checkText(t, l.Name)
		members := slices.Sorted(slices.Values(l.Members))
		if n := len(slices.Compact(members)); n != len(l.Members) || n < 3 || slices.Contains(l.Members, l.Owner) {
			t.Errorf("list %q of member %d has %v; want 3 or more distinct others", l.Name, l.Owner, l.Members)
		}
		if n := utf8.RuneCountInString(l.Name); n < 1 || n > forum.MaxName {
			t.Errorf("list name %q has %d code points", l.Name, n)
		}
	}
	if len(d.Lists) == 0 || d.Lists[0].Owner != demoUser {
		t.Errorf("lists = %+v; want the demo user's first", d.Lists)
	}
}
