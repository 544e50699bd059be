needs <- function(package, name) {
  if (!requireNamespace(package, quietly = TRUE))
    stop(name, " needs the R package ", package, ": install it, or save the file as CSV.", call. = FALSE)
}

# A delimited text: the first delimiter with which all columns are there.
read_text <- function(name) {
  latin <- !all(validUTF8(readLines(name, warn = FALSE)))
  for (mark in c(",", ";", "\t", "|")) {
    x <- tryCatch(
      read.csv(name, sep = mark, na.strings = "", check.names = FALSE, colClasses = "character",
               fileEncoding = if (latin) "windows-1252" else "UTF-8-BOM"),
      error = function(e) NULL)
    if (all(columns %in% names(x))) return(x)
  }
  stop(name, ": not all columns were found; save it as CSV with commas and a header.", call. = FALSE)
}

# The data frames of what R saved: one, a list of them, or what synthpop's syn() returned.
frames_of <- function(x) {
  if (is.data.frame(x)) return(list(x))
  if (inherits(x, "synds")) return(frames_of(x$syn))
  if (is.list(x)) return(unname(Filter(is.data.frame, x)))
  list()
}

read_tables <- function(name) {
  ending <- tolower(sub(".*[.]", "", sub("[.]gz$", "", name)))
  if (ending == "rds") return(frames_of(readRDS(name)))
  if (ending %in% c("rdata", "rda")) {
    held <- new.env()
    return(unname(do.call(c, lapply(mget(load(name, held), held), frames_of))))
  }
  if (ending %in% c("parquet", "feather", "arrow")) {
    needs("arrow", name)
    return(list(as.data.frame(if (ending == "parquet") arrow::read_parquet(name) else arrow::read_feather(name))))
  }
  if (ending %in% c("sav", "zsav", "por", "dta", "sas7bdat", "xpt")) {
    needs("haven", name)
    x <- switch(ending, sav = , zsav = haven::read_sav(name), por = haven::read_por(name), dta = haven::read_dta(name),
                sas7bdat = haven::read_sas(name), haven::read_xpt(name))
    x <- lapply(x[columns], function(v) if (inherits(v, "haven_labelled")) haven::as_factor(v) else v)
    return(list(as.data.frame(x, check.names = FALSE, col.names = columns)))
  }
  if (ending %in% c("xlsx", "xls")) {
    needs("readxl", name)
    return(lapply(readxl::excel_sheets(name), function(s) as.data.frame(readxl::read_excel(name, s))))
  }
  if (ending == "ods") {
    needs("readODS", name)
    return(lapply(readODS::list_ods_sheets(name), function(s) as.data.frame(readODS::read_ods(name, s))))
  }
  if (ending == "zip") {
    inside <- sort(unzip(name, list = TRUE)$Name)
    return(lapply(unzip(name, inside, exdir = tempfile()), read_text))
  }
  list(read_text(name))
}
