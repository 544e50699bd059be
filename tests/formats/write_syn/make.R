# Writes the files of this folder as synthpop's write.syn does in each filetype: by the same calls of base R and foreign.
people <- data.frame(
  sex = factor(c("MALE", "FEMALE", NA)[c(1, 2, 1, 2, 2, 1, 3, 1, 2, 1, 2, 1)], levels = c("MALE", "FEMALE")),
  town = c("New Town", "Old, Town", "Åby", "Åby")[rep(1:4, 3)],
  age = c(30, 41.5, 52, NA)[rep(1:4, 3)],
  income = c(-8, 1200, 800, -8, 1500, 900, 1200, 700, -8, 650, 1800, 2100),
  stringsAsFactors = FALSE)
people <- people[rep(1:12, 10), ]  # enough that a level which is not there is no chance
rownames(people) <- NULL
syn <- people[120:1, ]
rownames(syn) <- NULL
saveRDS(people, "original.rds")
write.csv(syn, "syn.csv", row.names = FALSE, fileEncoding = "UTF-8")
write.table(syn, "syn.txt", row.names = FALSE, fileEncoding = "UTF-8")
write.table(syn, "syn.tab", row.names = FALSE, sep = "\t", fileEncoding = "UTF-8")
save(syn, file = "syn.RData")
object <- structure(list(syn = list(syn), m = 1, method = c(sex = "cart")), class = "synds")
save(object, file = "synobject_syn.RData")
foreign::write.dta(syn, "syn.dta", convert.factors = "numeric")
foreign::write.dta(syn, "syn_labels.dta", convert.factors = "labels")
foreign::write.foreign(syn, "syn_sas.txt", "syn.sas", package = "SAS")
write.table(syn, "syn_spss.txt", row.names = FALSE, col.names = FALSE, sep = ",", quote = FALSE, na = "", eol = ",\n")
