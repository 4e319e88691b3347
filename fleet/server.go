package fleet

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"
)

// Server is an embedded server with its folder. It syncs each message before it says that it
// has it: a search must not rely on what is not there any more.
type Server struct {
	s      *server.Server
	secure bool
	closed context.CancelFunc
}

// ServerOptions say where a server keeps its things, and who may reach it.
type ServerOptions struct {
	Folder string
	Listen string // address; "": loopback, at a free port that the folder remembers
}

const (
	coordinatorFile = "coordinator.creds"
	workerFile      = "worker.creds"
	addressFile     = "address"
	mostMessages    = 4000 // a second, of one connection of a worker
)

// Start starts the server of a folder, which is made if it is not there. Its file worker.creds
// is the key of all workers: without the file they are shut out.
func Start(o ServerOptions) (*Server, error) {
	if err := os.MkdirAll(o.Folder, 0o700); err != nil {
		return nil, err
	}
	host, port, secure, err := o.address()
	if err != nil {
		return nil, err
	}
	so := &server.Options{
		Host: host, Port: port, JetStream: true, StoreDir: filepath.Join(o.Folder, "store"), SyncAlways: true,
		NoLog: true, NoSigs: true, MaxPayload: 1 << 20, WriteDeadline: 10 * time.Second, AuthTimeout: 5, MaxConn: 2 * mostWorkers,
		JetStreamMaxStore: 1 << 50, JetStreamMaxMemory: 64 << 20,
	}
	var authority []byte
	if secure {
		if so.TLSConfig, authority, err = o.tls(); err != nil {
			return nil, err
		}
		so.TLS, so.TLSTimeout = true, 5
	}
	for _, file := range []string{coordinatorFile, workerFile} {
		public, err := keepKey(filepath.Join(o.Folder, file), authority)
		if err != nil {
			return nil, err
		}
		user := &server.NkeyUser{Nkey: public}
		if file != coordinatorFile {
			user.Permissions = workerMay()
		}
		so.Nkeys = append(so.Nkeys, user)
	}
	s, err := server.NewServer(so)
	if err != nil {
		return nil, err
	}
	s.Start()
	if !s.ReadyForConnections(10 * time.Second) {
		s.Shutdown()
		return nil, fmt.Errorf("no server can listen at %s", net.JoinHostPort(host, fmt.Sprint(port)))
	}
	open, closed := context.WithCancel(context.Background())
	v := &Server{s: s, secure: secure, closed: closed}
	if err := keepFile(filepath.Join(o.Folder, addressFile), []byte(v.URL()+"\n")); err != nil {
		v.Close()
		return nil, err
	}
	go v.calm(open)
	return v, nil
}

// address returns where the server listens. Beyond loopback that needs TLS.
func (o *ServerOptions) address() (host string, port int, secure bool, err error) {
	listen := o.Listen
	if listen == "" {
		url, _ := Address(o.Folder) // where workers look for it
		_, listen, _ = strings.Cut(url, "://")
		if h, _, err := net.SplitHostPort(listen); err != nil || !loopback(h) || !free(listen) {
			listen = "127.0.0.1:0"
		}
	}
	host, text, err := net.SplitHostPort(listen)
	port, bad := net.LookupPort("tcp", text)
	if err != nil || bad != nil {
		return "", 0, false, fmt.Errorf("address %q: expected host:port", listen)
	}
	if port == 0 {
		port = server.RANDOM_PORT
	}
	return host, port, !loopback(host), nil
}

func loopback(host string) bool { return host == "localhost" || net.ParseIP(host).IsLoopback() }

