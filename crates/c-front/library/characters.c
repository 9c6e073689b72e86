/* Characters, in the locale that programs start in. */
static int __throng_answer(_Bool is_so)
{
    int answer = 0;
    if (is_so) {
        /* C says no more than that it is not 0. */
        answer = __VERIFIER_nondet_int();
        __VERIFIER_assume(answer != 0);
    }
    return answer;
}

int isdigit(int c) { return __throng_answer(c >= '0' && c <= '9'); }
int isxdigit(int c) { return __throng_answer((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')); }
int islower(int c) { return __throng_answer(c >= 'a' && c <= 'z'); }
int isupper(int c) { return __throng_answer(c >= 'A' && c <= 'Z'); }
int isalpha(int c) { return __throng_answer((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')); }
int isalnum(int c) { return __throng_answer((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')); }
int isspace(int c) { return __throng_answer(c == ' ' || (c >= '\t' && c <= '\r')); }
int isblank(int c) { return __throng_answer(c == ' ' || c == '\t'); }
int iscntrl(int c) { return __throng_answer((c >= 0 && c < 32) || c == 127); }
int isprint(int c) { return __throng_answer(c >= 32 && c < 127); }
int isgraph(int c) { return __throng_answer(c > 32 && c < 127); }
int ispunct(int c)
{
    return __throng_answer(c > 32 && c < 127 &&
        !((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')));
}
int tolower(int c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }
int toupper(int c) { return c >= 'a' && c <= 'z' ? c - 32 : c; }
