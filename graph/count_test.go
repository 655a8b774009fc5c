package graph_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/redis/go-redis/v9"
	"github.com/vektah/gqlparser/v2/ast"

	"agora/internal/test/gqltext"
)

var hashTag = regexp.MustCompile(`\{[^{}]+\}`)

// tagsOf returns the hash tags of the keys that a query reads: keys with one tag are in one slot.
func (r *rich) tagsOf(m *meanwhile, query string) (tags []string) {
	r.t.Helper()
	r.clock.Advance(11 * second) // what the server keeps is read again
	var mu sync.Mutex
	m.set(func(_ int, cmds []redis.Cmder) error {
		mu.Lock()
		defer mu.Unlock()
		for _, cmd := range cmds {
			for _, arg := range cmd.Args()[1:] {
				if arg == "{mod}:rules" { // which any request reads that comes a second after the last that did
					continue
				}
				tags = append(tags, hashTag.FindAllString(fmt.Sprint(arg), -1)...)
			}
		}
		return nil
	})
	defer m.leave()
	r.must(r.mod, query, nil)
	slices.Sort(tags)
	return slices.Compact(tags)
}

// places are how a query selects an object of each type that has counts: %s is what is selected of it.
func (r *rich) places() map[string]string {
	places := map[string]string{
		"Site":   `{ site { name %s } }`,
		"Viewer": `{ viewer { id %s } }`,
	}
	for typ, id := range map[string]string{"Topic": r.topic, "Comment": r.comment, "User": r.userID(r.ann),
		"Category": r.category, "Tab": r.tab, "Tag": r.tag, "UserList": r.friends} {
		places[typ] = `{ node(id: "` + id + `") { ... on ` + typ + ` { id %s } } }`
	}
	return places
}

// A count can be null if a key that it needs may be away while its object can be read: if it is in another slot. All
// others fail with their object or connection only.
func TestCountsOfOtherSlotsCanBeNull(t *testing.T) {
	r := newRich(t)
	m := r.watch()
	var apart []string
	checked := 0
	check := func(name, place, beside, selected string, count *ast.FieldDefinition) {
		checked++
		own := append(r.tagsOf(m, fmt.Sprintf(place, beside)), fmt.Sprintf("{p%02x}", userOf(r.mod).Partition()))
		for _, tag := range r.tagsOf(m, fmt.Sprintf(place, selected)) {
			if slices.Contains(own, tag) {
				continue
			}
			if apart = append(apart, name); count.Type.NonNull {
				t.Errorf("%s is %s, and reads %s beside %v; want it to be nullable", name, count.Type, tag, own)
			}
			break
		}
	}
	for typ, place := range r.places() {
		for _, f := range gqltext.Schema(t).Types[typ].Fields {
			page := gqltext.Schema(t).Types[f.Type.Name()]
			required := slices.ContainsFunc(f.Arguments, func(a *ast.ArgumentDefinition) bool { return a.Type.NonNull })
			switch {
			case required:
			case f.Type.Name() == "Int":
				check(typ+"."+f.Name, place, "", f.Name, f)
			case strings.HasSuffix(f.Type.Name(), "Connection"):
				check(typ+"."+f.Name+".totalCount", place, f.Name+"(first: 1) { pageInfo { startCursor } }",
					f.Name+"(first: 1) { totalCount }", page.Fields.ForName("totalCount"))
			}
		}
	}
	slices.Sort(apart)
	wantEqual(t, "counts of other slots", apart, []string{"Category.followerCount", "Category.topicCount",
		"Site.commentCount", "Site.topicCount", "Site.userCount", "Tab.topicCount"})
	if checked < 30 {
		t.Errorf("%d counts were checked; want all", checked)
	}
}
