package graph

import (
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"agora/graph/generated"
	"agora/internal/forum"
)

// The tables of needed fields have each of the schema's fields, those with a resolver in one table and all others in
// the other: a new field must declare what it needs.
func TestFieldsDeclareWhatTheyNeed(t *testing.T) {
	text, err := os.ReadFile("../schema.graphqls")
	if err != nil {
		t.Fatal(err)
	}
	schema := gqlparser.MustLoadSchema(&ast.Source{Input: string(text)})
	types := []struct {
		name        string
		resolvers   reflect.Type
		plain, late map[string]forum.Fields
		idOnly      []string // have resolvers that need only the id
		all         forum.Fields
	}{
		{"Topic", reflect.TypeFor[generated.TopicResolver](), topicFields, lateTopicFields,
			[]string{"comments", "voters", "viewerHasBookmarked", "viewerIsWatching", "viewerUnreadCommentCount",
				"commentsEventId", "lastComment", "thread", "viewerFirstUnread", "revisions"}, forum.TopicAll},
		{"User", reflect.TypeFor[generated.UserResolver](), userFields, lateUserFields,
			[]string{"viewerCan", "viewerIsFollowing", "followsViewer", "viewerIsBlocking"}, forum.UserAll},
		{"Comment", reflect.TypeFor[generated.CommentResolver](), commentFields, lateCommentFields,
			[]string{"replies", "revisions"},
			forum.CommentAll},
	}
	for _, typ := range types {
		methods := map[string]bool{}
		for m := range typ.resolvers.NumMethod() {
			methods[strings.ToLower(typ.resolvers.Method(m).Name)] = true
		}
		fields := map[bool][]string{false: {"__typename"}}
		for _, f := range schema.Types[typ.name].Fields {
			resolved := methods[strings.ToLower(f.Name)]
			fields[resolved] = append(fields[resolved], f.Name)
		}
		slices.Sort(fields[false])
		slices.Sort(fields[true])
		if got := slices.Sorted(maps.Keys(typ.plain)); !slices.Equal(got, fields[false]) {
			t.Errorf("%s: the table of plain fields has %v; want the schema's, %v", typ.name, got, fields[false])
		}
		late := slices.AppendSeq(slices.Clone(typ.idOnly), maps.Keys(typ.late))
		slices.Sort(late)
		if !slices.Equal(late, fields[true]) {
			t.Errorf("%s: the table of fields with resolvers has, besides %v, %v; want those of the schema, %v", typ.name,
				typ.idOnly, typ.late, fields[true])
		}
		for _, known := range []map[string]forum.Fields{typ.plain, typ.late} {
			for name, made := range known {
				if made&^typ.all != 0 {
					t.Errorf("%s.%s is made from %b; want fields of the type, %b", typ.name, name, made, typ.all)
				}
			}
		}
		if got := fieldsOf(typ.plain, typ.late, []string{"id", "__typename"}); got != 0 {
			t.Errorf("%s: an id needs %b; want it always known", typ.name, got)
		}
	}
}
