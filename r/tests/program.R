# Models, predictions and errors, with the program where there is one.
library(parcorels)
there <- tryCatch(nzchar(parcorels_program()), error = function(e) FALSE)
fails <- function(expression, pattern) {
  message <- tryCatch({
    expression
    "no error"
  }, error = conditionMessage)
  if (!grepl(pattern, message)) stop("expected an error like '", pattern, "', got: ", message)
}

if (!there) {
  cat("not run: the program parcorels is not here\n")
} else {
  cars <- transform(mtcars, am = factor(am, labels = c("automatic", "manual")))

  # The model is that of the command line on the same table, byte for byte.
  mixed <- data.frame(
    age = c(NA, 20:58), share = seq(0, 1, length.out = 40) / 3, big = 10^(1:40 %% 5 * 3), flag = rep(c(TRUE, FALSE, NA, TRUE), 10),
    kind = factor(rep(c("a \"b\"", "c,d", "\u00e9"), length.out = 40)), stage = ordered(rep(c("low", "mid", "high"), length.out = 40), c("low", "mid", "high")),
    day = as.Date("2020-01-31") + 1:40 * 9, stringsAsFactors = FALSE
  )
  mixed$class <- factor(ifelse(seq_len(40) %% 3 == 0 | seq_len(40) > 30, "yes", "no"))
  same <- function(data, response, family, learn, ..., options = character()) {
    table <- data[c(setdiff(names(data), response), response)]
    csv <- tempfile("table", fileext = ".csv")
    model <- tempfile("model")
    canonical(table, csv)
    arguments <- c("fit", csv, "--model", family, "--target", response, "--quiet", "-o", model, options)
    stopifnot(system2(parcorels_program(), shQuote(arguments), stdout = FALSE) == 0)
    fit <- learn(stats::as.formula(paste("`", response, "` ~ .", sep = "")), data = table, ...)
    plain <- function(text) {
      m <- jsonlite::fromJSON(text, simplifyVector = FALSE)
      m$data$source <- NULL
      m$options <- NULL
      m
    }
    of_program <- plain(paste(readLines(model, encoding = "UTF-8"), collapse = "\n"))
    if (!identical(plain(fit$model), of_program)) stop("another model: ", all.equal(plain(fit$model), of_program))
    fit
  }
  # Text as docs/column-protocol.md defines it.
  canonical <- function(table, file) {
    cells <- lapply(table, function(v) {
      text <- if (is.logical(v)) ifelse(v, "True", "False") else if (is.numeric(v)) shortest(v) else as.character(v)
      text[is.na(v)] <- ""
      needs <- grepl("[,\"\n\r]", text)
      text[needs] <- paste0("\"", gsub("\"", "\"\"", text[needs]), "\"")
      enc2utf8(text)
    })
    con <- file(file, "wb")
    writeLines(paste(names(table), collapse = ","), con, useBytes = TRUE)
    writeLines(do.call(paste, c(unname(cells), sep = ",")), con, useBytes = TRUE)
    close(con)
  }
  shortest <- function(v) {
    vapply(v, function(x) {
      for (digits in 1:17) {
        text <- formatC(x, digits = digits, format = "fg")
        if (!is.na(x) && as.numeric(text) == x) return(trimws(text))
      }
      text
    }, "")
  }
  ordered <- c("--ordered", "stage=low<mid<high", "--use", "age")
  list <- same(mixed, "class", "list", rule_list, options = c(ordered, "--positive", "yes"))
  tree <- same(mixed, "class", "tree", rule_tree, depth = 2, options = c(ordered, "--positive", "yes", "--depth", "2"))
  same(mixed, "class", "set", rule_set, options = c(ordered, "--positive", "yes"))
  same(iris, "Species", "tree", rule_tree, lambda = 0.02, options = c("--lambda", "0.02"))
  same(cars, "am", "list", rule_list, lambda = 0.05, options = c("--positive", "manual", "--lambda", "0.05"))

  # Predictions are those of the counts that the model has.
  wrong <- sum(predict(list, mixed) != mixed$class)
  stopifnot(wrong == list$result$errors, identical(predict(list), predict(list, mixed)))
  p <- predict(tree, mixed, "prob")
  stopifnot(dim(p) == c(40, 2), identical(colnames(p), levels(mixed$class)), abs(rowSums(p) - 1) < 1e-5)
  stopifnot(length(predict(list, mixed[0, ])) == 0, length(predict(list, mixed[1, ])) == 1)
  three <- rule_tree(Species ~ ., data = iris)
  stopifnot(any(grepl("within the same limits", capture.output(print(rule_tree(Species ~ ., data = iris, depth = 1))))))
  stopifnot(mean(predict(three, iris) == iris$Species) > 0.9, ncol(predict(three, iris, "prob")) == 3)
  flags <- rule_list(mpg > 20 ~ ., data = mtcars, weights = mtcars$carb)
  stopifnot(is.logical(predict(flags, mtcars)))
  warns <- function(expression, pattern) {
    said <- character()
    value <- withCallingHandlers(expression, warning = function(w) {
      said <<- c(said, conditionMessage(w))
      invokeRestart("muffleWarning")
    })
    if (!any(grepl(pattern, said))) stop("expected a warning like '", pattern, "', got: ", paste(said, collapse = "; "))
    value
  }
  numbered <- warns(rule_list(am ~ ., data = cbind(row_id = seq_len(nrow(cars)), cars)), "not used, as they number rows or are ids [(]use.*row_id")
  for (shown in list(numbered, summary(numbered))) stopifnot(any(grepl("^note: .*\\(use", capture.output(shown))))
  matrix <- rule_list(as.matrix(mtcars[-9]), mtcars$am)
  stopifnot(nlevels(predict(matrix, as.matrix(mtcars[-9]))) == 2)

  # Weights of classes go by their names, in any order.
  given <- function(weights) rule_tree(am ~ mpg + wt, data = cars, class_weights = weights)$model
  stopifnot(identical(given(c(manual = 3, automatic = 1)), given(c(automatic = 1, manual = 3))))
  stopifnot(identical(given(c(manual = 3, automatic = 1)), given(c(1, 3))), !identical(given(c(3, 1)), given(c(1, 3))))
  fails(given(c(manual = 3, auto = 1)), "classes are 'automatic', 'manual'")
  true <- rule_list(mpg > 20 ~ wt, data = mtcars, class_weights = c("TRUE" = 2, "FALSE" = 1))
  stopifnot(identical(true$model, rule_list(mpg > 20 ~ wt, data = mtcars, class_weights = c(1, 2))$model))

  # Names with spaces, update(), and rows of weight zero.
  spaced <- data.frame(am = cars$am, "my weight" = cars$wt, check.names = FALSE)
  backtick <- rule_list(am ~ ., data = spaced)
  stopifnot(identical(backtick$names, "my weight"), length(predict(backtick, spaced)) == nrow(cars))
  both <- rule_list(am ~ mpg + wt, data = cars)
  stopifnot(identical(update(both, . ~ . - wt)$names, "mpg"))
  none <- rule_list(am ~ wt, data = cars, weights = rep(c(1, 0), 16))
  stopifnot(none$result$samples == 16)

  # Numbers that are computed are the nearest fractions that fit, and weights are as many rows.
  third <- rule_list(am ~ wt + mpg, data = cars, lambda = 1 / 30, min_support = 1 / 7, weights = seq_along(cars$wt) / 7, class_weights = c(1 / 3, 2 / 3))
  stopifnot(third$result$lambda_text == "1/30", third$rounded$min_support == "1/7", any(grepl("is taken as 1/30", unlist(third$result$data$notes))))
  for (l in 10^seq(-3, -1, length.out = 4)) rule_list(am ~ wt + mpg, data = cars, lambda = l)
  count <- rep(1:4, 8)
  by_weight <- rule_tree(am ~ wt + mpg + qsec, data = cars, weights = count)
  by_row <- rule_tree(am ~ wt + mpg + qsec, data = cars[rep(1:32, count), ])
  stopifnot(identical(by_weight$text, by_row$text), by_weight$result$samples == sum(count))

  # Texts and classes of all kinds.
  young <- cut(mtcars$qsec, c(0, 16, 18, 30), labels = c("<16", "16=18", ">18"), ordered_result = TRUE)
  kinds <- data.frame(young, gone = as.difftime(mtcars$disp, units = "mins"), maybe = addNA(factor(replace(cars$gear, 1:4, NA))), wt = scale(mtcars$wt))
  odd <- rule_list(kinds, factor(mtcars$am, labels = c("NA", "?")))
  stopifnot(identical(levels(predict(odd, kinds)), c("NA", "?")), mean(predict(odd, kinds) == factor(mtcars$am, labels = c("NA", "?"))) > 0.8)
  stopifnot(identical(dim(predict(odd, kinds[0, ], "prob")), c(0L, 2L)), identical(predict(odd, kinds, "raw"), predict(odd, kinds)))
  hours <- data.frame(gone = as.difftime(c(NA, 1:40), units = "mins"))
  late <- c(FALSE, 1:40 > 25)
  stopifnot(identical(predict(rule_list(hours, late), hours), late))
  shares <- predict(tree, mixed, "prob")
  stopifnot(identical(unname(rowSums(shares)), rep(1, 40)))
  missing <- warns(rule_list(am ~ wt, data = transform(cars, am = replace(am, 1:3, NA))), "3 rows are left out")
  stopifnot(missing$result$samples == 29, rule_list(am ~ wt, data = cars, na.action = na.omit)$result$samples == 32)
  fair <- rule_list(am ~ ., data = transform(cars, vs = vs == 1), fair = "vs", parity = 0.2)
  stopifnot(fair$result$status == "optimal", length(predict(fair)) == 32)
  found <- rule_list(am ~ ., data = cars, recall = 0.9, max_card = 1)
  within <- capture.output(print(rule_list(am ~ ., data = cars, recall = 0.9, max_card = 1, min_rows = 4)))
  stopifnot(any(grepl("none within the limit has one below|within the same limits", within)))
  stopifnot(mean(predict(found)[cars$am == "manual"] == "manual") >= 0.9)

  found <- rule_list(am ~ ., data = cars, maximise = "f1", max_card = 1)
  stopifnot(found$result$f1$bound == found$result$f1$score)

  # A proof is checked, and only where there is one.
  proved <- rule_list(am ~ ., data = cars, proof = TRUE)
  stopifnot(isTRUE(verify(proved)))
  fails(verify(list), "no proof")
  proved$frame$am[1] <- "automatic"
  fails(verify(proved), "not the file")

  fails(rule_list(am ~ ., data = cars, lambda = 2), "^lambda")
  fails(rule_list(am ~ ., data = cars, nonsense = 1), "nonsense.*; see [?]rule_list")
  spent <- transform(cars, call = ifelse(wt > 3, 1.5, 4), leave = 3)
  decided <- rule_tree(cbind(call, leave) ~ wt + mpg, data = spent, lambda = 0, depth = 1, cuts = "all")
  taken <- as.character(predict(decided, spent))
  stopifnot(setequal(taken, c("call", "leave")), all.equal(decided$result$cost, sum(ifelse(taken == "call", spent$call, spent$leave))))
  cheapest <- rule_list(cbind(call, leave, qsec) ~ wt + mpg, data = spent, lambda = 0.05, ask_cost = 1)
  stopifnot(all.equal(cheapest$result$cost, 32), predict(cheapest, spent) == "ask")
  fails(rule_list(am ~ mpg * wt, data = cars), "interactions")
  fails(rule_list(am ~ mpg + offset(wt), data = cars), "offset")
  fails(rule_list(am ~ 1, data = cars), "no column to predict from")
  fails(rule_list(am ~ ., data = cars, fair = "color", parity = 0.2), "^no column .color")
  curved <- rule_list(am ~ poly(wt, 2), data = cars, lambda = 0.05)
  stopifnot(predict(curved, cars) == predict(curved), any(grepl("poly(wt, 2)1", capture.output(print(curved)), fixed = TRUE)), nobs(curved) == 32)
  dear <- rule_list(am ~ ., data = cars, cost_matrix = matrix(c(0, 9, 1, 0), 2), lambda = 0.05)
  stopifnot(sum(predict(dear) == "automatic" & cars$am == "manual") == 0)
  fails(rule_list(cars[1:3, ], cars$am), "rows")

  some <- transform(cars, known = replace(mpg > 15, 1:5, NA))
  stopifnot(rule_list(am ~ wt, data = some, subset = known, lambda = 0.1, time = 30)$result$samples == sum(some$known, na.rm = TRUE))

  folds <- cv(proved, lambda = c(0.05, 0.2), folds = 5)
  stopifnot(nrow(folds) == 2, folds$accuracy > 0.5, folds$accuracy <= 1)
  all <- path(list, to = 0.05)
  stopifnot(all$rules[1] == 0, all$errors[1] == min(table(mixed$class)), diff(all$errors) < 0)

  front <- path(list, to = 0.05, front = "1/2,3")
  stopifnot(front$miss_weight %in% c("0.5", "3"), diff(front$missed) <= 0, min(front$missed) == 0, min(front$false_alarms) == 0,
    grepl("several weights", capture.output(print(front))[1]))
  picked <- path(list, to = 0.05, cv = TRUE, pick = "one-se")
  stopifnot(any(grepl("accuracy.*pick", capture.output(print(picked)))), any(grepl("[*]$", capture.output(print(picked)))))
  summary <- capture.output(print(summary(list)), print(list), print(folds), print(all))
  stopifnot(any(grepl("bound", summary)))
  grDevices::pdf(NULL)
  warned <- options(warn = 2) # a sign that the device lacks is a warning
  for (m in base::list(list, tree, three, all)) plot(m)
  options(warned)
  if (requireNamespace("generics", quietly = TRUE)) {
    stopifnot(nrow(generics::tidy(list)) == list$result$length + 1, sum(generics::tidy(tree)$captured) == 40, generics::glance(list)$nobs == 40)
  }
  if (requireNamespace("partykit", quietly = TRUE)) {
    party <- partykit::as.party(three)
    stopifnot(identical(as.character(predict(party, iris)), as.character(predict(three, iris))))
  }
  cat("all tests passed\n")
}
