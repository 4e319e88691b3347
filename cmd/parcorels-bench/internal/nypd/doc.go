// Package nypd converts the published stops of the New York City Police Department
// into the NYCLU problem of the CORELS paper. The files are those of the Stop,
// Question and Frisk database, one a year. The question is whether a weapon is found
// at a stop with a frisk or search (Angelino, Larus-Stone, Alabi, Seltzer and Rudin,
// Learning Certifiably Optimal Rule Lists for Categorical Data, JMLR 18, 2018, section
// 6 and appendix E.3). Begin with [Convert].
//
// # The files
//
// They are CSV with a header, one stop a line, and are published as zip
// archives of one such file. These columns have had the same meaning in all
// of them from 2008 to 2016:
//
//   - Columns are found by name: their order changes from year to year, and so
//     does the case of names. Columns that are not needed are not looked at.
//   - The encoding (code page 437, 850, 1252, UTF-8 with a byte order mark) does
//     not matter: all that is read is ASCII, as is what separates it.
//   - Cells are padded with spaces. Yes is written Y in some stops and 1 in
//     others of one file; no is N, 0 or blank.
//   - Unknown is written Z for sex, race and build, U or X for race, and 99, 999
//     or asterisks for age.
//   - A location (trhsloc) left blank is neither housing nor transit authority.
//
// # The table
//
// The 18 flags of stop reasons (cs_) and additional circumstances (ac_), city,
// location and inside or outside, in the order of Header, and whether a pistol,
// rifle, assault weapon, knife, machine gun or another weapon was found. Left
// out are stops at which city, sex, race, age, build or inside or outside is
// unknown, then those of people younger than 12 or older than 89, then those
// without frisk and search.
package nypd
