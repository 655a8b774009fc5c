package graph_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// pathOf writes random queries whose arguments name what a filled site has.
type pathOf struct {
	*rand.Rand
	schema *ast.Schema
	names  siteNames
	// cursor returns a cursor of a connection, "" if it has no rows. nil writes queries without a site.
	cursor func(connection string) string
	left   int // fields
	// around are the fields around, with their arguments, if each is one object, so that a cursor can be taken.
	around []string
	many   bool // there is a list around
	// twice is whether the query reads what the first reader takes: a snapshot or a walk.
	twice bool
}

// siteNames is what random queries name of a site.
type siteNames struct {
	ids     []string // of objects of all types
	members []string // of topics, comments and users
	numbers []int    // of topics
	viewer  string   // login, "" if signed out
}

// moderator reports whether the viewer moderates the site, member whether the viewer moderates nothing.
func (n siteNames) moderator() bool { return n.viewer == "user00" }
func (n siteNames) member() bool    { return n.viewer == "user01" }
func (n siteNames) signedIn() bool  { return n.viewer != "" }

// personal are fields that are null to those who are not signed in, besides those that are named after the viewer.
var personal = []string{"preview", "unreadCount"}

// forModerators are fields for those who moderate the site or categories, forSite those for moderators of the site.
var (
	forModerators = []string{"reportQueue", "moderationLog", "note"}
	forSite       = []string{"blocklist", "ban"}
)

func (p *pathOf) one(of ...string) string { return of[p.IntN(len(of))] }

// in reports true once in n times.
func (p *pathOf) in(n int) bool { return p.IntN(n) == 0 }

// id returns the id of an object of a type.
func (p *pathOf) id(typ string) string {
	var of []string
	for _, id := range p.names.ids {
		if typeOf(id) == typ {
			of = append(of, id)
		}
	}
	return fmt.Sprintf("%q", p.one(of...))
}

// args writes the arguments of a field.
func (p *pathOf) args(typ string, f *ast.FieldDefinition) string {
	args := map[string]string{}
	for _, a := range f.Arguments {
		args[a.Name] = p.arg(typ, f, a.Name)
	}
	if slices.ContainsFunc(f.Arguments, func(a *ast.ArgumentDefinition) bool { return a.Name == "first" }) {
		p.page(f, args)
	}
	if args["period"] != "" && !strings.Contains(args["orderBy"], "TOP") {
		args["period"] = ""
	}
	order := args["orderBy"]
	taken := strings.Contains(order, "field: TOP") || strings.Contains(order, "field: CONTROVERSIAL")
	p.twice = p.twice || taken || args["walk"] == "FIXED"
	return written(f, args)
}

// written returns arguments in the order of their definitions.
func written(f *ast.FieldDefinition, args map[string]string) string {
	var all []string
	for _, a := range f.Arguments {
		if args[a.Name] != "" {
			all = append(all, a.Name+": "+args[a.Name])
		}
	}
	if len(all) == 0 {
		return ""
	}
	return "(" + strings.Join(all, ", ") + ")"
}

// page chooses which page of a connection is read.
func (p *pathOf) page(f *ast.FieldDefinition, args map[string]string) {
	size := p.one("1", "3", "8")
	has := func(name string) bool { return f.Arguments.ForName(name) != nil }
	forward, at := !has("last") || !p.in(4), p.in(4)
	cursor := ""
	if at && !p.many && p.cursor != nil {
		args["first"] = "2"
		cursor = p.cursor(f.Name + written(f, args))
		args["first"] = ""
	} else if at && p.cursor == nil {
		cursor = "a cursor"
	}
	if cursor != "" {
		cursor = fmt.Sprintf("%q", cursor)
	}
	if forward {
		args["first"], args["after"] = size, cursor
	} else {
		args["last"], args["before"] = size, cursor
	}
	switch {
	case cursor != "" || !forward:
	case has("skip") && p.in(10):
		args["skip"] = p.one("1", "5")
	case has("around") && p.in(10) && (args["orderBy"] == "" || args["orderBy"] == "OLDEST"):
		args["around"] = "2"
	}
}

// arg returns the value of an argument, "" to leave it out. Those of pages are left to page.
func (p *pathOf) arg(typ string, f *ast.FieldDefinition, name string) string {
	switch typ + "." + f.Name + "." + name {
	case "Query.user.by":
		return p.one(`{login: "user03"}`, `{login: "user00"}`, "{id: "+p.id("User")+"}")
	case "Query.topic.by":
		return p.one(fmt.Sprintf("{number: %d}", p.names.numbers[p.IntN(len(p.names.numbers))]), "{id: "+p.id("Topic")+"}")
	case "Query.category.by", "Tab.includes.category":
		return p.one(`{name: "go"}`, `{name: "redis"}`, "{id: "+p.id("Category")+"}")
	case "Query.tab.by":
		return p.one(`{name: "tech"}`, `{name: "all"}`, "{id: "+p.id("Tab")+"}")
	case "Query.node.id":
		return fmt.Sprintf("%q", p.one(p.names.ids...))
	case "Query.nodes.ids":
		return fmt.Sprintf("[%q, %q]", p.one(p.names.ids...), p.one(p.names.ids...))
	case "Query.tag.name":
		return `"green tea"`
	case "Query.preview.content":
		return `"for @user03"`
	case "Query.blocklist.kind":
		return p.one("WORD", "DOMAIN")
	case "Query.reportQueue.category":
		if p.names.moderator() && !p.in(3) {
			return ""
		}
		return p.one(`{name: "go"}`, "{id: "+p.id("Category")+"}")
	}
	return p.maybe(typ, f, name)
}

