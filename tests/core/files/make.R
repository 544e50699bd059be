# Writes the small R files of this folder: Rscript make.R
original <- data.frame(
  sex = factor(c("f", "m", NA, "f"), levels = c("m", "f", "never used")),
  size = factor(c("small", "large", "small", NA), levels = c("small", "large"), ordered = TRUE),
  age = c(30L, NA, 41L, 52L), income = c(-8, 100.5, NA, 300), job = c("cook", NA, "NA", "nurse"),
  works = c(TRUE, FALSE, NA, TRUE), born = as.Date(c("1990-01-31", "1980-02-01", NA, "1970-03-01")),
  stringsAsFactors = FALSE
)
other <- original[c(2, 1, 4, 3), ]
saveRDS(original, "frame.rds")
saveRDS(original, "frame_xz.rds", compress = "xz")
saveRDS(list(first = original, second = other), "list.rds")
saveRDS(structure(list(call = quote(syn(data = original)), m = 2, syn = list(original, other),
                       cont.na = list(sex = NA, income = -8)), class = "synds"), "synds_m2.rds")
saveRDS(structure(list(call = quote(syn(data = original)), m = 1, syn = original,
                       cont.na = list(sex = NA, income = c(NA, -8))), class = "synds"), "synds_m1.rds")
saveRDS(structure(list(call = quote(syn(data = original)), m = 2, syn = list(original, other)), class = "synds"),
        "synds_without_codes.rds")
number <- 17
save(original, number, file = "one_frame.RData")
save(original, other, file = "two_frames.RData")
saveRDS(function(x) system("touch /tmp/evaluated"), "function.rds")
saveRDS(list2env(list(a = 1)), "environment.rds")
saveRDS(1:3, "vector.rds")
