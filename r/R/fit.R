# The four families share all but the word for the program and the class of the result.
rule_list <- function(x, ...) UseMethod("rule_list")
rule_tree <- function(x, ...) UseMethod("rule_tree")
rule_set <- function(x, ...) UseMethod("rule_set")
bayes_list <- function(x, ...) UseMethod("bayes_list")

rule_list.formula <- function(formula, data, weights, subset, ...) by_formula("list", match.call(), parent.frame(), ...)
rule_tree.formula <- function(formula, data, weights, subset, ...) by_formula("tree", match.call(), parent.frame(), ...)
rule_set.formula <- function(formula, data, weights, subset, ...) by_formula("set", match.call(), parent.frame(), ...)
bayes_list.formula <- function(formula, data, weights, subset, ...) by_formula("bayes", match.call(), parent.frame(), ...)

rule_list.default <- function(x, y, weights = NULL, ...) by_columns("list", x, y, weights, match.call(), ...)
rule_tree.default <- function(x, y, weights = NULL, ...) by_columns("tree", x, y, weights, match.call(), ...)
rule_set.default <- function(x, y, weights = NULL, ...) by_columns("set", x, y, weights, match.call(), ...)
bayes_list.default <- function(x, y, weights = NULL, ...) by_columns("bayes", x, y, weights, match.call(), ...)

by_formula <- function(family, call, where, ...) {
  frame <- call[c(1L, match(c("formula", "data", "weights", "subset"), names(call), 0L))]
  names(frame)[names(frame) == "x"] <- "formula"
  frame[[1L]] <- quote(stats::model.frame)
  frame$na.action <- quote(stats::na.pass)
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
  if (NCOL(y) > 1) {
    stop("the response has several columns, as Surv() has: it must be one vector of classes, such as time > 365", call. = FALSE)
  }
  if (length(y) != nrow(x)) {
    stop("x has ", nrow(x), " rows and y has ", length(y), call. = FALSE)
  }
  options <- list(...)
  if (!is.null(weights) && any(weights == 0, na.rm = TRUE)) { # such rows say nothing
    counts <- is.na(weights) | weights != 0
    x <- x[counts, , drop = FALSE]
    y <- y[counts]
    weights <- weights[counts]
  }
  response <- unused(response, names(x))
  label <- labels_of(y)
  frame <- x
  frame[[response]] <- label$values
  if (!is.null(weights)) {
    column <- unused("weights", names(frame))
    frame[[column]] <- as.numeric(weights)
    options$weight <- column
  }
  options$target <- response
  if (is.null(options$positive) && length(label$levels) == 2) {
    options$positive <- label$levels[2]
  }
  options$class_weights <- by_level(options$class_weights, label$levels, options$positive)
  for (name in names(x)) {
    if (is.ordered(x[[name]])) {
      options$ordered <- c(options$ordered, paste0(name, "=", paste(levels(x[[name]]), collapse = "<")))
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
  structure(list(
    call = call, result = last$result, text = last$text, model = last$model, decision = last$decision,
    levels = label$levels, logical = is.logical(y), names = names(x), frame = frame, options = options
  ), class = c(class, "parcorels"))
}

# Columns of a table, a column of a matrix each.
predictors <- function(x) {
  if (is.matrix(x) && is.null(colnames(x))) {
    colnames(x) <- paste0("x", seq_len(ncol(x)))
  }
  x <- as.data.frame(x, stringsAsFactors = FALSE)
  wide <- vapply(x, function(v) !is.null(dim(v)), NA)
  if (any(wide)) {
    stop("column '", names(x)[wide][1], "' is a matrix: give each of its columns a name", call. = FALSE)
  }
  x
}

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

# The response as text, and its levels. The second of two levels is class 1, as in glm.
labels_of <- function(y) {
  if (is.logical(y)) {
    return(list(values = factor(y, c(FALSE, TRUE), c("False", "True")), levels = c("False", "True")))
  }
  y <- if (is.factor(y)) droplevels(y) else factor(y)
  list(values = y, levels = levels(y))
}