// free waits two seconds for an address: others may have the port for a moment.
func free(address string) bool {
	for range 20 {
		if l, err := net.Listen("tcp", address); err == nil {
			return l.Close() == nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	return false
}

// workerMay is what a worker may publish and hear.
func workerMay() *server.Permissions {
	api := "$JS.API."
	return &server.Permissions{
		Publish: &server.SubjectPermission{Allow: []string{
			eventSubject + "*", subject + "status.*", subject + "offer", subject + "job", subject + "block",
			"$O." + objectBucket + ".>",
			api + "STREAM.INFO." + eventStream, api + "STREAM.MSG.GET." + eventStream, api + "DIRECT.GET." + eventStream + ".>",
			api + "STREAM.INFO.OBJ_" + objectBucket, api + "STREAM.MSG.GET.OBJ_" + objectBucket,
			api + "DIRECT.GET.OBJ_" + objectBucket + ".>",
			api + "CONSUMER.CREATE.OBJ_" + objectBucket + ".>", api + "CONSUMER.DELETE.OBJ_" + objectBucket + ".>",
			api + "CONSUMER.MSG.NEXT.OBJ_" + objectBucket + ".>", api + "STREAM.NAMES",
			api + "CONSUMER.INFO." + workStream + "." + consumer, api + "CONSUMER.MSG.NEXT." + workStream + "." + consumer,
			"$JS.ACK." + workStream + ".>", "$JS.ACK.OBJ_" + objectBucket + ".>", "$JS.FC.>",
		}},
		Subscribe: &server.SubjectPermission{Allow: []string{subject + "news", subject + "split.*", "_INBOX.>"}},
	}
}

// calm ends connections of workers that flood the server.
func (v *Server) calm(ctx context.Context) {
	before := map[uint64]int64{}
	every(ctx, time.Second, func() {
		z, err := v.s.Connz(&server.ConnzOptions{Username: true, Limit: 2 * mostWorkers})
		if err != nil {
			return
		}
		now := map[uint64]int64{}
		for _, c := range z.Conns {
			now[c.Cid] = c.InMsgs
			if was, ok := before[c.Cid]; c.Name != coordinatorName && (ok && c.InMsgs-was > mostMessages ||
				!ok && c.InMsgs > mostMessages) {
				_ = v.s.DisconnectClientByID(c.Cid)
			}
		}
		before = now
	})
}

const coordinatorName = "parcorels-coordinator"

// URL returns where the server is reached.
func (v *Server) URL() string {
	scheme := "nats://"
	if v.secure {
		scheme = "tls://"
	}
	at := v.s.Addr().String()
	if host, port, err := net.SplitHostPort(at); err == nil && net.ParseIP(host).IsUnspecified() {
		if name, err := os.Hostname(); err == nil {
			at = net.JoinHostPort(name, port)
		}
	}
	return scheme + at
}

// Close ends the server. All that it was told is in its folder.
func (v *Server) Close() {
	v.closed()
	v.s.Shutdown()
	v.s.WaitForShutdown()
}

// Credentials are what a role shows, and the certificate by which it knows the server.
type Credentials struct {
	file      string
	key       nkeys.KeyPair
	authority *x509.CertPool
}

// CredentialsOf returns those of a role of an embedded server's folder: the coordinator's.
func CredentialsOf(folder string) string { return filepath.Join(folder, coordinatorFile) }

// WorkerCredentials returns the file that a worker is given.
func WorkerCredentials(folder string) string { return filepath.Join(folder, workerFile) }

// Address returns the URL that the server of a folder had last.
func Address(folder string) (string, error) {
	b, err := os.ReadFile(filepath.Join(folder, addressFile))
	return strings.TrimSpace(string(b)), err
}

// keepKey returns the public key of a file of credentials, which is made if it is not there.
func keepKey(file string, authority []byte) (string, error) {
	c, err := ReadCredentials(file)
	var pair nkeys.KeyPair
	switch {
	case err == nil:
		pair = c.key
	case !errors.Is(err, os.ErrNotExist):
		return "", err
	default:
		if pair, err = nkeys.CreateUser(); err != nil {
			return "", err
		}
	}
	seed, err := pair.Seed()
	if err != nil {
		return "", err
	}
	if err := keepFile(file, append(append(seed, '\n'), authority...)); err != nil {
		return "", err
	}
	return pair.PublicKey()
}

// keepFile makes a file hold b. It is whole at any time, as workers read it meanwhile, and this
// process may be killed: a job whose keys are lost would be lost.
func keepFile(file string, b []byte) error {
	if old, err := os.ReadFile(file); err == nil && bytes.Equal(old, b) {
		return nil
	}
	f, err := os.CreateTemp(filepath.Dir(file), ".new-*") // for this user alone
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), file)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}

