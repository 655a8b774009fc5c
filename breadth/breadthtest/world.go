package breadthtest

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// World determines the values that resolvers return. A value depends only on the seed, the field, its arguments and
// the content of the object: in whatever order and groups objects are resolved, all callers see the same world.
type World struct {
	// Seed distinguishes worlds.
	Seed uint64
	// Faults is how many of 1,000 values fail.
	Faults int
	// Safe, which may be nil, reports the fields that never fail.
	Safe func(field string) bool
	// Types are the types, pointers or not, that interfaces may hold.
	Types []reflect.Type
	// Make creates values of types with unexported fields.
	Make map[reflect.Type]func(w *World, r *Rand) any

	shared sync.Map // errors that are returned more than once
}

// Keyed is an object that stays the same if its content changes.
type Keyed interface {
	// Key is its identity.
	Key() uint64
}

type worldKey struct{}

// With adds the world to a context.
func (w *World) With(ctx context.Context) context.Context {
	return context.WithValue(ctx, worldKey{}, w)
}

// WorldFrom returns the world in the context.
func WorldFrom(ctx context.Context) *World { return ctx.Value(worldKey{}).(*World) }

// Call is one resolver: of is the object, a slice of objects, or nil.
func (w *World) Call(_ context.Context, field string, of any, args []any, result any) error {
	key := hashText(mix(w.Seed), field)
	for _, a := range args {
		key = hash(key, reflect.ValueOf(a), 4)
	}
	parents, into := reflect.ValueOf(of), reflect.ValueOf(result).Elem()
	if parents.Kind() == reflect.Slice {
		return w.batch(field, key, parents, into)
	}
	r := Rand(hash(key, parents, 4))
	if w.Safe != nil && w.Safe(field) {
		w.fill(&r, into, 5)
		return nil
	}
	return w.resolve(&r, field, into)
}

// resolve produces one value, an error or a panic.
func (w *World) resolve(r *Rand, field string, into reflect.Value) error {
	if !w.fault(r) {
		w.fill(r, into, 5)
		return nil
	}
	if r.Intn(4) == 0 { // an error may come with a value
		w.fill(r, into, 3)
	}
	switch text := fmt.Sprintf("%s failed %x", field, uint16(r.Next())); r.Intn(8) {
	case 0:
		panic(text)
	case 1:
		panic(errors.New(text))
	case 2, 3, 4:
		return errors.New(text)
	case 5:
		return gqlerror.Errorf("%s", text)
	case 6:
		return fmt.Errorf("outer: %w", gqlerror.Errorf("%s", text))
	default:
		return gqlerror.List{gqlerror.Errorf("%s, first", text), gqlerror.Errorf("%s, second", text)}
	}
}

// batch produces the values for many objects. Whether it fails as a whole depends only on the field and its
// arguments, because executors differ in which objects they resolve together.
func (w *World) batch(field string, key uint64, parents, into reflect.Value) error {
	r := Rand(key)
	safe := w.Safe != nil && w.Safe(field)
	if !safe && w.fault(&r) {
		switch text := field + " failed as a whole"; r.Intn(4) {
		case 0:
			panic(BatchPanic + field)
		case 1:
			return w.share(text)
		default:
			return errors.New(text)
		}
	}
	n := parents.Len()
	into.Set(reflect.MakeSlice(into.Type(), n, n))
	errs := make(graphql.BatchErrorList, n)
	for i := range n {
		if p := parents.Index(i); p.Kind() != reflect.Pointer || !p.IsNil() {
			r := Rand(hash(key, p, 4))
			if safe {
				w.fill(&r, into.Index(i), 5)
				continue
			}
			errs[i] = w.item(&r, field, into.Index(i))
		}
	}
	if slices.ContainsFunc(errs, func(err error) bool { return err != nil }) {
		return errs
	}
	return nil
}

// BatchPanic is the beginning of a panic's text in a batch resolver.
const BatchPanic = "panic in the batch resolver "

func (w *World) item(r *Rand, field string, into reflect.Value) error {
	if !w.fault(r) {
		w.fill(r, into, 5)
		return nil
	}
	switch text := fmt.Sprintf("%s failed %x", field, uint16(r.Next())); r.Intn(5) {
	case 0:
		return w.share(field + " failed for many")
	case 1:
		return fmt.Errorf("outer: %w", gqlerror.Errorf("%s", text))
	case 2:
		return gqlerror.List{gqlerror.Errorf("%s, first", text), nil, gqlerror.Errorf("%s, second", text)}
	default:
		return errors.New(text)
	}
}

// share returns the same *gqlerror.Error for the same text.
func (w *World) share(text string) error {
	e, _ := w.shared.LoadOrStore(text, gqlerror.Errorf("%s", text))
	return e.(error)
}

func (w *World) fault(r *Rand) bool { return r.Intn(1000) < w.Faults }

// Rand returns a generator that depends on the seed and about.
func (w *World) Rand(about ...any) Rand {
	return Rand(hash(mix(w.Seed), reflect.ValueOf(about), 6))
}
