package breadth_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"agora/breadth"
	"agora/breadth/breadthtest"
	"agora/breadth/internal/fixture"
)

// The handles of handleSite: two exist, two do not.
func handles() []*fixture.Handle {
	var there, missing []*fixture.Handle
	for _, id := range []string{"aaaaaa", "bbbbbb", "cccccc", "dddddd", "eeeeee", "ffffff", "gggggg", "hhhhhh", "iiiiii",
		"jjjjjj", "kkkkkk", "llllll"} {
		h := &fixture.Handle{ID: id}
		if h.Load(); h.Missing() {
			missing = append(missing, &fixture.Handle{ID: id})
		} else {
			there = append(there, &fixture.Handle{ID: id})
		}
	}
	return []*fixture.Handle{missing[0], there[0], missing[1], there[1]}
}

// handleSite is a site whose handles are loaded in one trip.
func handleSite(t *testing.T) *site {
	s := family(t)
	s.load.Handle = func(ctx context.Context, objs []*fixture.Handle) []error {
		if err := s.ask(ctx); err != nil {
			panic(err)
		}
		for _, h := range objs {
			h.Load()
		}
		return nil
	}
	s.resolvers["Query.handles"] = func(context.Context, any) (any, error) { return handles(), nil }
	s.resolvers["Query.holes"] = s.resolvers["Query.handles"]
	s.resolvers["Query.handle"] = func(context.Context, any) (any, error) { return handles()[0], nil }
	s.resolvers["Handle.views"] = s.waiting(func(_ context.Context, of any) (any, error) {
		return slices.Repeat([]int{7}, len(of.([]*fixture.Handle))), nil
	})
	return s
}

func TestHandlesAreLoadedWithTheirResolvers(t *testing.T) {
	s := handleSite(t)
	id, other := handles()[1].ID, handles()[3].ID
	s.expect("{ handles { title views id } holes { id } handle { id } }",
		`{"handles":[{"title":"title of `+id+`","views":7,"id":"`+id+`"},{"title":"title of `+other+`","views":7,"id":"`+other+`"}],`+
			`"holes":[null,{"id":"`+id+`"},null,{"id":"`+other+`"}],"handle":null}`)
	s.expectTrips(4)
}

// A resolver that needs more of its objects than their ids loads them itself, while they are loaded.
func TestResolversRunWhileTheirObjectsAreLoaded(t *testing.T) {
	s := handleSite(t)
	s.resolvers["Handle.owner"] = s.waiting(func(_ context.Context, of any) (any, error) {
		return &fixture.Person{ID: "of " + of.(*fixture.Handle).ID}, nil
	})
	id, other := handles()[1].ID, handles()[3].ID
	s.expect("{ handles { owner { id } title } }",
		`{"handles":[{"owner":{"id":"of `+id+`"},"title":"title of `+id+`"},`+
			`{"owner":{"id":"of `+other+`"},"title":"title of `+other+`"}]}`)
	s.expectTrips(5) // the objects, and the owners of all, also of the missing ones
}

func TestParentsOfMissingHandlesAreMissing(t *testing.T) {
	s := handleSite(t)
	s.resolvers["Query.shelves"] = func(context.Context, any) (any, error) {
		return []*fixture.Shelf{{Name: "a", Rows: [][]*fixture.Handle{handles(), {}, handles()[:1]}}}, nil
	}
	id, other := handles()[1].ID, handles()[3].ID
	s.expect("{ shelves { name rows { id } } }", `{"shelves":[{"name":"a","rows":[[{"id":"`+id+`"},{"id":"`+other+`"}],[],[]]}]}`)
}

func TestErrorsOfMissingHandlesAreNotReported(t *testing.T) {
	s := handleSite(t)
	s.resolvers["Handle.views"] = func(context.Context, any) (any, error) { return nil, errors.New("no views") }
	s.expect("{ holes { views } }", `{"holes":[null,null,null,null]}`, "holes[1].views: no views", "holes[3].views: no views")
	s.resolvers["Query.holes"] = func(context.Context, any) (any, error) {
		missing := handles()[0]
		return []*fixture.Handle{missing, missing}, nil
	}
	s.expect("{ holes { views } }", `{"holes":[null,null]}`)
}

// What a resolver finds for an object that turns out to be missing meanwhile is not read.
func TestNothingIsReadUnderMissingHandles(t *testing.T) {
	s := handleSite(t)
	person := 0
	s.resolvers["Handle.owner"] = s.waiting(func(_ context.Context, of any) (any, error) {
		return &fixture.Person{ID: of.(*fixture.Handle).ID}, nil
	})
	s.resolvers["Person.partner"] = func(_ context.Context, of any) (any, error) {
		person++
		return nil, nil
	}
	s.expect("{ handle { owner { partner { id } } } }", `{"handle":null}`)
	if person != 0 {
		t.Errorf("a field under a missing object was resolved")
	}
}

// The path of an error is the position of the object in the answer.
func TestPathsDoNotCountMissingHandles(t *testing.T) {
	s := handleSite(t)
	s.resolvers["Handle.owner"] = func(_ context.Context, of any) (any, error) { return nil, errors.New("no owner") }
	s.expect("{ handles { owner { id } } }", `{"handles":[{"owner":null},{"owner":null}]}`, "handles[0].owner: no owner", "handles[1].owner: no owner")
}

