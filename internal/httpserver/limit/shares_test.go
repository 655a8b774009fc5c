package limit

import (
	"testing"

	"agora/internal/auth"
	"agora/internal/forum"
)

// A caller has its share, an address four times as much; a refused subscription takes nothing, and a returned share
// can be taken again.
func TestSharesOfLiveWork(t *testing.T) {
	limits := Defaults()
	limits.LiveSubscriptions, limits.LiveValues = 2, 100
	viewer := func(id forum.UserID, address string) auth.Caller {
		return auth.Caller{Viewer: &forum.Viewer{ID: id}, Address: address}
	}
	s := NewShares()
	var taken []Charge
	for _, step := range []struct {
		name   string
		caller auth.Caller
		values int
		limit  int // 0 if it is allowed
		value  int
		unit   string
		of     string
	}{
		{"a subscription", viewer(1, "home"), 60, 0, 0, "", ""},
		{"too many values", viewer(1, "away"), 41, 100, 101, "values", "caller"},
		{"as many as are left", viewer(1, "away"), 40, 0, 0, "", ""},
		{"one too many", viewer(1, "home"), 0, 2, 3, "subscriptions", "caller"},
		{"another at the same address", viewer(2, "home"), 100, 0, 0, "", ""},
		{"who is not signed in", auth.Caller{Address: "home"}, 100, 0, 0, "", ""},
		{"another who is not", auth.Caller{Address: "home"}, 1, 100, 101, "values", "caller"},
		{"a third at the address", viewer(3, "home"), 100, 0, 0, "", ""},
		{"a fourth", viewer(4, "home"), 41, 400, 401, "values", "address"},
		{"a fourth of fewer values", viewer(4, "home"), 40, 0, 0, "", ""},
		{"small ones", viewer(5, "home"), 0, 0, 0, "", ""},
		{"small ones", viewer(5, "home"), 0, 0, 0, "", ""},
		{"small ones", viewer(6, "home"), 0, 0, 0, "", ""},
		{"one too many of the address", viewer(6, "home"), 0, 8, 9, "subscriptions", "address"},
		{"the same elsewhere", viewer(6, "away"), 0, 0, 0, "", ""},
	} {
		c := ChargeOf(step.caller, step.values)
		err := s.Take(c, limits)
		if err == nil && step.limit == 0 {
			taken = append(taken, c)
			continue
		}
		if err == nil || step.limit == 0 || err.Extensions["code"] != "LIVE_LIMIT_EXCEEDED" ||
			err.Extensions["limit"] != step.limit ||
			err.Extensions["value"] != step.value || err.Extensions["unit"] != step.unit ||
			err.Extensions["of"] != step.of {
			t.Errorf(
				"%s: %v %v; want limit %d, value %d, unit %q of the %s",
				step.name,
				err,
				err.Extensions,
				step.limit,
				step.value,
				step.unit,
				step.of,
			)
		}
	}
	for _, c := range taken {
		s.Give(c)
	}
	if len(s.used) != 0 {
		t.Errorf("left when all is given back: %v", s.used)
	}
}
