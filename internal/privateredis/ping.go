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
	ctx, cancel := context.WithTimeout(ctx, pingTime)
	defer cancel()
	var d net.Dialer
	conn, err := d.DialContext(ctx, "unix", socket)
	if err != nil {
		return 0, err
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.SetDeadline(time.Unix(1, 0)) })()
	if _, err := io.WriteString(conn, "PING\r\nINFO server\r\n"); err != nil {
		return 0, err
	}
	r := bufio.NewReader(conn)
	pong, err := r.ReadString('\n')
	if err != nil {
		return 0, err
	}
	if pong != "+PONG\r\n" { // such as "-LOADING …"
		return 0, fmt.Errorf("it replied %q", strings.TrimSpace(pong))
	}
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return 0, err
		}
		if id, ok := strings.CutPrefix(strings.TrimSpace(line), "process_id:"); ok {
			return strconv.Atoi(id)
		}
	}
}
