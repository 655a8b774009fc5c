package commentpage

import (
	"context"
	"fmt"
	"slices"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/paging"
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
// by votes all comments with their parents on the first page, up to ThreadComments, and the stored order then. A page
// around a comment begins with its ancestors.
func (r Reader) Thread(ctx context.Context, l List, of Tree, w forum.Window) result {
	if l.Ranked != "" {
		return r.rankedThread(ctx, l, of, w)
	}
	call := script.ThreadPage{
		Comments: l.Key, Replies: key.TopicReplies(of.Topic), Prefix: key.CommentPrefix(of.Topic.Partition()),
		TopicID: of.Topic, Around: int64(w.Around), Newest: l.Newest, Deepest: int64(of.Deepest), Most: int64(w.Count),
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
		for i := range rows {
			rows[i].Gap = slices.Contains(found.Gaps, rows[i].Member)
		}
		if len(rows) > 0 && rows[0].Gap {
			start = 1
		}
		total := start + len(rows) + paging.OneIf(found.More)
		return forum.Page{Rows: rows, Start: start, Total: total, All: int(found.Total)}, err
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
		Comments: l.Key, Prefix: key.CommentPrefix(of.Topic.Partition()), Around: int64(w.Around),
		Most: forum.ThreadComments,
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
		if err := r.charge(len(found.Tree) / 2); err != nil {
			return forum.Page{}, err
		}
		siblings, err := parseTree(found.Tree)
		if err != nil {
			return forum.Page{}, fmt.Errorf("thread of topic %d: %w", of.Topic, err)
		}
		ids, depths := rank(l.Ranked, siblings, record.ParseCommentVotes(votes.Val()), of.Deepest, len(found.Tree)/2)
		k := record.PackRanking(l.Key, ids)
		page := r.first(w, k)
		if at := shown(siblings, ids, found.Opened); at >= 0 {
			page = keeping(r.around(k, depths, at, w.Count), w, k)
		}
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

// rank returns the comments of a tree of so many down to a depth, each followed by its replies, siblings by votes, and
// the depth of each.
func rank(order forum.CommentOrder, siblings map[forum.CommentID][]forum.CommentID,
	votes map[forum.CommentID]forum.VoteCount, deepest, comments int) (ids []forum.CommentID, depths []uint8) {
	ids, depths = make([]forum.CommentID, 0, comments), make([]uint8, 0, comments)
	stack := [][]forum.CommentID{forum.RankComments(order, siblings[0], votes)}
	for len(stack) > 0 {
		top := len(stack) - 1
		if len(stack[top]) == 0 {
			stack = stack[:top]
			continue
		}
		id := stack[top][0]
		stack[top] = stack[top][1:]
		ids, depths = append(ids, id), append(depths, uint8(top)) // at most forum.MaxThreadDepth
		if len(stack) <= deepest && len(siblings[id]) > 0 {
			stack = append(stack, forum.RankComments(order, siblings[id], votes))
		}
	}
	return ids, depths
}

// shown returns the position of a comment, or of its nearest ancestor that is shown; -1 if there is none.
func shown(siblings map[forum.CommentID][]forum.CommentID, ids []forum.CommentID, id forum.CommentID) int {
	for id != 0 {
		if at := slices.Index(ids, id); at >= 0 {
			return at
		}
		child := id
		id = 0
		for parent, replies := range siblings {
			if slices.Contains(replies, child) {
				id = parent
			}
		}
	}
	return -1
}

// around returns the page at a position of a ranked tree, which is as thread_page.lua has it.
func (r Reader) around(k forum.Ranking, depths []uint8, at, most int) forum.Page {
	shown, from := opened(depths, at, most)
	for to := min(from+most-len(shown), len(depths)); from < to; from++ {
		shown = append(shown, from)
	}
	page := forum.Page{Rows: make([]forum.Row, len(shown))}
	last := -1
	for i, at := range shown {
		page.Rows[i] = paging.RankingRow(k, at, r.Now)
		page.Rows[i].Gap = at > last+1
		last = at
	}
	page.Start = paging.OneIf(page.Rows[0].Gap)
	page.Total = page.Start + len(shown) + paging.OneIf(last+1 < len(depths))
	return page
}

// opened returns where the page at a position of a tree begins to be without gaps, and the ancestors before that:
// siblings are added with all their replies, while these fit in half of the page.
func opened(depths []uint8, at, most int) (ancestors []int, from int) {
	depth := func(i int) int { return int(depths[i]) }
	path := make([]int, depth(at)+1)
	for i, d := at, depth(at); d >= 0; i-- {
		if depth(i) == d {
			path[d] = i
			d--
		}
	}
	first, room := max(0, len(path)-most), max(0, most-len(path))
	room -= min(len(depths)-1-at, (room+1)/2)
	from = at
	for d := depth(at); d >= first; d-- {
		from = path[d]
		for from > 0 && depth(from-1) >= d {
			sibling := from - 1
			for depth(sibling) > d {
				sibling--
			}
			if from-sibling > room {
				return path[first:d], from
			}
			room -= from - sibling
			from = sibling
		}
	}
	return nil, from
}
