package forum

// Category is a subject of the forum. Every DISCUSSION is in exactly one.
type Category struct {
	Handle
	ID          CategoryID
	Name        string
	Description string
}

// Tab is a named group of categories, read as one list.
type Tab struct {
	Handle
	ID            TabID
	Name          string
	CategoryCount int
}
