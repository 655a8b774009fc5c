// Command generate runs gqlgen with the plugin of package breadth. It takes the place of gqlgen's own command:
//
//	//go:generate go run agora/breadth/generate
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/99designs/gqlgen/api"
	"github.com/99designs/gqlgen/codegen/config"

	"agora/breadth/plugin"
)

func main() {
	file := flag.String("config", "", "gqlgen's configuration `file` (default gqlgen.yml, here or above)")
	gates := flag.String("gates", "", "comma-separated `names` of directives to call once for all objects of a field")
	fake := flag.String("fake", "", "`file` to write test resolvers to")
	fakePackage := flag.String("fake-package", "", "package `name` of that file")
	resolvers := flag.String("resolvers", "", "`file` to write the types of resolvers to")
	split := flag.String("split", "", "`file` of that package to move gqlgen's own executor to")
	tag := flag.String("tag", "", "build `constraint` of these two files")
	flag.Parse()
	p := plugin.Plugin{
		Gates: strings.FieldsFunc(*gates, func(r rune) bool { return r == ',' }),
		Fake:  *fake, FakePackage: *fakePackage, Resolvers: *resolvers,
	}
	if *split != "" && p.FakePackage == "" {
		fmt.Fprintln(os.Stderr, "generate: -split needs -fake-package")
		os.Exit(2)
	}
	err := run(*file, p, *split)
	if err == nil && *tag != "" {
		err = constrain(*tag, *fake, *split)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func run(file string, p plugin.Plugin, split string) error {
	load := func() (*config.Config, error) { return config.LoadConfig(file) }
	if file == "" {
		load = config.LoadConfigFromDefaultLocations
	}
	cfg, err := load()
	if err != nil {
		return err
	}
	if err := api.Generate(cfg, api.AddPlugin(p)); err != nil || split == "" {
		return err
	}
	return plugin.Split(cfg, split, p.FakePackage)
}

// constrain begins files with a build constraint.
func constrain(tag string, files ...string) error {
	for _, name := range files {
		if name == "" {
			continue
		}
		text, err := os.ReadFile(name)
		if err == nil {
			err = os.WriteFile(name, append([]byte("//go:build "+tag+"\n\n"), text...), 0o644)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
