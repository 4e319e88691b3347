predict.parcorels <- function(object, newdata, type = c("class", "prob", "rule", "response", "raw", "vector"), laplace = FALSE, ...) {
  type <- match.arg(type)
  x <- if (missing(newdata)) {
    object$frame[object$names]
  } else if (!is.null(object$terms)) {
    predictors(stats::model.frame(object$terms, newdata, na.action = stats::na.pass))
  } else {
    predictors(newdata)
  }
  known <- jsonlite::fromJSON(object$model, simplifyVector = FALSE)
  needed <- vapply(known$columns, function(c) c$name, "")
  # A model without rules asks for no column.
  x <- x[if (length(needed) > 0) needed else seq_len(min(1, ncol(x)))]
  if (nrow(x) == 0) {
    none <- matrix(0, 0, length(object$levels), dimnames = list(NULL, object$levels))
    return(switch(type, prob = none, rule = character(), if (object$logical) logical() else factor(character(), object$levels)))
  }
  files <- tempfile(c("model", "table", "rows"))
  on.exit(unlink(files))
  writeBin(charToRaw(enc2utf8(object$model)), files[1])
  write_text(x, files[2])
  run(c("predict", files[1], files[2], "--sep", "comma", "-o", files[3], "--quiet", as_arguments(list(laplace = laplace))))
  rows <- utils::read.csv(files[3], check.names = FALSE, colClasses = "character", na.strings = character(), encoding = "UTF-8")
  said <- rows[-seq_along(x)]
  switch(type,
    rule = said[[2]],
    prob = {
      p <- if (laplace) rounded_shares(said, known) else exact_shares(said, object$decision)
      classes <- vapply(known$classes, identity, "")
      colnames(p) <- object$levels[match(classes, object$texts)]
      p[, object$levels, drop = FALSE]
    },
    if (object$logical) said[[1]] == "True" else factor(said[[1]], object$texts, object$levels)
  )
}

# The shares of the classes in the rule of each row, with all their digits.
exact_shares <- function(said, decision) {
  of_rules <- do.call(rbind, lapply(decision$cases, function(k) vapply(k$probabilities, as.numeric, 0)))
  rule <- suppressWarnings(as.integer(said[[2]]))
  rule[is.na(rule)] <- nrow(of_rules) # the default
  of_rules[pmin(rule, nrow(of_rules)), , drop = FALSE]
}

rounded_shares <- function(said, known) {
  p <- matrix(vapply(said[-(1:3)], as.numeric, numeric(nrow(said))), nrow = nrow(said))
  if (length(known$classes) == 2) cbind(1 - p, p) else p
}

# Writes a table as text, numbers to the last digit, as predict reads no columns.
write_text <- function(frame, file) {
  cells <- lapply(frame, function(v) {
    text <- if (is.factor(v)) {
      as.character(v)
    } else if (is.logical(v)) {
      ifelse(v, "True", "False")
    } else {
      column <- describe(v, "")
      if (is.null(column$texts)) sprintf("%.17g", column$values) else column$texts[column$values + 1L]
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
