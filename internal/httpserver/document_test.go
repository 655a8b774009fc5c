package httpserver

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"agora/graph"
	"agora/internal/httpserver/limit"
	"agora/internal/test/must"
)

func agoraSchema() *ast.Schema { return (&graph.Resolver{}).Schema(nil).Schema() }

// persistedBody requests a document by its hash alone, or with its text.
func persistedBody(hash, query string) string {
	return fmt.Sprintf(`{"query": %q, "extensions": {"persistedQuery": {"version": 1, "sha256Hash": %q}}}`, query, hash)
}

func TestAutomaticPersistedQueries(t *testing.T) {
	w := newWire(t)
	const query = "{ site { name } }"
	hash := hashOf(query)
	w.postBody("before it is known", persistedBody(hash, "")).wantRefused(200, "PERSISTED_QUERY_NOT_FOUND")
	w.postBody("before it is known", persistedBody(hash, ""), acceptGraphQL).wantRefused(400, "PERSISTED_QUERY_NOT_FOUND")
	w.postBody("with another hash", persistedBody(hashOf("{ __typename }"), query)).wantRefused(400, "BAD_USER_INPUT")
	w.postBody("with its text", persistedBody(hash, query)).wantAnswer()
	w.postBody("by its hash", persistedBody(hash, "")).wantAnswer()
	w.postBody("in capitals", persistedBody(strings.ToUpper(hash), "")).wantAnswer()
	w.get("by GET", "extensions", `{"persistedQuery":{"version":1,"sha256Hash":"`+hash+`"}}`).wantAnswer()
	bad := "{ nothing }"
	w.postBody("invalid", persistedBody(hashOf(bad), bad)).wantRefused(200, "GRAPHQL_VALIDATION_FAILED")
	w.postBody("invalid, by its hash", persistedBody(hashOf(bad), "")).wantRefused(200, "PERSISTED_QUERY_NOT_FOUND")
	w.postBody("another version", `{"extensions": {"persistedQuery": {"version": 2, "sha256Hash": "x"}}}`).
		wantRefused(400, "BAD_USER_INPUT")
}

