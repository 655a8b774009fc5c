package catalogue

import "agora/internal/forum"

// Category is what is stored of a category.
var Category = table("category", []Field[forum.Category]{
	{Name: "name", Valid: someText, Made: "administrators write it", Required: true,
		Set: func(c *forum.Category, v string) { c.Name = v },
		Doc: "as shown"},
	{Name: "description", Valid: anyText, Made: "administrators write it",
		Set: func(c *forum.Category, v string) { c.Description = v },
		Doc: "plain text"},
	{Name: "position", Valid: position, Set: func(c *forum.Category,
		v string) {
		c.Position = int(Atoi(v))
	},
		Doc: "place in lists"},
}, append(sectionFields[forum.Category](),
	Field[forum.Category]{Name: "deleting", Valid: anyText,
		Doc: "being deleted: by whom, act reverted, reason, nonce, note, with colons between"},
))

// Tab is what is stored of a tab.
var Tab = table("tab", []Field[forum.Tab]{
	{Name: "name", Valid: someText, Made: "administrators write it", Required: true,
		Set: func(t *forum.Tab, v string) { t.Name = v }, Doc: "as shown"},
	{Name: "position", Valid: position, Set: func(t *forum.Tab, v string) { t.Position = int(Atoi(v)) },
		Doc: "as for categories"},
	{Name: "categories", Valid: count, Set: func(t *forum.Tab, v string) { t.CategoryCount = int(Atoi(v)) },
		Doc: "length of `{cat}:t:<id>:categories`"},
}, sectionFields[forum.Tab]())

// sectionFields are the fields of the internal hashes of categories and tabs.
func sectionFields[T any]() []Field[T] {
	return []Field[T]{
		{Name: "fold", Valid: someText, Required: true, Doc: "the name, as compared"},
		{Name: "created", Valid: at, Required: true, Doc: "time of creation"},
		{Name: "act", Valid: at, Doc: "latest act that changed it"},
	}
}

// Group is what is stored of a group.
var Group = table("group", []Field[forum.Group]{
	{Name: "name", Valid: someText, Made: "administrators write it", Required: true,
		Set: func(g *forum.Group, v string) { g.Name = v }, Doc: "as shown"},
	{Name: "description", Valid: anyText, Made: "administrators write it",
		Set: func(g *forum.Group, v string) { g.Description = v }, Doc: "plain text"},
	{Name: "members", Valid: count, Set: func(g *forum.Group, v string) { g.MemberCount = int(Atoi(v)) },
		Doc: "length of `{grp}:g:<id>:members`"},
}, []Field[forum.Group]{
	{Name: "fold", Valid: someText, Required: true, Doc: "the name, as compared"},
	{Name: "created", Valid: at, Required: true, Doc: "time of creation"},
})

// Tag is what is stored of a tag.
var Tag = table("tag", []Field[forum.Tag]{
	{Name: "name", Valid: anyText, Made: "it is a topic's tag",
		Set: func(t *forum.Tag, v string) { t.Name = v }, Doc: "as first written"},
}, nil)

// UserList is what is stored of a list of users.
var UserList = table("list", []Field[forum.UserList]{
	{Name: "owner", Valid: at, Required: true, Set: func(l *forum.UserList,
		v string) {
		l.OwnerID = forum.UserID(Atoi(v))
	},
		Doc: "user id"},
	{Name: "name", Valid: someText, Made: "nobody but its owner sees it", Required: true,
		Set: func(l *forum.UserList, v string) { l.Name = v },
		Doc: "as shown"},
}, []Field[forum.UserList]{
	{Name: "fold", Valid: someText, Required: true, Doc: "the name, as compared"},
	{Name: "created", Valid: at, Required: true, Doc: "time of creation"},
})
