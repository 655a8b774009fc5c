package paging

import (
	"encoding/binary"
	"strconv"
	"strings"

	"agora/internal/forum"
	"agora/internal/store/internal/record"
)

// RankingBounds parses the cursors of a window: the ranking, the positions between which the page is, and
// when its reader began.
func RankingBounds(w forum.Window) (sum string, after, before int, since forum.Time, err error) {
	after, before = -1, forum.RankedComments
	for _, bound := range []struct {
		field    string
		at       *forum.Position
		position *int
	}{{"after", w.After, &after}, {"before", w.Before, &before}} {
		if bound.at == nil {
			continue
		}
		of, position, ok := strings.Cut(bound.at.Member, ".")
		n, bad := strconv.Atoi(position)
		if !ok || bad != nil || n < 0 || n > forum.RankedComments || len(of) != 2*record.RankingSum || sum != "" &&
			of != sum {
			return "", 0, 0, 0, forum.CursorInvalid(bound.field)
		}
		sum, *bound.position, since = of, n, max(since, forum.Time(bound.at.Score))
	}
	return sum, after, before, since, nil
}

// RankingRows returns a page of a ranking whose reader began at since.
func RankingRows(k forum.Ranking, from, to, total int, since forum.Time) forum.Page {
	p := forum.Page{Start: from, Total: total, Rows: make([]forum.Row, 0, max(to-from, 0))}
	for at := from; at < to; at++ {
		p.Rows = append(p.Rows, RankingRow(k, at, since))
	}
	return p
}

// RankingRow returns the row at a position of a ranking whose reader began at since.
func RankingRow(k forum.Ranking, at int, since forum.Time) forum.Row {
	id := binary.BigEndian.Uint32([]byte(k.IDs[at*record.RankingRow:][:record.RankingRow]))
	return forum.Row{ID: int64(id),
		Position: forum.Position{Score: float64(since), Member: k.Sum + "." + strconv.Itoa(at)}}
}
