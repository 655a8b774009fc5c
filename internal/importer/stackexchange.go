package importer

import (
	"context"
	"errors"
	"fmt"
	"iter"
)

// dump is a site of the Stack Exchange data dump. The rows of one topic are spread over two files,
// and hundreds of megabytes need not fit in memory. So a first pass over all tables records for
// each post its question and votes. Then Posts and Comments are read again for as many topics as
// fit in a window, until all topics are done.
type dump struct {
	ctx   context.Context
	o     Options
	files map[Table]Input
	// failed are the tables that could not be read to their end.
	failed map[Table]bool
	// yield receives records until stopped: it returned false, or ctx is done.
	yield   func(Record, error) bool
	stopped bool

	members map[int64]dumpMember
	posts   map[int64]dumpPost
	// questions are in file order; sizes are the total bytes of the rows of each.
	questions []int64
	sizes     map[int64]int
	// left are posts in the file that are left out, absent are members who wrote something and parents
	// are posts that are answered or commented on, but which are not in the data.
	left, absent, parents map[int64]bool
	// counted reports that votes were counted; otherwise posts get their score. votes is the number
	// of votes on posts, used that of those on imported posts.
	counted     bool
	votes, used int
}

// dumpPost is the retained data of a question or answer.
type dumpPost struct {
	question int64 // its own id in a question
	up, down int32
}

const (
	// windowBytes is how many bytes of rows are held in memory. Their topics take about as much
	// again, and at most some thousand topics wait to be written.
	windowBytes = 64 << 20
	// maxWindows is the maximum number of times that the files are read again: beyond it windows
	// grow.
	maxWindows = 16
)

// newDump assigns the files of a site to tables.
func newDump(ctx context.Context, o Options, inputs []Input) (*dump, error) {
	d := &dump{ctx: ctx, o: o, files: map[Table]Input{}, failed: map[Table]bool{}}
	for _, in := range inputs {
		t := TableOf(in.Name)
		switch _, duplicate := d.files[t]; {
		case t == "":
			return nil, fmt.Errorf(
				"%s: the files of a Stack Exchange site are named Posts.xml, Comments.xml, Users.xml and Votes.xml, "+
					"optionally with .gz",
				in.Name,
			)
		case duplicate:
			return nil, fmt.Errorf("%s and %s are the same table; pass the files of one site only", d.files[t].Name, in.Name)
		case t.Imported():
			d.files[t] = in
		}
	}
	if _, is := d.files[postsTable]; !is {
		return nil, errors.New("there is no Posts.xml among the files of the Stack Exchange site")
	}
	return d, nil
}

// records yields members, then topics with their comments in the order of Posts. Errors of rows and
// files are interleaved; a non-nil error means that a file could not be read, or not to its end,
// and the others are still read.
func (d *dump) records(yield func(Record, error) bool) {
	d.yield, d.stopped = yield, false
	d.members, d.posts, d.sizes, d.questions = map[int64]dumpMember{}, map[int64]dumpPost{}, map[int64]int{}, nil
	d.left, d.absent, d.parents, d.votes, d.used = map[int64]bool{}, map[int64]bool{}, map[int64]bool{}, 0, 0
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
	d.finish()
}

// finish yields what is known at the end: votes, and what is missing.
func (d *dump) finish() {
	votes := []Record{{Skipped: uncountedVote, Count: d.votes}}
	if d.counted {
		votes = []Record{{Votes: true, Count: d.used}, {Skipped: skippedVote, Count: d.votes - d.used}}
	}
	for _, r := range append(votes, Record{Missing: missingParents, Count: len(d.parents)},
		Record{Missing: missingUsers, Count: len(d.absent)}) {
		if r.Count > 0 {
			d.emit(r)
		}
	}
}

// again reports how many more times Posts and Comments will be read.
func (d *dump) again(times int) {
	for _, t := range []Table{postsTable, commentsTable} {
		if in, is := d.files[t]; is && times > 0 && d.o.Again != nil {
			d.o.Again(in.Name, times)
		}
	}
}

// emit yields a record.
func (d *dump) emit(r Record) {
	if !d.stopped {
		d.stopped = !d.yield(r, nil)
	}
}

// skip yields that a row is left out.
func (d *dump) skip(t Table, r *row, why string) {
	d.emit(Record{File: d.files[t].Name, Line: r.line, Skipped: why})
}

// rows yields the valid rows of a table. It reports invalid rows only in the first pass, which
// reads all (want is nil), and a file that cannot be read to its end only once.
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

// bad yields an invalid row, unless err is nil.
func (d *dump) bad(t Table, r *row, err error) {
	if err != nil {
		d.emit(Record{File: d.files[t].Name, Line: r.line, Err: err})
	}
}

// readPosts records the questions and answers.
func (d *dump) readPosts() {
	type early struct {
		id int64
		row
	}
	var waiting []early // answers that precede their question, or have none
	for r := range d.rows(postsTable, nil) {
		id, p, err := d.readPost(r)
		if err != nil || p.question == 0 {
			if _, is := d.posts[id]; !is {
				d.left[id] = true
			}
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
			d.left[w.id] = true
			d.orphan(postsTable, &w.row, q)
		}
	}
}

// orphan yields that a row is left out, because its parent is.
func (d *dump) orphan(t Table, r *row, parent int64) {
	if _, is := d.posts[parent]; !is && !d.left[parent] {
		d.parents[parent] = true
	}
	d.skip(t, r, skippedOrphan)
}

// readPost returns the id of a post and its question; question 0 means that it is left out.
func (d *dump) readPost(r *row) (id int64, p dumpPost, err error) {
	if id, err = r.id("Id"); err != nil {
		return 0, p, err
	}
	kind, err := r.id("PostTypeId")
	if err != nil {
		return 0, p, err
	}
	if _, duplicate := d.posts[id]; duplicate {
		return 0, p, fmt.Errorf("there are two posts with Id %d", id)
	}
	switch {
	case r.deleted():
		d.skip(postsTable, r, deletedRow)
	case kind == question:
		p.question = id
	case kind == answer:
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

// readComments adds the sizes of comments to those of their questions.
func (d *dump) readComments() {
	for r := range d.rows(commentsTable, nil) {
		on, err := r.id("PostId")
		p, is := d.posts[on]
		switch {
		case err != nil:
			d.bad(commentsTable, r, err)
		case r.deleted():
			d.skip(commentsTable, r, deletedRow)
		case is:
			d.sizes[p.question] += r.size
		default:
			d.orphan(commentsTable, r, on)
		}
	}
}

// countVotes counts upvotes and downvotes. If it cannot read all of them, none are used.
func (d *dump) countVotes() {
	_, d.counted = d.files[votesTable]
	for r := range d.rows(votesTable, nil) {
		kind, err := r.id("VoteTypeId")
		if err == nil && kind != voteUp && kind != voteDown {
			d.skip(votesTable, r, otherVote)
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
		d.votes++
	}
	d.counted = d.counted && !d.failed[votesTable]
}

// readMembers yields the members.
func (d *dump) readMembers() {
	for r := range d.rows(usersTable, nil) {
		id, err := r.id("Id")
		if _, duplicate := d.members[id]; duplicate && err == nil {
			err = fmt.Errorf("there are two users with Id %d", id)
		}
		if err != nil {
			d.bad(usersTable, r, err)
			continue
		}
		m := dumpMember{name: r.changes.name(r.text("DisplayName")), joined: d.o.known(r.moment("CreationDate"))}
		d.members[id] = m
		p := m.person(id)
		d.emit(Record{File: d.files[usersTable].Name, Line: r.line, Person: &p, Changes: r.changes})
	}
}
