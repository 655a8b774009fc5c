package forum

// IsNode marks what has a global id and can be fetched by it (`Node` in the schema).
func (*User) IsNode() {}

// IsNode marks what has a global id and can be fetched by it.
func (*Topic) IsNode() {}

// IsNode marks what has a global id and can be fetched by it.
func (*Comment) IsNode() {}

// IsNode marks what has a global id and can be fetched by it.
func (*Category) IsNode() {}

// IsNode marks what has a global id and can be fetched by it.
func (*Tab) IsNode() {}

// IsNode marks what has a global id and can be fetched by it.
func (*Timeline) IsNode() {}

// IsNode marks what has a global id and can be fetched by it.
func (*Tag) IsNode() {}
