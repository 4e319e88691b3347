# Writes tables of R's packages as CSV files with the label last, for the suite raw of parcorels-bench:
#
#     Rscript bench/raw/tables.R FOLDER [LIBRARY…]
#
# A package that is not installed is skipped. On Debian: apt-get install r-cran-mlbench r-cran-aer r-cran-cardata r-cran-kernlab
# r-cran-modeldata r-cran-caret r-cran-hsaur3 r-cran-th.data.
folder <- commandArgs(TRUE)[1]
.libPaths(c(commandArgs(TRUE)[-1], .libPaths()))
dir.create(folder, showWarnings = FALSE, recursive = TRUE)

# name, package, data set, label, columns left out: row numbers, and what is known only with the label
tables <- list(
  list("arrests", "carData", "Arrests", "released"),
  list("attrition", "modeldata", "attrition", "Attrition"),
  list("bcancer", "mlbench", "BreastCancer", "Class", "Id"),
  list("beps", "carData", "BEPS", "vote"),
  list("biopsy", "MASS", "biopsy", "class", "ID"),
  list("birthwt", "MASS", "birthwt", "low", "bwt"),
  list("cells", "modeldata", "cells", "class", "case"),
  list("chile", "carData", "Chile", "vote"),
  list("churn", "modeldata", "mlc_churn", "churn"),
  list("colon", "survival", "colon", "status", c("id", "study", "time")),
  list("cowles", "carData", "Cowles", "volunteer"),
  list("credit", "modeldata", "credit_data", "Status"),
  list("CreditCard", "AER", "CreditCard", "card", c("expenditure", "share")),
  list("dhfr", "caret", "dhfr", "Y"),
  list("dna", "mlbench", "DNA", "Class"),
  list("DoctorVisits", "AER", "DoctorVisits", "private"),
  list("german", "caret", "GermanCredit", "Class"),
  list("glass", "mlbench", "Glass", "Type"),
  list("glaucoma", "TH.data", "GlaucomaM", "Class"),
  list("HealthInsurance", "AER", "HealthInsurance", "health"),
  list("HMDA", "AER", "HMDA", "deny"),
  list("housevotes", "mlbench", "HouseVotes84", "Class"),
  list("ionosphere", "mlbench", "Ionosphere", "Class"),
  list("kyphosis", "rpart", "kyphosis", "Kyphosis"),
  list("lending", "modeldata", "lending_club", "Class"),
  list("letter", "mlbench", "LetterRecognition", "lettr"),
  list("lung", "survival", "lung", "status", "time"),
  list("melanoma", "boot", "melanoma", "status", "time"),
  list("mpls", "carData", "MplsStops", "problem", c("idNum", "MDC")),
  list("mroz", "carData", "Mroz", "lfp"),
  list("nwtco", "survival", "nwtco", "rel", c("seqno", "edrel")),
  list("pbc", "survival", "pbc", "status", c("id", "time")),
  list("pima2", "mlbench", "PimaIndiansDiabetes2", "diabetes"),
  list("promoter", "kernlab", "promotergene", "Class"),
  list("ResumeNames", "AER", "ResumeNames", "call"),
  list("rossi", "carData", "Rossi", "arrest", c("week", paste0("emp", 1:52))),
  list("rotterdam", "survival", "rotterdam", "death", c("pid", "rtime", "recur", "dtime")),
  list("satellite", "mlbench", "Satellite", "classes"),
  list("scat", "modeldata", "scat", "Species"),
  list("shuttle", "mlbench", "Shuttle", "Class"),
  list("sonar", "mlbench", "Sonar", "Class"),
  list("soybean", "mlbench", "Soybean", "Class"),
  list("spam", "kernlab", "spam", "type"),
  list("stackoverflow", "modeldata", "stackoverflow", "Remote"),
  list("stagec", "rpart", "stagec", "pgstat", "pgtime"),
  list("swiss", "AER", "SwissLabor", "participation"),
  list("ticdata", "kernlab", "ticdata", "CARAVAN"),
  list("titanic", "carData", "TitanicSurvival", "survived"),
  list("vehicle", "mlbench", "Vehicle", "Class"),
  list("vowel", "mlbench", "Vowel", "Class"),
  list("womenlf", "carData", "Womenlf", "partic"),
  list("zoo", "mlbench", "Zoo", "type")
)

for (t in tables) {
  found <- tryCatch({
    e <- new.env()
    suppressWarnings(data(list = t[[3]], package = t[[2]], envir = e))
    if (exists(t[[3]], e)) get(t[[3]], e) else getExportedValue(t[[2]], t[[3]])
  }, error = function(x) NULL)
  if (is.null(found)) {
    message(t[[1]], ": no ", t[[3]], " in package ", t[[2]])
    next
  }
  found <- as.data.frame(found)
  left <- setdiff(names(found), c(t[[4]], if (length(t) > 4) t[[5]]))
  found <- found[!is.na(found[[t[[4]]]]), c(left, t[[4]])]
  write.csv(found, file.path(folder, paste0(t[[1]], ".csv")), row.names = FALSE)
}
