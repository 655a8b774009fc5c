// Command generate generates, in the current directory, the Go code of the scripts in the packages of the store:
// text.generated.go, which is sent to Redis, and call.generated.go, the types of calls and results. Package
// script documents the grammar of the headers.
package main

import (
	"fmt"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("generate: ")
	files, err := generate("..")
	if err != nil {
		log.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(name, text, 0o644); err != nil {
			log.Fatal(err)
		}
	}
}

// generate returns the files for the scripts below the directory of the store, by name.
func generate(store string) (map[string][]byte, error) {
	scripts, shared, err := find(store)
	if err != nil {
		return nil, err
	}
	includes, err := parseAll(shared)
	if err != nil {
		return nil, err
	}
	sources, err := parseAll(scripts)
	if err != nil {
		return nil, err
	}
	resolved, err := resolve(sources, includes)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	if files["text.generated.go"], err = texts(resolved); err != nil {
		return nil, err
	}
	files["call.generated.go"], err = calls(resolved, includes)
	return files, err
}

// find returns the paths of the scripts and of the includes, in the order of their names.
func find(store string) (scripts, includes []string, err error) {
	err = filepath.WalkDir(store, func(path string, _ fs.DirEntry, err error) error {
		switch {
		case err != nil || filepath.Ext(path) != ".lua":
			return err
		case filepath.Base(filepath.Dir(path)) == "include":
			includes = append(includes, path)
		default:
			scripts = append(scripts, path)
		}
		return nil
	})
	byName := func(a, b string) int { return strings.Compare(filepath.Base(a), filepath.Base(b)) }
	slices.SortFunc(scripts, byName)
	slices.SortFunc(includes, byName)
	return scripts, includes, err
}

// parseAll parses sources.
func parseAll(paths []string) ([]*source, error) {
	var all []*source
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		s, err := parse(strings.TrimSuffix(filepath.Base(path), ".lua"), string(text))
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

// resolve lays out scripts with their includes, and checks that headers and code agree.
func resolve(sources, includes []*source) ([]*script, error) {
	byName := map[string]*source{}
	for _, inc := range includes {
		byName[inc.name] = inc
	}
	used := map[string]bool{}
	scripts := make([]*script, len(sources))
	for i, s := range sources {
		sc, err := layout(s, byName)
		if err != nil {
			return nil, err
		}
		for _, inc := range sc.includes {
			used[inc.name] = true
			if err := sc.use(inc); err != nil {
				return nil, fmt.Errorf("%s.lua: %w", s.name, err)
			}
		}
		if err := sc.use(s); err != nil {
			return nil, err
		}
		if err := sc.checkWords(byName); err != nil {
			return nil, err
		}
		scripts[i] = sc
	}
	for _, inc := range includes {
		if !used[inc.name] {
			return nil, fmt.Errorf("no script includes %s", inc.name)
		}
	}
	return scripts, nil
}

var failure = regexp.MustCompile(`error_reply\("([A-Z_]+)`)

// checkWords checks that the header declares the results and the errors of the script.
func (sc *script) checkWords(includes map[string]*source) error {
	if (sc.returns == "") == (len(sc.results) == 0) {
		return fmt.Errorf("%s.lua: the header needs either RETURN lines or Returns", sc.name)
	}
	for _, it := range sc.results {
		declares := func(inc *source) bool { return camel(inc.name) == it.typ }
		if isStateName(it.typ) && !slices.ContainsFunc(sc.includes, declares) {
			return fmt.Errorf("%s.lua: the type of %s is %s, which no include declares", sc.name, it.name, it.typ)
		}
	}
	for _, of := range append([]*source{sc.source}, sc.includes...) {
		for _, f := range failure.FindAllStringSubmatch(join(of.code), -1) {
			if !slices.Contains(regexp.MustCompile(`[A-Z_]+`).FindAllString(sc.errors, -1), f[1]) {
				return fmt.Errorf("%s.lua: the header does not list the error %s", sc.name, f[1])
			}
		}
	}
	return nil
}
