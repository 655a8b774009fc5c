package importer

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"agora/internal/store/fsck"
	"agora/internal/test/testlevel"
	"agora/internal/test/whole"
)

// forest is stories and comments in an order in which parents come first, with their expected
// outcome.
type forest struct {
	records []obj
	// at is the parent of replies to an item: itself, or the item it was moved to; "" is none.
	at map[int]int
	// takes records which items lead to a topic that accepts comments.
	takes map[int]bool
	under map[int][]int
	tops  []int
}

// drawForest draws a forest. Ids are in no order.
func drawForest(t *rapid.T) *forest {
	f := &forest{at: map[int]int{}, takes: map[int]bool{}, under: map[int][]int{}}
	ids := rapid.Permutation(slices.Collect(func(yield func(int) bool) {
		for id := 1; id <= 40 && yield(id); id++ {
		}
	})).Draw(t, "ids")
	n := rapid.IntRange(1, len(ids)).Draw(t, "items")
	for i, id := range ids[:n] {
		by := rapid.SampledFrom([]string{"", "ann", "Ann", "bob"}).Draw(t, "by")
		state := rapid.SampledFrom([]string{"", "", "", "", "dead", "deleted"}).Draw(t, "state")
		fields := obj{}
		if state != "" {
			fields[state] = true
		}
		if i == 0 || rapid.IntRange(0, 4).Draw(t, "kind") == 0 {
			f.addStory(id, state, item(id, "story", by, with(fields, obj{"title": "T"})))
			continue
		}
		parent := ids[rapid.IntRange(0, i).Draw(t, "parent")] // may be itself: then it has no parent
		f.addComment(id, parent, state, item(id, "comment", by, with(fields, obj{"parent": parent, "text": "x"})))
	}
	return f
}

func (f *forest) addStory(id int, state string, r obj) {
	f.records = append(f.records, r)
	if f.at[id], f.takes[id] = id, state == ""; state == "" {
		f.tops = append(f.tops, id)
	}
}

func (f *forest) addComment(id, parent int, state string, r obj) {
	f.records = append(f.records, r)
	above, met := f.at[parent]
	switch {
	case !met:
	case state != "":
		f.at[id], f.takes[id] = above, f.takes[parent]
	default:
		f.at[id], f.takes[id] = id, f.takes[parent]
		if f.takes[id] {
			f.under[above] = append(f.under[above], id)
		}
	}
}

// tree describes the expected result in the format of site.tree.
func (f *forest) tree() string {
	var describe func(id int) string
	describe = func(id int) string {
		var parts []string
		for _, below := range f.under[id] {
			parts = append(parts, describe(below))
		}
		if len(parts) == 0 {
			return itoa(int64(id))
		}
		return itoa(int64(id)) + "(" + strings.Join(parts, " ") + ")"
	}
	names := map[string]int{}
	for _, id := range f.tops {
		names[itoa(int64(id))] = id
	}
	var all []string
	for _, name := range slices.Sorted(maps.Keys(names)) { // as strings, like the sources
		all = append(all, describe(names[name]))
	}
	return strings.Join(all, " ")
}

// files splits the records into files.
func (f *forest) files(t *rapid.T) [][]byte {
	var files [][]byte
	for left := f.records; len(left) > 0; {
		n := rapid.IntRange(1, len(left)).Draw(t, "records of a file")
		data := lines(left[:n]...)
		if rapid.Bool().Draw(t, "packed") {
			data = packed(string(data))
		}
		files, left = append(files, data), left[n:]
	}
	return files
}

// Any forest in any order in which parents come first, split into any files, becomes the same
// forest, also if a part of it was imported before.
func TestImportOfAnyForest(t *testing.T) {
	testlevel.Usual(t)
	x := newSite(t)
	rapid.Check(t, func(rt *rapid.T) {
		x.wipe()
		f := drawForest(rt)
		if some := rapid.IntRange(0, len(f.records)).Draw(rt, "before"); some > 0 {
			if _, err := x.run(x.ctx, x.Store, Options{Format: HackerNews}, lines(f.records[:some]...)); err != nil ||
				len(x.reported) > 0 {
				rt.Fatalf("Run = %v, reported %q; want no errors", err, x.reported)
			}
		}
		sum, err := x.run(x.ctx, x.Store, Options{Format: HackerNews}, f.files(rt)...)
		if err != nil || len(x.reported) > 0 || sum.Records != len(f.records) {
			rt.Fatalf("Run = %+v, %v, reported %q; want %d records and no errors", sum, err, x.reported, len(f.records))
		}
		if got, want := x.tree(), f.tree(); got != want {
			rt.Fatalf("the forest is %q; want %q", got, want)
		}
		r, err := fsck.Check(x.ctx, x.Store, fsck.Options{})
		if err != nil || r.Found > 0 {
			rt.Fatalf("Check = %v, %v; want nothing found", r.Findings, err)
		}
	})
}

// Any thread of posts keeps its order and its parents.
func TestImportOfAnyThread(t *testing.T) {
	testlevel.Usual(t)
	x := newSite(t)
	rapid.Check(t, func(rt *rapid.T) {
		x.wipe()
		n := rapid.IntRange(1, 30).Draw(rt, "posts")
		posts := []obj{postBy(1, 0, 0, "ann", "x", 0)}
		want := map[string]string{}
		for number := 2; number <= n; number++ {
			to := rapid.IntRange(0, number-1).Draw(rt, "to")
			posts = append(posts, postBy(number, to, rapid.IntRange(0, 99).Draw(rt, "minute"), "bob", "x", 0))
			want[fmt.Sprint(number)] = fmt.Sprint(number-1, " under ", max(to, 1))
		}
		posts = rapid.Permutation(posts).Draw(rt, "order")
		if _, err := x.run(x.ctx, x.Store, Options{Format: Discourse}, array(threadOf(1, 0, 6, posts...))); err != nil ||
			len(x.reported) > 0 {
			rt.Fatalf("Run = %v, reported %q; want no errors", err, x.reported)
		}
		v := x.view()
		got := map[string]string{}
		for _, c := range objects(v, v.comments, whole.Comments) {
			_, number, _ := strings.Cut(v.sources[int64(c.ID)], "#")
			_, parent, under := strings.Cut(v.sources[int64(c.ParentID)], "#")
			if !under {
				parent = "1"
			}
			got[number] = fmt.Sprint(c.Number, " under ", parent)
		}
		if !maps.Equal(got, want) {
			rt.Fatalf("the posts are at %v; want %v", got, want)
		}
	})
}
