package privateredis

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"time"
)

// pingTime is how long one attempt to reach a server may take.
const pingTime = time.Second

// ping asks the server at a socket whether it is ready, and returns its pid.
func ping(ctx context.Context, socket string) (int, error) {
	pid, err := infoField(ctx, socket, "server", "process_id")
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(pid)
}

// infoField asks the server at a socket whether it is ready, and returns a field of a section of its
// INFO.
func infoField(ctx context.Context, socket, section, field string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, pingTime)
	defer cancel()
	var d net.Dialer
	conn, err := d.DialContext(ctx, "unix", socket)
	if err != nil {
		return "", err
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.SetDeadline(time.Unix(1, 0)) })()
	if _, err := io.WriteString(conn, "PING\r\nINFO "+section+"\r\n"); err != nil {
		return "", err
	}
	r := bufio.NewReader(conn)
	pong, err := r.ReadString('\n')
	if err != nil {
		return "", err
	}
	if pong != "+PONG\r\n" { // such as "-LOADING …"
		return "", fmt.Errorf("it replied %q", strings.TrimSpace(pong))
	}
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return "", err
		}
		if value, ok := strings.CutPrefix(strings.TrimSpace(line), field+":"); ok {
			return value, nil
		}
	}
}
