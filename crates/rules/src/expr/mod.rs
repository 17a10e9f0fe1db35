//! Expressions: CEL, typed over finite domains, evaluated by reference or by dense table.
