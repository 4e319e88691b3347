package fleet

import (
	"encoding/json"
	"flag"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"parcorels/internal/testing/cases"
)

// serverEnv makes this test program a server of a cluster, with these options.
const serverEnv = "PARCORELS_FLEET_SERVER"

// clusterServer says what a server of a cluster needs.
type clusterServer struct {
	Name, Folder string
	Port, Route  int
	Routes       []string
}

func TestMain(m *testing.M) {
	if text := os.Getenv(serverEnv); text != "" {
		var c clusterServer
		if err := json.Unmarshal([]byte(text), &c); err != nil {
			panic(err)
		}
		s, err := server.NewServer(&server.Options{
			ServerName: c.Name, Host: "127.0.0.1", Port: c.Port, JetStream: true, StoreDir: c.Folder, SyncAlways: true, NoLog: true,
			NoSigs:  true,
			Cluster: server.ClusterOpts{Name: "c", Host: "127.0.0.1", Port: c.Route}, Routes: server.RoutesFromStr(strings.Join(c.Routes,
				",")),
		})
		if err != nil {
			panic(err)
		}
		s.Start()
		select {}
	}
	flag.Parse()
	_ = flag.Set("test.parallel", "8") // they mostly wait
	os.Exit(m.Run())
}

// freePorts returns ports that nobody listens at.
func freePorts(t *testing.T, count int) (ports []int) {
	t.Helper()
	for range count {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close() // after all are known, so that none comes twice
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports
}

// TestCluster has three servers, of which one is killed while two workers search. It takes up to
// 20 s, most of it to choose leaders.
func TestCluster(t *testing.T) {
	if !cases.All() {
		t.Skip("set " + cases.Variable + " to run it")
	}
	t.Parallel()
	ports := freePorts(t, 6)
	var all [3]clusterServer
	var routes, urls []string
	folder := t.TempDir()
	for i := range all {
		all[i] = clusterServer{Name: fmt.Sprint("s", i), Folder: filepath.Join(folder, fmt.Sprint(i)), Port: ports[i], Route: ports[3+i]}
		routes = append(routes, fmt.Sprintf("nats://127.0.0.1:%d", all[i].Route))
		urls = append(urls, fmt.Sprintf("nats://127.0.0.1:%d", all[i].Port))
	}
	var servers [3]*exec.Cmd
	for i := range all {
		all[i].Routes = routes
		b, err := json.Marshal(all[i])
		if err != nil {
			t.Fatal(err)
		}
		servers[i] = exec.Command(os.Args[0])
		servers[i].Env = append(os.Environ(), serverEnv+"="+string(b))
		if err := servers[i].Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = servers[i].Process.Kill(); _ = servers[i].Wait() })
	}
	r := newRunning(t, 80)
	r.fo.URL, r.fo.Replicas, r.fo.Disk = strings.Join(urls, ","), 3, 1<<30
	r.start()
	wn, err := nats.Connect(r.fo.URL, nats.MaxReconnects(-1))
	if err != nil {
		t.Fatal(err)
	}
	defer wn.Close()
	go func() { _ = r.worker().Run(t.Context(), wn) }()
	select {
	case <-r.done:
		t.Fatal("it was over before a server was killed")
	case <-time.After(200 * time.Millisecond):
	}
	_ = servers[1].Process.Kill()
	r.finish()
	t.Logf("%d blocks, %d expanded, straight %d", r.stats.Blocks, r.stats.Expanded, r.want.Stats.Expanded)
}
