//! Instructions: what an `asm` with this template and without operands does, and directives outside of functions.

use super::{Entry, harmless};

const STATEMENT: &str = "int main(void) { asm volatile (\"%\" ::: \"memory\"); return 0; }";
const OUTSIDE: &str = "int x; asm(\"% x\"); int main(void) { return 0; }";
const FENCE: &str = "a fence, which does nothing under sequential consistency";
const HINT: &str = "a hint to the processor";

/// Templates of statements, their words with one blank between them.
pub(super) const TEMPLATES: &[Entry] = &[
    harmless("", "a barrier for the compiler; steps are in the order of the program here", STATEMENT),
    harmless("nop", "does nothing", STATEMENT),
    harmless("pause", HINT, STATEMENT),
    harmless("rep nop", HINT, STATEMENT),
    harmless("yield", HINT, STATEMENT),
    harmless("wfe", HINT, STATEMENT),
    harmless("sev", HINT, STATEMENT),
    harmless("mfence", FENCE, STATEMENT),
    harmless("lfence", FENCE, STATEMENT),
    harmless("sfence", FENCE, STATEMENT),
    harmless("lock addl $0,0(%rsp)", FENCE, STATEMENT),
    harmless("lock addl $0,0(%esp)", FENCE, STATEMENT),
    harmless("dmb ish", FENCE, STATEMENT),
    harmless("dmb sy", FENCE, STATEMENT),
    harmless("dsb sy", FENCE, STATEMENT),
    harmless("isb", FENCE, STATEMENT),
    harmless("sync", FENCE, STATEMENT),
    harmless("lwsync", FENCE, STATEMENT),
    harmless("fence rw,rw", FENCE, STATEMENT),
];

/// Directives of the assembler outside of functions, by their first word.
pub(super) const DIRECTIVES: &[Entry] = &[
    harmless("", "nothing", "asm(\"\"); int main(void) { return 0; }"),
    harmless(".globl", "makes a symbol known to other files, where it is known here", OUTSIDE),
    harmless(".global", "makes a symbol known to other files, where it is known here", OUTSIDE),
    harmless(".hidden", "about shared libraries", OUTSIDE),
    harmless(".ident", "a comment", OUTSIDE),
    harmless(".file", "about debuggers", OUTSIDE),
    harmless(".text", "where code is put", OUTSIDE),
    harmless(".data", "where data is put", OUTSIDE),
    harmless(".section", "where code or data is put", OUTSIDE),
    harmless(".previous", "where code or data is put", OUTSIDE),
];
