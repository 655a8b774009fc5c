package fsck

import (
	"strings"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store/change"
	"agora/internal/store/check"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/posts"
	"agora/internal/store/votes"
	"agora/internal/test/must"
	"agora/internal/test/testlevel"
)

// says reports whether a finding of the rule contains all the parts.
func (r *Report) says(rule Rule, parts ...string) bool {
	for _, f := range r.Findings {
		all := f.Rule == rule
		for _, p := range parts {
			all = all && strings.Contains(f.String(), p)
		}
		if all {
			return true
		}
	}
	return false
}

func TestCheckIgnoresLogsWithPendingTask(t *testing.T) {
	x := newCheckSite(t)
	entry := []string{key.VoteLog(x.ann.ID), key.Itoa(x.article)}
	if r := x.check(false); r.says(votes.RuleVoteLog, entry...) {
		t.Errorf("Check found %v with the task; want nothing", r.Findings)
	}
	p := x.article.Partition()
	x.do("DEL", key.Task(p, record.VoteTask(x.article, x.ann.ID)), key.Due(p))
	if r := x.check(false); !r.says(votes.RuleVoteLog, entry...) {
		t.Errorf("Check found %v without the task; want %s", r.Findings, votes.RuleVoteLog)
	}
}

func TestCheckIgnoresDisplacedVotes(t *testing.T) {
	for _, tt := range []struct {
		name  string
		newer int
		want  bool
	}{
		{"a full log", forum.VoteLog, false},
		{"a log with room for one more", forum.VoteLog - 1, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			x := newCheckSite(t)
			x.do("DEL", key.VoteLog(x.mod.ID))
			for n := range tt.newer {
				x.logVote(x.mod, 9_000_000+n, x.Engine.Now(), forum.VoteUp)
			}
			if got := x.check(false).says(votes.RuleVoteLog, key.VoteLog(x.mod.ID),
				"topic "+key.Itoa(x.article)+" is at nothing"); got != tt.want {
				t.Errorf("missing vote found: %t; want %t", got, tt.want)
			}
		})
	}
}

// After voting is over, the voters of the article may have expired, but not before, and not those
// of other subjects.
func TestCheckIgnoresExpiredVoters(t *testing.T) {
	for _, tt := range []struct {
		name string
		left forum.Time // until the end of voting
		want bool
	}{
		{"a millisecond before the end", 1, true},
		{"at the end", 0, false},
		{"a year later", -31_536_000_000, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			x := newCheckSite(t)
			ends := record.Fields(x.hash(key.Topic(x.article))).Time("created") + forum.VotingWindow
			x.at(ends - tt.left)
			for _, k := range []string{key.Upvoters(key.Topic(x.article)), key.Downvoters(key.Topic(x.article))} {
				x.do("DEL", k)
				r := x.check(false)
				if got := r.says(posts.RuleVotesCount, key.Topic(x.article)); got != tt.want {
					t.Errorf("without %s found %v; want %s: %t", k, r.Findings, posts.RuleVotesCount, tt.want)
				}
				if got := r.says(votes.RuleVoteLog, "topic "+key.Itoa(x.article)); got != tt.want {
					t.Errorf("without %s found %v; want %s: %t", k, r.Findings, votes.RuleVoteLog, tt.want)
				}
			}
		})
	}
}

// The rank of a day is compared with topics until the end of the next day.
func TestCheckIgnoresOldDays(t *testing.T) {
	x := newCheckSite(t)
	day := x.Engine.Today() - 1
	x.do("ZADD", key.DayContainer(day).Order(key.OrderReplies), 7, x.place(x.article))
	for _, tt := range []struct {
		name string
		now  forum.Time
		want bool
	}{
		{"a millisecond before the end", day.Ends(x.Engine.Location) - 1, true},
		{"at the end", day.Ends(x.Engine.Location), false},
	} {
		x.at(tt.now)
		if got := x.check(false).has(change.RuleIndexStray, false); got != tt.want {
			t.Errorf("%s: stray topic found: %t; want %t", tt.name, got, tt.want)
		}
	}
}

// A topic that was commented on with a clock that runs ahead no longer records today's comments.
func TestCheckIgnoresDaysNoLongerRecorded(t *testing.T) {
	x := newCheckSite(t)
	in := remark(x.thread, 0)
	in.CreatedAt = x.Engine.Now() + 2*86_400_000
	must.Do(x.Posts.CreateComment(x.ctx, x.bob, in))(t)
	wantOK(t, "Settle", x.Flush(x.ctx))
	if r := x.check(false); r.Found != 0 {
		t.Errorf("Check found %v; want nothing", r.Findings)
	}
}

func TestCheckIgnoresTagNamesWithPendingWrites(t *testing.T) {
	testlevel.Usual(t)
	for _, tt := range []struct {
		name string
		undo func(x *checkSite, age forum.Time)
	}{
		{"a topic was added", func(x *checkSite, age forum.Time) {
			x.do("DEL", key.Tag(x.tag("redis")))
			x.do("ZADD", key.Dirty(x.thread.Partition()), int64(x.Engine.Now()-age), "t:"+key.Itoa(x.thread))
		}},
		{"the last topic was removed", func(x *checkSite, age forum.Time) {
			x.do("HSET", key.Tag(x.tag("passing")), "name", "passing")
			x.clock.Advance(time.Duration(age) * time.Millisecond)
		}},
	} {
		for age, want := range map[forum.Time]bool{0: false, check.LagLife - 1: false, check.LagLife: true} {
			t.Run(tt.name, func(t *testing.T) {
				x := newCheckSite(t)
				tt.undo(x, age)
				if got := x.check(false).has(change.RuleTagName, false); got != want {
					t.Errorf("after %d ms: name found: %t; want %t", age, got, want)
				}
			})
		}
	}
}
