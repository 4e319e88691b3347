#' The path of the program: PARCORELS_PROGRAM, the folder bin of this package, or the PATH.
parcorels_program <- function() {
  given <- Sys.getenv("PARCORELS_PROGRAM")
  if (nzchar(given)) {
    return(given)
  }
  name <- if (.Platform$OS.type == "windows") "parcorels.exe" else "parcorels"
  carried <- system.file("bin", name, package = "parcorels")
  if (nzchar(carried)) {
    return(carried)
  }
  found <- unname(Sys.which("parcorels"))
  if (!nzchar(found)) {
    stop("the program parcorels is neither in this package nor on the PATH; see ?parcorels_program", call. = FALSE)
  }
  found
}

# Options of the command line as they are called here: --max-card is max_card.
in_r <- function(message) {
  message <- sub(" (see parcorels fit --help)", "; see ?rule_list", message, fixed = TRUE)
  found <- gregexpr("--[a-z][a-z0-9-]*", message)
  regmatches(message, found) <- lapply(regmatches(message, found), function(o) gsub("-", "_", sub("^--", "", o)))
  message
}

# These may come again, each with one value; a vector of any other has commas between.
repeated <- c("first", "forbid", "ordered", "cuts")

# These are kept exactly: a number of too many digits is the nearest fraction that fits. Weights are rounded by the program.
exact <- c("lambda", "min_support", "length", "width", "alpha", "within", "within_rules", "to", "holdout", "parity", "equal_opportunity", "equal_odds", "recall", "precision", "select")

number_text <- function(v, name) {
  text <- format(v, digits = 15, scientific = FALSE, trim = TRUE)
  if (name %in% exact && v > 0 && nchar(sub("^-?0*[.]?0*", "", text)) > 11) nearest(v) else text
}

# The last convergent of x whose denominator fits, as text.
nearest <- function(x, most = max(1e6, 1000 / x)) {
  p <- c(0, 1)
  q <- c(1, 0)
  r <- x
  repeat {
    a <- floor(r)
    if (a * q[2] + q[1] > most) break
    p <- c(p[2], a * p[2] + p[1])
    q <- c(q[2], a * q[2] + q[1])
    if (abs(p[2] / q[2] - x) < 1e-15 * x || r == a) break
    r <- 1 / (r - a)
  }
  sprintf("%.0f/%.0f", p[2], q[2])
}

# The options whose numbers are taken as other ones, by name.
rounded <- function(options) {
  given <- Filter(is.numeric, options[intersect(names(options), exact)])
  texts <- lapply(names(given), function(name) vapply(given[[name]], number_text, "", name = name))
  names(texts) <- names(given)
  Filter(function(t) any(grepl("/", t, fixed = TRUE)), texts)
}

# A list of options as arguments of the command line.
as_arguments <- function(options) {
  if (length(options) > 0 && (is.null(names(options)) || !all(nzchar(names(options))))) {
    stop("options of the program have names, as in lambda = 0.01", call. = FALSE)
  }
  arguments <- character()
  for (name in names(options)) {
    v <- options[[name]]
    flag <- paste0("--", gsub("_", "-", name))
    if (is.null(v) || identical(v, FALSE)) {
      next
    }
    if (identical(v, TRUE)) {
      arguments <- c(arguments, flag)
      next
    }
    if (is.matrix(v)) v <- t(v) # row by row
    text <- if (is.numeric(v)) vapply(v, number_text, "", name = name) else enc2utf8(as.character(v))
    if (!name %in% repeated) {
      text <- paste(text, collapse = ",")
    }
    arguments <- c(arguments, as.vector(rbind(flag, text)))
  }
  arguments
}

# Runs a command to its end, and returns what it prints.
run <- function(arguments) {
  err <- tempfile()
  on.exit(unlink(err))
  out <- suppressWarnings(system2(parcorels_program(), shQuote(arguments), stdout = TRUE, stderr = err))
  status <- attr(out, "status")
  if (!is.null(status) && status != 0) {
    said <- readLines(err, warn = FALSE, encoding = "UTF-8")
    said <- if (length(said) > 0) said[length(said)] else paste("the program ended with status", status)
    stop(in_r(sub("^parcorels: ", "", said)), call. = FALSE)
  }
  Encoding(out) <- "UTF-8"
  out
}

# Runs fit or verify as a client, and returns the last event. The program ends when its stdin
# is closed, so it never outlives this process, and an interrupt gives the best model so far.
run_client <- function(arguments, verbose = FALSE) {
  folder <- tempfile("parcorels")
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  out <- file.path(folder, "out")
  err <- file.path(folder, "err")
  done <- file.path(folder, "done")
  command <- paste(shQuote(parcorels_program()), "client", paste(shQuote(arguments), collapse = " "), ">", shQuote(out), "2>", shQuote(err))
  command <- if (.Platform$OS.type == "windows") paste(command, "& echo done >", shQuote(done)) else paste0(command, "; echo done > ", shQuote(done))
  lifeline <- pipe(command, "w")
  open <- TRUE
  hang_up <- function() {
    if (open) {
      open <<- FALSE
      suppressWarnings(close(lifeline)) # waits for the program, which then ends
    }
  }
  on.exit(hang_up(), add = TRUE, after = FALSE)
  last <- tryCatch(follow(out, done, verbose), interrupt = function(e) {
    message("interrupted: the best model so far is taken")
    NULL
  })
  hang_up()
  if (is.null(last)) {
    last <- follow(out, done, FALSE)
  }
  if (is.null(last)) {
    said <- if (file.exists(err)) readLines(err, warn = FALSE) else character()
    stop("the program ended without a result", if (length(said) > 0) paste0(": ", said[1]), call. = FALSE)
  }
  if (last$event == "error") {
    stop(in_r(sub("^([^:]*[/\\\\])?table[^/\\\\: ]*: ", "", last$message)), call. = FALSE) # a data frame is no file
  }
  last
}

# Reads events until the last one. NULL: the program has ended without one.
follow <- function(out, done, verbose) {
  at <- 0
  left <- raw()
  repeat {
    ended <- file.exists(done)
    size <- if (file.exists(out)) file.size(out) else 0
    if (size > at) {
      con <- file(out, "rb")
      seek(con, at)
      left <- c(left, readBin(con, "raw", size - at))
      close(con)
      at <- size
    }
    ends <- which(left == as.raw(10L))
    from <- 1
    for (end in ends) {
      line <- rawToChar(left[from:(end - 1)])
      Encoding(line) <- "UTF-8"
      from <- end + 1
      event <- jsonlite::fromJSON(line, simplifyVector = FALSE)
      if (event$event %in% c("result", "error")) {
        return(event)
      }
      if (verbose) {
        tell(event)
      }
    }
    if (from > 1) {
      left <- if (from <= length(left)) left[from:length(left)] else raw()
    }
    if (ended) {
      return(NULL)
    }
    Sys.sleep(0.02)
  }
}

tell <- function(event) {
  if (event$event == "note") {
    message(event$text)
  } else {
    message(sprintf("%6.1f s   objective %.4f   bound %.4f   gap %.1f%%   %s done", event$elapsed, event$objective, event$lower_bound,
      100 * event$gap, format(event$expanded, big.mark = ",")))
  }
}