// ReadCredentials reads a file that a server made: the seed of an nkey, and the certificate by
// which the server is known where it has made its own.
func ReadCredentials(file string) (*Credentials, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	seed, rest, _ := strings.Cut(string(b), "\n")
	c := &Credentials{file: file}
	if c.key, err = nkeys.FromSeed([]byte(strings.TrimSpace(seed))); err != nil {
		return nil, fmt.Errorf("%s: no credentials: it does not begin with the seed of an nkey", file)
	}
	if strings.TrimSpace(rest) != "" {
		c.authority = x509.NewCertPool()
		if !c.authority.AppendCertsFromPEM([]byte(rest)) {
			return nil, fmt.Errorf("%s: damaged certificate", file)
		}
	}
	return c, nil
}

// Connect connects to a server, and waits for it if it is not there yet or goes away, for as
// long as patience allows.
func Connect(ctx context.Context, url string, c *Credentials, name string, patience time.Duration, say func(string)) (*nats.Conn, error) {
	options := []nats.Option{
		nats.Name(name), nats.MaxReconnects(int(patience / time.Second)), nats.ReconnectWait(time.Second),
		nats.ReconnectJitter(200*time.Millisecond, 200*time.Millisecond),
		nats.Timeout(5 * time.Second), nats.PingInterval(5 * time.Second), nats.MaxPingsOutstanding(2), nats.ReconnectBufSize(-1),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if say != nil && err != nil && ctx.Err() == nil {
				say(fmt.Sprintf("the connection is lost (%v): waiting for the server", err))
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) {
			if say != nil {
				say("the server is back")
			}
		}),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}),
	}
	if c != nil {
		options = append(options, c.options()...)
		folder := filepath.Dir(c.file)
		if at, err := Address(folder); err == nil && at == url {
			options = append(options, nats.SetCustomDialer(follower(folder)), nats.IgnoreAuthErrorAbort())
		}
	}
	deadline := time.Now().Add(patience)
	for {
		nc, err := nats.Connect(url, options...)
		switch {
		case err == nil:
			return nc, nil
		case errors.Is(err, nats.ErrAuthorization):
			return nil, fmt.Errorf("%s: the server refused the credentials: are they of this job? (%w)", url, err)
		case strings.Contains(err.Error(), "x509") || time.Now().After(deadline):
			return nil, fmt.Errorf("%s: %w", url, err)
		case ctx.Err() != nil:
			return nil, ctx.Err()
		}
		pause(ctx, time.Second)
	}
}

// follower is a folder whose server is looked for where it is now. Where somebody took its port
// meanwhile, a server that begins again has another one, and workers would wait for it in vain.
type follower string

// Dial connects to the server of the folder.
func (f follower) Dial(network, _ string) (net.Conn, error) {
	url, _ := Address(string(f))
	_, at, _ := strings.Cut(url, "://")
	return net.DialTimeout(network, at, 5*time.Second)
}

func (c *Credentials) options() (o []nats.Option) {
	public, err := c.key.PublicKey()
	if err == nil {
		o = append(o, nats.Nkey(public, c.key.Sign))
	}
	if c.authority != nil {
		o = append(o, nats.Secure(&tls.Config{RootCAs: c.authority, MinVersion: tls.VersionTLS13, ServerName: serverName}))
	}
	return o
}

// serverName is that of certificates that servers make for themselves. Who has the credentials
// knows the one certificate, so it need not name addresses.
const serverName = "parcorels-fleet"

// tls returns the certificate of the server, and what workers are given to know it by.
func (o *ServerOptions) tls() (*tls.Config, []byte, error) {
	cert, key := filepath.Join(o.Folder, "server.crt"), filepath.Join(o.Folder, "server.key")
	if _, err := os.Stat(cert); errors.Is(err, os.ErrNotExist) {
		if err := makeCertificate(cert, key); err != nil {
			return nil, nil, err
		}
	}
	authority, err := os.ReadFile(cert)
	if err != nil {
		return nil, nil, err
	}
	pair, err := tls.LoadX509KeyPair(cert, key)
	if err != nil {
		return nil, nil, err
	}
	return &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS13}, authority, nil
}

func makeCertificate(cert, key string) error {
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	serial, err := rand.Int(rand.Reader, big.NewInt(1<<62))
	if err != nil {
		return err
	}
	template := &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: serverName}, DNSNames: []string{serverName},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().AddDate(10, 0, 0),
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign, IsCA: true, BasicConstraintsValid: true,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		return err
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		return err
	}
	if err := keepFile(key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})); err != nil {
		return err
	}
	return keepFile(cert, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
}
