package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// composeFile is what tests read of a compose file.
type composeFile struct {
	Services map[string]struct {
		Image, Build any
		Policy       string `yaml:"pull_policy"`
		Command      []string
		Volumes      []string
		Depends      map[string]any `yaml:"depends_on"`
	}
	Volumes map[string]any
}

// The compose files of the archive start the image of the release and Redis, with the files that the archive has.
func testCompose(t *testing.T, archive, image string) {
	dir := t.TempDir()
	packed, err := os.Open(image)
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	if err := unpackTar(packed, dir); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "index.json"))
	if err != nil {
		t.Fatal(err)
	}
	var index struct {
		Manifests []struct{ Annotations map[string]string }
	}
	if err := json.Unmarshal(text, &index); err != nil || len(index.Manifests) != 1 {
		t.Fatalf("index.json is %s, %v", text, err)
	}
	name := index.Manifests[0].Annotations["io.containerd.image.name"]
	deploy := filepath.Join(unpacked(t, archive), "deploy")
	files, err := filepath.Glob(filepath.Join(deploy, "compose*.yaml"))
	if err != nil || len(files) != 2 {
		t.Fatalf("the archive has %q, %v; want two compose files", files, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) { checkCompose(t, file, name, filepath.Base(image)) })
	}
	if left, _ := filepath.Glob(filepath.Join(deploy, "Dockerfile*")); len(left) > 0 {
		t.Errorf("the archive has %q, but not the source that they build", left)
	}
}

// checkCompose checks a compose file of an archive that comes with the image of a name, in an archive of its own.
func checkCompose(t *testing.T, file, name, image string) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var c composeFile
	if err := yaml.Unmarshal(text, &c); err != nil {
		t.Fatal(err)
	}
	if s := c.Services["agora"]; s.Image != name || s.Build != nil || s.Policy != "never" {
		t.Errorf("agora is %v, build %v, pull_policy %q; want the image %s, which was loaded",
			s.Image, s.Build, s.Policy, name)
	}
	for service, s := range c.Services {
		if s.Image != name && s.Image != "redis:7.2" {
			t.Errorf("%s runs %v, which is no image of the release or of Redis", service, s.Image)
		}
		var mounted []string
		for _, volume := range s.Volumes {
			parts := strings.Split(volume, ":")
			if _, named := c.Volumes[parts[0]]; named {
				continue
			}
			mounted = append(mounted, parts[1])
			if info, err := os.Stat(filepath.Join(filepath.Dir(file), parts[0])); err != nil || !info.Mode().IsRegular() {
				t.Errorf("%s mounts %s: %v; want a file of the archive", service, parts[0], err)
			}
		}
		for _, arg := range s.Command {
			if strings.HasPrefix(arg, "/etc/agora/") && !slices.Contains(mounted, arg) {
				t.Errorf("%s runs %s, which is not mounted", service, arg)
			}
		}
		for other := range s.Depends {
			if _, ok := c.Services[other]; !ok {
				t.Errorf("%s depends on %s, which is no service", service, other)
			}
		}
	}
	says := regexp.MustCompile(`(?m)^#   (docker load -i \S+|docker compose -f \S+ up .*)`).FindAllString(string(text), -1)
	want := []string{"#   docker load -i " + image, "#   docker compose -f deploy/" + filepath.Base(file) + " up -d"}
	if !slices.Equal(says, want) {
		t.Errorf("it says %q; want %q", says, want)
	}
}
