package importer

import (
	"context"
	"errors"
	"fmt"
	"iter"
)

// dump is a site of the Stack Exchange data dump. The rows of one topic lie far
// apart in two files, and hundreds of megabytes do not have to fit into memory. So
// a first pass over all tables notes of each post where it belongs and how often
// it was voted for; then Posts and Comments are read again for as many topics as
// fit into a window, until all had their turn.
type dump struct {
	ctx   context.Context
	o     Options
	files map[Table]Input
	// failed are the tables that could not be read to their end.
	failed map[Table]bool
	// yield takes records, until stopped: it has told to stop, or the context has ended.
	yield   func(Record, error) bool
	stopped bool

	members map[int64]dumpMember
	posts   map[int64]dumpPost
	// questions come in the order of the file, sizes are the bytes of the rows of each.
	questions []int64
	sizes     map[int64]int
	// counted tells that votes were counted; else posts are worth their score.
	counted bool
}

// dumpPost is what is kept of a question or answer.
type dumpPost struct {
	question int64 // its own id in a question
	up, down int32
}

const (
	// windowBytes is how many bytes of rows are held at once. What they become takes
	// about as much, and some thousand topics at most wait to be written.
	windowBytes = 64 << 20
	// maxWindows is how often the files are read again: beyond that windows grow.
	maxWindows = 16
)

// skippedVote is why a vote is left out.
const skippedVote = "vote on a post that is not in the data"

// newDump sorts the files of a site.
func newDump(ctx context.Context, o Options, inputs []Input) (*dump, error) {
	d := &dump{ctx: ctx, o: o, files: map[Table]Input{}, failed: map[Table]bool{}}
	for _, in := range inputs {
		t := TableOf(in.Name)
		switch _, twice := d.files[t]; {
		case t == "":
			return nil, fmt.Errorf(
				"%s: the files of a Stack Exchange site are called Posts.xml, Comments.xml, Users.xml and Votes.xml, or these "+
					"with .gz",
				in.Name,
			)
		case twice:
			return nil, fmt.Errorf("%s and %s hold the same; give the files of one site", d.files[t].Name, in.Name)
		case t.Imported():
			d.files[t] = in
		}
	}
	if _, is := d.files[postsTable]; !is {
		return nil, errors.New("there is no Posts.xml among the files of the Stack Exchange site")
	}
	return d, nil
}

// records yields members, then topics with their comments in the order of Posts.
// What is wrong with rows and files comes between them; a non-nil error says that
// a file could not be read, or not further, and the others are read on.
func (d *dump) records(yield func(Record, error) bool) {
	d.yield, d.stopped = yield, false
	d.members, d.posts, d.sizes, d.questions = map[int64]dumpMember{}, map[int64]dumpPost{}, map[int64]int{}, nil
	d.again(1)
	d.readPosts()
	if d.failed[postsTable] && len(d.posts) == 0 {
		return
	}
	d.readComments()
	d.countVotes()
	windows := d.windows()
	d.again(len(windows) - 1)
	d.readMembers()
	for _, w := range windows {
		d.readWindow(w)
	}
}

// again tells how often more Posts and Comments will be read.
func (d *dump) again(times int) {
	for _, t := range []Table{postsTable, commentsTable} {
		if in, is := d.files[t]; is && times > 0 && d.o.Again != nil {
			d.o.Again(in.Name, times)
		}
	}
}

// emit hands a record on.
func (d *dump) emit(r Record) {
	if !d.stopped {
		d.stopped = !d.yield(r, nil)
	}
}

// skip hands on that a row is left out.
func (d *dump) skip(t Table, r *row, why string) {
	d.emit(Record{File: d.files[t].Name, Line: r.line, Skipped: why})
}

