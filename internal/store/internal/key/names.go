package key

// Names is a list of names in a slot of its own: UserNames, Applicants or TagNames.
type Names string

// The lists of names.
const (
	// UserNames are the logins of active users.
	UserNames Names = "{ix:users}"
	// Applicants are the accounts that moderators have not approved; their names there are their states and when they
	// applied.
	Applicants Names = "{ix:applicants}"
	// TagNames are the tags that topics have.
	TagNames Names = "{ix:tags}"
)

// Orders of lists of names. All hold each entry, under the same member.
const (
	// OrderName is by name; all scores are 0.
	OrderName = "name"
	// OrderCount is by minus the number of topics, and OrderNewest by minus the time of the newest one (Unix ms), so that
	// the most and the newest come first. Only tags have them.
	OrderCount  = "count"
	OrderNewest = "newest"
)

// OrderNames returns the orders of the list.
func (n Names) OrderNames() []string {
	if n == TagNames {
		return []string{OrderName, OrderCount, OrderNewest}
	}
	return []string{OrderName}
}

// Order is a ZSET: one order of the list. Members are the folded name, a line feed and the id. No expiry.
func (n Names) Order(order string) string { return string(n) + ":" + order }

// Revisions is a HASH: id -> revision and member that were written last.
func (n Names) Revisions() string { return string(n) + ":rev" }

// Removed is a ZSET: removed entries.
func (n Names) Removed() string { return string(n) + ":gone" }
