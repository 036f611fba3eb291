//! What chooses a planted bug at run time.

/// A package that holds the number of the bug that is on; the program is started with `+bug=<number>`.
pub const SELECTOR: &str = "\
package congruent_bug;
  function automatic int chosen();
    int number;
    if (!$value$plusargs(\"bug=%d\", number)) number = 0;
    return number;
  endfunction

  int selected = chosen();
endpackage
";