// rows yields the rows of a table that can be read. What cannot is told when all
// are wanted, in the first pass; a file that cannot be read to its end is told once.
func (d *dump) rows(t Table, want func(element []byte) bool) iter.Seq[*row] {
	return func(use func(*row) bool) {
		in, is := d.files[t]
		if !is || d.stopped {
			return
		}
		for r, err := range t.rows(d.ctx, in, want) {
			switch {
			case err != nil:
				if !d.failed[t] {
					d.stopped = !d.yield(Record{}, err)
				}
				d.failed[t] = true
			case r.err != nil && want == nil:
				d.bad(t, &r, r.err)
			case r.err == nil && !use(&r):
				return
			}
			if d.stopped {
				return
			}
		}
		d.stopped = d.stopped || d.ctx.Err() != nil
	}
}

// bad hands on that a row is bad; nil is none.
func (d *dump) bad(t Table, r *row, err error) {
	if err != nil {
		d.emit(Record{File: d.files[t].Name, Line: r.line, Err: err})
	}
}

// readPosts notes which questions and answers there are.
func (d *dump) readPosts() {
	type early struct {
		id int64
		row
	}
	var waiting []early // answers that stand before their question, or have none
	for r := range d.rows(postsTable, nil) {
		id, p, err := d.readPost(r)
		if err != nil || p.question == 0 {
			d.bad(postsTable, r, err)
			continue
		}
		if d.posts[id] = p; p.question == id {
			d.questions = append(d.questions, id)
		} else if d.posts[p.question].question != p.question {
			waiting = append(waiting, early{id, row{line: r.line}})
		}
		d.sizes[p.question] += r.size
	}
	for _, w := range waiting {
		if q := d.posts[w.id].question; d.posts[q].question != q {
			delete(d.posts, w.id)
			d.skip(postsTable, &w.row, skippedOrphan)
		}
	}
}

// readPost tells to which question a post belongs; 0 if it is left out.
func (d *dump) readPost(r *row) (id int64, p dumpPost, err error) {
	if id, err = r.id("Id"); err != nil {
		return 0, p, err
	}
	kind, err := r.id("PostTypeId")
	if err != nil {
		return 0, p, err
	}
	if _, twice := d.posts[id]; twice {
		return 0, p, fmt.Errorf("there are two posts of Id %d", id)
	}
	switch kind {
	case question:
		p.question = id
	case answer:
		p.question, err = r.id("ParentId")
		if p.question == id {
			err = errors.New("the post is its own parent")
		}
	default:
		why := otherPosts[kind]
		if why == "" {
			why = "post of an unknown type"
		}
		d.skip(postsTable, r, why)
	}
	return id, p, err
}

// readComments notes how long the comments of each question are.
func (d *dump) readComments() {
	for r := range d.rows(commentsTable, nil) {
		on, err := r.id("PostId")
		if err != nil {
			d.bad(commentsTable, r, err)
		} else if p, is := d.posts[on]; is {
			d.sizes[p.question] += r.size
		} else {
			d.skip(commentsTable, r, skippedOrphan)
		}
	}
}

// countVotes counts votes up and down. If it cannot count all it counts none.
func (d *dump) countVotes() {
	_, d.counted = d.files[votesTable]
	for r := range d.rows(votesTable, nil) {
		kind, err := r.id("VoteTypeId")
		if err == nil && kind != voteUp && kind != voteDown {
			continue
		}
		on, onErr := r.id("PostId")
		if err = errors.Join(err, onErr); err != nil {
			d.bad(votesTable, r, err)
			continue
		}
		p, is := d.posts[on]
		if !is {
			d.skip(votesTable, r, skippedVote)
			continue
		}
		if kind == voteUp {
			p.up++
		} else {
			p.down++
		}
		d.posts[on] = p
	}
	d.counted = d.counted && !d.failed[votesTable]
}

// readMembers hands members on.
func (d *dump) readMembers() {
	for r := range d.rows(usersTable, nil) {
		id, err := r.id("Id")
		if _, twice := d.members[id]; twice && err == nil {
			err = fmt.Errorf("there are two users of Id %d", id)
		}
		if err != nil {
			d.bad(usersTable, r, err)
			continue
		}
		m := dumpMember{name: r.changes.name(r.text("DisplayName")), joined: r.moment("CreationDate").known()}
		d.members[id] = m
		p := m.person(id)
		d.emit(Record{File: d.files[usersTable].Name, Line: r.line, Person: &p, Changes: r.changes})
	}
}
