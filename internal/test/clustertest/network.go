package clustertest

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// Network is an Ethernet of its own with some hosts, which are network namespaces of this machine. Its hosts can be cut
// off from each other. It needs Linux, root, and the program ip of iproute2.
type Network struct {
	// Hosts are the hosts that were asked for.
	Hosts []*Host
	t     testing.TB
	// Each half is a bridge. All hosts are on the first one, unless they are cut off.
	halves [2]string
}

// Host is one host of a network.
type Host struct {
	// Addr is its IP address in the network.
	Addr string
	// Control is an address by which this machine reaches it, also if it is cut off.
	Control string
	space   string // the namespace
	port    string // the end of its cable at the bridge
	wire    string // the end of the control cable on this machine
}

// NewNetwork makes a network of some hosts, which ends with the test. It fails the test where it cannot.
func NewNetwork(t testing.TB, hosts int) *Network {
	t.Helper()
	if _, err := exec.LookPath("ip"); err != nil || os.Geteuid() != 0 {
		t.Fatal("a partition needs network namespaces: run this as root on Linux, with the program ip of iproute2")
	}
	n := &Network{t: t}
	id, octet := os.Getpid(), os.Getpid()%256
	t.Cleanup(n.close)
	for i := range n.halves {
		n.halves[i] = fmt.Sprintf("ag%db%d", id, i)
		n.ip("link add", n.halves[i], "type bridge")
		n.ip("link set", n.halves[i], "up")
	}
	n.ip(fmt.Sprintf("addr add 198.18.%d.254/24 dev", octet), n.halves[0])
	for i := range hosts {
		h := &Host{
			Addr:    fmt.Sprintf("198.18.%d.%d", octet, i+1),
			Control: fmt.Sprintf("198.19.%d.%d", octet, 4*i+2),
			space:   fmt.Sprintf("ag%dh%d", id, i),
			port:    fmt.Sprintf("ag%dp%d", id, i),
			wire:    fmt.Sprintf("ag%dc%d", id, i),
		}
		n.Hosts = append(n.Hosts, h)
		n.ip("netns add", h.space)
		n.ip("link add", h.port, "type veth peer name data netns", h.space)
		n.ip("link set", h.port, "master", n.halves[0], "up")
		n.ip("link add", h.wire, "type veth peer name control netns", h.space)
		n.ip(fmt.Sprintf("addr add 198.19.%d.%d/30 dev", octet, 4*i+1), h.wire)
		n.ip("link set", h.wire, "up")
		n.ip("-n", h.space, "addr add", h.Addr+"/24 dev data")
		n.ip("-n", h.space, "addr add", h.Control+"/30 dev control")
		for _, link := range []string{"lo", "data", "control"} {
			n.ip("-n", h.space, "link set", link, "up")
		}
	}
	return n
}

// ip runs the program ip with the words of some strings.
func (n *Network) ip(args ...string) {
	n.t.Helper()
	words := strings.Fields(strings.Join(args, " "))
	if out, err := exec.Command("ip", words...).CombinedOutput(); err != nil {
		n.t.Fatalf("ip %v: %v: %s; a partition needs network namespaces", words, err, out)
	}
}

// close deletes the network. What it could not make, it cannot delete.
func (n *Network) close() {
	for _, h := range n.Hosts {
		_ = exec.Command("ip", "link", "del", h.port).Run()
		_ = exec.Command("ip", "link", "del", h.wire).Run()
		_ = exec.Command("ip", "netns", "del", h.space).Run()
	}
	for _, bridge := range n.halves {
		_ = exec.Command("ip", "link", "del", bridge).Run()
	}
}

// Cut cuts some hosts off from the others and from this machine, but not from each other: what they send is lost.
func (n *Network) Cut(hosts ...*Host) {
	n.t.Helper()
	n.plug(n.halves[1], hosts)
}

// Mend connects all hosts again.
func (n *Network) Mend() {
	n.t.Helper()
	n.plug(n.halves[0], n.Hosts)
}

func (n *Network) plug(bridge string, hosts []*Host) {
	for _, h := range hosts {
		n.ip("link set", h.port, "master", bridge)
	}
}

// Within returns the words of a command that runs another one on the host, or on this machine if h is nil.
func (h *Host) Within(command ...string) []string {
	if h == nil {
		return command
	}
	return append([]string{"ip", "netns", "exec", h.space}, command...)
}
