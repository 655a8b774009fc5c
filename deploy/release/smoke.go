package main

import (
	"archive/tar"
	"bufio"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// soon is how long a server may take from its start to the forum, on a machine that does other things, too.
const soon = time.Minute

// smoke unpacks an archive and starts the program in it, with nothing in its environment. It returns how long it took
// until the forum and the API answered.
func smoke(ctx context.Context, archive string) (time.Duration, error) {
	dir, err := os.MkdirTemp("", "agora-smoke-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	if err := unpack(archive, dir); err != nil {
		return 0, err
	}
	programs, err := filepath.Glob(filepath.Join(dir, "agora-*", "agora"))
	if err != nil || len(programs) != 1 {
		return 0, fmt.Errorf("it has the programs %q; want one: %w", programs, err)
	}
	cmd := exec.Command(programs[0], "--addr", "127.0.0.1:0", "--quiet")
	cmd.Dir, cmd.Env = dir, []string{"PATH="}
	return shows(ctx, cmd)
}

// shows starts a server, and waits until it shows the forum and answers a query. It returns how long that took. The
// server is stopped then.
func shows(ctx context.Context, cmd *exec.Cmd) (took time.Duration, err error) {
	ctx, stop := context.WithTimeout(ctx, soon)
	defer stop()
	reader, writer, err := os.Pipe()
	if err != nil {
		return 0, err
	}
	defer reader.Close()
	cmd.Stdout, cmd.Stderr = writer, writer
	begin := time.Now()
	err = cmd.Start()
	writer.Close()
	if err != nil {
		return 0, err
	}
	context.AfterFunc(ctx, func() { reader.Close() })
	defer func() {
		cmd.Process.Signal(syscall.SIGTERM)
		if e := cmd.Wait(); err == nil && e != nil {
			err = fmt.Errorf("stopping: %w", e)
		}
	}()
	var said strings.Builder
	for lines := bufio.NewScanner(reader); lines.Scan(); {
		said.WriteString(lines.Text() + "\n")
		address, found := strings.CutPrefix(strings.TrimSpace(lines.Text()), "Forum")
		if !found {
			continue
		}
		go io.Copy(io.Discard, reader) // until it stops
		address = strings.TrimSpace(address)
		if err := answers(ctx, address, `<title>Agora</title>`); err != nil {
			return 0, err
		}
		if err := answers(ctx, address+"graphql?query={front{topics(first:1){nodes{title}}}}", `"title":"`); err != nil {
			return 0, err
		}
		return time.Since(begin), nil
	}
	return 0, fmt.Errorf("it does not show a forum within %v, but says: %s", soon, said.String())
}

// answers reports an error unless what is at a URL contains a text.
func answers(ctx context.Context, url, want string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		return err
	}
	if !strings.Contains(string(text), want) {
		return fmt.Errorf("%s answers %.500s; want %s in it", url, text, want)
	}
	return nil
}

// unpack unpacks an archive into a folder.
func unpack(archive, dir string) error {
	packed, err := os.Open(archive)
	if err != nil {
		return err
	}
	defer packed.Close()
	z, err := gzip.NewReader(packed)
	if err != nil {
		return err
	}
	return unpackTar(z, dir)
}

// unpackTar unpacks a tar file into a folder, which nothing in it can leave.
func unpackTar(r io.Reader, dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	return readTar(r, func(h *tar.Header, text io.Reader) error {
		if h.Typeflag == tar.TypeDir {
			return root.MkdirAll(h.Name, h.FileInfo().Mode().Perm())
		}
		if err := root.MkdirAll(filepath.Dir(h.Name), 0o755); err != nil {
			return err
		}
		f, err := root.OpenFile(h.Name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, h.FileInfo().Mode().Perm())
		if err != nil {
			return err
		}
		if _, err := io.Copy(f, text); err != nil {
			return err
		}
		return f.Close()
	})
}
