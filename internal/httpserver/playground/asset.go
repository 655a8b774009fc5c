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

// cdnHost serves the files of every npm package. Source: https://www.jsdelivr.com/documentation
const cdnHost = "cdn.jsdelivr.net"

// listed is the only place for versions and hashes: a line for each file that fetch.sh downloads, with its SHA-384 in
// hex and its path, package@version/file, which is also the path at the CDN.
//
//go:embed assets.sha384
var listed string

// source is a file of GraphiQL or React.
type source struct {
	name      string // among the assets: package/file
	URL       string // at the CDN
	Integrity string // by which a browser verifies the CDN's file
}

var sources = readSources(listed)

// readSources panics if the list is damaged, which can happen only at startup.
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

// sourceURLs returns the CDN's URLs of the files with an ending, for a policy: they allow less than the host, which
// serves everyone's packages.
func sourceURLs(ending string) string {
	var urls []string
	for _, s := range sources {
		if path.Ext(s.name) == ending {
			urls = append(urls, s.URL)
		}
	}
	return strings.Join(urls, " ")
}

// addOwn adds every file of a folder of our own files, except the pages.
func addOwn(assets map[string]static.File, from fs.FS) error {
	return fs.WalkDir(from, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) == ".html" {
			return err
		}
		plain, err := fs.ReadFile(from, name)
		if err != nil {
			return err
		}
		assets[name] = newFile(name, plain, nil)
		return nil
	})
}

// addFetched adds the files that fetch.sh downloaded, and reports whether all are present.
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
			return false, fmt.Errorf("decompress %s (fetch.sh downloads it again): %w", s.name, err)
		}
		assets[s.name] = newFile(s.name, plain, zipped)
	}
	return complete, nil
}
