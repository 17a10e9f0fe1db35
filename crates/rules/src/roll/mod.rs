//! Rolls: the dice mechanics of the field, their odds worked out at load.
