package serve

import (
	"crypto/subtle"
	"net/http"
	"os"
	"strings"
	"time"
)

// guard knows who may ask: a browser that came by the address printed. It gets a session of its own, as a cookie that no script
// reads and no other site sends. A session is a file of the folder: it outlives the program, and ends where somebody
// removes it. A page of another site may still point its name at this machine (DNS rebinding), hence the Host must be
// the one that was bound, and may post a form here, hence http.CrossOriginProtection.
type guard struct {
	root   *os.Root
	token  string
	cookie string // its name
	bound  string // host and port
}

// policy allows what this server serves and nothing else: no inline script or style, no other
// host, no frame around a page.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; " +
	"frame-ancestors 'none'; base-uri 'none'"

// before lets through what may be asked.
func (g *guard) before(next http.Handler) http.Handler {
	cross := http.NewCrossOriginProtection()
	cross.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, "Another site asked for this. Nothing was done.", http.StatusForbidden)
	}))
	inner := cross.Handler(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(answerTime)) // pages begin it anew
		switch {
		case r.Host != g.bound:
			http.Error(w, "This is not the address of this server: open the one that parcorels serve printed.",
				http.StatusMisdirectedRequest)
		case g.admit(w, r):
			inner.ServeHTTP(w, r)
		}
	})
}

// admit reports whether a request comes from who was let in. If not it has been answered.
func (g *guard) admit(w http.ResponseWriter, r *http.Request) bool {
	c, err := r.Cookie(g.cookie)
	if err == nil && len(c.Value) == len(g.token) && strings.Trim(c.Value, "abcdefghijklmnopqrstuvwxyz234567") == "" {
		if _, err := g.root.Stat(sessionsFolder + "/" + c.Value); err == nil {
			return true
		}
	}
	if r.Method == http.MethodGet && subtle.ConstantTimeCompare([]byte(r.URL.Query().Get("token")), []byte(g.token)) == 1 {
		if err := g.letIn(w); err != nil {
			http.Error(w, "Nobody can be let in: the folder cannot be written.", http.StatusInsufficientStorage)
			return false
		}
		http.Redirect(w, r, "/"+strings.TrimLeft(r.URL.EscapedPath(), "/"), http.StatusSeeOther)
		return false
	}
	http.Error(w, "Open the address that parcorels serve printed. It has a token, which this browser does not have.", http.StatusForbidden)
	return false
}

// letIn begins a session.
func (g *guard) letIn(w http.ResponseWriter) error {
	session := newToken()
	http.SetCookie(w, &http.Cookie{
		Name: g.cookie, Value: session, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode,
		MaxAge: int((365 * 24 * time.Hour).Seconds()),
	})
	return g.root.WriteFile(sessionsFolder+"/"+session, nil, 0o600)
}
