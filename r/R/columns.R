# A table as the program reads it from memory: one line of JSON that describes the columns,
# then their bytes (docs/column-protocol.md of the program's sources).

# One column: its type, and either its values or its texts with a code for each row.
describe <- function(v, name) {
  if (is.factor(v)) {
    codes <- as.integer(v)
    codes[is.na(levels(v))[codes]] <- NA # addNA(v)
    texts(ifelse(is.na(levels(v)), "", levels(v)), codes, name)
  } else if (inherits(v, "difftime")) {
    list(type = "float64", values = as.double(v, units = "hours"))
  } else if (inherits(v, "Date")) {
    coded(format(v, "%Y-%m-%d"), name)
  } else if (inherits(v, "POSIXt")) {
    coded(format(v, "%Y-%m-%d %H:%M:%S"), name)
  } else if (is.logical(v)) {
    if (anyNA(v)) texts(c("False", "True"), as.integer(v) + 1L, name) else list(type = "bool", values = v)
  } else if (is.numeric(v)) {
    list(type = "float64", values = as.double(v))
  } else if (is.character(v)) {
    coded(v, name)
  } else {
    stop("column '", name, "' is of class ", class(v)[1], ", which cannot be sent", call. = FALSE)
  }
}

coded <- function(v, name) {
  different <- unique(v[!is.na(v)])
  texts(different, match(v, different), name)
}

texts <- function(different, codes, name) {
  different <- enc2utf8(different)
  if (!all(validUTF8(different))) {
    stop("column '", name, "' has a text that is not UTF-8", call. = FALSE)
  }
  missing <- is.na(codes)
  codes[missing] <- 1L
  list(type = "text", texts = different, values = codes - 1L, missing = if (any(missing)) missing)
}

# Writes a data frame to a file.
write_columns <- function(frame, file) {
  columns <- Map(describe, frame, names(frame))
  heads <- Map(function(name, c) {
    head <- list(name = enc2utf8(name), type = c$type, missing = !is.null(c$missing))
    if (c$type == "text") {
      head$texts <- length(c$texts)
      head$bytes <- sum(nchar(c$texts, "bytes"))
    }
    head
  }, names(frame), columns)
  first <- list(format = "parcorels columns", version = 1L, source = "table.csv", rows = nrow(frame), columns = unname(heads))
  con <- file(file, "wb")
  on.exit(close(con))
  writeBin(charToRaw(paste0(jsonlite::toJSON(first, auto_unbox = TRUE), "\n")), con)
  for (c in columns) {
    if (!is.null(c$missing)) {
      writeBin(packBits(c(c$missing, logical(-length(c$missing) %% 64)), "raw"), con)
    }
    if (c$type == "bool") {
      writeBin(as.raw(c$values), con)
    } else if (c$type == "float64") {
      writeBin(c$values, con, size = 8L, endian = "little")
    } else {
      if (c$type == "text") {
        writeBin(nchar(c$texts, "bytes"), con, size = 4L, endian = "little")
        writeBin(charToRaw(paste(c$texts, collapse = "")), con)
      }
      writeBin(c$values, con, size = 4L, endian = "little")
    }
  }
}
