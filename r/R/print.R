print.parcorels <- function(x, ...) {
  cat(x$text)
  cat(verdict(x), "\n", sep = "")
  tell_notes(x)
  invisible(x)
}

# What a person might not expect: columns left out, or one that may have come with the label.
tell_notes <- function(x) {
  for (note in x$result$data$notes) {
    writeLines(strwrap(in_r(paste("note:", note)), exdent = 6))
  }
}

verdict <- function(x) {
  r <- x$result
  if (identical(r$status, "optimal")) {
    better <- if (inherits(x, "bayes_list")) "larger posterior" else "smaller objective"
    limits <- if (any(c("depth", "max_rules", "first", "forbid", "recall", "precision", "select", "fair", "min_rows", "increasing", "decreasing") %in% names(x$options))) " within the same limits" else ""
    return(paste0("optimal: no ", r$model, " on these conditions", limits, " has a ", better))
  }
  if (identical(r$status, "finished") && is.null(r$value)) {
    return(sprintf("not proved to be optimal: objective %.6g, none within the limit has one below %.6g", r$objective, r$lower_bound))
  }
  if (identical(r$status, "finished")) {
    return(sprintf("value %.6g; no rule set has a value above %.6g", r$value, r$upper_bound))
  }
  gap <- if (is.null(r$gap)) "" else if (!is.null(r$gap_unit)) sprintf("; the gap is %.1f %s", r$gap, r$gap_unit) else sprintf("; the gap is %s", percent(r$gap))
  few <- r$proved_rules
  short <- if (is.null(few)) "" else sprintf("; proved: no list of at most %d rule%s is better", few, if (few > 1) "s" else "")
  if (!is.null(r$proved_depth)) short <- sprintf("; proved: no tree of depth at most %d is better", r$proved_depth)
  paste0("not proved to be optimal (", r$status, ")", gap, short, "; a larger time may prove it")
}

summary.parcorels <- function(object, ...) {
  structure(list(call = object$call, text = object$text, verdict = verdict(object), glance = glance.parcorels(object), result = object$result), class = "summary.parcorels")
}

print.summary.parcorels <- function(x, ...) {
  cat("Call: ", paste(deparse(x$call), collapse = " "), "\n\n", sep = "")
  cat(x$text)
  g <- x$glance
  cat(sprintf("\n%s rows, %s classified wrongly (%.1f%%), %d rules or leaves, lambda %s\n", format(g$nobs, big.mark = ","),
    format(g$errors, big.mark = ","), 100 * g$errors / g$nobs, g$size, g$lambda))
  cat(sprintf("objective %.6g, bound %.6g: %s\n", g$objective, g$bound, x$verdict))
  cat("These figures are of the rows that the model was learned from; see cv() for others.\n")
  tell_notes(x)
  invisible(x)
}

# The rules as a data frame, as broom gives coefficients.
tidy.parcorels <- function(x, ...) {
  last <- x$result$default
  rules <- c(x$result$rules, if (!is.null(last)) list(c(last, antecedent = "")))
  get <- function(name, none) vapply(rules, function(r) if (is.null(r[[name]])) none else r[[name]], none)
  data.frame(
    rule = seq_along(rules), condition = get("antecedent", ""), class = get("predict", ""),
    captured = vapply(rules, function(r) as.numeric(r$captured), 0), correct = vapply(rules, function(r) as.numeric(r$correct), 0),
    stringsAsFactors = FALSE
  )
}

glance.parcorels <- function(x, ...) {
  r <- x$result
  number <- function(v) if (is.null(v)) NA_real_ else as.numeric(v)
  bound <- if (is.null(r$lower_bound)) r$upper_bound else r$lower_bound
  data.frame(
    model = r$model, status = r$status, size = as.integer(number(r$length)), errors = number(r$errors), objective = number(r$objective),
    bound = number(bound), gap = number(r$gap), lambda = if (is.null(r$lambda_text)) NA_character_ else r$lambda_text,
    nobs = number(r$samples), stringsAsFactors = FALSE
  )
}

percent <- function(share) sprintf("%.1f%%", 100 * share)

nobs.parcorels <- function(object, ...) object$result$samples
