package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"sync/atomic"
)

// store reads from a database.
type store struct {
	db *sql.DB
	// reads is how many statements have been sent.
	reads atomic.Int64
}

// rows runs one statement and returns its rows by the first column. The argument is a list of ids, which reaches the
// statement as JSON, so that its text does not depend on how many there are. into returns where the other columns go.
func rows[T any](
	ctx context.Context, s *store, statement string, ids []int, into func(*T) []any,
) (map[int][]*T, error) {
	list, err := json.Marshal(ids)
	if err != nil {
		return nil, err
	}
	s.reads.Add(1)
	r, err := s.db.QueryContext(ctx, statement, string(list))
	if err != nil {
		return nil, err
	}
	defer r.Close()
	found := map[int][]*T{}
	for r.Next() {
		id, row := 0, new(T)
		if err := r.Scan(append([]any{&id}, into(row)...)...); err != nil {
			return nil, err
		}
		found[id] = append(found[id], row)
	}
	return found, r.Err()
}

// keys returns the key of each object.
func keys[T any](of []T, key func(T) int) []int {
	all := make([]int, len(of))
	for i, o := range of {
		all[i] = key(o)
	}
	return all
}

// many returns the rows of each key, in the order of the keys, as a batch resolver does.
func many[T any](keys []int, found map[int][]*T) [][]*T {
	all := make([][]*T, len(keys))
	for i, k := range keys {
		all[i] = found[k]
	}
	return all
}

// one returns the only row of each key, or nil.
func one[T any](keys []int, found map[int][]*T) []*T {
	all := make([]*T, len(keys))
	for i, k := range keys {
		if len(found[k]) > 0 {
			all[i] = found[k][0]
		}
	}
	return all
}
