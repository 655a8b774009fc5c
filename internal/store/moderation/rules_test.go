package moderation

import (
	"testing"

	"agora/internal/store/internal/key"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
)

// What a process knows of the rules is not replaced by what was read before a change, when that arrives later.
func TestRulesStayAsTheyWereReadLast(t *testing.T) {
	rdb := redistest.New(t)
	c := NewRulesCache(rdb)
	must.OK(t, rdb.HSet(t.Context(), key.Rules, "newMemberLinks", "1").Err())
	pipe := rdb.Pipeline()
	learn := c.queue(t.Context(), pipe)
	must.Do(pipe.Exec(t.Context()))(t)
	must.OK(t, rdb.HSet(t.Context(), key.Rules, "newMemberLinks", "2").Err())
	must.OK(t, c.refresh(t.Context()))
	learn()
	if n := c.known.Load().rules.NewMemberLinks; n == nil || *n != 2 {
		t.Errorf("new members may post %v links; want the 2 that were read last", n)
	}
}
