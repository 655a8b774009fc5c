package derive

import "agora/internal/store/internal/record"

// Home returns the members of lists that a home must have: those of its user and of followed users, and of followed
// categories and tags those that are not blocked, as far as they are above the watermark. blocked is asked only for the
// latter.
func Home(watermark string, own, foreign [][]string, blocked func(member string) bool) map[string]bool {
	want := map[string]bool{}
	add := func(lists [][]string, refuse func(string) bool) {
		for _, list := range lists {
			for _, m := range list {
				if _, _, err := record.ParseMember(m); err == nil && m > watermark && !want[m] && !refuse(m) {
					want[m] = true
				}
			}
		}
	}
	add(own, func(string) bool { return false })
	add(foreign, blocked)
	return want
}
