package store

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"agora/internal/store/internal/connection"
	"agora/internal/store/internal/key"
)

// Finding is what Examine says of one item of the set-up, and Grade is how bad that is.
type (
	Finding = connection.Finding
	Grade   = connection.Grade
)

// The grades of findings.
const (
	Good    = connection.Good
	Warning = connection.Warning
	Bad     = connection.Bad
)

// Reach connects to the Redis at address, whatever its state, and ReachData to the private redis-server that another
// process runs on the data in dir; if there is none, it starts one. They are for what only looks at the data.
func Reach(ctx context.Context, address string, o ConnectOptions) (*Connection, error) {
	return connection.Reach(ctx, address, o)
}

// ReachData is described at Reach.
func ReachData(ctx context.Context, dir string, o ConnectOptions) (*Connection, error) {
	return connection.OpenRunning(ctx, dir, o)
}

// Examine reports the state and the settings of the Redis behind a connection that Reach opened, and whether a server
// can open the site on it. It writes nothing.
func Examine(ctx context.Context, conn *Connection, want Layout, o ConnectOptions) ([]Finding, error) {
	found, err := conn.Examine(ctx, o)
	if err != nil {
		return nil, err
	}
	s, err := OpenReadOnly(ctx, conn, want)
	if errors.Is(err, errNoData) {
		if !slices.ContainsFunc(found, func(f Finding) bool { return f.Item == connection.ItemKeys }) {
			found = append(found, Finding{Grade: Warning, Item: "layout", Text: fmt.Sprintf("there is no site yet, as the key %s "+
				"is missing; create one with agora init, or restore a backup", key.Layout)})
		}
		return found, nil
	}
	if err != nil {
		return append(found, Finding{Grade: Bad, Item: "layout", Text: err.Error()}), nil
	}
	defer s.Close()
	found = append(found, Finding{Item: "layout", Text: fmt.Sprintf("version %d, time zone %s", s.layout.Version,
		s.layout.TimeZone)})
	dead, err := s.DeadTasks(ctx)
	if err != nil {
		return nil, fmt.Errorf("count the dead tasks: %w", err)
	}
	tasks := Finding{Item: "tasks", Text: "none has failed for good"}
	if dead > 0 {
		tasks.Grade, tasks.Text = Warning, fmt.Sprintf("%d background tasks have failed for good; agora check names them, "+
			"agora check --repair runs them again", dead)
	}
	return append(found, tasks), nil
}
