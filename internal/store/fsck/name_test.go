package fsck

import (
	"fmt"
	"slices"
	"testing"

	"agora/internal/store/accounts"
	"agora/internal/store/internal/key"
)

// Accounts of earlier versions, for which fewer logins looked alike, get the claims of this one.
func TestRepairClaimsLooks(t *testing.T) {
	x := newCheckSite(t)
	bill := x.User("bill")
	nonce := x.hash(key.User(bill.ID))["nonce"]
	before, now := key.LookClaim("bill"), key.LookClaim("blll")
	x.do("HSET", key.User(bill.ID), "lookClaims", before)
	x.do("DEL", now)
	x.do("SET", before, key.Itoa(bill.ID)+"/"+nonce)
	if r := x.check(false); !r.has(accounts.RuleLooks, false) || r.Found != 1 {
		t.Errorf("check finds %v; want only that the account lacks a claim", r.Findings)
	}
	x.check(true)
	if r := x.check(false); r.Found != 0 {
		t.Errorf("after the repair, check finds %v", r.Findings)
	}
	if got := x.hash(key.User(bill.ID))["lookClaims"]; got != now {
		t.Errorf("lookClaims is %q; want %q", got, now)
	}
	if got, old := x.rdb.Get(x.ctx, now).Val(), x.rdb.Exists(x.ctx, before).Val(); got != key.Itoa(bill.ID)+"/"+nonce ||
		old != 0 {
		t.Errorf("%s is %q, and %d of the former claim exist; want bill's, and none", now, got, old)
	}
}

// What would be refused today is listed and is no finding. Staff may have any name.
func TestRefusedNamesAreListed(t *testing.T) {
	x := newCheckSite(t)
	mod, kim, lee := x.Moderator("modone"), x.User("kim"), x.User("lee")
	x.do("HSET", key.User(kim.ID), "name", "Moderator 1")
	x.do("HSET", key.User(lee.ID), "name", "m.od-one")
	x.do("HSET", key.User(mod.ID), "name", "Administrator")
	admin, other, klm := x.User("admin-1"), x.User("modone-x"), x.User("twin")
	x.do("SET", key.LookClaim("tvvln"), key.Itoa(kim.ID)+"/00")
	r := x.check(false)
	want := []string{
		fmt.Sprintf("user %d: name \"Moderator 1\": it passes for an office or a reserved word", kim.ID),
		fmt.Sprintf("user %d: name \"m.od-one\": it passes for the login of staff", lee.ID),
		fmt.Sprintf("user %d: login \"admin-1\": it passes for an office or a reserved word", admin.ID),
		fmt.Sprintf("user %d: login \"modone-x\": it passes for the login of staff", other.ID),
		fmt.Sprintf("user %d: login \"twin\": it looks like the login of user %d", klm.ID, kim.ID),
	}
	slices.Sort(want)
	got := slices.Sorted(slices.Values(r.Refused))
	if !slices.Equal(got, want) {
		t.Errorf("refused are %q; want %q", got, want)
	}
	if r.Found != 1 || !r.has(accounts.RuleStaleClaim, false) { // the one that the test has set
		t.Errorf("check finds %v", r.Findings)
	}
}
