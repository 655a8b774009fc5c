package live

import (
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"agora/internal/auth"
	"agora/internal/forum"
)

// Guests share a subscription. Whoever may not use an account shares it with nobody, because its answers may say why.
func TestWhoSharesSubscriptions(t *testing.T) {
	op := Operation{Document: "d", Context: &graphql.OperationContext{Operation: &ast.OperationDefinition{}}}
	key := func(c auth.Caller) string {
		k, _ := keyOf(op, c)
		return k
	}
	if key(auth.Caller{Address: "a"}) != key(auth.Caller{Address: "b"}) {
		t.Error("two guests share nothing")
	}
	seen := map[string]bool{key(auth.Caller{}): true}
	for _, why := range []*forum.Error{forum.Deactivated(nil), forum.Deactivated([]string{})} { // both are in use at once
		if k := key(auth.Caller{Barred: why}); seen[k] {
			t.Errorf("the key %q of a caller who is barred is another's, too", k)
		} else {
			seen[k] = true
		}
	}
}
