// Package lua compiles the store's scripts: from their headers it lays out keys and arguments, replaces names in the code
// by their positions, and generates the Go types of calls and results. Package script documents the grammar of headers.
package lua

import (
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// Files are sources by name.
type Files map[string]string

// Add adds the files *.lua of a directory.
func (f Files) Add(dir fs.FS) error {
	names, err := fs.Glob(dir, "*.lua")
	for _, name := range names {
		text, err := fs.ReadFile(dir, name)
		if err != nil {
			return err
		}
		f[strings.TrimSuffix(name, ".lua")] = string(text)
	}
	return err
}

// Compiled are scripts with their includes.
type Compiled struct {
	scripts  []*script
	includes []*source
}

// Compile parses scripts and lays out their keys and arguments. Its errors name file and line.
func Compile(scripts, includes Files) (*Compiled, error) {
	c := &Compiled{}
	var err error
	if c.includes, err = parseAll(includes); err != nil {
		return nil, err
	}
	sources, err := parseAll(scripts)
	if err != nil {
		return nil, err
	}
	c.scripts, err = resolve(sources, c.includes)
	return c, err
}

// Texts returns the code that is sent to Redis, by the names of the scripts.
func (c *Compiled) Texts() (map[string]string, error) {
	texts := map[string]string{}
	for _, sc := range c.scripts {
		var err error
		if texts[sc.name], err = sc.text(); err != nil {
			return nil, err
		}
	}
	return texts, nil
}

// parseAll parses sources, in the order of their names.
func parseAll(files Files) ([]*source, error) {
	var all []*source
	for _, name := range slices.Sorted(maps.Keys(files)) {
		s, err := parse(name, files[name])
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

// resolve lays out scripts with their includes.
func resolve(sources, includes []*source) ([]*script, error) {
	byName := map[string]*source{}
	for _, inc := range includes {
		byName[inc.name] = inc
	}
	scripts := make([]*script, len(sources))
	for i, s := range sources {
		var err error
		if scripts[i], err = layout(s, byName); err != nil {
			return nil, err
		}
	}
	return scripts, nil
}

// check checks that headers and code agree.
func (c *Compiled) check() error {
	for _, sc := range c.scripts {
		for _, of := range append(slices.Clone(sc.includes), sc.source) {
			if err := sc.use(of); err != nil {
				return fmt.Errorf("%s.lua: %w", sc.name, err)
			}
		}
		if err := sc.checkWords(); err != nil {
			return err
		}
	}
	if _, err := c.Texts(); err != nil {
		return err
	}
	for _, inc := range c.includes {
		if !slices.ContainsFunc(c.scripts, func(sc *script) bool { return slices.Contains(sc.includes, inc) }) {
			return fmt.Errorf("no script includes %s", inc.name)
		}
	}
	return nil
}

var failure = regexp.MustCompile(`error_reply\("([A-Z_]+)`)

// checkWords checks that the header declares the results and the errors of the script.
func (sc *script) checkWords() error {
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
