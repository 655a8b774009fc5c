package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"time"

	"agora/bench/subject"
)

// child is a subject in a process of its own.
type child struct {
	subject.Addresses
	name  string
	cmd   *exec.Cmd
	stdin io.Closer
}

// startTime is how long a subject may take until it listens.
const startTime = 30 * time.Second

// startChild starts a subject on the data at url. command is the program to run with its other arguments.
func startChild(ctx context.Context, command []string, name, url string) (*child, error) {
	args := append(command[1:len(command):len(command)], "--subject", name, "--redis", url)
	cmd := exec.CommandContext(ctx, command[0], args...)
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	c := &child{name: name, cmd: cmd, stdin: stdin}
	late := time.AfterFunc(startTime, func() { cmd.Process.Kill() })
	c.Addresses, err = subject.ReadAddresses(stdout)
	late.Stop()
	if err != nil {
		c.stop()
		return nil, fmt.Errorf("%s did not start: %w", name, err)
	}
	return c, nil
}

// stop ends the process.
func (c *child) stop() error {
	c.stdin.Close()
	late := time.AfterFunc(startTime, func() { c.cmd.Process.Kill() })
	defer late.Stop()
	return c.cmd.Wait()
}

// resident returns the resident memory of the process in bytes; 0 where /proc does not tell.
func (c *child) resident() float64 {
	statm, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", c.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	var size, resident int
	if _, err := fmt.Sscan(string(statm), &size, &resident); err != nil {
		return 0
	}
	return float64(resident * os.Getpagesize())
}

// usage reads what the process has used; query is a query of subject's meter.
func (c *child) usage(ctx context.Context, query string) (subject.Usage, error) {
	var u subject.Usage
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+c.Usage+"/?"+query, nil)
	if err != nil {
		return u, err
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return u, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return u, errors.New(c.name + " does not report its usage: " + resp.Status)
	}
	return u, json.NewDecoder(resp.Body).Decode(&u)
}
