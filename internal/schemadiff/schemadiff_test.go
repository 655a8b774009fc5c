package schemadiff

import (
	"os"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"agora/internal/test/must"
)

// head is what all schemas of the test have.
const head = `
directive @auth(requires: Role! = USER) on FIELD_DEFINITION
enum Role { USER MODERATOR ADMIN }
interface Node { id: ID! }
`

// base is the schema before each change.
const base = head + `
directive @old(a: Int) on FIELD | QUERY
enum Order { NEW TOP }
input Filter { by: Order = NEW, limit: Int!, near: Int! = 1 }
type Topic implements Node { id: ID!, title: String, tags: [String!]!, votes(of: Order, since: Int! = 1): Int! @auth }
type User implements Node { id: ID! }
union Subject = Topic | User
type Query { topic(id: ID!): Topic, subject(filter: Filter): Subject }
`

// Each change is found, alone, with what it means.
func TestDiff(t *testing.T) {
	tests := []struct{ old, now, want string }{
		{"title: String", "title: String!", "safe Topic.title was of type String, and is of type String!"},
		{"tags: [String!]!", "tags: [String!]", "breaking Topic.tags was of type [String!]!, and is of type [String!]"},
		{"tags: [String!]!", "tags: [String]!", "breaking Topic.tags was of type [String!]!, and is of type [String]!"},
		{"tags: [String!]!", "tags: String!", "breaking Topic.tags was of type [String!]!, and is of type String!"},
		{"title: String", "title: ID", "breaking Topic.title was of type String, and is of type ID"},
		{"title: String,", "", "breaking Topic.title was removed"},
		{"title: String", "title: String, more: Int", "safe Topic.more is new"},
		{"title: String", "title: String @deprecated", "safe Topic.title is deprecated"},
		{"NEW TOP", "NEW", "breaking Order.TOP was removed"},
		{"NEW TOP", "NEW TOP HOT", "dangerous Order.HOT is new: clients may get it"},
		{"limit: Int!", "limit: Int! more: Int", "safe Filter.more is new"},
		{"limit: Int!", "limit: Int! more: Int!", "breaking Filter.more is new and required"},
		{"limit: Int!", "limit: Int! more: Int! = 2", "safe Filter.more is new"},
		{"limit: Int!", "limit: Int", "safe Filter.limit took Int!, and takes Int"},
		{"by: Order = NEW", "by: Order! = NEW", "breaking Filter.by took Order, and takes Order!"},
		{"by: Order = NEW", "by: Order = TOP", "dangerous Filter.by had the default NEW, and has TOP"},
		{"near: Int! = 1", "near: Int!", "breaking Filter.near no longer has a default, and is required"},
		{"limit: Int!,", "", "breaking Filter.limit was removed"},
		{"of: Order,", "", "breaking Topic.votes(of:) was removed"},
		{"of: Order", "of: Order, by: ID!", "breaking Topic.votes(by:) is new and required"},
		{"of: Order", "of: Order, by: ID", "safe Topic.votes(by:) is new"},
		{"Int! = 1): Int!", "Int! = 2): Int!", "dangerous Topic.votes(since:) had the default 1, and has 2"},
		{"@auth }", "@auth(requires: ADMIN) }", "breaking Topic.votes was for USER, and is for ADMIN"},
		{"@auth }", "}", "safe Topic.votes was for USER, and is for everybody"},
		{"Topic | User", "Topic", "breaking Subject no longer may be User"},
		{"union Subject = Topic", "type More { id: ID! } union Subject = More | Topic",
			"dangerous Subject now may be More\nsafe More is new"},
		{"User implements Node", "User", "breaking User no longer implements Node"},
		{"union Subject = Topic | User", "interface Subject { id: ID! }", "breaking Subject was UNION, and is INTERFACE"},
		{"directive @old(a: Int) on FIELD | QUERY", "", "breaking @old was removed"},
		{"@old(a: Int)", "@old", "breaking @old(a:) was removed"},
		{"FIELD | QUERY", "FIELD", "breaking @old can no longer stand on QUERY"},
		{"enum Order", "scalar Time directive @new on FIELD enum Order", "safe @new is new\nsafe Time is new"},
		{"filter: Filter", "filter: Filter, by: [Filter!]", "safe Query.subject(by:) is new"},
	}
	for _, tt := range tests {
		if strings.Count(base, tt.old) != 1 {
			t.Errorf("the base has %q %d times; want it once", tt.old, strings.Count(base, tt.old))
		}
		changes, err := Diff(&ast.Source{Input: base}, &ast.Source{Input: strings.Replace(base, tt.old, tt.now, 1)})
		if err != nil {
			t.Errorf("%s -> %s: %v", tt.old, tt.now, err)
		}
		var got []string
		for _, c := range changes {
			got = append(got, strings.Join(strings.Fields(c.String()), " "))
		}
		if strings.Join(got, "\n") != tt.want {
			t.Errorf("%s -> %s: %q; want %q", tt.old, tt.now, got, tt.want)
		}
	}
}

// A schema does not differ from itself; one that cannot be read is an error.
func TestDiffOfTheSchema(t *testing.T) {
	text := must.Do(os.ReadFile("../../schema.graphqls"))(t)
	own := &ast.Source{Name: "schema.graphqls", Input: string(text)}
	if changes, err := Diff(own, own); err != nil || len(changes) > 0 {
		t.Errorf("the schema differs from itself: %v, %v", changes, err)
	}
	bad := &ast.Source{Name: "bad.graphqls", Input: "type Query { a: Missing }"}
	for _, pair := range [][2]*ast.Source{{own, bad}, {bad, own}} {
		if _, err := Diff(pair[0], pair[1]); err == nil || !strings.Contains(err.Error(), "bad.graphqls") {
			t.Errorf("Diff with a bad schema: %v; want an error that names its file", err)
		}
	}
}
