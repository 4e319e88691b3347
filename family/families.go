package family

func init() { // the table of options lists the families
	families = []*Family{ruleLists(), trees(), ruleSets(), bayesianLists()}
}
