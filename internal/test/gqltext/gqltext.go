// Package gqltext generates texts of GraphQL documents for tests: of a given size, depth or number of fragments, and
// those that tools send.
package gqltext

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"agora/internal/test/must"
)

// Schema returns the schema of schema.graphqls, in the root of the module. It is parsed once, and not to be changed.
func Schema(t testing.TB) *ast.Schema {
	t.Helper()
	return must.Do(schema())(t)
}

var schema = sync.OnceValues(func() (*ast.Schema, error) {
	dir, err := root()
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(dir, "schema.graphqls"))
	if err != nil {
		return nil, err
	}
	return gqlparser.LoadSchema(&ast.Source{Name: "schema.graphqls", Input: string(text)})
})

// root returns the directory of the module, above that of the test.
func root() (string, error) {
	dir, err := os.Getwd()
	for err == nil {
		if _, missing := os.Stat(filepath.Join(dir, "go.mod")); missing == nil {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", errors.New("no go.mod above the test")
		}
		dir = filepath.Dir(dir)
	}
	return "", err
}

// Series writes n parts, each followed by a space.
func Series(n int, part func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(part(i))
		b.WriteByte(' ')
	}
	return b.String()
}

// Each writes n parts of a format that takes the number.
func Each(n int, format string) string {
	return Series(n, func(i int) string { return fmt.Sprintf(format, i) })
}

// FullIntrospection returns what getIntrospectionQuery of graphql-js 16 returns with all options, and of graphql-js
// 17, whose types go nine levels deep.
func FullIntrospection() string {
	ref := strings.Repeat("kind name ofType { ", 9) + "kind name " + strings.Repeat("} ", 9)
	return `query IntrospectionQuery {
  __schema {
    description
    queryType { name kind } mutationType { name kind } subscriptionType { name kind }
    types { ...FullType }
    directives { name description isRepeatable locations args(includeDeprecated: true) { ...InputValue } }
  }
}
fragment FullType on __Type {
  kind name description specifiedByURL isOneOf
  fields(includeDeprecated: true) {
    name description
    args(includeDeprecated: true) { ...InputValue }
    type { ...TypeRef }
    isDeprecated deprecationReason
  }
  inputFields(includeDeprecated: true) { ...InputValue }
  interfaces { ...TypeRef }
  enumValues(includeDeprecated: true) { name description isDeprecated deprecationReason }
  possibleTypes { ...TypeRef }
}
fragment InputValue on __InputValue { name description type { ...TypeRef } defaultValue isDeprecated deprecationReason }
fragment TypeRef on __Type { ` + ref + "}"
}

// Nested returns a valid document whose fields are nested n deep.
func Nested(n int) string {
	return "{ __schema { queryType " + strings.Repeat("{ ofType ", n-3) + "{ name } " + strings.Repeat("} ", n-3) + "} }"
}

// Chain returns fragments f0 to fN, each of which spreads the next one copies times; the last has the field
// __typename.
func Chain(n, copies int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "fragment f%d on Query { %s} ", i, strings.Repeat(fmt.Sprintf("...f%d ", i+1), copies))
	}
	fmt.Fprintf(&b, "fragment f%d on Query { __typename }", n)
	return b.String()
}

// ThroughFragments nests n fields, each in a fragment of its own.
func ThroughFragments(n int) string {
	b := strings.Builder{}
	b.WriteString("{ __schema { queryType { ...f3 } } } ")
	for i := 3; i < n; i++ {
		fmt.Fprintf(&b, "fragment f%d on __Type { ofType { ...f%d } } ", i, i+1)
	}
	fmt.Fprintf(&b, "fragment f%d on __Type { name }", n)
	return b.String()
}

// ThroughInline nests n fields, each in an inline fragment.
func ThroughInline(n int) string {
	return "{ ... { __schema { ... on __Schema { queryType " + strings.Repeat(
		"{ ... on __Type { ofType ",
		n-3,
	) + "{ ... { ... { name } } } " + strings.Repeat(
		"} } ",
		n-3,
	) + "} } } }"
}
