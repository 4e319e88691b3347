// Package passwords reads names with the bcrypt hashes of their passwords, as htpasswd -B
// writes them, and checks a password that somebody enters. Begin with Read.
package passwords

import (
	"bufio"
	"crypto/sha256"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"golang.org/x/crypto/bcrypt"
)

// File is names with the hashes of their passwords.
type File struct {
	hashes map[string][]byte

	mutex sync.Mutex
	known map[[32]byte]bool // names and passwords that were found right
}

// Read reads lines NAME:HASH, whose hashes are of bcrypt. Empty lines and those that
// begin with # are left out.
func Read(from io.Reader) (*File, error) {
	p := &File{hashes: map[string][]byte{}, known: map[[32]byte]bool{}}
	lines := bufio.NewScanner(from)
	for n := 1; lines.Scan(); n++ {
		text := strings.TrimSpace(lines.Text())
		if text == "" || text[0] == '#' {
			continue
		}
		name, hash, ok := strings.Cut(text, ":")
		if _, err := bcrypt.Cost([]byte(hash)); !ok || name == "" || err != nil {
			return nil, fmt.Errorf("line %d: expected NAME:HASH with a hash of bcrypt", n)
		}
		p.hashes[name] = []byte(hash)
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if len(p.hashes) == 0 {
		return nil, fmt.Errorf("there is no name in it")
	}
	return p, nil
}

// wrongWait is how long a wrong password holds up the next one.
const wrongWait = time.Second

// Check reports whether a password is that of a name. One at a time is looked at: a guess
// costs a second, and a name that there is not as much as one that there is.
func (p *File) Check(name, password string) bool {
	sum := sha256.Sum256([]byte(name + "\x00" + password))
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.known[sum] {
		return true
	}
	hash, ok := p.hashes[name]
	if !ok {
		for _, hash = range p.hashes {
			break
		}
	}
	if err := bcrypt.CompareHashAndPassword(hash, []byte(password)); err != nil || !ok {
		time.Sleep(wrongWait)
		return false
	}
	p.known[sum] = true
	return true
}
