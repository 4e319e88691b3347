package fleet

import (
	"encoding/json"
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
	"github.com/nats-io/nats.go/jetstream"
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
			ServerName: c.Name, Host: "127.0.0.1", Port: c.Port, JetStream: true, StoreDir: c.Folder, SyncAlways: true, NoLog: true, NoSigs: true,
			Cluster: server.ClusterOpts{Name: "c", Host: "127.0.0.1", Port: c.Route}, Routes: server.RoutesFromStr(strings.Join(c.Routes, ",")),
		})
		if err != nil {
			panic(err)
		}
		s.Start()
		select {}
	}
	os.Exit(m.Run())
}

func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// TestCluster has three servers, of which one is killed while two workers search.
//
// It is not run by default: of five runs on a loaded machine one did not end within two minutes.
func TestCluster(t *testing.T) {
	if os.Getenv("PARCORELS_ORACLE") == "" {
		t.Skip("PARCORELS_ORACLE is not set")
	}
	var all [3]clusterServer
	var routes, urls []string
	folder := t.TempDir()
	for i := range all {
		all[i] = clusterServer{Name: fmt.Sprint("s", i), Folder: filepath.Join(folder, fmt.Sprint(i)), Port: freePort(t), Route: freePort(t)}
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
	r.fo.URL, r.fo.Replicas = strings.Join(urls, ","), 3
	nc, err := Connect(t.Context(), r.fo.URL, nil, "test", time.Minute, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	for began := time.Now(); ; time.Sleep(100 * time.Millisecond) { // until the servers have a leader
		_, err := js.CreateStream(t.Context(), jetstream.StreamConfig{Name: "T", Subjects: []string{"t"}, Replicas: 3})
		if err == nil {
			break
		}
		if time.Since(began) > 2*time.Minute {
			t.Fatal(err)
		}
	}
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
	case <-time.After(300 * time.Millisecond):
	}
	_ = servers[1].Process.Kill()
	r.finish()
	t.Logf("%d blocks, %d expanded, straight %d", r.stats.Blocks, r.stats.Expanded, r.want.Stats.Expanded)
}
