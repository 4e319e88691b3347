package generate

// MONK's problems (Thrun et al., The MONK's Problems: A Performance Comparison
// of Different Learning Algorithms, CMU-CS-91-197, 1991) are about robots of
// six attributes, 432 different ones. Each problem says which of them belong
// to the class. The tables here have all robots and no noise.

// attributes of a robot, with their values in the order of the report.
var attributes = []struct {
	name   string
	values []string
}{
	{"head_shape", []string{"round", "square", "octagon"}},
	{"body_shape", []string{"round", "square", "octagon"}},
	{"is_smiling", []string{"yes", "no"}},
	{"holding", []string{"sword", "balloon", "flag"}},
	{"jacket_color", []string{"red", "yellow", "green", "blue"}},
	{"has_tie", []string{"yes", "no"}},
}

// Positions of attributes that the problems speak of.
const (
	headShape   = 0
	bodyShape   = 1
	holding     = 3
	jacketColor = 4
)

// robot is the values of its attributes, as texts.
type robot []string

// monk1: head and body have the same shape, or the jacket is red.
func monk1(r robot) bool {
	return r[headShape] == r[bodyShape] || r[jacketColor] == "red"
}

// monk2: exactly two attributes have their first value.
func monk2(r robot) bool {
	n := 0
	for i, a := range attributes {
		if r[i] == a.values[0] {
			n++
		}
	}
	return n == 2
}

// monk3: a sword and a green jacket, or a jacket that is not blue and a body
// that is no octagon.
func monk3(r robot) bool {
	return r[jacketColor] == "green" && r[holding] == "sword" ||
		r[jacketColor] != "blue" && r[bodyShape] != "octagon"
}

// robots is the table of all robots, the last attribute changing fastest.
func robots(class func(robot) bool) table {
	n := len(attributes)
	header := make([]string, 0, n+1)
	for _, a := range attributes {
		header = append(header, a.name)
	}
	return table{append(header, "class"), func(yield func([]string) bool) {
		row := make([]string, n+1)
		for number := range 432 {
			for i := n - 1; i >= 0; i-- {
				values := attributes[i].values
				row[i] = values[number%len(values)]
				number /= len(values)
			}
			if row[n] = either(class(row[:n]), "yes", "no"); !yield(row) {
				return
			}
		}
	}}
}
