package httpserver

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/vektah/gqlparser/v2/ast"

	"agora/internal/httpserver/limit"
)

// Documents are the documents that front ends were built with, read from a directory.
type Documents struct {
	// texts are by id as in the files: the hash that graphql-codegen or Relay computed, or "sha256:" and the SHA-256
	// of a file's text.
	texts map[string]string
	// hashes are the SHA-256 of all texts.
	hashes map[string]bool
}

// Len returns the number of ids.
func (d Documents) Len() int { return len(d.texts) }

// LoadDocuments reads the documents of a directory: *.graphql and *.gql files hold one each; *.json files map ids to
// texts, as graphql-codegen (persisted-documents.json) and Relay (persisted queries) write them. All must be valid in
// the schema.
func LoadDocuments(dir string, schema *ast.Schema) (Documents, error) {
	d := Documents{texts: map[string]string{}, hashes: map[string]bool{}}
	files, err := os.ReadDir(dir)
	if err != nil {
		return d, fmt.Errorf("documents: %w", err)
	}
	for _, f := range files {
		path := filepath.Join(dir, f.Name())
		kind := filepath.Ext(path)
		if f.IsDir() || kind != ".graphql" && kind != ".gql" && kind != ".json" {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return d, fmt.Errorf("documents: %w", err)
		}
		if !utf8.Valid(text) {
			return d, fmt.Errorf("documents: %s is not UTF-8", path)
		}
		if kind != ".json" {
			d.texts[hashPrefix+hashOf(string(text))] = string(text)
			continue
		}
		var found map[string]string
		if err := json.Unmarshal(text, &found); err != nil {
			return d, fmt.Errorf("documents: %s is not a JSON object of ids and documents: %w", path, err)
		}
		for id, text := range found {
			if other, known := d.texts[id]; known && other != text {
				return d, fmt.Errorf("documents: %s assigns the id %q, which an earlier file uses for another document", path, id)
			}
			d.texts[id] = text
		}
	}
	return d, d.check(schema)
}

// check validates all documents, so that a bad one is reported at startup.
func (d Documents) check(schema *ast.Schema) error {
	found := newDocuments(schema, limit.Defaults(), trusted{})
	for _, id := range slices.Sorted(maps.Keys(d.texts)) {
		hash := hashOf(d.texts[id])
		if _, why := found.check(d.texts[id], hash, true); why != nil {
			return fmt.Errorf("documents: %s: %s", id, why.errors[0].Message)
		}
		d.hashes[hash] = true
	}
	return nil
}

// hashPrefix is the prefix of ids that are a SHA-256, as in the GraphQL over HTTP draft.
const hashPrefix = "sha256:"

// trusted looks up the documents of a front end.
type trusted struct {
	Documents
	// only reports whether all other documents are refused.
	only bool
}

// text returns a document by id, with or without the prefix.
func (t trusted) text(id string) (string, bool) {
	text, ok := t.texts[id]
	if !ok {
		if bare, prefixed := strings.CutPrefix(id, hashPrefix); prefixed {
			text, ok = t.texts[bare]
		} else {
			text, ok = t.texts[hashPrefix+id]
		}
	}
	return text, ok
}

// has reports whether one of the texts has that hash.
func (t trusted) has(hash string) bool { return t.hashes[hash] }

// allows reports whether a text with that hash may be run.
func (t trusted) allows(hash string) bool { return !t.only || t.hashes[hash] }
