# The four families share all but the word for the program and the class of the result.
rule_list <- function(x, ...) UseMethod("rule_list")
rule_tree <- function(x, ...) UseMethod("rule_tree")
rule_set <- function(x, ...) UseMethod("rule_set")
bayes_list <- function(x, ...) UseMethod("bayes_list")

rule_list.formula <- function(formula, data, weights, subset, na.action, ...) by_formula("list", match.call(), parent.frame(), ...)
rule_tree.formula <- function(formula, data, weights, subset, na.action, ...) by_formula("tree", match.call(), parent.frame(), ...)
rule_set.formula <- function(formula, data, weights, subset, na.action, ...) by_formula("set", match.call(), parent.frame(), ...)
bayes_list.formula <- function(formula, data, weights, subset, na.action, ...) by_formula("bayes", match.call(), parent.frame(), ...)

rule_list.default <- function(x, y, weights = NULL, ...) by_columns("list", x, y, weights, match.call(), ...)
rule_tree.default <- function(x, y, weights = NULL, ...) by_columns("tree", x, y, weights, match.call(), ...)
rule_set.default <- function(x, y, weights = NULL, ...) by_columns("set", x, y, weights, match.call(), ...)
bayes_list.default <- function(x, y, weights = NULL, ...) by_columns("bayes", x, y, weights, match.call(), ...)

by_formula <- function(family, call, where, ...) {
  frame <- call[c(1L, match(c("formula", "data", "weights", "subset", "na.action"), names(call), 0L))]
  names(frame)[names(frame) == "x"] <- "formula"
  frame[[1L]] <- quote(stats::model.frame)
  if (is.null(frame$na.action)) frame$na.action <- quote(stats::na.pass)
  if (!is.null(frame$subset)) { # what is missing is not in it, as lm has it
    frame$subset <- as.call(list(function(s) if (is.logical(s)) s & !is.na(s) else s, frame$subset))
  }
  frame <- eval(frame, where)
  terms <- attr(frame, "terms")
  if (attr(terms, "response") == 0) {
    stop("the formula has no response, as in y ~ .", call. = FALSE)
  }
  if (any(attr(terms, "order") > 1)) {
    stop("conditions on several columns are found by the program (option max_card): the formula may have no interactions", call. = FALSE)
  }
  if (length(attr(terms, "offset")) > 0) {
    stop("offset() has no meaning for rules: leave it out of the formula", call. = FALSE)
  }
  if (length(attr(terms, "term.labels")) == 0) {
    stop("the formula names no column to predict from", call. = FALSE)
  }
  y <- stats::model.response(frame)
  weights <- stats::model.weights(frame)
  call[[1L]] <- as.name(c(list = "rule_list", tree = "rule_tree", set = "rule_set", bayes = "bayes_list")[[family]]) # for update()
  x <- frame[sub("^`(.*)`$", "\\1", attr(terms, "term.labels"))]
  fit <- by_columns(family, x, y, weights, call, ..., response = names(frame)[1L])
  fit$formula <- stats::formula(terms)
  fit$terms <- stats::delete.response(terms)
  fit
}

