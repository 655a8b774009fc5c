package store

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// An edit keeps the text that it replaces. The text is packed by the process that read it, so the script refuses an
// edit if another one came between; the process then reads again.

// Edit is what an editor has seen of the text to change.
type Edit struct {
	// Expected is the number of the revision that the editor has seen; if it is not the present one, nothing changes.
	// 0 is any.
	Expected int
	// Before is the present revision as it was just read; nil if it was not.
	Before *forum.Revision
}

// editAttempts is how often an edit is tried while others come between.
const editAttempts = 10

// revise calls edit until it meets the text that was read before.
func (s *Store) revise(ctx context.Context, of forum.Subject, e Edit, edit func(script.Revise) error) error {
	call := script.Revise{Revisions: key.Revisions(of), Texts: key.Texts(of), Case: key.Case(of),
		MergeWithin: forum.MergeEdits, RevisionsMost: forum.MaxRevisions}
	if e.Expected != 0 {
		call.Expected = strconv.Itoa(e.Expected)
	}
	for range editAttempts {
		if e.Before == nil {
			var err error
			if e.Before, err = s.present(ctx, of); err != nil {
				return err
			}
		}
		call.Known, call.Earlier = strconv.Itoa(e.Before.Number), record.PackRevision(e.Before)
		err := edit(call)
		if err == nil {
			return nil
		}
		switch word, rest, _ := strings.Cut(strings.TrimPrefix(err.Error(), "ERR "), " "); word {
		case "STALE":
			present, _ := strconv.Atoi(rest)
			return forum.Stale(forum.Input("expectedRevision"), present)
		case "RETRY":
			e.Before = nil
		default:
			return scriptError(err)
		}
	}
	return record.ErrConflict()
}

// present reads the present revision of a topic or comment.
func (s *Store) present(ctx context.Context, of forum.Subject) (*forum.Revision, error) {
	var t forum.Topic
	var c forum.Comment
	t.ID, c.ID = of.Topic, of.Comment
	t.Asked, c.Asked = forum.TopicPresent, forum.CommentPresent
	r := s.Read(ctx)
	var filled func()
	if of.Comment != 0 {
		filled = r.FillComments([]*forum.Comment{&c})
	} else {
		filled = r.FillTopics([]*forum.Topic{&t})
	}
	if err := r.Exec(); err != nil {
		return nil, fmt.Errorf("read the text of %s: %w", key.Subject(of), err)
	}
	filled()
	if of.Comment != 0 {
		return c.Present(), c.Failure
	}
	return t.Present(), t.Failure
}

// RevisionList is the list of the kept revisions of a topic or comment, the present one included, latest first; the ids
// are their numbers. It is empty if there was no edit.
func RevisionList(of forum.Subject) List { return latestFirst(key.Revisions(of)) }

// RevisionRef identifies a revision by its subject and number.
type RevisionRef struct {
	Of     forum.Subject
	Number int
}

// Revisions reads earlier revisions, each with the one before; nil for those that are not kept. The present one has no
// text, only the one before.
func (r *Read) Revisions(refs []RevisionRef) func() ([]*forum.Revision, error) {
	calls := make([]script.RevisionRead, 0, len(refs))
	at := make([]int, len(refs)) // the call of each, and the row in it
	row := make([]int, len(refs))
	of := map[forum.Subject]int{}
	for i, ref := range refs {
		n, ok := of[ref.Of]
		if !ok {
			n = len(calls)
			of[ref.Of] = n
			calls = append(calls, script.RevisionRead{Revisions: key.Revisions(ref.Of), Texts: key.Texts(ref.Of)})
		}
		at[i], row[i] = n, len(calls[n].Numbers)
		calls[n].Numbers = append(calls[n].Numbers, int64(ref.Number))
	}
	results := make([]func() ([]string, error), len(calls))
	for n, call := range calls {
		cmd := r.b.Run(r.ctx, call)
		results[n] = func() ([]string, error) {
			found, err := call.Result(cmd.Result())
			return found.Texts, err
		}
	}
	return func() ([]*forum.Revision, error) {
		if r.err != nil {
			return nil, r.err
		}
		texts := make([][]string, len(calls))
		for n, result := range results {
			var err error
			if texts[n], err = result(); err != nil {
				return nil, fmt.Errorf("read revisions: %w", err)
			}
		}
		found := make([]*forum.Revision, len(refs))
		for i, ref := range refs {
			var err error
			if found[i], err = revisionOf(ref, texts[at[i]], row[i]); err != nil {
				return nil, err
			}
		}
		return found, nil
	}
}

// revisionOf returns a revision from the texts that revision_read returns: for each number its own, and that before.
func revisionOf(ref RevisionRef, texts []string, row int) (*forum.Revision, error) {
	if 2*row+1 >= len(texts) {
		return nil, nil
	}
	own, before := texts[2*row], texts[2*row+1]
	found := &forum.Revision{Subject: ref.Of, Number: ref.Number}
	var err error
	if own != "" {
		if found, err = record.ParseRevision(ref.Of, own); err != nil {
			return nil, err
		}
	}
	if before != "" {
		found.Previous, err = record.ParseRevision(ref.Of, before)
	}
	return found, err
}
