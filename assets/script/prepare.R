# Numbers as the page writes them: 15 digits, never 1e+05.
plain <- function(v) vapply(v, function(x) {
  text <- tolower(sprintf("%.15g", x + 0))
  if (is.na(x) || !grepl("e", text)) return(if (is.na(x)) NA_character_ else text)
  digits <- sub("[.]", "", sub("e.*", "", sub("^-", "", text)))
  before <- as.integer(sub(".*e", "", text)) + 1
  after <- if (before <= 0) paste0("0.", strrep("0", -before), digits) else
    if (nchar(digits) <= before) paste0(digits, strrep("0", before - nchar(digits))) else
    paste0(substr(digits, 1, before), ".", substr(digits, before + 1, nchar(digits)))
  paste0(if (x < 0) "-", after)
}, "", USE.NAMES = FALSE)

# The interval of numbers at breaks of one's own; the first and the last are open.
in_intervals <- function(v, n) {
  of <- ends[[n]]
  last <- length(of)
  intervals <- c(paste0("<", of[1]), if (last > 1) paste0("[", of[-last], ",", of[-1], ")"), paste0(">=", of[last]))
  intervals[findInterval(as.numeric(plain(v)), breaks[[n]]) + 1]
}

as_text <- function(v) {
  if (inherits(v, "POSIXt")) return(format(v, "%Y-%m-%dT%H:%M:%S", tz = "UTC"))
  if (is.numeric(v) && !is.object(v)) return(plain(v))
  as.character(v)
}

read_one <- function(x, name) {
  gone <- setdiff(columns, names(x))
  if (length(gone)) stop(name, " has no column ", gone[1], ".", call. = FALSE)
  x <- lapply(columns, function(n) x[[n]])
  names(x) <- short
  for (n in short) {
    v <- x[[n]]
    if (is.factor(v)) v <- as.character(v)
    if (!(n %in% numbers && is.numeric(v))) v <- as_text(v)
    v[v %in% empty[[n]]] <- NA
    if (n %in% numbers) {
      # Numbers are compared as numbers: 1, 1.0 and 1e0 are one value; whole ones keep all their digits.
      number <- suppressWarnings(as.numeric(v))
      odd <- which(is.na(number) & !is.na(v))
      if (length(odd))
        stop(name, ": ", n, " holds a text that is no number to R; save it with decimal points.", call. = FALSE)
      kept <- n %in% whole & is.character(v) & grepl("^(0|-?[1-9][0-9]*)$", v)
      if (n %in% names(breaks)) v <- ifelse(number %in% codes[[n]], plain(number), in_intervals(number, n))
      else v <- if (n %in% grouped) as.numeric(plain(number)) else ifelse(kept, v, plain(number))
    }
    if (n %in% dates) {
      v <- sub("^([0-9]{4}-[0-9]{2}-[0-9]{2}) ", "\\1T", v)
      v <- if (n %in% days) sub("T00:00(:00)?$", "", v) else ifelse(nchar(v) == 10, paste0(v, "T00:00:00"), v)
      if (!all(is.na(v) | grepl("^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9:]{8})?$", v)))
        stop(name, ": ", n, " holds dates that R reads otherwise; save them as 2026-11-22.", call. = FALSE)
    }
    if (n %in% logicals) v <- toupper(v)
    x[[n]] <- v
  }
  as.data.frame(x, stringsAsFactors = FALSE)
}

read_all <- function(name) lapply(read_tables(name), read_one, name)
