// Command release makes what a version of Agora is handed out as: archives for each platform, a container image, the
// npm package for front ends, the licences, a bill of materials, and checksums. The same commit gives the same bytes.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	root := flag.String("source", "../..", "the `folder` of the source, a clone of the repository")
	out := flag.String("out", "../../dist", "the `folder` to write, which is emptied first")
	only := flag.Bool("this-platform", false, "build for this machine only, for a test")
	flag.Parse()
	if err := run(ctx, *root, *out, *only); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// platforms are those of a release.
var platforms = []platform{{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"}}

// platform is an operating system and a processor, as Go names them.
type platform struct{ os, arch string }

// String returns the platform as Go writes it, such as "linux/amd64".
func (p platform) String() string { return p.os + "/" + p.arch }

// here is the platform of this machine.
var here = platform{runtime.GOOS, runtime.GOARCH}

// run makes a release of the source in root in the folder out.
func run(ctx context.Context, root, out string, onlyHere bool) error {
	src, err := readSource(ctx, root)
	if err != nil {
		return err
	}
	web, err := src.installed(ctx)
	if err != nil {
		return err
	}
	defer os.RemoveAll(web.root)
	return src.release(ctx, web, out, onlyHere)
}

// release makes a release in the folder out, with the packages that are installed in web, then starts what it made for
// this machine.
func (s *source) release(ctx context.Context, web *source, out string, onlyHere bool) error {
	made := platforms
	if onlyHere {
		made = []platform{here}
	}
	if err := errors.Join(os.RemoveAll(out), os.MkdirAll(out, 0o755)); err != nil {
		return err
	}
	say("release %s of commit %.12s", s.version, s.commit)
	binaries, err := s.build(ctx, made)
	if err != nil {
		return err
	}
	say("packing the client for npm")
	client, err := s.packClient(ctx, web, out)
	if err != nil {
		return err
	}
	modules, err := s.modules(ctx, binaries, web)
	if err != nil {
		return err
	}
	files, err := s.pack(ctx, out, made, binaries, modules)
	if err != nil {
		return err
	}
	if err := checksums(out, append(files, client)); err != nil {
		return err
	}
	return try(ctx, out, files)
}

// pack writes the archives of the platforms, the image and the bill of materials in the folder out. It returns their
// names.
func (s *source) pack(ctx context.Context, out string, made []platform, binaries map[platform][]byte,
	modules []module) ([]string, error) {
	licences := texts(modules)
	var files []string
	for _, p := range made {
		name := fmt.Sprintf("agora_%s_%s_%s.tar.gz", s.version, p.os, p.arch)
		if err := s.archive(ctx, filepath.Join(out, name), binaries[p], licences); err != nil {
			return nil, err
		}
		files = append(files, name)
	}
	image := fmt.Sprintf("agora_%s_image.tar", s.version)
	materials := fmt.Sprintf("agora_%s_sbom.cdx.json", s.version)
	return append(files, image, materials), errors.Join(
		s.image(filepath.Join(out, image), binaries, licences),
		s.materials(filepath.Join(out, materials), modules),
	)
}

// try starts the program in the archive for this machine, if there is one.
func try(ctx context.Context, out string, files []string) error {
	i := slices.IndexFunc(files, func(name string) bool { return strings.Contains(name, here.os+"_"+here.arch) })
	if i < 0 {
		return nil
	}
	took, err := smoke(ctx, filepath.Join(out, files[i]))
	if err != nil {
		return fmt.Errorf("%s: %w", files[i], err)
	}
	say("%s, unpacked, shows the forum %.1f s after its start", files[i], took.Seconds())
	return nil
}

// say tells how far the release is.
func say(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }

// patience is how long each program that a release runs may take.
const patience = 15 * time.Minute
