predict.parcorels <- function(object, newdata, type = c("class", "prob", "rule"), laplace = FALSE, ...) {
  type <- match.arg(type)
  x <- if (missing(newdata)) {
    object$frame[object$names]
  } else if (!is.null(object$terms)) {
    stats::model.frame(object$terms, newdata, na.action = stats::na.pass)
  } else {
    predictors(newdata)
  }
  known <- jsonlite::fromJSON(object$model, simplifyVector = FALSE)
  needed <- vapply(known$columns, function(c) c$name, "")
  # A model without rules asks for no column.
  x <- x[if (length(needed) > 0) needed else seq_len(min(1, ncol(x)))]
  files <- tempfile(c("model", "table", "rows"))
  on.exit(unlink(files))
  writeBin(charToRaw(enc2utf8(object$model)), files[1])
  write_text(x, files[2])
  run(c("predict", files[1], files[2], "--sep", "comma", "-o", files[3], "--quiet", as_arguments(list(laplace = laplace))))
  rows <- utils::read.csv(files[3], check.names = FALSE, colClasses = "character", na.strings = character(), encoding = "UTF-8")
  said <- rows[-seq_along(x)]
  switch(type,
    class = if (object$logical) said[[1]] == "True" else factor(said[[1]], levels = object$levels),
    rule = said[[2]],
    prob = {
      p <- vapply(said[-(1:3)], as.numeric, numeric(nrow(said)))
      p <- matrix(p, nrow = nrow(said))
      classes <- vapply(known$classes, identity, "")
      if (length(classes) == 2) {
        p <- cbind(1 - p, p)
      }
      colnames(p) <- classes
      p[, object$levels, drop = FALSE]
    }
  )
}

# Writes a table as text, numbers to the last digit, as predict reads no columns.
write_text <- function(frame, file) {
  cells <- lapply(frame, function(v) {
    text <- if (is.factor(v)) {
      as.character(v)
    } else if (is.logical(v)) {
      ifelse(v, "True", "False")
    } else if (is.numeric(v)) {
      sprintf("%.17g", as.double(v))
    } else {
      column <- describe(v, "")
      c("", column$texts)[column$values + 2L]
    }
    text <- enc2utf8(text)
    text[is.na(v)] <- ""
    paste0('"', gsub('"', '""', text, fixed = TRUE), '"')
  })
  con <- file(file, "wb")
  on.exit(close(con))
  writeLines(paste0('"', gsub('"', '""', enc2utf8(names(frame)), fixed = TRUE), '"', collapse = ","), con, useBytes = TRUE)
  if (nrow(frame) > 0) {
    writeLines(do.call(paste, c(unname(cells), sep = ",")), con, useBytes = TRUE)
  }
}
