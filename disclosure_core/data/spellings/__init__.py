"""Ways in which one answer is spelled: a reading gives a value its answer (a key) and its spelling (a form)."""
