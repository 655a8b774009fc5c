package importer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"agora/internal/forum"
	"agora/internal/test/testlevel"
	"agora/internal/test/whole"
)

// reply returns a Hacker News comment of minute id, and story a topic to reply to.
func reply(id, to int) obj {
	return item(id, "comment", "bob", obj{"parent": to, "text": itoa(int64(id))})
}

func topicOf(id int) obj { return articles(id)[0] }

// tree describes topics with their comments in order of numbers: "1(2(4) 3)" is
// topic 1 with comments 2 and 3, and 4 under 2.
func (x *site) tree() string {
	x.t.Helper()
	v := x.view()
	under := map[int64][]*forum.Comment{}
	for _, c := range objects(v, v.comments, whole.Comments) {
		parent := cmp.Or(int64(c.ParentID), int64(c.TopicID))
		under[parent] = append(under[parent], c)
	}
	var describe func(id int64) string
	describe = func(id int64) string {
		_, name, _ := strings.Cut(v.sources[id], ":")
		slices.SortFunc(under[id], func(a, b *forum.Comment) int { return cmp.Compare(a.Number, b.Number) })
		var parts []string
		for _, c := range under[id] {
			parts = append(parts, describe(int64(c.ID)))
		}
		if len(parts) > 0 {
			name += "(" + strings.Join(parts, " ") + ")"
		}
		return name
	}
	var all []string
	for _, id := range v.topics {
		all = append(all, describe(int64(id)))
	}
	return strings.Join(all, " ")
}

func TestImportPlacesComments(t *testing.T) {
	deleted := func(id, to int) obj { return with(reply(id, to), obj{"deleted": true}) }
	dead := func(id, to int) obj { return with(reply(id, to), obj{"dead": true}) }
	tests := []struct {
		name    string
		records []obj
		want    string
		skipped map[string]int
		known   int
	}{
		{
			"under a topic and comments",
			[]obj{topicOf(1), reply(2, 1), reply(3, 2), reply(4, 1), reply(5, 3)},
			"1(2(3(5)) 4)",
			nil,
			0,
		},
		{
			"of two topics in turns",
			[]obj{topicOf(1), topicOf(2), reply(3, 1), reply(4, 2), reply(5, 3), reply(6, 4), reply(7, 1)},
			"1(3(5) 7) 2(4(6))",
			nil,
			0,
		},
		{
			"under one that is deleted",
			[]obj{topicOf(1), reply(2, 1), deleted(3, 2), reply(4, 3)},
			"1(2(4))",
			map[string]int{"deleted": 1},
			0,
		},
		{
			"under deleted and dead ones",
			[]obj{topicOf(1), deleted(2, 1), dead(3, 2), deleted(4, 3), reply(5, 4), reply(6, 2)},
			"1(5 6)",
			map[string]int{"deleted": 2, "dead": 1},
			0,
		},
		{
			"under a dead topic",
			[]obj{with(topicOf(1), obj{"dead": true}), reply(2, 1), deleted(3, 2), reply(4, 3)},
			"",
			map[string]int{"dead": 1, "deleted": 1, skippedDeleted: 2},
			0,
		},
		{
			"under a deleted topic",
			[]obj{with(topicOf(1), obj{"deleted": true}), reply(2, 1), reply(3, 2)},
			"",
			map[string]int{"deleted": 1, skippedDeleted: 2},
			0,
		},
		{
			"without a parent",
			[]obj{topicOf(1), reply(2, 9), reply(3, 2), deleted(4, 9), reply(5, 4)},
			"1",
			map[string]int{"deleted": 1, skippedOrphan: 3},
			0,
		},
		{
			"before their parents",
			[]obj{reply(2, 1), topicOf(1), reply(4, 3), reply(3, 1)},
			"1(3)",
			map[string]int{skippedOrphan: 2},
			0,
		},
		{
			"under themselves",
			[]obj{topicOf(1), reply(2, 2), deleted(3, 3), reply(4, 3), deleted(5, 6), deleted(6, 5), reply(7, 5), reply(8, 6)},
			"1",
			map[string]int{"deleted": 3, skippedOrphan: 4},
			0,
		},
		{"twice", []obj{topicOf(1), topicOf(2), reply(3, 1), reply(3, 1), reply(4, 3)}, "1(3(4)) 2", nil, 1},
		{
			"twice with different parents",
			[]obj{topicOf(1), topicOf(2), reply(3, 1), reply(4, 3), reply(3, 2), reply(4, 3), reply(5, 4)},
			"1(3(4(5))) 2",
			nil,
			2,
		},
		{
			"deleted in a later record",
			[]obj{topicOf(1), reply(2, 1), reply(3, 2), deleted(3, 2), reply(4, 3)},
			"1(2(3(4)))",
			map[string]int{"deleted": 1},
			0,
		},
		{
			"on a topic that is dead in a later record",
			[]obj{topicOf(1), with(topicOf(1), obj{"dead": true}), reply(2, 1)},
			"1(2)",
			map[string]int{"dead": 1},
			0,
		},
		{
			"on a topic that has their number",
			[]obj{topicOf(1), topicOf(2), reply(2, 1), reply(3, 2), topicOf(3), reply(4, 3)},
			"1 2(3(4)) 3",
			nil,
			1,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			x := newSite(t)
			sum, err := x.run(x.ctx, x.Store, Options{Format: HackerNews}, lines(tt.records...))
			if err != nil || len(x.reported) > 0 {
				t.Fatalf("Run = %v, reported %q; want no errors", err, x.reported)
			}
			x.settle()
			if got := x.tree(); got != tt.want {
				t.Errorf("the tree is %q; want %q", got, tt.want)
			}
			if fmt.Sprint(sum.Skipped) != fmt.Sprint(tt.skipped) || sum.Known != tt.known {
				t.Errorf("skipped %v, known %d; want %v, %d", sum.Skipped, sum.Known, tt.skipped, tt.known)
			}
		})
	}
}

