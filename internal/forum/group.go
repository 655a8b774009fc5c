package forum

// Group is a named set of members, who see what others do not.
type Group struct {
	ID          GroupID
	Name        string
	Description string
}

const (
	// MaxGroups is the maximum number of groups of a site.
	MaxGroups = 1_000
	// MaxUserGroups is the maximum number of groups that a user is in.
	MaxUserGroups = 50
	// MaxGroupManagers is the maximum number of managers of a group.
	MaxGroupManagers = 20
)
