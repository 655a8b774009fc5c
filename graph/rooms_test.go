package graph_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"agora/internal/forum"
	"agora/internal/globalid"
	siterules "agora/internal/store/rules"
	"agora/internal/test/gqltext"
	"agora/internal/test/must"
)

// closeTea has nobody see the category Tea but administrators and its moderators.
func (b *fullSite) closeTea() {
	b.t.Helper()
	sees := forum.InGroups
	must.OK(b.t, b.store.Rules.UpdateAccess(context.Background(), &forum.Viewer{ID: userOf(b.mod), Role: forum.RoleAdmin},
		siterules.AccessChange{Category: must.Do(forum.ParseID[forum.CategoryID](numberOf(b.t, b.tea)))(b.t), Sees: &sees}))
	b.settle()
}

// To who does not see a category, every mutation says of it, and of what is in it, what it says of what does not exist.
func TestMutationsDoNotRevealRooms(t *testing.T) {
	b := newFullSite(t)
	b.closeTea()
	schema, tried, before := gqltext.Schema(t), 0, b.keysOfRoom()
	objects := map[string]string{"Topic": b.topic, "Comment": b.comment, "Category": b.tea,
		"Timeline": gid("Timeline", "category:"+numberOf(t, b.tea)+":active:desc")}
	missing := map[string]string{"Topic": noneBeside(t, b.topic), "Comment": noneBeside(t, b.comment),
		"Category": gid("Category", "77777"), "Timeline": gid("Timeline", "category:77777:active:desc")}
	for _, f := range schema.Mutation.Fields {
		if len(f.Arguments) == 0 {
			continue
		}
		d := schema.Types[f.Arguments[0].Type.Name()]
		for _, field := range d.Fields {
			for typ, id := range objects {
				value := refersTo(field, typ)
				if value == nil {
					continue
				}
				for name, token := range map[string]string{"the author": b.ann, "a member": b.bob, "a moderator": b.mod} {
					tried++
					said := func(id string) string {
						a := b.mutate(token, f.Name, with(leastInput(schema, d), field.Name, value(id)), "")
						return strings.ReplaceAll(fmt.Sprint(a.Data, a.code()), id, "<id>")
					}
					if got, want := said(id), said(missing[typ]); got != want {
						t.Errorf("%s.%s of a %s in a room, by %s: %s; what is missing: %s", f.Name, field.Name, typ, name, got, want)
					}
				}
			}
		}
	}
	b.settle()
	wantEqual(t, "keys of the topic and the comment", b.keysOfRoom(), before)
	if tried < 100 {
		t.Errorf("%d calls; want more", tried)
	}
}

// keysOfRoom returns the keys that there are because of the topic and its comment.
func (b *fullSite) keysOfRoom() []string {
	b.t.Helper()
	var found []string
	for kind, id := range map[string]string{"t": b.topic, "c": b.comment} {
		pattern := "*:" + kind + ":" + numberOf(b.t, id) + "*"
		found = append(found, must.Do(b.store.Engine.Client.Redis.Keys(context.Background(), pattern).Result())(b.t)...)
	}
	slices.Sort(found)
	return found
}

// noneBeside returns an id of a topic or comment that does not exist, of the same partition as another.
func noneBeside(t testing.TB, id string) string {
	typ, _, _ := globalid.Split(id)
	number := must.Do(forum.ParseID[forum.TopicID](numberOf(t, id)))(t)
	return gid(typ, fmt.Sprint(int64(number+99_999*forum.Partitions)))
}

// refersTo returns what makes a value of a field of an input from the id of an object of a type, nil if it names none.
func refersTo(field *ast.FieldDefinition, typ string) func(id string) any {
	one := func(id string) any { return id }
	switch field.Type.Name() {
	case "ID":
	case "CategoryRef":
		if typ != "Category" {
			return nil
		}
		one = func(id string) any { return input{"id": id} }
	default:
		return nil
	}
	if field.Type.Elem != nil {
		return func(id string) any { return []any{one(id)} }
	}
	return one
}
