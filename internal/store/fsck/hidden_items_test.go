package fsck

import (
	"testing"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/moderation"
	"agora/internal/store/posts"
	"agora/internal/test/must"
)

// What is hidden and no longer listed, or listed with another time, is listed again.
func TestHiddenPostsAreListed(t *testing.T) {
	x := newCheckSite(t)
	for _, s := range []forum.Subject{{Topic: x.moved}, {Comment: x.root}} {
		must.Do(x.Moderation.Moderate(x.ctx, x.mod, s, moderation.Moderation{Action: forum.ActHide,
			Grounds: because}))(t)
	}
	wantOK(t, "Flush", x.Flush(x.ctx))
	if r := x.check(true); len(r.Findings) > 0 {
		t.Errorf("hidden: %v; want nothing found", r.Findings)
	}
	list := key.Hidden(x.moved.Partition())
	for _, damage := range []func(){
		func() { x.do("ZREM", list, "t:"+key.Itoa(x.moved)) }, func() {
			x.do("ZADD", list, 77,
				"t:"+key.Itoa(x.moved))
		},
		func() { x.do("ZREM", key.Hidden(x.root.Partition()), "c:"+key.Itoa(x.root)) },
	} {
		damage()
		if r := x.check(true); len(r.Findings) != 1 || r.Findings[0].Rule != posts.RuleHidden {
			t.Errorf("found %v; want one finding of %s", r.Findings, posts.RuleHidden)
		}
		if r := x.check(false); len(r.Findings) > 0 {
			t.Errorf("repaired: %v; want nothing found", r.Findings)
		}
	}
}
