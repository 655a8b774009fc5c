package main

import (
	"archive/tar"
	"bytes"
	"encoding/pem"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"golang.org/x/crypto/x509roots/fallback/bundle"
)

// image writes an image of the binaries for Linux as an OCI layout in a tar file. It has the program, the certificates of
// authorities for TLS, and a folder for temporary files. It runs as that of deploy/Dockerfile does.
func (s *source) image(file string, binaries map[platform][]byte, licences []byte) error {
	index := mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	for _, p := range platforms {
		if binaries[p] == nil || p.os != "linux" {
			continue
		}
		image, err := s.imageOf(p, binaries[p], licences)
		if err != nil {
			return err
		}
		index = mutate.AppendManifests(index, mutate.IndexAddendum{Add: image, Descriptor: v1.Descriptor{
			Platform: &v1.Platform{OS: p.os, Architecture: p.arch},
		}})
	}
	dir, err := os.MkdirTemp("", "agora-image-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	path, err := layout.Write(dir, empty.Index)
	if err != nil {
		return err
	}
	// The names under which tools of OCI and of containerd load it.
	if err := path.AppendIndex(index, layout.WithAnnotations(map[string]string{
		"org.opencontainers.image.ref.name": s.version,
		"io.containerd.image.name":          s.imageName(),
	})); err != nil {
		return err
	}
	return s.tarFolder(file, dir)
}

// imageName is the name that the image has once it is loaded.
func (s *source) imageName() string { return "agora:" + s.version }

// imageOf returns the image for one platform.
func (s *source) imageOf(p platform, binary, licences []byte) (v1.Image, error) {
	var files bytes.Buffer
	if err := writeTar(&files, s.time, []entry{
		{"agora", 0o755, binary},
		{"etc", fs.ModeDir | 0o755, nil},
		{"etc/ssl", fs.ModeDir | 0o755, nil},
		{"etc/ssl/certs", fs.ModeDir | 0o755, nil},
		{"etc/ssl/certs/ca-certificates.crt", 0o644, roots()},
		{"licenses", fs.ModeDir | 0o755, nil},
		{"licenses/" + licencesFile, 0o644, licences},
		{"tmp", fs.ModeDir | fs.ModeSticky | 0o777, nil},
	}); err != nil {
		return nil, err
	}
	layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(files.Bytes())), nil
	}, tarball.WithMediaType(types.OCILayer))
	if err != nil {
		return nil, err
	}
	base := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	at := v1.Time{Time: s.time}
	image, err := mutate.Append(base, mutate.Addendum{Layer: layer, History: v1.History{
		Created: at, CreatedBy: "make release",
	}})
	if err != nil {
		return nil, err
	}
	config, err := image.ConfigFile()
	if err != nil {
		return nil, err
	}
	config = config.DeepCopy()
	config.OS, config.Architecture, config.Created = p.os, p.arch, at
	config.Config = v1.Config{
		User:         "65532:65532",
		Env:          []string{"ADDR=:8080"},
		ExposedPorts: map[string]struct{}{"8080/tcp": {}},
		Entrypoint:   []string{"/agora"},
		Healthcheck: &v1.HealthConfig{Test: []string{"CMD", "/agora", "health"},
			Interval: 10 * time.Second, Timeout: 5 * time.Second, StartPeriod: 30 * time.Second},
		Labels: map[string]string{
			"org.opencontainers.image.title":    "Agora",
			"org.opencontainers.image.version":  s.version,
			"org.opencontainers.image.revision": s.commit,
			"org.opencontainers.image.licenses": "MIT",
		},
	}
	return mutate.ConfigFile(image, config)
}

// roots returns the certificates of Mozilla's authorities in PEM, without those that are trusted only in part, which a
// file cannot express.
func roots() []byte {
	var all []byte
	for root := range bundle.Roots() {
		if root.Constraint == nil {
			all = append(all, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: root.Certificate})...)
		}
	}
	return all
}

// tarFolder writes a folder as a tar file.
func (s *source) tarFolder(file, dir string) error {
	var entries []entry
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		e := entry{name: filepath.ToSlash(name), mode: 0o644}
		if d.IsDir() {
			e.mode = fs.ModeDir | 0o755
		} else if e.text, err = os.ReadFile(path); err != nil {
			return err
		}
		entries = append(entries, e)
		return nil
	})
	if err != nil {
		return err
	}
	to, err := os.Create(file)
	if err != nil {
		return err
	}
	return errors.Join(writeTar(to, s.time, entries), to.Close())
}

// readTar calls a function with each entry of a tar file.
func readTar(r io.Reader, each func(*tar.Header, io.Reader) error) error {
	t := tar.NewReader(r)
	for {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = each(h, t)
		}
		if err != nil {
			return err
		}
	}
}
