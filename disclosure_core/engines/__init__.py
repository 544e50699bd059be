"""Another way to the same cells: data that stay in DuckDB, Spark or a warehouse."""
