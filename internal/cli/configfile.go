package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"agora/internal/issuer"
)

// A configuration file is YAML: the flags of serve by their names, without dashes, and what does not fit a flag. A flag
// on the command line wins, then a variable of the environment. Instead of a value there may be {env: NAME} or
// {file: PATH}, relative to the file, so that secrets stay out of it.

// configFile is a file that is being read.
type configFile struct {
	name   string
	getenv func(string) string
	// errs are what is wrong in it, each with its line.
	errs []error
	// lines are the lines of the flags.
	lines map[string]int
}

// wrong adds an error at a line.
func (f *configFile) wrong(line int, format string, args ...any) {
	f.errs = append(f.errs, fmt.Errorf("%s:%d: %w", f.name, line, fmt.Errorf(format, args...)))
}

func lineIn(n ast.Node) int { return n.GetToken().Position.Line }

// load reads the configuration file that a flag or the environment names, if any, before the flags are read.
func (s *serveFlags) load(cmd *cobra.Command, getenv func(string) string) (*configFile, error) {
	f := &configFile{name: s.configPath, getenv: getenv, lines: map[string]int{}}
	if s.configPath == "" {
		return f, nil
	}
	text, err := os.ReadFile(s.configPath)
	if err != nil {
		return nil, fmt.Errorf("--config: %w", err)
	}
	parsed, err := parser.ParseBytes(text, 0)
	if err != nil {
		return nil, fmt.Errorf("%s:%w", s.configPath, shortError(err))
	}
	for _, doc := range parsed.Docs {
		if doc.Body == nil {
			continue
		}
		f.each(doc.Body, func(name string, key, value ast.Node) {
			if name == "issuers" {
				s.issuers = f.issuers(value)
			} else {
				f.flag(cmd.Flags(), name, key, value)
			}
		})
	}
	return f, errors.Join(f.errs...)
}

// shortError returns an error of the parser as "line: message".
func shortError(err error) error {
	first, _, _ := strings.Cut(err.Error(), "\n")
	place, what, found := strings.Cut(strings.TrimPrefix(first, "["), "] ")
	line, _, _ := strings.Cut(place, ":")
	if !found {
		return errors.New(first)
	}
	return fmt.Errorf("%s: %s", line, what)
}

// each calls do for the settings of a mapping.
func (f *configFile) each(n ast.Node, do func(name string, key, value ast.Node)) {
	m, ok := n.(*ast.MappingNode)
	if one, is := n.(*ast.MappingValueNode); is {
		m, ok = &ast.MappingNode{Values: []*ast.MappingValueNode{one}}, true
	}
	if !ok {
		f.wrong(lineIn(n), "want settings, each as name: value")
		return
	}
	for _, v := range m.Values {
		do(v.Key.GetToken().Value, v.Key, v.Value)
	}
}

// flag sets a flag, unless the command line or the environment does.
func (f *configFile) flag(flags *pflag.FlagSet, name string, key, value ast.Node) {
	line := lineIn(key)
	flag := flags.Lookup(name)
	if flag == nil || slices.Contains(notInFile, name) {
		f.wrong(line, "there is no setting %q", name)
		return
	}
	if before, twice := f.lines[name]; twice {
		f.wrong(line, "%s is set in line %d, too; a list has several values", name, before)
		return
	}
	f.lines[name] = line
	values := []ast.Node{value}
	if list, ok := value.(*ast.SequenceNode); ok {
		if values = list.Values; !holdsSeveral(flag) {
			f.wrong(line, "%s has one value, not a list", name)
			return
		}
	}
	if flag.Changed || slices.ContainsFunc(variablesOf(flag), func(v string) bool { return f.getenv(v) != "" }) {
		return
	}
	for _, v := range values {
		if err := flags.Set(name, f.text(v)); err != nil {
			f.wrong(line, "%w", err)
		}
	}
}

// holdsSeveral reports whether a flag may be repeated.
func holdsSeveral(f *pflag.Flag) bool {
	_, several := f.Value.(pflag.SliceValue)
	return several
}

// single is the value of a flag that may not be repeated.
type single struct {
	pflag.Value
	set bool
}

// Set implements pflag.Value.
func (s *single) Set(value string) error {
	if s.set {
		return errors.New("the flag is given twice, and has one value")
	}
	s.set = true
	return s.Value.Set(value)
}

// refuseRepeated makes flags that have one value refuse a second.
func refuseRepeated(flags *pflag.FlagSet) {
	flags.VisitAll(func(f *pflag.Flag) {
		if !holdsSeveral(f) {
			f.Value = &single{Value: f.Value}
		}
	})
}

// notInFile are the flags that a file cannot set.
var notInFile = []string{"config", "print-config", "help", "demo"}

var variableName = regexp.MustCompile(`[A-Z][A-Z_]+`)

// variablesOf returns the variables of the environment that set a flag, as its description names them.
func variablesOf(f *pflag.Flag) []string {
	_, from, _ := strings.Cut(f.Usage, "(env ")
	return variableName.FindAllString(from, -1)
}

// text returns a value: as it is written, or from the environment or a file.
func (f *configFile) text(n ast.Node) string {
	switch n := n.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
		return f.indirect(n)
	case *ast.SequenceNode:
		f.wrong(lineIn(n), "want one value, not a list")
	case *ast.NullNode:
		f.wrong(lineIn(n), "the value is missing")
	case *ast.LiteralNode:
		return n.Value.Value
	}
	return n.GetToken().Value
}

// indirect returns the value of a variable or the content of a file, without the line feed at its end.
func (f *configFile) indirect(n ast.Node) (text string) {
	f.each(n, func(name string, key, value ast.Node) {
		switch from := f.text(value); name {
		case "env":
			if text = f.getenv(from); text == "" {
				f.wrong(lineIn(key), "the variable %s is not set", from)
			}
		case "file":
			if !filepath.IsAbs(from) {
				from = filepath.Join(filepath.Dir(f.name), from)
			}
			content, err := os.ReadFile(from)
			if err != nil {
				f.wrong(lineIn(key), "%w", err)
			}
			text = strings.TrimRight(string(content), "\r\n")
		default:
			f.wrong(lineIn(key), "want env: NAME or file: PATH, not %q", name)
		}
	})
	return text
}

// texts returns a list of values, of which there may be one without a list.
func (f *configFile) texts(n ast.Node) (all []string) {
	list, ok := n.(*ast.SequenceNode)
	if !ok {
		return []string{f.text(n)}
	}
	for _, v := range list.Values {
		all = append(all, f.text(v))
	}
	return all
}

// named returns err, which a flag's value has caused, with the line of the file that sets the flag.
func (f *configFile) named(err error) error {
	if err == nil || f.name == "" {
		return err
	}
	name := ""
	for flag := range f.lines {
		if strings.Contains(err.Error(), flag) && len(flag) > len(name) {
			name = flag
		}
	}
	if name == "" {
		return err
	}
	return fmt.Errorf("%s:%d: %w", f.name, f.lines[name], err)
}

// issuers reads the issuers of tokens.
func (f *configFile) issuers(n ast.Node) (all []issuer.Config) {
	list, ok := n.(*ast.SequenceNode)
	if !ok {
		f.wrong(lineIn(n), "issuers: want a list")
		return nil
	}
	for _, one := range list.Values {
		c := f.issuer(one)
		if slices.ContainsFunc(all, func(other issuer.Config) bool { return other.Issuer == c.Issuer }) {
			f.wrong(lineIn(one), "issuer: %s is there twice", c.Issuer)
		}
		all = append(all, c)
	}
	return all
}
