# Every text goes out as the bytes of its UTF-8, so that nothing depends on escaping or on the language of the machine.
hex <- function(x) paste0('"', paste(charToRaw(enc2utf8(x)), collapse = ""), '"')

json <- function(x) {
  if (is.null(x)) return("null")
  if (is.data.frame(x) || is.list(x)) {
    inside <- vapply(x, json, "")
    if (is.null(names(x))) return(paste0("[", paste(inside, collapse = ","), "]"))
    return(paste0("{", paste0(vapply(names(x), hex, ""), ":", inside, collapse = ","), "}"))
  }
  if (is.factor(x)) x <- as.character(x)
  one <- function(v) if (is.na(v)) "null" else if (is.logical(v)) tolower(v) else
    if (is.numeric(v)) sprintf("%.17g", v) else hex(v)
  paste0("[", paste(vapply(x, one, ""), collapse = ","), "]")
}

record <- function(call, arguments) {
  cat(call, json(arguments), "\n", file = Sys.getenv("RECORDED"), append = TRUE)
  list()
}

disclosure <- function(object, data, ...) record("disclosure", list(object = object, data = data, ...))
multi.disclosure <- function(object, data, ...) record("multi.disclosure", list(object = object, data = data, ...))
replicated.uniques <- function(object, data, ...) record("replicated.uniques", list(object = object, data = data, ...))
