package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// The folders of the client's source and of the application, which locks the packages that its types need.
const (
	clientFolder = "clients/typescript"
	webFolder    = "examples/web"
)

// installed returns a copy of the client, with the packages that it and the application need. The caller removes it.
func (s *source) installed(ctx context.Context) (*source, error) {
	dir, err := os.MkdirTemp("", "agora-npm-")
	if err != nil {
		return nil, err
	}
	web := &source{root: dir}
	err = os.CopyFS(filepath.Join(dir, clientFolder), os.DirFS(filepath.Join(s.root, clientFolder)))
	for _, name := range []string{"package.json", "package-lock.json"} {
		err = errors.Join(err, copyFile(filepath.Join(s.root, webFolder, name), filepath.Join(dir, webFolder, name)))
	}
	if err == nil {
		_, err = web.output(ctx, webFolder, nil, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return web, nil
}

func copyFile(from, to string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return errors.Join(os.MkdirAll(filepath.Dir(to), 0o755), os.WriteFile(to, text, 0o644))
}

// packClient makes the npm package of clients/typescript in the folder out: JavaScript, with types, instead of
// TypeScript. It returns the name of the file.
func (s *source) packClient(ctx context.Context, at *source, out string) (string, error) {
	out, err := filepath.Abs(out)
	if err != nil {
		return "", err
	}
	client := filepath.Join(at.root, clientFolder)
	// Beside the packages, where the compiler finds them.
	sources := filepath.Join(at.root, webFolder, "client")
	if err := os.Rename(filepath.Join(client, "src"), sources); err != nil {
		return "", err
	}
	files, err := filepath.Glob(filepath.Join(sources, "*.ts"))
	if err != nil {
		return "", err
	}
	if _, err := at.output(ctx, webFolder, nil, "node_modules/.bin/tsc", append([]string{
		"--strict", "--declaration", "--target", "ES2022", "--lib", "ES2023,DOM,DOM.Iterable", "--module", "ESNext",
		"--moduleResolution", "bundler", "--rewriteRelativeImportExtensions", "--verbatimModuleSyntax", "--skipLibCheck",
		"--rootDir", sources, "--outDir", filepath.Join(client, "dist"),
	}, files...)...); err != nil {
		return "", err
	}
	if _, err := at.output(ctx, webFolder, nil, "node_modules/.bin/tsc", "--allowJs", "--declaration",
		"--emitDeclarationOnly", "--target", "ES2022", "--outDir", filepath.Join(client, "dist"),
		filepath.Join(client, "codegen.mjs")); err != nil {
		return "", err
	}
	if err := copyFile(filepath.Join(s.root, "LICENSE"), filepath.Join(client, "LICENSE")); err != nil {
		return "", err
	}
	if err := s.published(filepath.Join(client, "package.json")); err != nil {
		return "", err
	}
	return at.output(ctx, clientFolder, nil, "npm", "pack", "--silent", "--ignore-scripts", "--pack-destination", out)
}

// published changes the description of the client, as front ends beside the source use it, to that of the package: with
// its version, and what was compiled in place of the source.
func (s *source) published(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var p map[string]any
	if err := json.Unmarshal(text, &p); err != nil {
		return err
	}
	p["version"] = s.version
	delete(p, "private")
	p["files"] = []string{"dist", "codegen.mjs"}
	type export struct { // Node.js takes the first that applies, so that default is the last
		Types   string `json:"types"`
		Default string `json:"default"`
	}
	exports := map[string]export{}
	for name, file := range p["exports"].(map[string]any) {
		if script, isScript := strings.CutSuffix(file.(string), ".mjs"); isScript {
			exports[name] = export{strings.Replace(script, "./", "./dist/", 1) + ".d.mts", file.(string)}
			continue
		}
		compiled := strings.Replace(strings.TrimSuffix(file.(string), ".ts"), "/src/", "/dist/", 1)
		exports[name] = export{compiled + ".d.ts", compiled + ".js"}
	}
	p["exports"] = exports
	if text, err = json.MarshalIndent(p, "", "  "); err != nil {
		return err
	}
	return os.WriteFile(file, append(text, '\n'), 0o644)
}
