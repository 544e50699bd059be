
# One set of levels for all files, so that the rows of R's tables are the same ones.
for (n in of_targets) {
  levels_of_n <- sort(unique(unlist(lapply(c(list(original), syntheses), function(x) x[[n]]))))
  original[[n]] <- factor(original[[n]], levels = levels_of_n)
  syntheses <- lapply(syntheses, function(x) { x[[n]] <- factor(x[[n]], levels = levels_of_n); x })
}
# Keys keep the levels of their own file: R counts an unused level of a single key as present.
for (n in of_keys) {
  original[[n]] <- factor(original[[n]])
  syntheses <- lapply(syntheses, function(x) { x[[n]] <- factor(x[[n]]); x })
}
synthetic <- if (length(syntheses) == 1) syntheses[[1]] else syntheses
