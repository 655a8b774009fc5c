package main

import (
	"archive/tar"
	"bytes"
	"debug/buildinfo"
	"debug/elf"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	cdx "github.com/CycloneDX/cyclonedx-go"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/validate"
	"github.com/opencontainers/image-spec/schema"

	"agora/internal/test/nodetest"
	"agora/internal/test/testlevel"
)

// A release of the last commit, made in two folders, is the same. It has what it should, and all of it works.
func TestRelease(t *testing.T) {
	testlevel.Usual(t)
	for _, program := range []string{"git", "node", "npm", "sha256sum"} {
		testlevel.Program(t, program)
	}
	src, other := cloned(t), cloned(t)
	web, err := src.installed(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(web.root) })
	out, again := released(t, src, web), released(t, other, web)
	first, second := contents(t, out), contents(t, again)
	for _, name := range slices.Sorted(maps.Keys(first)) {
		if !bytes.Equal(first[name], second[name]) {
			t.Errorf("%s differs between two folders", name)
		}
	}
	check := exec.Command("sha256sum", "--check", "--strict", sumsFile)
	check.Dir = out
	said, err := check.CombinedOutput()
	if n := strings.Count(string(said), ": OK\n"); err != nil || n != len(first)-1 || n != len(second)-1 || n != 4 {
		t.Errorf("%d files have the right checksum; want 4, all but the checksums: %v\n%s", n, err, said)
	}
	t.Run("archive", func(t *testing.T) { testArchive(t, one(t, out, "agora_*.tar.gz")) })
	t.Run("image", func(t *testing.T) { testImage(t, one(t, out, "agora_*_image.tar")) })
	t.Run("compose files", func(t *testing.T) {
		testCompose(t, one(t, out, "agora_*.tar.gz"), one(t, out, "agora_*_image.tar"))
	})
	t.Run("client", func(t *testing.T) { testClient(t, one(t, out, "agora-client-*.tgz")) })
	t.Run("materials", func(t *testing.T) {
		testMaterials(t, one(t, out, "agora_*_sbom.cdx.json"), one(t, out, "agora_*.tar.gz"))
	})
}

// cloned returns a clone of the repository.
func cloned(t *testing.T) *source {
	t.Helper()
	clone := t.TempDir()
	cmd := exec.Command("git", "clone", "--quiet", "--no-hardlinks", "../..", clone)
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git clone: %v: %s", err, said)
	}
	src, err := readSource(t.Context(), clone)
	if err != nil {
		t.Fatal(err)
	}
	return src
}

// released makes a release for this machine in a clone, and returns its folder.
func released(t *testing.T, src, web *source) string {
	t.Helper()
	out := filepath.Join(src.root, "dist")
	if err := src.release(t.Context(), web, out, true); err != nil {
		t.Fatal(err)
	}
	return out
}

// contents returns the files of a folder.
func contents(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string][]byte{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		found[filepath.Base(file)] = text
	}
	return found
}

// one returns the only file of a folder whose name has a pattern.
func one(t *testing.T, dir, pattern string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil || len(files) != 1 {
		t.Fatalf("the release has %q; want one %s", files, pattern)
	}
	return files[0]
}

// unpacked unpacks an archive, and returns its one folder.
func unpacked(t *testing.T, archive string) string {
	t.Helper()
	dir := t.TempDir()
	if err := unpack(archive, dir); err != nil {
		t.Fatal(err)
	}
	return one(t, dir, "agora-*")
}

