// Package derive states what must be stored because of other data: entries of lists, counts and reverse edges. Its
// functions are pure: they neither read nor write. The indexes are written by them, and checks compare the data with
// them.
package derive

import (
	"strconv"
	"time"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// Comment is a comment as its topic counts it.
type Comment struct {
	ID, Parent forum.CommentID
	Author     forum.UserID
	Number     int
	Created    forum.Time
	Gone       bool // deleted or hidden: it does not count
}

// Thread is what a topic stores because of its comments.
type Thread struct {
	Live, Last int // the number of live comments, and the last number in use
	Newest     forum.Time
	Tombstones map[string]float64            // the comments that are gone
	Authors    map[string]float64            // authors and numbers of the others
	Replies    map[forum.CommentID][]Comment // by parent; 0 is the topic
	// LiveReplies counts the live replies by parent.
	LiveReplies map[forum.CommentID]int
	// Days are the last day with comments, the number of live ones on that day and on the day before, as the fields day,
	// dayComments and dayBefore.
	Days [3]string
	// NoDays reports that the days are unknown: a time is invalid, or on day 0, which is no day.
	NoDays bool
}

// NewThread returns what follows from the comments of a topic. zone is that in which days begin.
func NewThread(comments []Comment, zone *time.Location) Thread {
	t := Thread{Tombstones: map[string]float64{}, Authors: map[string]float64{},
		Replies: map[forum.CommentID][]Comment{}, LiveReplies: map[forum.CommentID]int{}}
	for _, c := range comments {
		t.Replies[c.Parent] = append(t.Replies[c.Parent], c)
		t.Last, t.Newest = max(t.Last, c.Number), max(t.Newest, c.Created)
		if c.Gone {
			t.Tombstones[key.Itoa(c.ID)] = float64(c.Number)
			continue
		}
		t.Live++
		t.LiveReplies[c.Parent]++
		t.Authors[record.Authored(c.Author, int64(c.Number))] = 0
	}
	t.setDays(comments, zone)
	return t
}

// Numbers returns comments as a list by their numbers has them.
func Numbers(comments []Comment) map[string]float64 {
	numbers := make(map[string]float64, len(comments))
	for _, c := range comments {
		numbers[key.Itoa(c.ID)] = float64(c.Number)
	}
	return numbers
}

func (t *Thread) setDays(comments []Comment, zone *time.Location) {
	var latest forum.Day
	live, posted := map[forum.Day]int{}, map[forum.Day]bool{}
	for _, c := range comments {
		if c.Created < 1 {
			t.NoDays = true
			return
		}
		day := forum.DayOf(c.Created, zone)
		latest, posted[day] = max(latest, day), true
		if !c.Gone {
			live[day]++
		}
	}
	switch {
	case latest > 0:
		t.Days[0], t.Days[1] = strconv.Itoa(int(latest)), strconv.Itoa(live[latest])
	case len(comments) > 0:
		t.NoDays = true
		return
	}
	if before := latest - 1; before > 0 && posted[before] {
		t.Days[2] = strconv.Itoa(live[before])
	}
}
