package posts

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
	"agora/internal/store/listing"
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
	// Apart keeps the edit from being merged into the one before, so that the first text stays.
	Apart bool
}

// editAttempts is how often an edit is tried while others come between.
const editAttempts = 10

// revise calls edit until it meets the text that was read before.
func (s *Store) revise(ctx context.Context, of forum.Subject, e Edit, edit func(script.Revise) error) error {
	call := script.Revise{Revisions: key.Revisions(of), Texts: key.Texts(of), Case: key.Case(of),
		MergeWithin: forum.MergeEdits, RevisionsMost: forum.MaxRevisions, BytesMost: forum.MaxRevisionBytes}
	if e.Apart {
		call.MergeWithin = 0
	}
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
		pipeline.Owe(ctx, record.PackCost(e.Before))
		call.Known, call.Earlier = strconv.Itoa(e.Before.Number), record.PackRevision(e.Before)
		err := edit(call)
		if err == nil {
			return nil
		}
		switch word, rest, _ := strings.Cut(strings.TrimPrefix(err.Error(), "ERR "), " "); word {
		case "STALE":
			present, _ := strconv.Atoi(rest)
			return forum.Stale(forum.Path("expectedRevision"), present)
		case "RETRY":
			e.Before = nil
		default:
			return record.ScriptError(err)
		}
	}
	return record.ErrConflict()
}

// present reads the present revision of a topic or comment.
func (s *Store) present(ctx context.Context, of forum.Subject) (*forum.Revision, error) {
	for range editAttempts {
		r := s.engine.Read(ctx)
		var post func() (*forum.Revision, int, error)
		if of.Comment != 0 {
			post = presentOf(listing.On(r).Comments([]forum.CommentID{of.Comment}),
				func(c *forum.Comment) (*forum.Revision, int) {
					return c.Present(c.Content), c.Long
				})
		} else {
			post = presentOf(listing.On(r).Topics([]forum.TopicID{of.Topic}),
				func(t *forum.Topic) (*forum.Revision, int) {
					return t.Present(t.Content), t.Long
				})
		}
		texts := listing.On(r).LongTexts([]forum.Subject{of})
		if err := r.Exec(); err != nil {
			return nil, fmt.Errorf("read the text of %s: %w", key.Subject(of), err)
		}
		present, length, err := post()
		if err != nil || length == 0 {
			return present, err
		}
		long, err := texts()
		if err != nil {
			return nil, err
		}
		if long[0].Revision == present.Number {
			present.Content = long[0].Content
			return present, nil
		}
	}
	return nil, record.ErrConflict() // others edit it all the time
}

// presentOf returns the present revision of the post that is read, and the length of its text if that is long. It is
// empty if there is no such post.
func presentOf[T any](read func() ([]*T, []error), of func(*T) (*forum.Revision, int)) func() (*forum.Revision, int,
	error) {
	return func() (*forum.Revision, int, error) {
		found, errs := read()
		if errs != nil {
			return nil, 0, errs[0]
		}
		if found[0] == nil {
			return &forum.Revision{}, 0, nil
		}
		revision, length := of(found[0])
		return revision, length, nil
	}
}

// RevisionList is the list of the kept revisions of a topic or comment, the present one included, latest first; the ids
// are their numbers. It is empty if there was no edit.
func RevisionList(of forum.Subject) listing.List { return listing.LatestFirst(key.Revisions(of)) }

// RevisionRef identifies a revision by its subject and number.
type RevisionRef struct {
	Of     forum.Subject
	Number int
}

// Revisions reads earlier revisions without their texts, each with the one before; nil for those that are not kept. The
// present one has only its number and the one before.
func (r Read) Revisions(refs []RevisionRef) func() ([]*forum.Revision, error) {
	var calls []script.RevisionRead
	var rows [][]int // of each call, in refs
	of := map[forum.Subject]int{}
	for i, ref := range refs {
		n, ok := of[ref.Of]
		if !ok {
			n = len(calls)
			of[ref.Of] = n
			calls = append(calls, script.RevisionRead{Revisions: key.Revisions(ref.Of), Texts: key.Texts(ref.Of)})
			rows = append(rows, nil)
		}
		calls[n].Numbers = append(calls[n].Numbers, int64(ref.Number))
		rows[n] = append(rows[n], i)
	}
	cmds := make([]*redis.Cmd, len(calls))
	for n, call := range calls {
		cmds[n] = r.read.Batch.Run(r.read.Ctx, call)
	}
	return func() ([]*forum.Revision, error) {
		if r.read.Err != nil {
			return nil, r.read.Err
		}
		found := make([]*forum.Revision, len(refs))
		for n, call := range calls {
			read, err := call.Result(cmds[n].Result())
			if err != nil {
				return nil, fmt.Errorf("read revisions: %w", err)
			}
			for row, i := range rows[n] {
				if found[i], err = revisionOf(refs[i], read.Heads[2*row], read.Heads[2*row+1]); err != nil {
					return nil, err
				}
			}
		}
		return found, nil
	}
}

// revisionOf returns a revision from its head and that of the one before.
func revisionOf(ref RevisionRef, own, before string) (*forum.Revision, error) {
	found := &forum.Revision{Subject: ref.Of, Number: ref.Number}
	var err error
	if own != "" {
		if found, err = record.ParseRevisionHead(ref.Of, own); err != nil {
			return nil, err
		}
	}
	if before != "" {
		found.Previous, err = record.ParseRevisionHead(ref.Of, before)
	}
	return found, err
}

// PackedText is the text of an earlier revision as it is stored; "" if it is not kept.
type PackedText string

// PackedTexts reads the texts of earlier revisions.
func (r Read) PackedTexts(refs []RevisionRef) func() ([]PackedText, error) {
	cmds := make([]*redis.StringCmd, len(refs))
	for i, ref := range refs {
		cmds[i] = r.read.Batch.HGet(r.read.Ctx, key.Texts(ref.Of), strconv.Itoa(ref.Number))
	}
	return func() ([]PackedText, error) {
		if r.read.Err != nil {
			return nil, r.read.Err
		}
		texts := make([]PackedText, len(refs))
		for i, cmd := range cmds {
			texts[i] = PackedText(cmd.Val())
		}
		return texts, nil
	}
}

// Unpack returns the text, nil if it is not kept. charge is called with the number of bytes that are about to be
// unpacked; its error ends that and is returned.
func (p PackedText) Unpack(of forum.Subject, charge func(bytes int) error) (*forum.Text, error) {
	if p == "" {
		return nil, nil
	}
	r, err := record.ParseRevision(of, string(p), charge)
	if err != nil {
		return nil, err
	}
	return &r.Text, nil
}
