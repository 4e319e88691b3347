# A tree as rpart draws it, and the rules of other models below each other.
plot.parcorels <- function(x, main = NULL, cex = 0.8, ...) {
  model <- jsonlite::fromJSON(x$model, simplifyVector = FALSE)
  old <- graphics::par(mar = c(0.5, 0.5, if (is.null(main)) 0.5 else 2.5, 0.5), xpd = NA)
  on.exit(graphics::par(old))
  graphics::plot.new()
  if (!is.null(main)) {
    graphics::title(main)
  }
  if (inherits(x, "rule_tree")) draw_tree(model, cex) else draw_rules(tidy.parcorels(x), inherits(x, "rule_set"), cex)
  invisible(x)
}

# The fonts of pdf() and postscript() lack these signs.
drawn <- function(text) {
  if (names(grDevices::dev.cur()) %in% c("pdf", "postscript")) gsub("\u2264", "<=", gsub("\u2260", "!=", text)) else text
}

class_colour <- function(i, n) grDevices::hcl.colors(max(n, 2), "Pastel 1")[i]

# Nodes stand in preorder: behind a test comes the side where it holds, and "else" is the other.
draw_tree <- function(model, cex) {
  nodes <- model$nodes
  classes <- vapply(model$classes, identity, "")
  leaf <- function(i) is.null(nodes[[i]]$test)
  place <- new.env()
  place$leaves <- 0
  x <- y <- numeric(length(nodes))
  set <- function(i, depth) {
    y[i] <<- depth
    if (leaf(i)) {
      place$leaves <- place$leaves + 1
      x[i] <<- place$leaves
      return(invisible())
    }
    set(i + 1, depth + 1)
    set(nodes[[i]]$`else` + 1, depth + 1)
    x[i] <<- (x[i + 1] + x[nodes[[i]]$`else` + 1]) / 2
  }
  set(1, 0)
  graphics::plot.window(c(0.5, place$leaves + 0.5), c(-max(y) - 0.5, 0.5))
  for (i in seq_along(nodes)) {
    if (!leaf(i)) {
      kids <- c(i + 1, nodes[[i]]$`else` + 1)
      for (k in kids) {
        graphics::lines(c(x[i], x[k], x[k]), -c(y[i], y[i], y[k]))
      }
      graphics::text(x[kids], -y[i] - 0.12, c("yes", "no"), pos = c(2, 4), offset = 0.2, cex = 0.8 * cex)
    }
  }
  for (i in seq_along(nodes)) {
    node <- nodes[[i]]
    counts <- vapply(node$samples, as.numeric, 0)
    text <- if (leaf(i)) {
      sprintf("%s\n%s of %s", classes[node$predict + 1], format(counts[node$predict + 1], big.mark = ","), format(sum(counts), big.mark = ","))
    } else {
      drawn(node$test)
    }
    boxed(x[i], -y[i], text, if (leaf(i)) class_colour(node$predict + 1, length(classes)) else "white", cex)
  }
}

boxed <- function(x, y, text, fill, cex) {
  w <- graphics::strwidth(text, cex = cex) / 2 + graphics::strwidth("m", cex = cex) / 2
  h <- graphics::strheight(text, cex = cex) / 2 + graphics::strheight("m", cex = cex) / 2
  graphics::rect(x - w, y - h, x + w, y + h, col = fill, border = "grey40")
  graphics::text(x, y, text, cex = cex)
}

# Each rule is a bar of the rows that it decides, filled as far as it is right.
draw_rules <- function(rules, alternatives, cex) {
  n <- nrow(rules)
  graphics::plot.window(c(0, 1), c(-n - 0.3, 0))
  most <- max(rules$captured)
  lead <- ifelse(rules$condition == "", "else ", if (alternatives) "if " else ifelse(seq_len(n) == 1, "if ", "else if "))
  for (i in seq_len(n)) {
    y <- -i
    graphics::text(0, y + 0.62, paste0(lead[i], drawn(rules$condition[i]), if (rules$condition[i] != "") " then ", rules$class[i]), adj = c(0, 0.5), cex = cex)
    graphics::rect(0, y + 0.1, rules$captured[i] / most * 0.8, y + 0.35, col = "grey90", border = "grey40")
    graphics::rect(0, y + 0.1, rules$correct[i] / most * 0.8, y + 0.35, col = "grey60", border = NA)
    graphics::text(rules$captured[i] / most * 0.8, y + 0.22, sprintf(" %s rows, %s right", format(rules$captured[i], big.mark = ","),
      if (rules$captured[i] > 0) sprintf("%.1f%%", 100 * rules$correct[i] / rules$captured[i]) else "none"), adj = c(0, 0.5), cex = 0.9 * cex)
  }
}
