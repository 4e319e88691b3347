package generate

// How often the columns of a stop-and-frisk table have which value, as shares
// in the stops of 2014 at which someone was frisked or searched: 29,595 stops,
// at 1,397 of which a weapon was found.
//
// Source: the New York City Police Department's stop, question and frisk
// database for 2014, prepared as in section 6 of Angelino, Larus-Stone, Alabi,
// Seltzer and Rudin, Learning Certifiably Optimal Rule Lists for Categorical
// Data, JMLR 18, 2018: the NYCLU data set of that paper.
//
// The shares of a column are given the class and up to two columns before it:
// those that it depends on most, by mutual information, as in a 2-dependence
// Bayesian classifier (Sahami, Learning Limited Dependence Bayesian Classifiers,
// KDD 1996). So single columns, and columns together with those they are given,
// have the shares that they have in the stops, within each class; other columns
// depend on one another by way of the columns between them only, less than in
// the stops. A share of few stops is drawn towards that of more, given one
// column less, as if two stops had it.

const (
	modelStops   = 29_595
	modelWeapons = 1_397
)

// variable is a column of the model.
type variable struct {
	column string
	values []string
	given  []string // columns before it
	// shares are, in parts of 10,000 and by class, those of all values but the
	// last, for each value of the column given; of two columns given, the values
	// of the second change faster.
	shares [2][][]int
}

// flag is the values of the columns of 0 and 1.
var flag = []string{"1", "0"}

// stopColumns are the columns in the order of the table, the class apart: the
// reasons of the stop, its circumstances, and the place.
var stopColumns = []string{
	"cs_objcs", // carrying a suspicious object
	"cs_descr", // fits a relevant description
	"cs_casng", // casing a victim or location
	"cs_lkout", // acting as a lookout
	"cs_cloth", // wearing clothes commonly used in a crime
	"cs_drgtr", // actions indicative of a drug transaction
	"cs_furtv", // furtive movements
	"cs_vcrim", // actions of engaging in a violent crime
	"cs_bulge", // suspicious bulge
	"ac_rept",  // report by victim, witness or officer
	"ac_inves", // ongoing investigation
	"ac_proxm", // proximity to scene of offense
	"ac_evasv", // evasive response to questioning
	"ac_assoc", // associating with known criminals
	"ac_cgdir", // changed direction at sight of officer
	"ac_incid", // area has high incidence of crime
	"ac_time",  // time of day fits crime incidence
	"ac_stsnd", // sights or sounds of criminal activity
	"city", "location", "inout",
}

// stopClass is the column of the class: whether a weapon was found.
const stopClass = "weapon"

// stopModel is in an order in which the columns given come before the columns
// that are given them.
var stopModel = []variable{
	{"location", []string{"housing-authority", "neither", "transit-authority"}, nil, [2][][]int{{{1458, 8310}}, {{1059, 6879}}}},
	{"cs_bulge", flag, []string{"location"}, [2][][]int{{{1216}, {903}, {552}}, {{3577}, {2759}, {4816}}}},
	{"cs_objcs", flag, []string{"location", "cs_bulge"}, [2][][]int{{{101}, {285}, {175}, {255}, {555}, {550}},
		{{1894}, {2208}, {797}, {1709}, {736}, {3005}}}},
	{"city", []string{"Bronx", "Brooklyn", "Manhattan", "Queens", "Staten-Island"}, []string{"location"},
		[2][][]int{{{2154, 3645, 2830, 945}, {1553, 2931, 970, 3391}, {554, 2281, 6407, 756}},
			{{4025, 2497, 2575, 694}, {2102, 2455, 1699, 2829}, {82, 1395, 8263, 256}}}},
	{"cs_casng", flag, []string{"city"}, [2][][]int{{{1553}, {2671}, {1839}, {3901}, {3388}}, {{797}, {1213}, {525}, {1657}, {1851}}}},
	{"inout", []string{"inside", "outside"}, []string{"location", "city"}, [2][][]int{
		{
			{6115}, {4091}, {6449}, {2949}, {2712},
			{1047}, {847}, {1407}, {373}, {322},
			{9190}, {9134}, {9880}, {9396}, {9608},
		},
		{
			{4640}, {3787}, {2692}, {4807}, {1536},
			{939}, {1141}, {676}, {370}, {350},
			{9941}, {9994}, {9916}, {9974}, {9882},
		},
	}},
	{"cs_lkout", flag, []string{"cs_casng"}, [2][][]int{{{3688}, {617}}, {{2691}, {248}}}},
	{"cs_drgtr", flag, []string{"location"}, [2][][]int{{{1294}, {665}, {139}}, {{470}, {333}, {2}}}},
	{"cs_furtv", flag, []string{"location"}, [2][][]int{{{4766}, {4622}, {2560}}, {{5117}, {4587}, {544}}}},
	{"ac_evasv", flag, []string{"cs_casng", "cs_furtv"}, [2][][]int{{{4676}, {2281}, {3149}, {1371}}, {{5039}, {3062}, {3009}, {878}}}},
	{"cs_descr", flag, []string{"cs_bulge", "cs_casng"}, [2][][]int{{{894}, {1151}, {1188}, {3927}}, {{1448}, {893}, {3148}, {3001}}}},
	{"ac_assoc", flag, []string{"location"}, [2][][]int{{{1162}, {821}, {155}}, {{1007}, {603}, {4}}}},
	{"cs_vcrim", flag, []string{"cs_furtv"}, [2][][]int{{{1685}, {957}}, {{1502}, {544}}}},
	{"ac_stsnd", flag, []string{"city"}, [2][][]int{{{211}, {309}, {340}, {216}, {378}}, {{154}, {415}, {681}, {312}, {439}}}},
	{"ac_cgdir", flag, []string{"cs_furtv", "ac_evasv"}, [2][][]int{{{6475}, {3032}, {4305}, {1097}}, {{5914}, {3497}, {4269}, {1020}}}},
	{"ac_time", flag, []string{"cs_casng", "cs_furtv"}, [2][][]int{{{5913}, {5000}, {4424}, {2873}}, {{7146}, {5928}, {4077}, {3017}}}},
	{"ac_incid", flag, []string{"cs_descr", "ac_time"}, [2][][]int{{{7762}, {2066}, {8443}, {4147}}, {{7662}, {1836}, {8328}, {3639}}}},
	{"ac_proxm", flag, []string{"cs_descr", "ac_time"}, [2][][]int{{{6029}, {4877}, {2776}, {1753}}, {{6679}, {5186}, {2931}, {2184}}}},
	{"ac_rept", flag, []string{"cs_descr", "ac_proxm"}, [2][][]int{{{6050}, {5397}, {1164}, {690}}, {{7186}, {6530}, {1503}, {423}}}},
	{"cs_cloth", flag, []string{"cs_vcrim", "ac_incid"}, [2][][]int{{{1635}, {481}, {675}, {254}}, {{2683}, {980}, {694}, {111}}}},
	{"ac_inves", flag, []string{"ac_time", "ac_incid"}, [2][][]int{{{2537}, {1219}, {1181}, {756}}, {{3052}, {687}, {1148}, {553}}}},
}