// Comments find their parents in earlier chunks, which are full by records or bytes. Progress is
// reported for each chunk.
func TestImportPlacesCommentsAcrossChunks(t *testing.T) {
	testlevel.Long(t)
	big := strings.Repeat("x", MaxContent)
	tests := []struct {
		name     string
		count    int
		text     string
		reported []int
	}{
		{"many", chunkSize + 100, "x", []int{chunkSize, chunkSize + 100}},
		{"long", 20, big, []int{9, 17, 20}}, // eight texts fill a chunk; the topic has no text
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			x := newSite(t)
			records := []obj{topicOf(1)}
			for id := 2; id < tt.count; id++ {
				to := id / 8 // a tree in which each level is eight times the one above
				records = append(records, with(reply(id, max(to, 1)), obj{"text": tt.text}))
			}
			records = append(records, reply(tt.count, tt.count-1)) // deeper than others of its chunk
			var reported []int
			o := Options{Format: HackerNews, Progress: func(s Summary) {
				if s.Records > 0 && !slices.Contains(reported, s.Records) { // it is also reported while there is nothing to write
					reported = append(reported, s.Records)
				}
			}}
			x.load(Summary{Records: len(records), Topics: 1, Comments: len(records) - 1, Users: 2}, o, lines(records...))
			x.settle()
			if !slices.Equal(reported, tt.reported) {
				t.Errorf("progress is reported at %d records; want %d", reported, tt.reported)
			}
			want := describeTree(records)
			if got := x.tree(); got != want {
				t.Errorf("the tree is %.300q; want %.300q", got, want)
			}
		})
	}
}

// describeTree returns the expected tree of records that all have a place.
func describeTree(records []obj) string {
	under := map[int][]int{}
	for _, r := range records {
		if to, is := r["parent"].(int); is {
			under[to] = append(under[to], r["id"].(int))
		}
	}
	var describe func(id int) string
	describe = func(id int) string {
		var parts []string
		for _, below := range under[id] {
			parts = append(parts, describe(below))
		}
		if len(parts) == 0 {
			return itoa(int64(id))
		}
		return itoa(int64(id)) + "(" + strings.Join(parts, " ") + ")"
	}
	return describe(1)
}
