package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
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
	for _, name := range []string{"LICENSE", webFolder + "/package.json", webFolder + "/package-lock.json"} {
		err = errors.Join(err, copyFile(filepath.Join(s.root, name), filepath.Join(dir, name)))
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

// packClient makes the npm package of clients/typescript in the folder out, and returns the name of the file.
func (s *source) packClient(ctx context.Context, at *source, out string) (string, error) {
	out, err := filepath.Abs(out)
	if err != nil {
		return "", err
	}
	return at.output(ctx, clientFolder, nil, "node", "pack.mjs", out, s.version)
}
