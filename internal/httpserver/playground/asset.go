package playground

import (
	_ "embed"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"agora/internal/httpserver/static"
)

// cdnHost serves the files of every npm package as they are. Source: https://www.jsdelivr.com/documentation
const cdnHost = "cdn.jsdelivr.net"

// listed is the one place for versions and hashes: a line for each file that fetch.sh brings,
// with its SHA-384 in hex and its path, package@version/file, which is that at the CDN, too.
//
//go:embed assets.sha384
var listed string

// source is a file of GraphiQL or React.
type source struct {
	name      string // among the assets: package/file
	URL       string // at the CDN
	Integrity string // by which a browser checks what the CDN sends
}

var sources = readSources(listed)

// readSources panics when the list is damaged, which can happen only at the start.
func readSources(list string) []source {
	var all []source
	for line := range strings.Lines(list) {
		sum, at, _ := strings.Cut(strings.TrimSpace(line), "  ")
		digest, err := hex.DecodeString(sum)
		pkg, file, inPackage := strings.Cut(at, "/")
		name, _, versioned := strings.Cut(pkg, "@")
		if err != nil || !inPackage || !versioned {
			panic(fmt.Errorf("playground: assets.sha384 has the line %q", line))
		}
		all = append(all, source{
			name:      name + "/" + file,
			URL:       "https://" + cdnHost + "/npm/" + at,
			Integrity: "sha384-" + base64.StdEncoding.EncodeToString(digest),
		})
	}
	return all
}

// sourceURLs are the addresses at the CDN of the files with an ending, for a policy to name:
// they allow less than the host, which carries everybody's packages.
func sourceURLs(ending string) string {
	var urls []string
	for _, s := range sources {
		if path.Ext(s.name) == ending {
			urls = append(urls, s.URL)
		}
	}
	return strings.Join(urls, " ")
}

// addOwn adds every file of a folder that is stored as it is, but for the pages.
func addOwn(assets map[string]static.File, from fs.FS) error {
	return fs.WalkDir(from, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) == ".html" {
			return err
		}
		plain, err := fs.ReadFile(from, name)
		if err != nil {
			return err
		}
		if assets[name], err = newFile(name, plain, nil); err != nil {
			return fmt.Errorf("compress %s: %w", name, err)
		}
		return nil
	})
}

// addFetched adds what fetch.sh has brought, and reports whether that is all there is to bring.
func addFetched(assets map[string]static.File, from fs.FS) (complete bool, err error) {
	complete = true
	for _, s := range sources {
		zipped, err := fs.ReadFile(from, s.name+".gz")
		if errors.Is(err, fs.ErrNotExist) {
			complete = false
			continue
		}
		if err != nil {
			return false, err
		}
		plain, err := unzip(zipped)
		if err != nil {
			return false, fmt.Errorf("decompress %s (fetch.sh brings it again): %w", s.name, err)
		}
		if assets[s.name], err = newFile(s.name, plain, zipped); err != nil {
			return false, err
		}
	}
	return complete, nil
}
