// Package download knows the public data sets of the papers on CORELS, and gets them over
// http. Begin with [Sources], and [Source.Get].
package download

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	_ "embed" // the sources
	"encoding/csv"
	"fmt"
	"io"
	"net/http"
	"strconv"
)

// Source is a published file.
type Source struct {
	Name   string // what people call it
	File   string // what it is called where it is published
	URL    string
	Size   int64  // bytes
	SHA256 string // of the bytes, in hexadecimal
	About  string // what it is, a few words
	Use    string // the command that makes something of it
}

// sourcesFile has the sources in alphabetical order. The checksums are of the files as the UCI
// Machine Learning Repository, ProPublica and the NYPD have published them.
//
//go:embed sources.csv
var sourcesFile []byte

// Sources returns all that can be downloaded, by name.
func Sources() (list []Source) {
	rows, err := csv.NewReader(bytes.NewReader(sourcesFile)).ReadAll()
	if err != nil {
		panic(err) // it is part of the program
	}
	for _, r := range rows[1:] {
		size, _ := strconv.ParseInt(r[3], 10, 64) // a test sees that all have one
		list = append(list, Source{r[0], r[1], r[2], size, r[4], r[5], r[6]})
	}
	return list
}

// Get downloads the source, from the mirror address if that is not empty. It returns the
// published bytes or an error that says what was expected and what came: no
// more than Size bytes are taken, and none are returned whose SHA-256 is another. So it does not
// matter who serves them.
func (s Source) Get(ctx context.Context, client *http.Client, mirror string) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, cmp.Or(mirror, s.URL), nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("User-Agent", "parcorels")
	request.Header.Set("Accept-Encoding", "identity") // the bytes as published
	answer, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(io.LimitReader(answer.Body, s.Size+1))
	switch sum := fmt.Sprintf("%x", sha256.Sum256(body)); {
	case answer.StatusCode != http.StatusOK:
		err = fmt.Errorf("the server answers %s", answer.Status)
	case err != nil:
		err = fmt.Errorf("after %d of %d bytes: %w", len(body), s.Size, err)
	case int64(len(body)) > s.Size:
		err = fmt.Errorf("more than %d bytes came, expected just so many: this is not the published file", s.Size)
	case int64(len(body)) < s.Size:
		err = fmt.Errorf("%d bytes came, expected %d: this is not the whole published file", len(body), s.Size)
	case sum != s.SHA256:
		err = fmt.Errorf("bytes with SHA-256 %s came, expected %s: this is not the published file", sum, s.SHA256)
	}
	if err != nil {
		return nil, fmt.Errorf("%s from %s: %w", s.Name, request.URL, err)
	}
	return body, nil
}
