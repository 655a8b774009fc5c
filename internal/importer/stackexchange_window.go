package importer

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// windows splits the questions into runs that fit in memory.
func (d *dump) windows() [][]int64 {
	total := 0
	for _, size := range d.sizes {
		total += size
	}
	limit := cmp.Or(d.o.window, max(windowBytes, total/maxWindows))
	var windows [][]int64
	from, size := 0, 0
	for i, id := range d.questions {
		if size > 0 && size+d.sizes[id] > limit {
			windows = append(windows, d.questions[from:i])
			from, size = i, 0
		}
		size += d.sizes[id]
	}
	if from < len(d.questions) {
		windows = append(windows, d.questions[from:])
	}
	return windows
}

// draft is a topic under construction.
type draft struct {
	record Record
	// comments are its answers and comments, known are their ids. votes are those on the posts.
	comments []Comment
	votes    int
	known    map[string]bool
}

// add appends a comment. It returns false if its id is known.
func (f *draft) add(c Comment, changes Changes) bool {
	if f.known[c.ID] {
		return false
	}
	f.known[c.ID] = true
	f.comments = append(f.comments, c)
	f.record.Changes.Add(changes)
	return true
}

// readWindow yields the topics of some questions.
func (d *dump) readWindow(questions []int64) {
	drafts := make(map[int64]*draft, len(questions))
	for _, id := range questions {
		drafts[id] = &draft{record: Record{File: d.files[postsTable].Name}, known: map[string]bool{}}
	}
	for r := range d.rows(postsTable, d.within(drafts, postHead)) {
		id, _ := r.id("Id") // invalid ids were reported in the first pass
		kind, _ := r.id("PostTypeId")
		if f := drafts[d.posts[id].question]; f != nil && (kind == question || kind == answer) && !r.deleted() {
			d.bad(postsTable, r, d.draftPost(f, r, id))
		}
	}
	for r := range d.rows(commentsTable, d.within(drafts, commentHead)) {
		on, _ := r.id("PostId")
		p := d.posts[on]
		if f := drafts[p.question]; f != nil && !r.deleted() {
			d.bad(commentsTable, r, d.draftComment(f, r, on, p))
		}
	}
	for _, id := range questions {
		d.finishTopic(drafts[id])
	}
}

// The beginning of a row in a dump, with the id of the post.
var (
	postHead    = regexp.MustCompile(`^<row Id="(\d{1,18})"`)
	commentHead = regexp.MustCompile(`^<row Id="\d+" PostId="(\d{1,18})"`)
)

// within returns a function that reports, by the beginning of a row, whether it may belong to the
// window.
func (d *dump) within(drafts map[int64]*draft, head *regexp.Regexp) func(element []byte) bool {
	return func(element []byte) bool {
		m := head.FindSubmatch(element)
		if m == nil {
			return true
		}
		id, _ := strconv.ParseInt(string(m[1]), 10, 64)
		return drafts[d.posts[id].question] != nil
	}
}

// draftPost adds a question or an answer. Of two posts with one id, which the first pass reported,
// the first is used.
func (d *dump) draftPost(f *draft, r *row, id int64) error {
	if d.posts[id].question != id {
		c, err := d.answer(r, id)
		if err == nil {
			if f.add(c, r.changes) {
				f.votes += c.Upvotes + c.Downvotes
			}
		}
		return err
	}
	if f.record.Line != 0 {
		return nil
	}
	f.record.Line = r.line
	t, err := d.topic(r, id)
	if err == nil {
		f.record.Topic = t
		f.votes += t.Upvotes + t.Downvotes
		f.record.Changes.Add(r.changes)
	}
	return err
}

func (d *dump) draftComment(f *draft, r *row, on int64, p dumpPost) error {
	c, err := d.comment(r)
	if err != nil {
		return err
	}
	if p.question != on {
		c.Parent = itoa(on)
	}
	if !f.add(c, r.changes) {
		return fmt.Errorf("there are two comments with Id %s", c.ID[1:])
	}
	return nil
}

// finishTopic yields a topic with its comments in order of posting. Without the question, its comments
// are skipped.
func (d *dump) finishTopic(f *draft) {
	if f.record.Topic == nil {
		for range f.comments {
			d.emit(Record{File: f.record.File, Line: f.record.Line, Skipped: skippedOrphan})
		}
		return
	}
	d.used += f.votes
	times := map[string]int64{"": 0}
	for _, c := range f.comments {
		if c.Parent == "" {
			times[c.ID] = int64(c.CreatedAt)
		}
	}
	for i, c := range f.comments {
		if _, is := times[c.Parent]; !is { // the answer is invalid: move its comments up to the topic
			f.comments[i].Parent = ""
		}
	}
	// A comment that was moved to an answer may be older than it.
	when := func(c Comment) int64 { return max(int64(c.CreatedAt), times[c.Parent]) }
	slices.SortStableFunc(f.comments, func(a, b Comment) int { return cmp.Compare(when(a), when(b)) })
	f.near()
	f.record.Topic.Comments = f.comments
	d.emit(f.record)
}

// near sets whom the comments may mean by a mention: who wrote the post that they are on, or a comment
// on it.
func (f *draft) near() {
	on := map[string][]Person{"": {f.record.Topic.Author}}
	for _, c := range f.comments {
		if !isRemark(c) {
			on[c.ID] = []Person{c.Author}
		}
	}
	for i, c := range f.comments {
		if isRemark(c) {
			f.comments[i].Near = on[c.Parent]
			on[c.Parent] = append(on[c.Parent], c.Author)
		}
	}
}

// isRemark reports whether a comment is one there, too, and not an answer.
func isRemark(c Comment) bool { return strings.HasPrefix(c.ID, "c") }
