package pipeline

import "time"

// Pool is the state of the client's pool of connections to Redis.
type Pool struct {
	// Total are the connections that are open, Idle those of them not in use.
	Total, Idle int
	// Waiting are the calls that wait for a connection just now.
	Waiting int
	// Hits found an open connection, Misses had to open one, Waits had to wait
	// for one, for WaitTime together, and Timeouts gave up. All since the start.
	Hits, Misses, Waits, Timeouts int
	WaitTime                      time.Duration
	// Stale connections were closed since the start.
	Stale int
}

// Pool tells how the pool of connections is doing; it costs no round trip.
func (c *Client) Pool() Pool {
	p := c.Redis.PoolStats()
	return Pool{
		Total: int(p.TotalConns), Idle: int(p.IdleConns), Waiting: int(p.PendingRequests),
		Hits: int(p.Hits), Misses: int(p.Misses), Waits: int(p.WaitCount), Timeouts: int(p.Timeouts),
		WaitTime: time.Duration(p.WaitDurationNs), Stale: int(p.StaleConns),
	}
}