by_columns <- function(family, x, y, weights, call, ..., response = "class", time = "60s", verbose = FALSE) {
  x <- predictors(x)
  costs <- NULL
  if (NCOL(y) > 1 && !inherits(y, "Surv") && !is.null(colnames(y))) { # of decisions: of two the first is class 1
    if (!is.null(weights)) stop("costs say what rows weigh: there can be no other weights", call. = FALSE)
    costs <- as.data.frame(y)
    y <- factor(rep_len(names(costs), nrow(costs)), levels = rev(names(costs))) # for the names alone
  }
  if (NCOL(y) > 1) {
    stop("the response has several columns, as Surv() has: it must be one vector of classes, such as time > 365", call. = FALSE)
  }
  if (length(y) != nrow(x)) {
    stop("x has ", nrow(x), " rows and y has ", length(y), call. = FALSE)
  }
  options <- list(...)
  known <- !is.na(y)
  if (!all(known)) { # as lm leaves them out
    warning(sum(!known), " rows are left out, as their response is missing", call. = FALSE)
    x <- x[known, , drop = FALSE]
    y <- y[known]
    weights <- weights[known]
  }
  if (!is.null(weights) && any(weights == 0, na.rm = TRUE)) { # such rows say nothing
    counts <- is.na(weights) | weights != 0
    x <- x[counts, , drop = FALSE]
    y <- y[counts]
    weights <- weights[counts]
  }
  response <- unused(response, names(x))
  label <- labels_of(y)
  frame <- x
  if (is.null(costs)) {
    frame[[response]] <- label$values
  }
  for (decision in names(costs)) {
    column <- unused("cost", names(frame))
    frame[[column]] <- as.numeric(costs[[decision]])
    options$costs <- c(options$costs, paste0(quoted(decision), "=", column))
  }
  if (!is.null(weights)) {
    column <- unused("weights", names(frame))
    frame[[column]] <- as.numeric(weights)
    options$weight <- column
  }
  if (is.null(costs)) {
    options$target <- response
  }
  if (is.null(costs) && is.null(options$positive) && length(label$levels) == 2) {
    options$positive <- label$texts[2]
  }
  options$class_weights <- by_level(options$class_weights, label$levels, label$levels[match(options$positive, label$texts)])
  for (name in names(x)) {
    if (is.ordered(x[[name]])) {
      options$ordered <- c(options$ordered, paste0(quoted(name), "=", paste(quoted(levels(x[[name]])), collapse = "<")))
    }
  }
  options$model <- family
  options$time <- if (is.numeric(time)) paste0(format(time, scientific = FALSE), "s") else time
  # A proof belongs to the object, unless a file is named for it.
  if (isTRUE(options$proof)) {
    options$proof <- tempfile("proof")
  }
  table <- tempfile("table")
  on.exit(unlink(table))
  write_columns(frame, table)
  last <- run_client(c("fit", table, as_arguments(options)), verbose)
  class <- c(list = "rule_list", tree = "rule_tree", set = "rule_set", bayes = "bayes_list")[[family]]
  asks <- if (!is.null(options$ask_cost)) "ask" # one more decision
  changed <- rounded(options)
  for (name in names(changed)) {
    last$result$data$notes <- c(last$result$data$notes, list(paste0(name, " has too many digits to be kept exactly, and is taken as ",
      paste(changed[[name]], collapse = ", "))))
  }
  for (note in last$result$data$notes) {
    constant <- last$result$length == 0
    if (grepl("are not used", note) && !grepl("all values are the same", note) && (constant || !grepl("no threshold", note))) {
      warning(in_r(note), call. = FALSE)
    }
  }
  structure(list(
    call = call, result = last$result, rounded = changed, text = last$text, model = last$model, decision = last$decision,
    levels = c(label$levels, asks), texts = c(label$texts, asks), logical = is.logical(y) && is.null(asks), names = names(x), frame = frame, options = options
  ), class = c(class, "parcorels"))
}

# Columns of a table, a column of a matrix each, named as model.matrix names them.
predictors <- function(x) {
  if (is.matrix(x) && is.null(colnames(x))) {
    colnames(x) <- paste0("x", seq_len(ncol(x)))
  }
  x <- as.data.frame(x, stringsAsFactors = FALSE)
  for (name in names(x)[vapply(x, function(v) is.matrix(v), NA)]) {
    m <- x[[name]]
    x[[name]] <- NULL
    names <- if (ncol(m) == 1) name else paste0(name, if (is.null(colnames(m))) seq_len(ncol(m)) else colnames(m))
    for (j in seq_len(ncol(m))) x[[names[j]]] <- as.vector(m[, j])
  }
  x
}

# A name or level as the option ordered reads it.
quoted <- function(text) ifelse(grepl("[\"=<]", text), paste0("\"", gsub("\"", "\"\"", text), "\""), text)

# Weights of classes in the order of the program: that of class 1, the positive one, is the last.
by_level <- function(weights, levels, positive) {
  if (!is.numeric(weights) || is.null(names(weights))) {
    return(weights)
  }
  given <- names(weights)
  if (identical(levels, c("False", "True"))) {
    given <- sub("^TRUE$", "True", sub("^FALSE$", "False", given))
  }
  if (length(levels) != 2 || !setequal(given, levels) || length(given) != 2) {
    stop("class_weights has the names ", paste(sQuote(names(weights), FALSE), collapse = ", "), ", the classes are ",
      paste(sQuote(levels, FALSE), collapse = ", "), call. = FALSE)
  }
  last <- if (is.null(positive)) levels[2] else positive
  unname(weights)[match(c(setdiff(levels, last), last), given)]
}

unused <- function(name, taken) {
  while (name %in% taken) {
    name <- paste0(name, "_")
  }
  name
}

# The response as text, and its levels. The second of two levels is class 1, as in glm. A text that would read as missing
# is quoted: a label that is there is not missing.
labels_of <- function(y) {
  if (is.logical(y)) {
    return(list(values = factor(y, c(FALSE, TRUE), c("False", "True")), levels = c("False", "True"), texts = c("False", "True")))
  }
  y <- if (is.factor(y)) droplevels(y) else factor(y)
  levels <- levels(y)
  texts <- ifelse(tolower(trimws(levels)) %in% c("", "?", "na", "n/a", "nan", "null"), paste0("'", levels, "'"), levels)
  levels(y) <- texts
  list(values = y, levels = levels, texts = texts)
}
