package commentpage

import (
	"context"
	"fmt"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// Tree is what a thread shows of a topic's comments.
type Tree struct {
	Topic forum.TopicID
	// Deepest is the maximum depth.
	Deepest int
}

// Thread queues a page of the comments of a topic in which each is followed by its replies. Siblings are in the order
// of the list, which is that of all comments. By number it reads the rows of the page, and a list for each of them;
// by votes all comments with their parents on the first page, up to ThreadComments, and the stored order then.
func (r Reader) Thread(ctx context.Context, l List, of Tree, w forum.Window) result {
	if l.Ranked != "" {
		return r.rankedThread(ctx, l, of, w)
	}
	call := script.ThreadPage{
		Comments: l.Key, Replies: key.TopicReplies(of.Topic), Prefix: key.CommentPrefix(of.Topic.Partition()),
		TopicID: of.Topic, Newest: l.Newest, Deepest: int64(of.Deepest), Most: int64(w.Count),
	}
	start := 0
	if w.After != nil {
		id, err := forum.ParseID[forum.CommentID](w.After.Member)
		if err != nil || id == 0 {
			return failed(forum.CursorInvalid("after"))
		}
		call.After, start = id, 1
	}
	cmd := r.Batch.Run(ctx, call)
	return func() (forum.Page, error) {
		if err := r.Err(); err != nil {
			return forum.Page{}, err
		}
		found, err := call.Result(cmd.Result())
		if err != nil {
			return forum.Page{}, fmt.Errorf("thread of topic %d: %w", of.Topic, err)
		}
		if !found.Known {
			return forum.Page{}, forum.CursorInvalid("after")
		}
		rows, err := rowsOf(l.Key, found.Rows)
		page := forum.Page{Rows: rows, Start: start, Total: start + len(rows), All: int(found.Total)}
		if found.More {
			page.Total++
		}
		return page, err
	}
}

func (r Reader) rankedThread(ctx context.Context, l List, of Tree, w forum.Window) result {
	if w.Bounded() {
		all, kept := r.Batch.ZCard(ctx, l.Key), r.kept(ctx, l, w)
		return func() (forum.Page, error) {
			page, err := kept()
			page.All = int(all.Val())
			return page, err
		}
	}
	call := script.ThreadTree{
		Comments: l.Key, Prefix: key.CommentPrefix(of.Topic.Partition()), Most: forum.ThreadComments,
	}
	r.Batch.Entries(l.Entries)
	cmd := r.Batch.Run(ctx, call)
	votes := r.Batch.HGetAll(ctx, l.Votes)
	return func() (forum.Page, error) {
		if err := r.Err(); err != nil {
			return forum.Page{}, err
		}
		found, err := call.Result(cmd.Result())
		if err != nil {
			return forum.Page{}, fmt.Errorf("thread of topic %d: %w", of.Topic, err)
		}
		comments := len(found.Tree) / 2
		if err := r.charge(comments); err != nil {
			return forum.Page{}, err
		}
		siblings, err := parseTree(found.Tree)
		if err != nil {
			return forum.Page{}, fmt.Errorf("thread of topic %d: %w", of.Topic, err)
		}
		ids := rank(l.Ranked, siblings, record.ParseCommentVotes(votes.Val()), of.Deepest, comments)
		page := r.first(l, w, ids)
		page.All = int(found.Total)
		return page, nil
	}
}

// parseTree returns the replies to each comment, and to the topic under 0, first posted first. Comments whose parents
// are not among them are in no thread.
func parseTree(pairs []string) (map[forum.CommentID][]forum.CommentID, error) {
	siblings := map[forum.CommentID][]forum.CommentID{}
	for i := len(pairs) - 2; i >= 0; i -= 2 {
		id, err := forum.ParseID[forum.CommentID](pairs[i])
		if err != nil {
			return nil, err
		}
		parent := forum.CommentID(0)
		if pairs[i+1] != "0" {
			if parent, err = forum.ParseID[forum.CommentID](pairs[i+1]); err != nil {
				return nil, err
			}
		}
		siblings[parent] = append(siblings[parent], id)
	}
	return siblings, nil
}

// rank returns the comments of a tree of so many, each followed by its replies, siblings by votes.
func rank(order forum.CommentOrder, siblings map[forum.CommentID][]forum.CommentID,
	votes map[forum.CommentID]forum.VoteCount, deepest, comments int) []forum.CommentID {
	all := make([]forum.CommentID, 0, comments)
	stack := [][]forum.CommentID{forum.RankComments(order, siblings[0], votes)}
	for len(stack) > 0 {
		top := len(stack) - 1
		if len(stack[top]) == 0 {
			stack = stack[:top]
			continue
		}
		id := stack[top][0]
		stack[top] = stack[top][1:]
		all = append(all, id)
		if len(stack) <= deepest && len(siblings[id]) > 0 {
			stack = append(stack, forum.RankComments(order, siblings[id], votes))
		}
	}
	return all
}