// maybe is arg for arguments that are usually left out.
func (p *pathOf) maybe(typ string, f *ast.FieldDefinition, name string) string {
	often, value := 4, ""
	switch name {
	case "kinds":
		often, value = 20, p.one("[ARTICLE]", "[DISCUSSION, STATUS]")
	case "orderBy":
		value = map[string]string{
			"TopicOrder": p.one("{field: CREATED}", "{field: SCORE, direction: ASC}", "{field: HOT}", "{field: TOP}",
				"{field: CONTROVERSIAL}"),
			"CommentOrder": p.one("OLDEST", "NEWEST", "TOP"), "TagOrder": p.one("COUNT", "NAME", "RECENT"),
		}[f.Arguments.ForName(name).Type.Name()]
	case "period":
		value = p.one("WEEK", "ALL")
	case "walk":
		often, value = 10, "FIXED"
	case "hideBlocked": // those who are not signed in have blocked nobody
		if often = 6; p.names.signedIn() {
			value = "true"
		}
	case "topLevelOnly", "unreadOnly":
		value = "true"
	case "prefix":
		value = map[string]string{"users": `"user"`, "tags": `"g"`}[f.Name]
	case "format":
		value = "HTML"
	case "length", "context":
		value = "20"
	case "maxDepth":
		value = "3"
	case "state":
		value = p.one("OPEN", "UPHELD")
	case "direction":
		if value = "UP"; p.names.moderator() {
			value = p.one("UP", "DOWN")
		}
	case "subjectId":
		often, value = 8, fmt.Sprintf("%q", p.one(p.names.members...))
	case "user", "moderator":
		often, value = 8, p.one(`{login: "user00"}`, "{id: "+p.id("User")+"}")
	case "action":
		often, value = 8, p.one("LOCK", "PIN")
	}
	if !p.in(often) {
		return ""
	}
	return value
}

func (p *pathOf) set(typ *ast.Definition, depth int) string {
	var b strings.Builder
	b.WriteString("{")
	for n := range 1 + p.IntN(3) {
		switch {
		case typ.IsAbstractType() && p.IntN(2) == 0 || typ.Kind == ast.Union:
			types := p.schema.GetPossibleTypes(typ)
			t := types[p.IntN(len(types))]
			fmt.Fprintf(&b, " ... on %s %s", t.Name, p.set(t, depth))
		case n > 0 && p.IntN(8) == 0:
			b.WriteString(" __typename")
		default:
			b.WriteString(p.field(typ, depth))
		}
	}
	return b.String() + " }"
}

// allowed reports whether the viewer may read a field. Those who may not get null, without round trips.
func (p *pathOf) allowed(f *ast.FieldDefinition) bool {
	n := p.names
	switch {
	case strings.Contains(strings.ToLower(f.Name), "viewer") || slices.Contains(personal, f.Name):
		return n.signedIn()
	case slices.Contains(forModerators, f.Name):
		return n.signedIn() && !n.member()
	case slices.Contains(forSite, f.Name):
		return n.moderator()
	}
	return true
}

func (p *pathOf) field(typ *ast.Definition, depth int) string {
	fields := slices.DeleteFunc(slices.Clone(typ.Fields), func(f *ast.FieldDefinition) bool {
		deep := !p.schema.Types[f.Type.Name()].IsLeafType()
		return strings.HasPrefix(f.Name, "__") || !p.allowed(f) || deep && (depth == 0 || p.left < 0)
	})
	if len(fields) == 0 {
		return " __typename"
	}
	p.left--
	f := fields[p.IntN(len(fields))]
	alias := p.left + 1000
	args := p.args(typ.Name, f)
	text := fmt.Sprintf(" a%d: %s%s", alias, f.Name, args)
	if t := p.schema.Types[f.Type.Name()]; !t.IsLeafType() {
		around, many := p.around, p.many
		p.around = append(slices.Clip(around), f.Name+args)
		p.many = many || f.Type.Elem != nil || typ.IsAbstractType() || t.IsAbstractType()
		text += " " + p.set(t, depth-1)
		p.around, p.many = around, many
	}
	return text
}
