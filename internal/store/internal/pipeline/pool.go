package pipeline

import "time"

// Pool is the state of the client's pool of connections to Redis.
type Pool struct {
	// Total is the number of open connections, Idle the number of those not in use.
	Total, Idle int
	// Waiting is the number of calls that currently wait for a connection.
	Waiting int
	// Hits found an open connection, Misses had to open one, Waits had to wait for one, for WaitTime in
	// total, and Timeouts gave up. All since the start.
	Hits, Misses, Waits, Timeouts int
	WaitTime                      time.Duration
	// Stale is the number of stale connections closed since the start.
	Stale int
}

// Pool returns the state of the pool of connections; it costs no round trip.
func (c *Client) Pool() Pool {
	p := Universal(c.Redis).PoolStats()
	return Pool{
		Total: int(p.TotalConns), Idle: int(p.IdleConns), Waiting: int(p.PendingRequests),
		Hits: int(p.Hits), Misses: int(p.Misses), Waits: int(p.WaitCount), Timeouts: int(p.Timeouts),
		WaitTime: time.Duration(p.WaitDurationNs), Stale: int(p.StaleConns),
	}
}
