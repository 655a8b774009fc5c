package dataset_test

import (
	"testing"

	"agora/bench/dataset"
	"agora/internal/store"
	"agora/internal/store/fsck"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
)

func TestStandardForumHasItsSize(t *testing.T) {
	tests := []struct {
		scale                   float64
		users, topics, comments int
		long                    int
	}{
		{1, 2000, 20_000, 200_000, 1000},
		{0.5, 1000, 10_000, 100_000, 1000},
		{0.033, 66, 660, 6600, 1000},
		{0.01, 20, 200, 2000, 1000},
		{0.001, 20, 100, 1000, 500},
	}
	for _, tt := range tests {
		p := dataset.Standard(tt.scale)
		comments, least := 0, 1<<30
		for i := range p.Topics {
			comments += p.Comments(i)
			least = min(least, p.Comments(i))
		}
		if p.Users != tt.users || p.Topics != tt.topics || comments != tt.comments || p.Comments(p.Long) != tt.long ||
			least < 0 {
			t.Errorf(
				"Standard(%v) has %d users, %d topics, %d comments, %d of the long topic, at least %d; want %d, %d, %d, %d",
				tt.scale,
				p.Users,
				p.Topics,
				comments,
				p.Comments(p.Long),
				least,
				tt.users,
				tt.topics,
				tt.comments,
				tt.long,
			)
		}
		if n := p.Users + p.Topics + comments; p.Count() != n {
			t.Errorf("Standard(%v).Count() = %d; want %d", tt.scale, p.Count(), n)
		}
	}
}

// The seeded data are consistent, the same each time, and progress ends with all of it.
func TestSeed(t *testing.T) {
	plan := dataset.Plan{
		Users:    12,
		Topics:   20,
		Long:     4,
		Losses:   true,
		Comments: func(topic int) int { return topic % 5 * 3 },
	}
	var first *dataset.Data
	for range 2 {
		s := must.Do(store.Open(t.Context(), store.Over(redistest.New(t)), store.Layout{}))(t)
		defer s.Close()
		done := 0
		data := must.Do(dataset.Seed(t.Context(), s, plan, func(n int) { done = n }))(t)
		report, err := fsck.Check(t.Context(), s, fsck.Options{})
		if err != nil || report.Found > 0 {
			t.Errorf("Check = %+v, %v; want no findings", report, err)
		}
		if done != plan.Count() || len(data.Users) != 11 || len(data.Topics) != 19 || len(data.LongComments) != 12 {
			t.Errorf(
				"%d done, %d users, %d topics, %d comments of the long one; want %d, 11, 19, 12",
				done,
				len(data.Users),
				len(data.Topics),
				len(data.LongComments),
				plan.Count(),
			)
		}
		if first != nil && first.LongComments[11] != data.LongComments[11] {
			t.Errorf("the last comment of the long topic is %d, then %d", first.LongComments[11], data.LongComments[11])
		}
		first = data
	}
}

// The latest topics of sparse forums have the same number of comments in all of them.
func TestSparseForumsEndAlike(t *testing.T) {
	few, many := dataset.Sparse(100), dataset.Sparse(1000)
	for age := 1; age <= 100; age++ {
		if a, b := few.Comments(100-age), many.Comments(1000-age); a != b {
			t.Errorf("topic %d before the end has %d and %d comments; want the same", age, a, b)
		}
	}
}
