package graph_test

import (
	"fmt"
	"strings"
	"testing"

	"agora/internal/test/testlevel"
)

// votedLists are the lists of a room, in all orders.
func votedLists() []string {
	lists := []string{"dayRank"}
	for _, owner := range []string{"front", inTech, inAll, inGo, `tag(name: "x") { timeline`} {
		for _, order := range []string{"CREATED", "ACTIVE", "SCORE", "HOT", "TOP", "CONTROVERSIAL"} {
			for _, direction := range []string{"DESC", "ASC"} {
				lists = append(lists, fmt.Sprintf("%s(orderBy: {field: %s, direction: %s})", owner, order, direction))
			}
		}
	}
	return lists
}

const edgeFields = "edges { rank score node { title } explanation { votesToPass } } pageInfo { startCursor " +
	"endCursor hasNextPage hasPreviousPage }"

// pageOf requests a page of a list.
func (s *site) pageOf(list, args string) (edges []any, info map[string]any) {
	s.t.Helper()
	a := s.must("", "{ x: "+list+" { topics("+args+") { "+edgeFields+" } } "+
		strings.Repeat("} ", 1+strings.Count(list, "{")-strings.Count(list, "}")), nil)
	topics, _ := a.at("x", "topics").(map[string]any)
	if topics == nil {
		topics, _ = a.at("x", "timeline", "topics").(map[string]any)
	}
	edges, _ = topics["edges"].([]any)
	info, _ = topics["pageInfo"].(map[string]any)
	return edges, info
}

// However a list is paged, each topic has one position in it, and one explanation.
func TestEdgesAreTheSameOnEveryPage(t *testing.T) {
	testlevel.Usual(t)
	r := newRoom(t)
	votes := map[string]string{"Go 0": "UU", "Go 1": "UD", "Redis 0": "DD", "Redis 1": "DDU", "Tea 0": "UDU", "Tea 1": "U"}
	voters := []string{r.mod, r.user("ann"), r.user("bob")}
	for title, cast := range votes {
		for i, direction := range strings.Split(cast, "") {
			r.wantVerdict("vote", r.vote(voters[i], r.ids[title], map[string]string{"U": "UP", "D": "DOWN"}[direction]), "")
		}
		r.wantVerdict("tag", r.mutate(r.mod, "tagTopic", input{"topicId": r.ids[title], "add": []string{"x"}}, ""), "")
	}
	for _, title := range []string{"Tea 0", "Go 1", "Go 1", "Redis 0"} {
		r.comment(r.mod, r.ids[title], "", "x")
	}
	for _, list := range votedLists() {
		r.wantPagesOf(list)
	}
}

// wantPagesOf compares the pages of a list with the whole list.
func (r *room) wantPagesOf(list string) {
	r.t.Helper()
	whole, info := r.pageOf(list, "first: 100")
	wantEqual(r.t, list+": more before and after the whole list", []any{info["hasPreviousPage"], info["hasNextPage"]},
		[]any{false, false})
	end, start := "null", "null"
	for n := 0; n < len(whole); n += 2 {
		pages := []struct {
			args      string
			from, end int
		}{
			{"first: 2, after: " + end, n, min(n+2, len(whole))},
			{"last: 2, before: " + start, max(len(whole)-n-2, 0), len(whole) - n},
			{fmt.Sprint("first: 2, skip: ", n), n, min(n+2, len(whole))},
			{fmt.Sprint("first: 3, skip: ", n+1), min(n+1, len(whole)), min(n+4, len(whole))},
			{fmt.Sprint("last: ", n+1), len(whole) - n - 1, len(whole)},
			{fmt.Sprint("last: ", n+2), max(len(whole)-n-2, 0), len(whole)},
		}
		for i, p := range pages {
			page, info := r.pageOf(list, p.args)
			wantEqual(r.t, list+": "+p.args, page, whole[p.from:p.end])
			wantEqual(r.t, list+": more before and after "+p.args, []any{info["hasPreviousPage"], info["hasNextPage"]},
				[]any{p.from > 0, p.end < len(whole)})
			switch i {
			case 0:
				end = fmt.Sprintf("%q", info["endCursor"])
			case 1:
				start = fmt.Sprintf("%q", info["startCursor"])
			}
		}
	}
}
