package moderation

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/listing"
	"agora/internal/store/script"
)

// pinnedRow is a pinned topic, and when it was pinned.
type pinnedRow struct {
	forum.Row
	at float64
}

// Pins reads the pinned topics of timelines, latest pin first, at most forum.MaxPins. With bare, only their ids are
// read, which costs less.
func (r Read) Pins(timelines []forum.Timeline, bare bool) func() ([][]forum.Row, error) {
	return r.pins(timelines, bare, forum.MaxPins)
}

func (r Read) pins(timelines []forum.Timeline, bare bool, most int) func() ([][]forum.Row, error) {
	gets := make([]func() ([]pinnedRow, error), len(timelines))
	for i, t := range timelines {
		for _, c := range listing.TimelineContainers(t, nil) { // one, and none of a tab
			if bare {
				gets[i] = pinnedIDs(r.read.Batch.ZRevRangeWithScores(r.read.Ctx, c.Order(key.OrderPinned), 0,
					int64(most-1)))
			} else {
				gets[i] = r.pinnedRows(t, c)
			}
		}
	}
	return func() ([][]forum.Row, error) {
		if r.read.Err != nil {
			return nil, r.read.Err
		}
		all := make([][]forum.Row, len(timelines))
		for i, get := range gets {
			if get == nil {
				continue
			}
			pins, err := get()
			if err != nil {
				return nil, fmt.Errorf("pinned topics of %s: %w", timelines[i].Name(), err)
			}
			slices.SortFunc(pins, func(a, b pinnedRow) int {
				return cmp.Or(cmp.Compare(b.at, a.at), cmp.Compare(b.ID, a.ID))
			})
			for _, p := range pins {
				all[i] = append(all[i], p.Row)
			}
		}
		return all, nil
	}
}

// pinnedIDs parses a range of pinned topics.
func pinnedIDs(cmd *redis.ZSliceCmd) func() ([]pinnedRow, error) {
	return func() ([]pinnedRow, error) {
		rows := make([]pinnedRow, len(cmd.Val()))
		for i, z := range cmd.Val() {
			id, _, err := record.ParseMember(z.Member.(string))
			if err != nil {
				return nil, err
			}
			rows[i] = pinnedRow{forum.Row{ID: id}, z.Score}
		}
		return rows, nil
	}
}

// pinnedRows queues reading the pinned topics of an index with their positions in a timeline.
func (r Read) pinnedRows(t forum.Timeline, c key.Container) func() ([]pinnedRow, error) {
	order := cmp.Or(record.LiveOrders[t.Order], key.OrderScore) // snapshots are made of the votes
	call := script.PinsRead{Pinned: c.Order(key.OrderPinned), Order: c.Order(order), Down: c.Order(key.OrderDown),
		Most: forum.MaxPins}
	cmd := r.read.Batch.Run(r.read.Ctx, call)
	return func() ([]pinnedRow, error) {
		found, err := call.Result(cmd.Result())
		if err != nil {
			return nil, err
		}
		var rows []pinnedRow
		for f := range slices.Chunk(found.Rows, 4) {
			row := forum.Row{Position: forum.Position{Member: f[0]}}
			if row.ID, row.CreatedAt, err = record.ParseMember(f[0]); err != nil {
				return nil, err
			}
			at, _ := strconv.ParseFloat(f[1], 64)
			row.Score, _ = strconv.ParseFloat(f[2], 64)
			if t.Snapshot() {
				row.Down = int(record.Atoi(f[3]))
				row.Up = listing.NetVotes(row.Score, row.CreatedAt) + row.Down
			}
			rows = append(rows, pinnedRow{row, at})
		}
		return rows, nil
	}
}

// dropPins ends the oldest pins where a topic was just pinned, beyond forum.MaxPins.
func (s *Store) dropPins(ctx context.Context, by *forum.Viewer, topic record.TopicState, place forum.PinPlace) error {
	in := forum.Timeline{Kind: forum.FrontTimeline}
	if place == forum.PinCategory {
		in = forum.Timeline{Kind: forum.CategoryTimeline, Owner: int64(topic.Category)}
	}
	r := s.engine.Read(ctx)
	get := On(r).pins([]forum.Timeline{in}, true, 2*forum.MaxPins)
	if err := r.Exec(); err != nil {
		return err
	}
	pins, err := get()
	if err != nil {
		return err
	}
	for i := forum.MaxPins; i < len(pins[0]); i++ {
		drop := Moderation{Action: forum.ActUnpin, Place: place,
			Grounds: forum.Grounds{Reason: forum.ReasonOther, Note: "Another topic was pinned."}}
		if _, err := s.moderateTopic(ctx, by, forum.TopicID(pins[0][i].ID), drop); err != nil {
			return err
		}
	}
	return nil
}
