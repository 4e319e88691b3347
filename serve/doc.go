// Package serve is the page: tables, searches and models in a browser, for people who do
// not use a terminal. Begin with [New], then [Server.Serve].
//
// All that lasts is in one folder. tables/ has the tables. runs/ has a folder for each run:
//
//	run.json      what was asked
//	run.ckpt      where a search for a rule list resumes after a stop or a kill
//	proof.part    the proof so far, proof when it is whole
//	model.json    the model
//	unseen.json   a model of three quarters of the rows; unseen-rows.json: the other rows
//	result.json   what was found; a run without it is searched again at the next start
//
// There is no database. One process at a time has the folder. A file appears whole
// or not at all. Nothing leaves the machine: the server asks the network for nothing, and
// neither do its pages.
//
// A client chooses no file name. Its words only look up tables and runs that are there, and
// files are opened within the folder (os.Root).
package serve
