package serve

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"parcorels/answer"
	"parcorels/family"
)

// personView is the form for one person, and what the model says of the one filled in.
type personView struct {
	*answer.Person
	At, Row, Error string
}

// personPage says what the model says of one person: of the fields of a form, or of a row.
func (s *Server) personPage(run *run, m *family.Model, r *http.Request) (v *view, err error) {
	form := r.URL.Query()
	values, row := map[string]string{}, form.Get("row")
	if row != "" {
		values, err = s.rowOf(run, m, row)
	} else {
		for i, c := range m.About().Columns {
			values[c.Name] = strings.TrimSpace(form.Get("c" + strconv.Itoa(i)))
		}
	}
	p := &personView{Person: answer.PersonOf(m.Model, values), At: "/runs/" + run.ID, Row: row}
	if err == nil {
		err = p.Ask(m.Model)
	}
	if err != nil {
		p.Error = s.said(err)
	}
	return &view{Title: "One person", name: "person-page", data: p}, nil
}

// rowOf returns a row of the table, by column.
func (s *Server) rowOf(run *run, m *family.Model, row string) (map[string]string, error) {
	n, err := strconv.ParseInt(row, 10, 64)
	if err != nil || n < 1 {
		return nil, fmt.Errorf("row is %q: expected a number from 1", row)
	}
	rows, err := s.rows(run.Asked.Table, &run.Asked)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	values := map[string]string{}
	err = answer.EachRow(rows, func(cells []string, at int64) bool {
		if at == n {
			for i, name := range rows.Header() {
				values[name] = strings.TrimSpace(cells[i])
			}
		}
		return at < n
	})
	for _, c := range m.About().Columns {
		if _, ok := values[c.Name]; !ok && c.Part != nil && len(values) > 0 {
			values[c.Name] = c.Part.Text(values[c.Part.Of])
		}
	}
	if err == nil && len(values) == 0 {
		err = fmt.Errorf("the table has no row %d", n)
	}
	return values, err
}
