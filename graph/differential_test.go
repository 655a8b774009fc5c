//go:build oracle

package graph_test

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/99designs/gqlgen/graphql"

	"agora/breadth/breadthtest"
	"agora/graph/generated"
	"agora/graph/model"
	"agora/internal/forum"
	"agora/internal/loader"
	"agora/internal/test/must"
	"agora/internal/test/oracle"
	"agora/internal/test/testlevel"
)

// fakeDataOf returns made-up data of the project's types.
func fakeDataOf(seed uint64, faults int) *breadthtest.World {
	w := &breadthtest.World{Seed: seed, Faults: faults, Make: makers}
	for _, v := range []any{
		(*loader.User)(nil), (*loader.Topic)(nil), (*loader.Comment)(nil), (*loader.Category)(nil), (*loader.Tab)(nil),
		(*forum.Timeline)(nil), (*loader.Tag)(nil), (*loader.UserList)(nil),
		(*model.Viewer)(nil), (*model.Session)(nil), model.InvalidInputError{}, &model.TakenError{}, model.NotFoundError{},
		&model.ForbiddenError{}, model.VotingClosedError{}, &model.RateLimitedError{},
	} {
		w.Types = append(w.Types, reflect.TypeOf(v))
	}
	return w
}

// makers create connections, whose pages are unexported, and what was read of objects.
var makers = map[reflect.Type]func(*breadthtest.World, *breadthtest.Rand) any{
	reflect.TypeFor[*model.TopicConnection]():    connectionOf(newTopicConnection),
	reflect.TypeFor[*model.UserConnection]():     connectionOf(model.NewUserConnection),
	reflect.TypeFor[*model.TopicEdge]():          topicEdge,
	reflect.TypeFor[*model.CommentConnection]():  connectionOf(model.NewCommentConnection),
	reflect.TypeFor[*model.CategoryConnection](): connectionOf(model.NewCategoryConnection),
	reflect.TypeFor[*model.TabConnection]():      connectionOf(model.NewTabConnection),
	reflect.TypeFor[*model.UserListConnection](): connectionOf(model.NewUserListConnection),
	reflect.TypeFor[*forum.User]():               read[forum.User],
	reflect.TypeFor[*forum.Topic]():              read[forum.Topic],
	reflect.TypeFor[*forum.Comment]():            read[forum.Comment],
	reflect.TypeFor[*forum.Category]():           read[forum.Category],
	reflect.TypeFor[*forum.Tab]():                read[forum.Tab],
	reflect.TypeFor[*forum.Tag]():                read[forum.Tag],
	reflect.TypeFor[*forum.UserList]():           read[forum.UserList],
}

// read returns an object of the store.
func read[T any](w *breadthtest.World, r *breadthtest.Rand) any {
	o := new(T)
	w.Fill(r, o)
	return o
}

func newTopicConnection(_ string, p *forum.Page) *model.TopicConnection {
	return model.NewTopicConnection(forum.Timeline{Kind: forum.FrontTimeline, Order: forum.ByHot,
		Direction: forum.Descending}, p)
}

// topicEdge returns an edge on a page of one row.
func topicEdge(w *breadthtest.World, r *breadthtest.Rand) any {
	var row forum.Row
	w.Fill(r, &row)
	var node *loader.Topic
	w.Fill(r, &node)
	return newTopicConnection("", &forum.Page{Rows: []forum.Row{row}}).Edge(0, node)
}

func connectionOf[C any](make func(string, *forum.Page) *C) func(*breadthtest.World, *breadthtest.Rand) any {
	return func(w *breadthtest.World, r *breadthtest.Rand) any {
		if r.Intn(8) == 0 {
			return nil
		}
		var p forum.Page
		w.Fill(r, &p)
		return make("list", &p)
	}
}

// executors returns gqlgen's executor and the project's, over the made-up data in the context.
func executors() (stock, own graphql.ExecutableSchema) {
	cfg := generated.Config{Resolvers: &oracle.FakeResolvers{Call: func(ctx context.Context, field string, of any,
		args []any, result any) error {
		return breadthtest.WorldFrom(ctx).Call(ctx, field, of, args, result)
	}}}
	cfg.Directives.Auth = func(ctx context.Context, _ any, next graphql.Resolver, requires forum.Role) (any, error) {
		if breadthtest.WorldFrom(ctx).Seed%3 == 0 && requires != forum.RoleUser {
			return nil, &forum.Error{Code: forum.CodeRoleTooLow, Message: "Only for " + string(requires)}
		}
		return next(ctx)
	}
	return oracle.NewExecutableSchema(cfg), generated.NewBreadthSchema(cfg)
}

// documents is how many random documents are compared; make random compares others.
const documents = 5_000

func TestRandomDocumentsAreAnsweredLikeGqlgen(t *testing.T) {
	testlevel.WithoutRace(t)
	stock, own := executors()
	small := breadthtest.NewGenerator(stock.Schema(), 6, 12)
	large := breadthtest.NewGenerator(stock.Schema(), 8, 60)
	breadthtest.Compare(t, documents, func(seed uint64) (breadthtest.Operation, bool) {
		g := small
		if seed%50 == 0 {
			g = large
		}
		return g.Operation(rand.New(rand.NewPCG(seed, 1)))
	}, func(seed uint64, o breadthtest.Operation) string {
		ctx := fakeDataOf(seed, int(seed%5)*25).With(context.Background())
		want := breadthtest.Run(ctx, stock, o)
		ctx = fakeDataOf(seed, int(seed%5)*25).With(context.Background())
		return breadthtest.Difference(o, want, breadthtest.Run(ctx, own, o))
	})
}

// The operations of testdata, on made-up data of many seeds.
func TestSampleOperationsAreAnsweredLikeGqlgen(t *testing.T) {
	testlevel.WithoutRace(t)
	files, err := filepath.Glob("testdata/*.graphql")
	if err != nil || len(files) == 0 {
		t.Fatalf("found %v, %v; want the operations", files, err)
	}
	stock, own := executors()
	for _, file := range files {
		text := must.Do(os.ReadFile(file))(t)
		o, err := breadthtest.ParseOperation(stock.Schema(), string(text), nil)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		o.Variables = map[string]any{}
		for _, v := range o.Doc.Operations[0].VariableDefinitions {
			o.Variables[v.Variable] = map[string]any{"Int": 2, "String": "a"}[v.Type.Name()]
		}
		for seed := range uint64(100) {
			want := breadthtest.Run(fakeDataOf(seed, int(seed%5)*15).With(context.Background()), stock, o)
			got := breadthtest.Run(fakeDataOf(seed, int(seed%5)*15).With(context.Background()), own, o)
			if d := breadthtest.Difference(o, want, got); d != "" {
				t.Fatalf("%s, seed %d\n%s", file, seed, d)
			}
		}
	}
}

// The merged parts of an answer equal the complete answer.
func TestMergedPartsAreTheWholeAnswer(t *testing.T) {
	testlevel.WithoutRace(t)
	_, own := executors()
	g := breadthtest.NewGenerator(own.Schema(), 7, 25)
	g.Parts = true
	breadthtest.CompareParts(t, own, g, documents, func(seed uint64) context.Context {
		return fakeDataOf(seed, int(seed%4)*2).With(context.Background())
	})
}
