package ratelimit

import (
	"fmt"
	"strconv"
	"strings"
)

// Kind is a kind of call that is counted separately.
type Kind string

// Kinds of calls. All except Requests and Cost are counted per field, so that aliases and batches gain
// nothing.
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
	// Edits change, tag or delete topics and comments, and change lists of users and profiles.
	Edits Kind = "edits"
	// Previews are texts rendered without being posted.
	Previews Kind = "previews"
	// Walks are first pages of timelines whose order is fixed: each may store up to 20 kB for 11 minutes.
	Walks Kind = "walks"
	// Signatures are tokens of other issuers with a wrong signature.
	Signatures Kind = "signatures"
	// Cost counts what requests cost, in microseconds of a core or less: see package httpserver.
	Cost Kind = "cost"
)

// defaults are more than a person who reads and types needs, in the order of Help. The cost is such that the four times
// as much of an address take a tenth of two cores.
var defaults = []struct {
	kind  Kind
	limit int
}{{Requests, 600}, {Posts, 10}, {Comments, 30}, {Clicks, 60}, {Votes, 120}, {Follows, 60}, {Edits, 60},
	{Previews, 120}, {Walks, 60}, {Signatures, 10}, {Cost, 3_000_000}}

// maxRate is the maximum rate, maxCost that of Cost; 0 disables a limit.
const (
	maxRate = 1_000_000
	maxCost = 1_000_000_000
)

// most returns the maximum rate of a kind.
func (k Kind) most() int {
	if k == Cost {
		return maxCost
	}
	return maxRate
}

// Rates are the calls per minute, or for Cost what these cost, allowed for one viewer; 0 means no limit. An
// address, or an IPv6 network of 64 bits, is allowed four times as many, an IPv6 network of 56 bits 16 times and one
// of 48 bits 64 times as many.
type Rates map[Kind]int

// Defaults returns the rates of a site that configures none.
func Defaults() Rates {
	r := Rates{}
	for _, d := range defaults {
		r[d.kind] = d.limit
	}
	return r
}

// Set sets a rate from a string such as "posts=20", or "all=0" for every kind.
func (r Rates) Set(s string) error {
	name, value, _ := strings.Cut(s, "=")
	n, err := strconv.Atoi(value)
	if most := Kind(name).most(); err != nil || n < 0 || n > most {
		return fmt.Errorf("rate %q: want KIND=N with N from 0 to %d calls a minute", s, most)
	}
	known := false
	for _, d := range defaults {
		if name == string(d.kind) || name == "all" {
			r[d.kind], known = n, true
		}
	}
	if !known {
		return fmt.Errorf("rate %q: unknown kind %q; want one of %s, or all", s, name, Help())
	}
	return nil
}

// Help returns the kinds with their default rates.
func Help() string {
	var all []string
	for _, d := range defaults {
		all = append(all, fmt.Sprintf("%s=%d", d.kind, d.limit))
	}
	return strings.Join(all, ", ")
}
