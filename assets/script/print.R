for (name in names(found)) {
  cat("\n", name, "\n", sep = "")
  print(found[[name]]$ident, digits = 15)
  print(found[[name]]$attrib, digits = 15)
  print(found[[name]]$allCAPs, digits = 15)
  print(found[[name]]$check_1way)
  print(found[[name]]$check_2way)
}
