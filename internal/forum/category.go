package forum

// Category is a subject of the forum. Every DISCUSSION is in exactly one.
type Category struct {
	ID          CategoryID
	Name        string
	Description string
	// Position is its place among all categories, and in tabs: lower first, then older first.
	Position int
}

// Tab is a named group of categories, read as one list.
type Tab struct {
	ID            TabID
	Name          string
	CategoryCount int
	// Position is its place among all tabs, likewise.
	Position int
}
