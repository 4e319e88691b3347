package serve

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"parcorels/internal/wording"
	"parcorels/optionerr"
)

// What the page says in words that a person knows who has never searched for a model.

// said is an error for people: options by the names that the page has for them. The folder is nobody's concern.
func (s *Server) said(err error) string {
	text := strings.ReplaceAll(optionerr.Rename(err.Error(), optionName), s.path(tablesFolder)+string(filepath.Separator), "")
	var path *fs.PathError
	if errors.As(err, &path) {
		text = strings.ReplaceAll(text, path.Path, filepath.Base(path.Path))
	}
	if first, _, _ := strings.Cut(text, " "); strings.Contains(first, ".") {
		return text // it begins with a file
	}
	return wording.Capital(text)
}

// renamed are notes for people.
func renamed(notes []string) (list []string) {
	for _, note := range notes {
		list = append(list, optionerr.Rename(note, optionName))
	}
	return list
}