// documentFiles writes a directory of documents.
func documentFiles(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		must.OK(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	return dir
}

func TestTrustedDocuments(t *testing.T) {
	const fromFile = "query File { site { name } }\n"
	const fromCodegen, fromRelay = "query Gen { __typename }", "query Relay { site { timeZone } }"
	dir := documentFiles(t, map[string]string{
		"file.graphql":             fromFile,
		"persisted-documents.json": fmt.Sprintf(`{%q: %q}`, hashOf(fromCodegen), fromCodegen),
		"relay.json":               fmt.Sprintf(`{"0123456789abcdef0123456789abcdef": %q}`, fromRelay),
		"README.md":                "not a document",
	})
	documents, err := LoadDocuments(dir, agoraSchema())
	if err != nil || documents.Len() != 3 {
		t.Fatalf("LoadDocuments = %d documents, %v; want 3", documents.Len(), err)
	}
	ids := []string{
		"sha256:" + hashOf(fromFile),
		hashOf(fromFile),
		hashOf(fromCodegen),
		"sha256:" + hashOf(fromCodegen),
		"0123456789abcdef0123456789abcdef",
	}
	for _, only := range []bool{false, true} {
		w := newWireWith(t, func(o *Options) { o.Documents, o.DocumentsOnly = documents, only })
		for _, id := range ids {
			w.postBody(id, fmt.Sprintf(`{"documentId": %q}`, id)).wantAnswer()
			w.get(id, "documentId", id).wantAnswer()
		}
		w.postBody("by persisted query", persistedBody(hashOf(fromFile), "")).wantAnswer()
		w.postBody("by its text", bodyOf(fromFile)).wantAnswer()
		w.postBody("unknown id", `{"documentId": "sha256:00"}`).wantRefused(200, "PERSISTED_QUERY_NOT_FOUND")
		w.postBody("id and query", `{"documentId": "sha256:00", "query": "{ __typename }"}`).
			wantRefused(400, "BAD_USER_INPUT")
		other := w.postBody("another text", bodyOf("{ __typename }"))
		byHash := w.postBody("another text, by hash", persistedBody(hashOf("{ __typename }"), "{ __typename }"))
		if only {
			other.wantRefused(200, "PERSISTED_QUERY_REQUIRED")
			byHash.wantRefused(200, "PERSISTED_QUERY_REQUIRED")
		} else {
			other.wantAnswer()
			byHash.wantAnswer()
		}
	}
}

// Trusted documents may be larger than others; their cost may not.
func TestTrustedDocumentsPassTheLimitsOnDocuments(t *testing.T) {
	var large strings.Builder
	large.WriteString("query Large {")
	for i := range 300 {
		fmt.Fprintf(&large, " a%d: __typename", i)
	}
	large.WriteString(" }")
	costly := "query Costly { front { topics(first: 100) { nodes { comments(first: 100) { nodes { replies(first: 100) { " +
		"nodes { id } } } } } } } }"
	documents := must.Do(LoadDocuments(
		documentFiles(t, map[string]string{"a.graphql": large.String(), "b.gql": costly}),
		agoraSchema(),
	))(t)
	w := newWireWith(t, func(o *Options) { o.Documents = documents })
	w.postBody("many fields", fmt.Sprintf(`{"documentId": %q}`, hashOf(large.String()))).wantAnswer()
	w.postBody("many rows", fmt.Sprintf(`{"documentId": %q}`, hashOf(costly))).wantRefused(200, "COST_LIMIT_EXCEEDED")
	large.WriteString("#")
	w.postBody("many fields of a stranger", bodyOf(large.String())).wantRefused(200, "TOO_MANY_ROOT_FIELDS")
}

func TestBadDocumentsAreFoundAtTheStart(t *testing.T) {
	tests := map[string]struct {
		files map[string]string
		want  string
	}{
		"no JSON":    {map[string]string{"a.json": "{"}, "a.json"},
		"a list":     {map[string]string{"a.json": "[]"}, "a.json"},
		"no GraphQL": {map[string]string{"a.graphql": "{ site "}, hashOf("{ site ")},
		"not valid":  {map[string]string{"a.json": `{"x1": "{ nothing }"}`}, "x1"},
		"id twice": {
			map[string]string{"a.json": `{"x1": "{ __typename }"}`, "b.json": `{"x1": "{ site { name } }"}`},
			"x1",
		},
		"not Unicode": {map[string]string{"a.graphql": "{ __typename } # \xff"}, "a.graphql"},
	}
	for name, tt := range tests {
		_, err := LoadDocuments(documentFiles(t, tt.files), agoraSchema())
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: LoadDocuments = %v; want an error about %s", name, err, tt.want)
		}
	}
	if _, err := LoadDocuments("/there/is/no/such/directory", agoraSchema()); err == nil {
		t.Error("LoadDocuments of no directory = nil; want an error")
	}
}

// The cached documents stay within their limit, however many come, and the most recently used one stays.
func TestCachedDocumentsAreBounded(t *testing.T) {
	d := newDocuments(agoraSchema(), limit.Defaults(), trusted{})
	used := &document{text: "{ __typename }", hash: "used"}
	d.add(used)
	for i := range 2_000 {
		d.add(&document{text: strings.Repeat(" ", 1_000), hash: fmt.Sprint(i)})
		if d.get("used") == nil {
			t.Fatalf("the constantly used document was dropped after %d others", i)
		}
	}
	sum := 0
	for _, doc := range d.kept.Values() {
		sum += doc.size()
	}
	if d.bytes != sum || sum > maxDocuments || sum < maxDocuments/2 {
		t.Errorf("%d bytes cached, %d counted; want the same, at most %d and not much less", sum, d.bytes, maxDocuments)
	}
	d.add(&document{text: strings.Repeat(" ", maxDocument+1), hash: "long"})
	if d.get("long") != nil {
		t.Error("a long document is cached; want it dropped")
	}
}
