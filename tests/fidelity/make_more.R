# R's odd files for make_more.py; base R only: classes of haven, bit64 and others are attributes.
to <- commandArgs(TRUE)[1]
id <- 1:20
t <- ifelse(id %% 3 == 0, "b", "a")
five <- id %% 5
keep <- function(x, name, frame = data.frame(id = id, x = I(x), t = t)) {
  if (inherits(frame$x, "AsIs")) class(frame$x) <- setdiff(class(frame$x), "AsIs")
  saveRDS(frame, file.path(to, name))
}
plain <- function(x) { f <- data.frame(id = id, t = t); f$x <- x; f[c("id", "x", "t")] }
put <- function(x, name) saveRDS(plain(x), file.path(to, name))

put(structure(as.double(five), labels = c(never = 0, seldom = 1, often = 2, always = 3, refused = 4), class = c("haven_labelled", "vctrs_vctr", "double")), "haven_labelled.rds")
put(structure(as.double(five), labels = c(never = 0, refused = 4), na_values = 4, class = c("haven_labelled_spss", "haven_labelled", "vctrs_vctr", "double")), "haven_spss.rds")
put(as.POSIXct("2020-01-01 23:59:58", tz = "UTC") + id, "posixct_utc.rds")
put(as.POSIXct("2020-07-01 12:00:00", tz = "Europe/Berlin") + id, "posixct_berlin.rds")
write.csv(plain(format(as.POSIXct("2020-07-01 12:00:00", tz = "Europe/Berlin") + id)), file.path(to, "berlin.csv"), row.names = FALSE)
put(as.difftime(five * 1.5, units = "hours"), "difftime.rds")
write.csv(plain(five * 1.5), file.path(to, "difftime.csv"), row.names = FALSE)
# bit64's integer64: eight bytes of a whole number kept in a double; the last is its NA
bits <- function(n) readBin(as.raw(c(n, 0, 0, 0, 0, 0, 0, 1)), "double")
put(structure(c(sapply(1:19, bits), readBin(as.raw(c(0, 0, 0, 0, 0, 0, 0, 128)), "double")), class = "integer64"), "integer64_na.rds")
writeLines(c("id,x,t", paste0(id, ",", c(paste0("7205759403792793", c(paste0("", 7:9), character())), paste0("720575940379279", 40:55), ""), ",", t)), file.path(to, "integer64_na.csv"))
put(as.list(five), "list_column.rds")
put(factor(ifelse(id == 4, NA, c("low", "mid", "high")[id %% 3 + 1]), levels = c("low", "mid", "high")), "factor_na.rds")
put(factor(ifelse(id == 4, NA, c("low", "mid", "high")[id %% 3 + 1]), levels = c("low", "mid", "high"), ordered = TRUE), "ordered.rds")
named <- plain(five); rownames(named) <- paste0("person ", id); saveRDS(named, file.path(to, "row_names.rds"))
tibble <- plain(five); class(tibble) <- c("tbl_df", "tbl", "data.frame"); saveRDS(tibble, file.path(to, "tibble.rds"))
shuffled <- plain(five)[c(20:11, 1:10), ]; saveRDS(shuffled, file.path(to, "shuffled.rds"))
put(as.integer(five), "integer.rds")
put(array(five), "array.rds")  # as table() and tapply() give them
put(matrix(five, ncol = 1), "one_column_matrix.rds")  # as scale() gives it
put(as.logical(ifelse(id == 4, NA, id %% 4 == 0)), "logical_na.rds")
put(structure(as.integer(18255 + id), class = "Date"), "integer_date.rds")
put(structure(2020 + (id %% 4) / 4, class = "yearqtr"), "yearqtr.rds")
put(structure(five * 3600 + 60, units = "secs", class = c("hms", "difftime")), "hms.rds")
put(complex(real = five, imaginary = 1), "complex.rds")
latin <- "Z\xfcrich"; Encoding(latin) <- "latin1"
put(rep(c("Besan\u00e7on", latin), 10), "latin1.rds")
names(iris) <- gsub(".", "_", names(iris), fixed = TRUE)
write.csv(iris, file.path(to, "iris.csv"), row.names = FALSE)
