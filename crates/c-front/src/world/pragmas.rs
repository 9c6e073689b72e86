//! `#pragma …` and `_Pragma("…")`.

use super::{Entry, harmless, modelled, refused};

const PROGRAM: &str = "#pragma %\nint main(void) { return 0; }";

/// All pragmas that are known.
pub(super) const PRAGMAS: &[Entry] = &[
    modelled(
        "pack",
        "the largest alignment of members: `pack(n)`, `pack()`, `pack(push)`, `pack(push, n)`, `pack(pop)`",
        "#pragma %(1)\nstruct s { char c; int i; }; int main(void) { return 0; }",
    ),
    modelled("once", "the file is read once", PROGRAM),
    refused(
        "scalar_storage_order",
        "write the bytes in the order that is meant",
        "#pragma % big-endian\nint main(void) { return 0; }",
    ),
    refused("weak", "use the attribute `weak`", "#pragma % f\nint main(void) { return 0; }"),
    refused("redefine_extname", "use the name that is meant", "#pragma % f g\nint main(void) { return 0; }"),
    refused(
        "omp",
        "write the threads with pthread_create",
        "int main(void) {\n#pragma % parallel\n{}\nreturn 0; }",
    ),
    refused(
        "acc",
        "write the threads with pthread_create",
        "int main(void) {\n#pragma % parallel\n{}\nreturn 0; }",
    ),
    refused("ms_struct", "write the padding as members", "#pragma % on\nint main(void) { return 0; }"),
    refused("options", "write `#pragma pack(n)`", "#pragma % align=packed\nint main(void) { return 0; }"),
    refused("align", "use the attribute `aligned`", "#pragma % 4\nint main(void) { return 0; }"),
    refused("push_macro", "define another macro; the preprocessor of a compiler does it", ""),
    refused("pop_macro", "define another macro; the preprocessor of a compiler does it", ""),
    refused("init", "use the attribute `constructor`", "#pragma % (f)\nint main(void) { return 0; }"),
    refused("fini", "use the attribute `destructor`", "#pragma % (f)\nint main(void) { return 0; }"),
    harmless("message", "a message of the compiler", "#pragma % \"x\"\nint main(void) { return 0; }"),
    harmless("mark", "a title for editors", "#pragma % x\nint main(void) { return 0; }"),
    harmless("region", "a title for editors", "#pragma % x\nint main(void) { return 0; }"),
    harmless("endregion", "a title for editors", PROGRAM),
    harmless("unused", "about warnings only", "#pragma %(x)\nint main(void) { return 0; }"),
    harmless("warning", "about warnings only", "#pragma %(disable: 4996)\nint main(void) { return 0; }"),
    harmless("ident", "a comment in the object file", "#pragma % \"x\"\nint main(void) { return 0; }"),
    harmless(
        "comment",
        "a comment in the object file",
        "#pragma %(lib, \"x\")\nint main(void) { return 0; }",
    ),
    harmless(
        "unroll",
        "a hint to the optimiser",
        "int main(void) {\n#pragma %\nfor (int i = 0; i < 2; i++) ;\nreturn 0; }",
    ),
    harmless(
        "nounroll",
        "a hint to the optimiser",
        "int main(void) {\n#pragma %\nfor (int i = 0; i < 2; i++) ;\nreturn 0; }",
    ),
    harmless("inline", "a hint to the optimiser", PROGRAM),
    harmless("GCC diagnostic", "about warnings only", "#pragma % push\nint main(void) { return 0; }"),
    harmless("GCC warning", "a message of the compiler", "#pragma % \"x\"\nint main(void) { return 0; }"),
    harmless(
        "GCC error",
        "a message of the compiler, which does not compile what follows; here it is read",
        "int main(void) { return 0; }",
    ),
    harmless("GCC optimize", "a hint to the optimiser", "#pragma % (\"O2\")\nint main(void) { return 0; }"),
    harmless("GCC push_options", "about optimisers and instructions", PROGRAM),
    harmless(
        "GCC pop_options",
        "about optimisers and instructions",
        "#pragma GCC push_options\n#pragma %\nint main(void) { return 0; }",
    ),
    harmless("GCC reset_options", "about optimisers and instructions", PROGRAM),
    harmless(
        "GCC target",
        "which instructions the compiler may use",
        "#pragma % (\"sse2\")\nint main(void) { return 0; }",
    ),
    harmless(
        "GCC unroll",
        "a hint to the optimiser",
        "int main(void) {\n#pragma % 4\nfor (int i = 0; i < 2; i++) ;\nreturn 0; }",
    ),
    harmless(
        "GCC ivdep",
        "a promise to the optimiser",
        "int main(void) {\n#pragma %\nfor (int i = 0; i < 2; i++) ;\nreturn 0; }",
    ),
    harmless("GCC dependency", "about make only", "int main(void) { return 0; }"),
    harmless("GCC system_header", "about warnings only", PROGRAM),
    harmless(
        "GCC poison",
        "about names that must not be used; compilers refuse them",
        "#pragma % dangerous\nint main(void) { return 0; }",
    ),
    harmless(
        "GCC visibility",
        "about symbols of shared libraries",
        "#pragma % push(hidden)\nint x;\n#pragma % pop\nint main(void) { return 0; }",
    ),
    harmless("clang diagnostic", "about warnings only", "#pragma % push\nint main(void) { return 0; }"),
    harmless(
        "clang loop",
        "a hint to the optimiser",
        "int main(void) {\n#pragma % unroll(full)\nfor (int i = 0; i < 2; i++) ;\nreturn 0; }",
    ),
    harmless("clang optimize", "a hint to the optimiser", "#pragma % off\nint main(void) { return 0; }"),
    harmless(
        "STDC FP_CONTRACT",
        "about floating-point numbers, which have no model",
        "#pragma % ON\nint main(void) { return 0; }",
    ),
    harmless(
        "STDC FENV_ACCESS",
        "about floating-point numbers, which have no model",
        "#pragma % OFF\nint main(void) { return 0; }",
    ),
    harmless(
        "STDC CX_LIMITED_RANGE",
        "about floating-point numbers, which have no model",
        "#pragma % ON\nint main(void) { return 0; }",
    ),
];
