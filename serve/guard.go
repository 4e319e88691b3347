package serve

import (
	"crypto/rand"
	"crypto/subtle"
	"net/http"
	"strings"
	"time"
)

// Who may ask: a browser that came by the address printed. It gets a session of its own, as a cookie that no script
// reads and no other site sends. A session is a file of the folder: it outlives the program, and ends where somebody
// removes it. A page of another site may still point its name at this machine (DNS rebinding), hence the Host must be
// the one that was bound, and may post a form here, hence http.CrossOriginProtection.

const sessionsFolder = "sessions"

// limits of what a client may send and hold.
const (
	mostConnections = 100 // at a time: others wait

	headerBytes = 32 << 10
	headerTime  = 10 * time.Second
	formBytes   = 1 << 20
	formTime    = 30 * time.Second
	idleTime    = 2 * time.Minute
	answerTime  = 5 * time.Minute // of a page, which may have to read a large table
)

// policy allows what this server serves and nothing else: no inline script or style, no other
// host, no frame around a page.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; " +
	"frame-ancestors 'none'; base-uri 'none'"

// guard lets through what may be asked.
func (s *Server) guard(next http.Handler) http.Handler {
	cross := http.NewCrossOriginProtection()
	cross.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.refuse(w, http.StatusForbidden, "Another site asked for this. Nothing was done.")
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
		switch {
		case r.Host != s.bound:
			s.refuse(w, http.StatusMisdirectedRequest, "This is not the address of this server: open the one that parcorels serve printed.")
		case s.admit(w, r):
			inner.ServeHTTP(w, r)
		}
	})
}

// admit reports whether a request comes from who was let in. If not it has been answered.
func (s *Server) admit(w http.ResponseWriter, r *http.Request) bool {
	c, err := r.Cookie(s.cookie)
	if err == nil && len(c.Value) == len(s.token) && strings.Trim(c.Value, "abcdefghijklmnopqrstuvwxyz234567") == "" {
		if _, err := s.root.Stat(sessionsFolder + "/" + c.Value); err == nil {
			return true
		}
	}
	if r.Method == http.MethodGet && same(r.URL.Query().Get("token"), s.token) {
		if err := s.letIn(w); err != nil {
			s.refuse(w, http.StatusInsufficientStorage, "Nobody can be let in: the folder cannot be written.")
			return false
		}
		http.Redirect(w, r, "/"+strings.TrimLeft(r.URL.EscapedPath(), "/"), http.StatusSeeOther)
		return false
	}
	s.refuse(w, http.StatusForbidden, "Open the address that parcorels serve printed. It has a token, which this browser does not have.")
	return false
}

// letIn begins a session.
func (s *Server) letIn(w http.ResponseWriter) error {
	session := newToken()
	http.SetCookie(w, &http.Cookie{
		Name: s.cookie, Value: session, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode,
		MaxAge: int((365 * 24 * time.Hour).Seconds()),
	})
	return s.root.WriteFile(sessionsFolder+"/"+session, nil, 0o600)
}

// refuse answers with one line of text, the same for everybody.
func (s *Server) refuse(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(text + "\n"))
}

// same compares in a time that tells nothing.
func same(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// newToken returns 128 bits at random.
func newToken() string { return strings.ToLower(rand.Text()) }
