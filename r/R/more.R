cv <- function(object, ...) UseMethod("cv")
path <- function(object, ...) UseMethod("path")
verify <- function(object, ...) UseMethod("verify")

# Options of a fit that another command has no use for.
of_fit_only <- c("lambda", "time", "proof", "memory", "nodes", "checkpoint", "resume", "compare", "chance", "chance_seed")

# Runs a command on the rows that a model was learned from, and returns its JSON.
again <- function(object, command, options) {
  table <- tempfile("table")
  on.exit(unlink(table))
  write_columns(object$frame, table)
  kept <- object$options[setdiff(names(object$options), c(of_fit_only, names(options)))]
  text <- run(c(command, table, as_arguments(c(kept, options)), "--json", "-"))
  jsonlite::fromJSON(paste(text, collapse = "\n"), simplifyVector = FALSE)
}

cv.parcorels <- function(object, lambda = object$result$lambda_text, folds = 10, seed = 1, ...) {
  options <- c(list(folds = folds, seed = seed), list(...))
  if (nzchar(paste(lambda, collapse = ""))) {
    options$lambda <- lambda
  }
  got <- again(object, "cv", options)
  mean_of <- function(l, name) {
    v <- l$measures[[name]]
    if (is.null(v)) c(NA, NA) else c(v$mean, v$standard_error)
  }
  rows <- lapply(got$lambdas, function(l) {
    data.frame(
      lambda = if (is.null(l$lambda_text)) NA_character_ else l$lambda_text, rules = l$length$mean,
      accuracy = mean_of(l, "accuracy")[1], accuracy_se = mean_of(l, "accuracy")[2], majority = mean_of(l, "majority")[1],
      auc = mean_of(l, "auc")[1], auc_se = mean_of(l, "auc")[2], log_loss = mean_of(l, "log_loss")[1],
      unproved_folds = l$folds_unproven, stringsAsFactors = FALSE
    )
  })
  structure(do.call(rbind, rows), class = c("parcorels_cv", "data.frame"), folds = got$folds, model = got$model)
}

print.parcorels_cv <- function(x, ...) {
  cat(attr(x, "folds"), "-fold cross-validation of the ", attr(x, "model"), ", on rows that it has not seen:\n", sep = "")
  print(as.data.frame(x), digits = 4, row.names = FALSE)
  invisible(x)
}

path.parcorels <- function(object, to = 0.005, ...) {
  got <- again(object, "path", c(list(to = to), list(...)))
  rows <- lapply(got$vertices, function(v) {
    number <- function(x) if (is.null(x)) NA_real_ else x
    data.frame(rules = v$size, errors = v$errors, missed = number(v$missed), false_alarms = number(v$false_alarms),
      miss_weight = if (is.null(v$miss_weight)) NA_character_ else v$miss_weight, from = v$from, to = v$to, accuracy = number(v$cv_accuracy), accuracy_se = number(v$cv_standard_error),
      model = v$text, stringsAsFactors = FALSE)
  })
  structure(do.call(rbind, rows), class = c("parcorels_path", "data.frame"), weight = object$result$weight, down_to = got$certified_down_to,
    picked = if (!is.null(got$picked)) got$picked + 1L)
}

print.parcorels_path <- function(x, ...) {
  which <- if (all(is.na(x$miss_weight))) "every model that is optimal for some lambda" else "models for several weights of a miss, none beaten by another, for lambda"
  cat(which, " down to ", attr(x, "down_to"), ":\n", sep = "")
  shown <- data.frame(rules = x$rules, errors = x$errors, missed = x$missed, false_alarms = x$false_alarms, miss_weight = x$miss_weight, lambda = paste(x$from, "to", x$to))
  shown <- shown[, !vapply(shown, function(column) all(is.na(column)), NA)]
  if (!all(is.na(x$accuracy))) {
    shown$accuracy <- sprintf("%.1f%% +- %.1f", 100 * x$accuracy, 100 * x$accuracy_se)
  }
  if (!is.null(attr(x, "picked"))) {
    shown$pick <- ifelse(seq_len(nrow(x)) == attr(x, "picked"), "*", "")
  }
  print(shown, row.names = FALSE)
  invisible(x)
}

plot.parcorels_path <- function(x, xlab = "rules", ylab = "share classified right", ...) {
  if (!all(is.na(x$miss_weight))) {
    graphics::plot(x$false_alarms, x$missed, pch = 19, xlab = "false alarms", ylab = "missed", ...)
    return(invisible(x))
  }
  graphics::plot(x$rules, 1 - x$errors / attr(x, "weight"), type = "b", pch = 19, xlab = xlab, ylab = ylab, ...)
  invisible(x)
}

verify.parcorels <- function(object, ...) {
  proof <- object$options$proof
  if (is.null(proof) || !file.exists(proof)) {
    stop("there is no proof: fit with proof = TRUE, or proof = a file", call. = FALSE)
  }
  files <- tempfile(c("table", "model"))
  on.exit(unlink(files))
  write_columns(object$frame, files[1])
  writeBin(charToRaw(enc2utf8(object$model)), files[2])
  got <- run_client(c("verify", proof, files, as_arguments(list(...))))
  cat("VERIFIED: ", if (!is.null(got$result$proved_rules)) paste("no list of at most", got$result$proved_rules, "rules is better") else
      if (identical(object$result$status, "optimal")) "no model of the kind on these conditions is better" else "the bound holds",
    " (objective ", format(got$result$objective, digits = 10), ")\n", sep = "")
  invisible(TRUE)
}