// The archive has the program, which names its version, and what one needs to run it. That it shows the forum is part
// of each release.
func testArchive(t *testing.T, archive string) {
	dir := unpacked(t, archive)
	for _, name := range []string{"README.md", "CHANGELOG.md", "LICENSE", licencesFile, "schema.graphqls",
		"deploy/agora.service", "deploy/redis.conf", "deploy/redis-start.sh"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() == 0 {
			t.Errorf("the archive lacks %s: %v", name, err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "deploy/release")); err == nil {
		t.Error("the archive has the program that makes releases")
	}
	said, err := exec.Command(filepath.Join(dir, "agora"), "version").Output()
	want := regexp.MustCompile(`^agora ` + regexp.QuoteMeta(strings.TrimPrefix(filepath.Base(dir), "agora-")) +
		`\n  commit  [0-9a-f]{40}\n`)
	if err != nil || !want.Match(said) {
		t.Errorf("agora version says %q, %v; want %s", said, err, want)
	}
	script, err := os.Stat(filepath.Join(dir, "deploy/redis-start.sh"))
	if err != nil || script.Mode().Perm() != 0o755 {
		t.Errorf("redis-start.sh has the mode %v; want it to be executable", script.Mode())
	}
}

// The image is as the specification says, and the program runs from its file system alone, as its own user.
func testImage(t *testing.T, file string) {
	dir := t.TempDir()
	packed, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	if err := unpackTar(packed, dir); err != nil {
		t.Fatal(err)
	}
	path, err := layout.FromPath(dir)
	if err != nil {
		t.Fatal(err)
	}
	top, err := path.ImageIndex()
	if err != nil {
		t.Fatal(err)
	}
	if err := validate.Index(top); err != nil {
		t.Errorf("the layout has digests or sizes that are wrong: %v", err)
	}
	follows := func(v schema.Validator, what string, text []byte, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		if err := v.Validate(bytes.NewReader(text)); err != nil {
			t.Errorf("%s is not as the specification says: %v\n%s", what, err, text)
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "oci-layout"))
	follows(schema.ValidatorMediaTypeLayoutHeader, "oci-layout", text, err)
	text, err = top.RawManifest()
	follows(schema.ValidatorMediaTypeImageIndex, "index.json", text, err)
	index, err := top.ImageIndex(manifests(t, top)[0].Digest)
	if err != nil {
		t.Fatal(err)
	}
	text, err = index.RawManifest()
	follows(schema.ValidatorMediaTypeImageIndex, "the index of platforms", text, err)
	image, err := index.Image(manifests(t, index)[0].Digest)
	if err != nil {
		t.Fatal(err)
	}
	text, err = image.RawManifest()
	follows(schema.ValidatorMediaTypeManifest, "the manifest", text, err)
	text, err = image.RawConfigFile()
	follows(schema.ValidatorMediaTypeImageConfig, "the configuration", text, err)
	testRootFileSystem(t, image)
}

func manifests(t *testing.T, index v1.ImageIndex) []v1.Descriptor {
	t.Helper()
	m, err := index.IndexManifest()
	if err != nil || len(m.Manifests) != 1 {
		t.Fatalf("an index has %d manifests, %v; want 1", len(m.Manifests), err)
	}
	return m.Manifests
}

// dockerfileOf returns the lines of a Dockerfile that say how an image is run.
func dockerfileOf(c v1.Config) string {
	h, port := c.Healthcheck, strings.TrimSuffix(slices.Collect(maps.Keys(c.ExposedPorts))[0], "/tcp")
	return fmt.Sprintf("USER %s\nENV %s\nEXPOSE %s\n", c.User, c.Env[0], port) +
		fmt.Sprintf("HEALTHCHECK --interval=%v --timeout=%v --start-period=%v CMD [%q, %q]\n",
			h.Interval, h.Timeout, h.StartPeriod, h.Test[1], h.Test[2]) +
		fmt.Sprintf("ENTRYPOINT [%q]\n", c.Entrypoint[0])
}

// testRootFileSystem starts the entry point of an image with the image's files as its root file system.
func testRootFileSystem(t *testing.T, image v1.Image) {
	config, err := image.ConfigFile()
	if err != nil {
		t.Fatal(err)
	}
	c := config.Config
	dockerfile, err := os.ReadFile("../Dockerfile")
	if want := dockerfileOf(c); err != nil || !strings.HasSuffix(string(dockerfile), want) {
		t.Errorf("deploy/Dockerfile ends otherwise than the image, which is\n%s%v", want, err)
	}
	root := t.TempDir()
	if err := os.Chmod(root, 0o755); err != nil {
		t.Fatal(err)
	}
	files := mutate.Extract(image)
	defer files.Close()
	var names []string
	var all bytes.Buffer
	err = readTar(io.TeeReader(files, &all), func(h *tar.Header, _ io.Reader) error {
		names = append(names, h.Name)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := unpackTar(&all, root); err != nil {
		t.Fatal(err)
	}
	t.Logf("the image has %q", names)
	program, err := elf.Open(filepath.Join(root, config.Config.Entrypoint[0]))
	if err != nil {
		t.Fatal(err)
	}
	defer program.Close()
	libraries, err := program.ImportedLibraries()
	if err != nil || len(libraries) > 0 || program.Section(".interp") != nil {
		t.Errorf("the program needs %q, %v; want it to be static", libraries, err)
	}
	cmd := &exec.Cmd{
		Path: config.Config.Entrypoint[0], Args: append(slices.Clone(config.Config.Entrypoint), "--quiet"), Dir: "/",
		Env: []string{"ADDR=127.0.0.1:0"},
		SysProcAttr: &syscall.SysProcAttr{
			Chroot: root, Cloneflags: syscall.CLONE_NEWUSER,
			UidMappings: []syscall.SysProcIDMap{{ContainerID: 65532, HostID: os.Getuid(), Size: 1}},
			GidMappings: []syscall.SysProcIDMap{{ContainerID: 65532, HostID: os.Getgid(), Size: 1}},
		},
	}
	if took, err := shows(t.Context(), cmd); err != nil {
		t.Errorf("the server does not run from the file system of the image: %v", err)
	} else {
		t.Logf("the server shows the forum %v after its start", took)
	}
}

// The package can be installed into a new project: its types are found by the compiler, and its code by Node.js.
func testClient(t *testing.T, file string) {
	dir := t.TempDir()
	text, err := os.ReadFile(filepath.Join("../..", webFolder, "package.json"))
	if err != nil {
		t.Fatal(err)
	}
	var web struct{ Dependencies, DevDependencies map[string]string }
	if err := json.Unmarshal(text, &web); err != nil {
		t.Fatal(err)
	}
	maps.Copy(web.Dependencies, web.DevDependencies)
	install := []string{"install", "--ignore-scripts", "--no-audit", "--no-fund", file}
	for _, name := range []string{"@apollo/client", "@urql/core", "@urql/exchange-graphcache", "graphql", "graphql-sse",
		"graphql-ws", "typescript"} {
		install = append(install, name+"@"+web.Dependencies[name])
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	in := func(name string, args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), name, args...)
		cmd.Dir = dir
		said, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", cmd, err, said)
		}
		return string(said)
	}
	write("package.json", `{"name": "fresh", "private": true, "type": "module"}`)
	in("npm", install...)
	write("use.ts", `
import { apolloCache } from 'agora-client/apollo';
import { config } from 'agora-client/codegen';
import { codeOf, faults, SignedOutError, type UserError } from 'agora-client/errors';
import { authorizedFetch } from 'agora-client/fetch';
import { graphcache, keepFailed } from 'agora-client/graphcache';
import { connections, possibleTypes } from 'agora-client/schema';
import { socketClient } from 'agora-client/socket';
import { streamClient } from 'agora-client/streams';

const wrong: UserError[] = [{ code: 'INVALID_INPUT', message: 'no', path: ['input', 'title'] }];
// @ts-expect-error: the types are known
export const wrongly = () => faults(5);
const site = { url: 'http://localhost:8080/graphql', token: async () => null };
export const clients = () => [socketClient(site), streamClient(site), authorizedFetch(site)];
console.log(Object.keys(faults(wrong).fields).length, typeof codeOf, typeof graphcache, typeof keepFailed, typeof apolloCache,
  Object.keys(possibleTypes).length > 0, Object.keys(connections).length > 0, typeof config,
  codeOf(new SignedOutError()));
`)
	in("node_modules/.bin/tsc", "--strict", "--skipLibCheck", "--module", "nodenext", "--target", "es2022",
		"--types", "", "use.ts")
	const want = "1 function object function object true true object UNAUTHENTICATED\n"
	if said := in("node", "use.js"); said != want {
		t.Errorf("a program with the package prints %q; want %q", said, want)
	}
	const checks = "../../internal/test/clients"
	nodetest.InstallIn(t, checks)
	programs, err := filepath.Abs(filepath.Join(checks, "node_modules/.bin"))
	if err != nil {
		t.Fatal(err)
	}
	in(filepath.Join(programs, "publint"), "--strict", "node_modules/agora-client")
	in(filepath.Join(programs, "attw"), "--profile", "esm-only", file)
}

// The bill of materials has all modules of the program, and packages of both pages, with their licences.
func testMaterials(t *testing.T, file, archive string) {
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var bom cdx.BOM
	if err := cdx.NewBOMDecoder(f, cdx.BOMFileFormatJSON).Decode(&bom); err != nil {
		t.Fatal(err)
	}
	listed := map[string]string{}
	for _, c := range *bom.Components {
		listed[c.PackageURL] = (*c.Licenses)[0].License.ID
	}
	dir := unpacked(t, archive)
	info, err := buildinfo.ReadFile(filepath.Join(dir, "agora"))
	if err != nil {
		t.Fatal(err)
	}
	wanted := []string{"pkg:npm/react@", "pkg:npm/%40urql/core@", "pkg:npm/graphiql@", "pkg:golang/std@"}
	for _, dep := range info.Deps {
		if dep.Replace == nil {
			wanted = append(wanted, "pkg:golang/"+dep.Path+"@"+dep.Version)
		}
	}
	for _, url := range wanted {
		found := false
		for had, licence := range listed {
			found = found || strings.HasPrefix(had, url) && licence != ""
		}
		if !found {
			t.Errorf("the bill of materials lacks %s, or its licence", url)
		}
	}
	licences, err := os.ReadFile(filepath.Join(dir, licencesFile))
	if err != nil || strings.Count(string(licences), "Permission is hereby granted") < 5 {
		t.Errorf("%s has %d bytes, %v; want the licences", licencesFile, len(licences), err)
	}
}
