package derive

import (
	"slices"
	"strconv"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// Entry is what a container stores of an object: its scores by order, "" where it has none. Without scores, the object
// does not belong there.
type Entry struct {
	Container key.Container
	Scores    []string
}

// Topic returns the entries of a topic in the containers that have it while it is listed. oldest is the first day whose
// rank is kept.
func Topic(t record.TopicState, oldest forum.Day) []Entry {
	in := []key.Container{key.FrontContainer}
	if t.Category != 0 {
		in = append(in, key.CategoryContainer(t.Category))
	}
	for _, tag := range t.Tags {
		in = append(in, key.TagContainer(tag.ID))
	}
	for i, comments := range []int{t.DayComments, t.DayBefore} {
		if day := t.Day - forum.Day(i); t.Day != 0 && comments >= 0 && day >= oldest {
			in = append(in, key.DayContainer(day))
		}
	}
	entries := make([]Entry, len(in))
	for i, c := range in {
		entries[i] = Entry{c, TopicIn(t, c)}
	}
	return entries
}

// TopicIn returns the scores of a topic in any container; nil if it does not belong there.
func TopicIn(t record.TopicState, c key.Container) []string {
	day, isDay := c.Day()
	switch category, tag := c.Category(), c.Tag(); {
	case !t.Public && (category == 0 || !t.Listed), category != 0 && category != t.Category,
		tag != 0 && !slices.Contains(t.Tags.IDs(), tag):
		return nil
	case !isDay:
		return t.Scores(c)
	case t.CommentsOn(day) > 0:
		return []string{strconv.Itoa(t.CommentsOn(day))}
	}
	return nil
}

// CommentIn returns the scores of a comment in any container; nil if it does not belong there.
func CommentIn(c record.CommentState, in key.Container) []string {
	if !c.Live || in != key.UserCommentsContainer(c.Author) {
		return nil
	}
	return []string{record.FormatScore(float64(c.Created))}
}
