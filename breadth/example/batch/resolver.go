// Package batch has the shape of gqlgen's own example of batch resolvers: objects with a field that leads to one
// object each, and on to another, resolved for all of them at once or for each by itself.
package batch

import (
	"context"
	"fmt"
	"sync"

	"github.com/99designs/gqlgen/graphql"
)

//go:generate go run agora/breadth/generate

// Person is known by its number.
type Person struct{ Number int }

// Badge belongs to the person with its number.
type Badge struct {
	ID     string
	Number int
}

// Resolver resolves the schema from memory.
type Resolver struct {
	// Size is the number of persons, who are numbered from 0.
	Size int
	// Fault, which may be nil, returns the error of looking up the badge of a number.
	Fault func(number int) error

	mu    sync.Mutex
	calls map[string]int
}

// Calls returns how many times a resolver has been called.
func (r *Resolver) Calls(field string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.calls[field]
}

// called counts a call. gqlgen calls resolvers at the same time, breadth does not.
func (r *Resolver) called(field string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.calls == nil {
		r.calls = map[string]int{}
	}
	r.calls[field]++
}

// badge looks up one badge. There is none after the last person's.
func (r *Resolver) badge(number int) (*Badge, error) {
	if r.Fault != nil {
		if err := r.Fault(number); err != nil {
			return nil, err
		}
	}
	if number >= r.Size {
		return nil, nil
	}
	return &Badge{ID: fmt.Sprint("badge ", number), Number: number}, nil
}

// badges looks up the badges of persons, each with an error of its own.
func (r *Resolver) badges(of []*Person, steps int) ([]*Badge, error) {
	found, errs, failed := make([]*Badge, len(of)), make(graphql.BatchErrorList, len(of)), false
	for i, p := range of {
		found[i], errs[i] = r.badge(p.Number + steps)
		failed = failed || errs[i] != nil
	}
	if !failed {
		return found, nil
	}
	return found, errs
}

func picture(b *Badge) *Picture { return &Picture{URL: fmt.Sprintf("/picture/%d.png", b.Number)} }

// Query implements ResolverRoot.
func (r *Resolver) Query() QueryResolver { return query{r} }

// Person implements ResolverRoot.
func (r *Resolver) Person() PersonResolver { return person{r} }

// Badge implements ResolverRoot.
func (r *Resolver) Badge() BadgeResolver { return badge{r} }

type (
	query  struct{ *Resolver }
	person struct{ *Resolver }
	badge  struct{ *Resolver }
)

func (r query) People(context.Context) ([]*Person, error) {
	all := make([]*Person, r.Size)
	for i := range all {
		all[i] = &Person{Number: i}
	}
	return all, nil
}

func (r person) Badge(_ context.Context, of []*Person) ([]*Badge, error) {
	r.called("badge")
	return r.badges(of, 0)
}

func (r person) BadgeEach(_ context.Context, of *Person) (*Badge, error) {
	r.called("badgeEach")
	return r.badge(of.Number)
}

func (r person) BadgeAfter(_ context.Context, of []*Person, steps int) ([]*Badge, error) {
	r.called("badgeAfter")
	return r.badges(of, steps)
}

func (r person) BadgeAfterEach(_ context.Context, of *Person, steps int) (*Badge, error) {
	r.called("badgeAfterEach")
	return r.badge(of.Number + steps)
}

func (r person) RequiredBadge(_ context.Context, of []*Person) ([]*Badge, error) {
	r.called("requiredBadge")
	return r.badges(of, 0)
}

func (r person) RequiredBadgeEach(_ context.Context, of *Person) (*Badge, error) {
	r.called("requiredBadgeEach")
	return r.badge(of.Number)
}

func (r badge) Picture(_ context.Context, of []*Badge) ([]*Picture, error) {
	r.called("picture")
	found := make([]*Picture, len(of))
	for i, b := range of {
		found[i] = picture(b)
	}
	return found, nil
}

func (r badge) PictureEach(_ context.Context, of *Badge) (*Picture, error) {
	r.called("pictureEach")
	return picture(of), nil
}
