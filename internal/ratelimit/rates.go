package ratelimit

import (
	"fmt"
	"strconv"
	"strings"
)

// Kind is a kind of call that is counted by itself.
type Kind string

// Kinds of calls. All but Requests are counted per field, so that aliases and
// lists of operations gain nothing.
const (
	// Requests are HTTP requests to /graphql.
	Requests Kind = "requests"
	// Posts are new topics.
	Posts Kind = "posts"
	// Comments are new comments.
	Comments Kind = "comments"
	// Clicks are calls that record clicks, whatever the number of topics, and read marks.
	Clicks Kind = "clicks"
	// Votes are votes on topics and comments.
	Votes Kind = "votes"
	// Follows are calls that follow, block or bookmark.
	Follows Kind = "follows"
	// Edits change, tag or delete topics and comments, and change lists of users.
	Edits Kind = "edits"
)

// defaults are more than somebody who reads and types will ever need, in the
// order in which Help lists them.
var defaults = []struct {
	kind  Kind
	limit int
}{{Requests, 600}, {Posts, 10}, {Comments, 30}, {Clicks, 60}, {Votes, 120}, {Follows, 60}, {Edits, 60}}

// maxRate is the highest rate that can be set; 0 switches a limit off.
const maxRate = 1_000_000

// Rates are how many calls a minute one viewer is let through; 0 is no limit.
// An address has four times as many, of IPv6 a network of 64 bits; one of 56 bits has 16
// times, one of 48 bits 64 times as many.
type Rates map[Kind]int

// Defaults are the rates of a site that says nothing else.
func Defaults() Rates {
	r := Rates{}
	for _, d := range defaults {
		r[d.kind] = d.limit
	}
	return r
}

// Set changes a rate; s is such as "posts=20", or "all=0" for every kind.
func (r Rates) Set(s string) error {
	name, value, _ := strings.Cut(s, "=")
	n, err := strconv.Atoi(value)
	if err != nil || n < 0 || n > maxRate {
		return fmt.Errorf("rate %q: want KIND=N with N from 0 to %d calls a minute", s, maxRate)
	}
	known := false
	for _, d := range defaults {
		if name == string(d.kind) || name == "all" {
			r[d.kind], known = n, true
		}
	}
	if !known {
		return fmt.Errorf("rate %q: there is no kind %q; want one of %s, or all", s, name, Help())
	}
	return nil
}

// Help lists the kinds with their default rates.
func Help() string {
	var all []string
	for _, d := range defaults {
		all = append(all, fmt.Sprintf("%s=%d", d.kind, d.limit))
	}
	return strings.Join(all, ", ")
}
