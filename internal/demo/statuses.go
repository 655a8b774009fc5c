package demo

import (
	"math"
	"slices"

	"agora/internal/forum"
)

// statusSpan is the age of the oldest status in days.
const statusSpan = 12

// status is the text of a status, in a language of its author.
type status struct {
	language, text string
	tags           []string
}

// addStatuses adds short messages, most of them from the last days.
func (b *builder) addStatuses() {
	seeds := slices.Clone(b.texts.statuses)
	b.rng.Shuffle(len(seeds), func(i, j int) { seeds[i], seeds[j] = seeds[j], seeds[i] })
	for i, s := range seeds {
		left := (float64(len(seeds)-i) - b.rng.Float64()) / float64(len(seeds))
		b.data.Statuses = append(b.data.Statuses, Status{
			Author: b.speaker(s.language), Content: s.text, Tags: s.tags,
			CreatedAt: b.ago(statusSpan*math.Pow(left, 1.6)) - forum.Time(newest),
		})
	}
}
