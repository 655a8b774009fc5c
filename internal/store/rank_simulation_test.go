package store

import (
	"math/rand/v2"
	"slices"
	"testing"

	"agora/internal/test/testlevel"

	"agora/internal/forum"
)

// simulated is a post of the simulation, with the times of its votes.
type simulated struct {
	created     forum.Time
	votes       []forum.Time // in order, without the author's own
	interesting bool
}

const simulatedHour forum.Time = 3_600_000

// simulate creates the posts of some days: fifty a day get 200 to 300 votes, the others about six, all
// within twelve hours.
func simulate(rng *rand.Rand, days, perDay int) []simulated {
	var posts []simulated
	for day := range days {
		for n := range perDay {
			p := simulated{created: forum.Time(day)*24*simulatedHour + forum.Time(rng.Int64N(int64(24*simulatedHour))),
				interesting: n < 50}
			votes := rng.IntN(13)
			if p.interesting {
				votes = 200 + rng.IntN(101)
			}
			for range votes {
				p.votes = append(p.votes, p.created+forum.Time(rng.Int64N(int64(12*simulatedHour))))
			}
			slices.Sort(p.votes)
			posts = append(posts, p)
		}
	}
	slices.SortFunc(posts, func(a, b simulated) int { return int(a.created - b.created) })
	return posts
}

// leaders returns the best hundred posts at an instant. Posts of more than three days ago cannot be among
// them.
func leaders(posts []simulated, now forum.Time) []int {
	type standing struct {
		post  int
		score float64
	}
	var all []standing
	for i, p := range posts {
		if p.created > now || p.created < now-3*24*simulatedHour {
			continue
		}
		votes, _ := slices.BinarySearch(p.votes, now+1)
		all = append(all, standing{i, forum.Score(p.created, 1+votes)})
	}
	slices.SortFunc(all, func(a, b standing) int { return int(b.score - a.score) })
	best := make([]int, 0, 100)
	for _, s := range all[:min(100, len(all))] {
		best = append(best, s.post)
	}
	return best
}

// Behaviour B11: of 1,000 posts a day, the fifty that get 200 to 300 votes within twelve hours each stay
// among the best hundred by SCORE for more than a day.
func TestInterestingPostsStayListedForADay(t *testing.T) {
	testlevel.Sequential(t)
	const days = 7
	posts := simulate(rand.New(rand.NewPCG(11, 11)), days, 1000) // fixed, so that the test does not depend on chance
	const step = simulatedHour / 4
	listed := make([]forum.Time, len(posts)) // the longest time without a break
	run, last := make([]forum.Time, len(posts)), make([]forum.Time, len(posts))
	for now := forum.Time(0); now < days*24*simulatedHour; now += step {
		for _, i := range leaders(posts, now) {
			if last[i] != now-step {
				run[i] = 0
			}
			run[i], last[i] = run[i]+step, now
			listed[i] = max(listed[i], run[i])
		}
	}
	watched, shortest := 0, forum.Time(1<<62)
	for i, p := range posts {
		// The first days have fewer rivals; of the last, the end is unknown.
		if !p.interesting || p.created < 2*24*simulatedHour || p.created > (days-2)*24*simulatedHour {
			continue
		}
		watched++
		if shortest = min(shortest, listed[i]); listed[i] < 24*simulatedHour {
			t.Errorf("a post with %d votes was listed for %.2f h; want 24", len(p.votes),
				float64(listed[i])/float64(simulatedHour))
		}
	}
	t.Logf("%d interesting posts, the shortest listed for %.2f h", watched, float64(shortest)/float64(simulatedHour))
	if watched < 100 {
		t.Errorf("%d interesting posts were watched; want three days' worth", watched)
	}
}
