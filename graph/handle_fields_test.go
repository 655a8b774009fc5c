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
)

// Each field of the schema that has a resolver either waits for its objects, or needs only their ids: a new one must
// say which.
func TestResolversSayWhatTheyNeed(t *testing.T) {
	text, err := os.ReadFile("../schema.graphqls")
	if err != nil {
		t.Fatal(err)
	}
	schema := gqlparser.MustLoadSchema(&ast.Source{Input: string(text)})
	for _, typ := range []struct {
		name      string
		resolvers reflect.Type
		late      map[string]bool
		ids       []string
	}{
		{"Topic", reflect.TypeFor[generated.TopicResolver](), hydrators.Topic.Late,
			[]string{"comments", "voters", "viewerHasBookmarked", "viewerIsWatching", "viewerUnreadCommentCount",
				"commentsEventId", "lastComment", "thread", "viewerFirstUnread", "revisions"}},
		{"User", reflect.TypeFor[generated.UserResolver](), hydrators.User.Late,
			[]string{"viewerCan", "viewerIsFollowing", "followsViewer", "viewerIsBlocking", "website", "topicCount",
				"followerCount", "followingCount", "karma"}},
		{"Comment", reflect.TypeFor[generated.CommentResolver](), hydrators.Comment.Late,
			[]string{"replies", "revisions"}},
	} {
		methods := map[string]bool{}
		for m := range typ.resolvers.NumMethod() {
			methods[strings.ToLower(typ.resolvers.Method(m).Name)] = true
		}
		var want []string
		for _, f := range schema.Types[typ.name].Fields {
			if methods[strings.ToLower(f.Name)] {
				want = append(want, f.Name)
			}
		}
		got := slices.AppendSeq(slices.Clone(typ.ids), maps.Keys(typ.late))
		slices.Sort(got)
		if slices.Sort(want); !slices.Equal(got, want) {
			t.Errorf("%s: the fields %v are known; want those with resolvers, %v", typ.name, got, want)
		}
	}
}
