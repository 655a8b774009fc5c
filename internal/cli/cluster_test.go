package cli

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/test/must"
	"agora/internal/test/testlevel"
)

// clusterNodes is the number of nodes of deploy/cluster.sh.
const clusterNodes = 6

// freePorts returns the first of some ports that are free, together with those of the cluster's bus. All are below the
// ports that the system gives to connections.
func freePorts(t *testing.T) int {
	t.Helper()
	for first := 10000 + os.Getpid()%10000; first < 22000; first += clusterNodes {
		free := true
		for n := range clusterNodes {
			for _, port := range []int{first + n, first + n + 10000} {
				l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
				if err != nil {
					free = false
					continue
				}
				l.Close()
			}
		}
		if free {
			return first
		}
	}
	t.Fatal("no free ports")
	return 0
}

// startCluster runs deploy/cluster.sh without a server. It returns the addresses of the nodes when the cluster works,
// the directory of the data, and a function that stops the script as Ctrl-C does and waits for its end.
func startCluster(t *testing.T, env ...string) (addresses []string, dir string, stop func() error) {
	t.Helper()
	cmd := exec.Command("../../deploy/cluster.sh", "--only-redis")
	cmd.Env = append(os.Environ(), env...)
	cmd.Stderr = os.Stderr
	out := must.Do(cmd.StdoutPipe())(t)
	must.OK(t, cmd.Start())
	stop = func() error { return errors.Join(cmd.Process.Signal(syscall.SIGINT), cmd.Wait()) }
	t.Cleanup(func() { cmd.Process.Signal(syscall.SIGTERM) })
	line, _ := bufio.NewReader(out).ReadString('\n')
	go io.Copy(io.Discard, out) // ends with the script
	line, dir, _ = strings.Cut(strings.TrimSuffix(line, ")\n"), " (data in ")
	hosts, found := strings.CutPrefix(line, "REDIS_URL=redis+cluster://")
	if !found {
		t.Fatalf("cluster.sh prints %q; want a URL", line)
	}
	return strings.Split(hosts, ","), dir, stop
}

// make cluster starts three masters with a replica each, with the documented settings; Ctrl-C ends all of them. Data in
// CLUSTER_DIR are kept, others are removed.
func TestClusterScript(t *testing.T) {
	testlevel.WithoutRace(t)
	t.Parallel()
	port := "CLUSTER_PORT=" + strconv.Itoa(freePorts(t))
	server := "REDIS_SERVER=" + testlevel.RedisProgram(t)
	kept := t.TempDir()
	for round, in := range []string{"", kept, kept} {
		addresses, dir, stop := startCluster(t, port, server, "CLUSTER_DIR="+in)
		if len(addresses) != clusterNodes {
			t.Fatalf("cluster.sh starts %v; want %d nodes", addresses, clusterNodes)
		}
		wantCluster(t, addresses)
		c := redis.NewClusterClient(&redis.ClusterOptions{Addrs: addresses})
		if round < 2 {
			if err := c.Set(t.Context(), "key", "v", 0).Err(); err != nil {
				t.Error(err)
			}
		}
		if got := c.Get(t.Context(), "key").Val(); got != "v" {
			t.Errorf("round %d: the key is %q; want it kept", round, got)
		}
		c.Close()
		if err := stop(); err != nil {
			t.Errorf("the script ends with %v at SIGINT; want no error", err)
		}
		for _, a := range addresses {
			if conn, err := net.DialTimeout("tcp", a, time.Second); err == nil {
				conn.Close()
				t.Errorf("a server still listens at %s", a)
			}
		}
		if _, err := os.Stat(filepath.Join(dir, "create.log")); (in == "") != errors.Is(err, fs.ErrNotExist) {
			t.Errorf("the data in %s, CLUSTER_DIR=%s: %v", dir, in, err)
		}
	}
}

// wantCluster reports what differs from a working cluster of three masters and three replicas with the documented
// settings.
func wantCluster(t *testing.T, addresses []string) {
	t.Helper()
	every, node := documentedSettings(t)
	var roles []string
	for _, a := range addresses {
		c := redis.NewClient(&redis.Options{Addr: a})
		defer c.Close()
		for _, set := range []settings{every, node} {
			for name, want := range set {
				if got := c.ConfigGet(t.Context(), name).Val()[name]; got != want {
					t.Errorf("%s has %s %q; want %q", a, name, got, want)
				}
			}
		}
		if info := c.ClusterInfo(t.Context()).Val(); !strings.Contains(info, "cluster_state:ok") && a == addresses[0] {
			t.Errorf("%s says %s", a, info)
		}
		role, _ := c.Do(t.Context(), "ROLE").Slice()
		roles = append(roles, role[0].(string))
	}
	slices.Sort(roles)
	if got := strings.Join(roles, " "); got != "master master master slave slave slave" {
		t.Errorf("the nodes are %s; want three of each", got)
	}
}
