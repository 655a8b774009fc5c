package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	cdx "github.com/CycloneDX/cyclonedx-go"
	"github.com/google/licensecheck"
)

// module is a part of the program that others wrote.
type module struct {
	kind, name, version string // kind is that of a package URL
	licence             string // its identifier in SPDX
	text                string // the licence itself
}

// url returns the package URL of the module.
func (m module) url() string {
	path := strings.Split(m.name, "/")
	for i, part := range path {
		path[i] = url.PathEscape(part)
	}
	return fmt.Sprintf("pkg:%s/%s@%s", m.kind, strings.ReplaceAll(strings.Join(path, "/"), "@", "%40"), m.version)
}

// modules returns what the binaries contain: Go's standard library and modules, and npm's packages of the two pages.
func (s *source) modules(ctx context.Context, binaries map[platform][]byte, web *source) ([]module, error) {
	found, err := s.goModules(ctx, binaries)
	if err != nil {
		return nil, err
	}
	for _, add := range []func() ([]module, error){web.webPackages, s.playgroundPackages} {
		more, err := add()
		if err != nil {
			return nil, err
		}
		found = append(found, more...)
	}
	for i := range found {
		m := &found[i]
		if m.text == "" {
			return nil, fmt.Errorf("%s has no text of a licence", m.url())
		}
		if cov := licensecheck.Scan([]byte(m.text)); len(cov.Match) > 0 {
			m.licence = cov.Match[0].ID
		} else {
			return nil, fmt.Errorf("the licence of %s is not known", m.url())
		}
	}
	slices.SortFunc(found, func(a, b module) int { return cmp.Compare(a.url(), b.url()) })
	return found, nil
}

// goModules returns what the compiler says is in the binaries.
func (s *source) goModules(ctx context.Context, binaries map[platform][]byte) ([]module, error) {
	list, err := s.output(ctx, ".", nil, "go", "list", "-m", "-f", "{{.Path}} {{.Dir}}", "all")
	if err != nil {
		return nil, err
	}
	dirs := map[string]string{}
	for line := range strings.Lines(list) {
		path, dir, _ := strings.Cut(strings.TrimSpace(line), " ")
		dirs[path] = dir
	}
	versions := map[string]string{}
	for p, binary := range binaries {
		info, err := buildinfo.Read(bytes.NewReader(binary))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p, err)
		}
		for _, dep := range info.Deps {
			if dep.Replace == nil { // what is replaced is ours
				versions[dep.Path] = dep.Version
			}
		}
	}
	goRoot, err := s.output(ctx, ".", nil, "go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	goText, err := licenceIn(goRoot)
	if err != nil {
		return nil, err
	}
	found := []module{{kind: "golang", name: "std", version: strings.TrimPrefix(runtime.Version(), "go"), text: goText}}
	for path, version := range versions {
		m := module{kind: "golang", name: path, version: version}
		if m.text, err = licenceIn(dirs[path]); err != nil {
			return nil, err
		}
		found = append(found, m)
	}
	return found, nil
}

// licenceFile is the name of a file with a licence or a notice.
var licenceFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice)`)

// licenceIn returns the licences and notices in a folder.
func licenceIn(dir string) (string, error) {
	files, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	var all []string
	for _, file := range files {
		if file.IsDir() || !licenceFile.MatchString(file.Name()) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, file.Name()))
		if err != nil {
			return "", err
		}
		all = append(all, strings.TrimSpace(strings.ReplaceAll(string(text), "\r", "")))
	}
	return strings.Join(all, "\n\n"), nil
}

// webPackages returns the packages of the application that are not for development only.
func (web *source) webPackages() ([]module, error) {
	dir := filepath.Join(web.root, webFolder)
	text, err := os.ReadFile(filepath.Join(dir, "package-lock.json"))
	if err != nil {
		return nil, err
	}
	var locked struct {
		Packages map[string]struct {
			Version                          string
			Dev, Link, Optional, DevOptional bool
		}
	}
	if err := json.Unmarshal(text, &locked); err != nil {
		return nil, err
	}
	var found []module
	for path, p := range locked.Packages {
		name, isPackage := strings.CutPrefix(path, "node_modules/")
		if !isPackage || p.Dev || p.Link || p.Optional || p.DevOptional {
			continue
		}
		m := module{kind: "npm", name: name, version: p.Version}
		if m.text, err = licenceIn(filepath.Join(dir, path)); err != nil {
			return nil, err
		}
		found = append(found, m)
	}
	return found, nil
}

// playgroundPackages returns the packages of the playground, whose list of files names their licences.
func (s *source) playgroundPackages() ([]module, error) {
	dir := filepath.Join(s.root, "internal/httpserver/playground")
	list, err := os.ReadFile(filepath.Join(dir, "assets.sha384"))
	if err != nil {
		return nil, err
	}
	var found []module
	for _, file := range strings.Fields(string(list)) {
		versioned, ok := strings.CutSuffix(file, "/LICENSE")
		if !ok {
			continue
		}
		at := strings.LastIndex(versioned, "@")
		m := module{kind: "npm", name: versioned[:at], version: versioned[at+1:]}
		packed, err := os.Open(filepath.Join(dir, "dist", m.name, "LICENSE.gz"))
		if err != nil {
			return nil, err
		}
		z, err := gzip.NewReader(packed)
		if err != nil {
			return nil, err
		}
		text, err := io.ReadAll(z)
		if err != nil {
			return nil, err
		}
		packed.Close()
		m.text = strings.TrimSpace(string(text))
		found = append(found, m)
	}
	return found, nil
}

// texts returns the licences of all modules, each text once.
func texts(modules []module) []byte {
	var order []string
	by := map[string][]string{}
	for _, m := range modules {
		if by[m.text] == nil {
			order = append(order, m.text)
		}
		by[m.text] = append(by[m.text], m.name+" "+m.version)
	}
	var all strings.Builder
	all.WriteString("Agora contains the following, under these licences.\n")
	for _, text := range order {
		fmt.Fprintf(&all, "\n%s\n%s\n\n%s\n", strings.Repeat("=", 80), strings.Join(by[text], "\n"), text)
	}
	return []byte(all.String())
}

// materials writes the bill of materials, in CycloneDX.
func (s *source) materials(file string, modules []module) error {
	self := cdx.Component{BOMRef: "agora", Type: cdx.ComponentTypeApplication, Name: "agora", Version: s.version,
		Licenses: licensed("MIT")}
	bom := cdx.NewBOM()
	bom.Metadata = &cdx.Metadata{Timestamp: s.time.Format(time.RFC3339), Component: &self}
	components, refs := []cdx.Component{}, []string{}
	for _, m := range modules {
		components = append(components, cdx.Component{BOMRef: m.url(), Type: cdx.ComponentTypeLibrary, Name: m.name,
			Version: m.version, PackageURL: m.url(), Licenses: licensed(m.licence)})
		refs = append(refs, m.url())
	}
	bom.Components = &components
	bom.Dependencies = &[]cdx.Dependency{{Ref: self.BOMRef, Dependencies: &refs}}
	var text bytes.Buffer
	if err := cdx.NewBOMEncoder(&text, cdx.BOMFileFormatJSON).SetPretty(true).Encode(bom); err != nil {
		return err
	}
	return os.WriteFile(file, text.Bytes(), 0o644)
}

func licensed(id string) *cdx.Licenses { return &cdx.Licenses{{License: &cdx.License{ID: id}}} }
