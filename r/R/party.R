# A tree as partykit has it, for its plots and tools. Each split of the model becomes a split of
# partykit on the same column; a missing value goes where the test does not hold.
as.party.parcorels <- function(obj, ...) {
  if (!inherits(obj, "rule_tree")) {
    stop("only a rule_tree is a tree of partykit", call. = FALSE)
  }
  model <- jsonlite::fromJSON(obj$model, simplifyVector = FALSE)
  data <- obj$frame[obj$names]
  for (name in names(data)) {
    if (is.character(data[[name]]) || is.logical(data[[name]])) {
      data[[name]] <- factor(data[[name]])
    }
  }
  split_of <- function(node) {
    l <- node$literals
    if (length(l) != 1) {
      stop("partykit has no split by '", node$test, "'", call. = FALSE)
    }
    l <- l[[1]]
    v <- match(l$column, names(data))
    holds <- if (l$negated) 2L else 1L
    other <- 3L - holds
    kind <- l$test$kind
    if (kind %in% c("is", "among")) {
      texts <- if (kind == "is") l$test$value else unlist(l$test$values)
      return(partykit::partysplit(v, index = ifelse(levels(data[[v]]) %in% texts, holds, other)))
    }
    if (kind == "true") {
      return(partykit::partysplit(v, index = ifelse(levels(data[[v]]) == "TRUE", holds, other)))
    }
    if (kind == "threshold" && is.null(l$test$levels)) {
      above <- is.null(l$test$high)
      cut <- if (above) l$test$low else l$test$high
      return(partykit::partysplit(v, breaks = as.double(cut), right = TRUE, index = if (above) c(other, holds) else c(holds, other)))
    }
    stop("partykit has no split by '", node$test, "'", call. = FALSE)
  }
  build <- function(i) {
    node <- model$nodes[[i]]
    if (is.null(node$test)) {
      return(partykit::partynode(i))
    }
    partykit::partynode(i, split = split_of(node), kids = list(build(i + 1L), build(node$`else` + 1L)))
  }
  root <- build(1L)
  response <- factor(as.character(obj$frame[[obj$options$target]]), levels = obj$texts, labels = obj$levels)
  fitted <- data.frame("(fitted)" = partykit::fitted_node(root, data), "(response)" = response, check.names = FALSE)
  partykit::as.constparty(partykit::party(root, data = data, fitted = fitted, terms = stats::terms(stats::reformulate(".", as.name(obj$options$target)), data = cbind(stats::setNames(data.frame(response), obj$options$target), data))))
}