func TestHandlesThatCannotBeLoaded(t *testing.T) {
	s := handleSite(t)
	s.load.Handle = func(_ context.Context, objs []*fixture.Handle) []error {
		errs := make([]error, len(objs))
		errs[0] = errors.New("not loaded")
		return errs
	}
	s.expect("{ holes { views id } }", `{"holes":[null,{"views":7,"id":"`+handles()[1].ID+`"},{"views":7,"id":"`+handles()[2].ID+`"},{"views":7,"id":"`+handles()[3].ID+`"}]}`,
		"holes[0]: not loaded")
	s.load.Handle = func(context.Context, []*fixture.Handle) []error { return make([]error, 1) }
	s.expect("{ handle { id } holes { id } }", `{"handle":{"id":"`+handles()[0].ID+`"},"holes":[null,null,null,null]}`,
		"holes[0]: loading Handle returned 1 errors for 4 objects", "holes[1]: loading Handle returned 1 errors for 4 objects",
		"holes[2]: loading Handle returned 1 errors for 4 objects", "holes[3]: loading Handle returned 1 errors for 4 objects")
	s.load.Handle = func(ctx context.Context, _ []*fixture.Handle) []error {
		_ = breadth.Wait(ctx)
		panic("no loading")
	}
	s.expect("{ handle { views } }", `{"handle":null}`, "handle: panic: no loading")
}

var errAway = errors.New("away")

// omitting is handleSite with elements left out that fail with errAway only.
func omitting(t *testing.T) *site {
	s := handleSite(t)
	s.options.Omit = func(_ context.Context, err error) *gqlerror.Error {
		if !errors.Is(err, errAway) {
			return nil
		}
		return &gqlerror.Error{Message: "away now"}
	}
	return s
}

// missingIn returns the extension of the answer to a document.
func (s *site) missingIn(text string) string {
	s.t.Helper()
	es := s.schema()
	o, err := breadthtest.ParseOperation(es.Schema(), text, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	op := &graphql.OperationContext{Doc: o.Doc, Operation: o.Doc.Operations[0],
		ResolverMiddleware: func(ctx context.Context, next graphql.Resolver) (any, error) { return next(ctx) },
		RecoverFunc:        graphql.DefaultRecover}
	ctx := graphql.WithOperationContext(graphql.WithResponseContext(context.Background(), graphql.DefaultErrorPresenter,
		graphql.DefaultRecover), op)
	text = ""
	for _, m := range es.Exec(ctx)(ctx).Extensions[breadth.MissingExtension].([]breadth.Missing) {
		text += fmt.Sprintf("%v %d %s;", m.Path, m.Count, m.Message)
	}
	return text
}

// Elements that cannot be read are left out of lists without nulls, with their errors, and counted; paths do not count
// them. Where null is allowed they are null, with an error. An error of another kind is not hidden.
func TestElementsThatCannotBeReadAreLeftOut(t *testing.T) {
	s := omitting(t)
	failing := map[int]error{1: errAway}
	s.load.Handle = func(_ context.Context, objs []*fixture.Handle) []error {
		errs := make([]error, len(objs))
		for i, h := range objs {
			h.Load()
			errs[i] = failing[i]
		}
		return errs
	}
	other := handles()[3].ID
	s.expect("{ handles { id title } }", `{"handles":[{"id":"`+other+`","title":"title of `+other+`"}]}`)
	if got, want := s.missingIn("{ handles { id title } }"), "handles 1 away now;"; got != want {
		t.Errorf("missing is %q; want %q", got, want)
	}
	s.expect("{ holes { id title } }", `{"holes":[null,null,null,{"id":"`+other+`","title":"title of `+other+`"}]}`,
		"holes[1]: away")
	failing[3] = errors.New("broken")
	s.expect("{ handles { id title } }", `null`, "handles[0]: broken")
	failing = map[int]error{}
	s.resolvers["Handle.owner"] = func(_ context.Context, of any) (any, error) { return nil, errAway }
	s.expect("{ handles { owner { id } } }", `{"handles":[{"owner":null},{"owner":null}]}`,
		"handles[0].owner: away", "handles[1].owner: away")
}

// An element that lacks something that must not be null is left out as a whole, with what its own lists lack.
func TestElementsThatLackSomethingAreLeftOut(t *testing.T) {
	s := omitting(t)
	s.resolvers["Query.shelves"] = func(context.Context, any) (any, error) {
		return []*fixture.Shelf{{Name: "a", Handles: handles()}, {Name: "b", Handles: handles()}}, nil
	}
	s.resolvers["Handle.friends"] = func(context.Context, any) (any, error) { return nil, errAway }
	s.expect("{ shelves { name handles { friends { id } } } }",
		`{"shelves":[{"name":"a","handles":[]},{"name":"b","handles":[]}]}`)
	if got, want := s.missingIn("{ shelves { name handles { friends { id } } } }"),
		"shelves[0].handles 2 away now;shelves[1].handles 2 away now;"; got != want {
		t.Errorf("missing is %q; want %q", got, want)
	}
}
