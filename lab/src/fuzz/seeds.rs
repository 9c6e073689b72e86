//! Small valid texts of every format, one trait of the grammar or more in each.

pub(super) const TTS: &[&str] = &[
    "2 3\n# comment\n0 0 -> 1 1\n1 1 -> 0 0 2 ~> 1 0 ~> 2\n0 2 +> 0 1\n1 0 ~> 0 2\n",
    "2 2\r\n0 0 -> 1 1 0 ~> 1 0 ~> 0\r\n1|1,1\r\n",
    "1 1\n0 0 -> 0 0\n",
];

pub(super) const SPEC: &[&str] = &[
    "vars\n x y z\nrules\n x >= 1, y >= 2 -> x' = x - 1, y' = y + 1;\n true -> z' = z + 1;\n\
     init\n x >= 1, y = 0, z in [1, 3]\ntarget\n y >= 2, x >= 1\n z >= 3\ninvariants\n x=1, y=2\n",
    "vars a b rules a >= 1 -> b' = b + a - 1, a' = 0; b >= 1 -> b' = 0; a >= 2 -> ;\n\
     a >= 1 -> a' = 2;  init a >= 1, b = 0 target b >= 2 # end",
];

pub(super) const PNML: &[&str] = &[
    "<?xml version=\"1.0\"?>\n<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\"><net id=\"n\" \
     type=\"http://www.pnml.org/version-2009/grammar/ptnet\"><page id=\"g\"><place id=\"p\"><name><text>one</text>\
     </name><initialMarking><text>2</text></initialMarking></place><place id=\"q\"/><transition id=\"t\"/>\
     <arc id=\"a\" source=\"p\" target=\"t\"><inscription><text>2</text></inscription></arc>\
     <arc id=\"b\" source=\"t\" target=\"q\"/></page></net></pnml>",
];

pub(super) const MCC: &[&str] = &[
    "<?xml version=\"1.0\"?><property-set xmlns=\"http://mcc.lip6.fr/\"><property><id>x</id><description>d\
     </description><formula><exists-path><finally><conjunction><integer-le><integer-constant>2\
     </integer-constant><tokens-count><place>a</place><place>b</place></tokens-count></integer-le><negation>\
     <integer-le><tokens-count><place>c</place></tokens-count><integer-constant>0</integer-constant></integer-le>\
     </negation></conjunction></finally></exists-path></formula></property></property-set>",
    "<property-set><property><id>y</id><formula><all-paths><globally><disjunction><integer-le><tokens-count>\
     <place>a</place></tokens-count><integer-constant>3</integer-constant></integer-le></disjunction></globally>\
     </all-paths></formula></property></property-set>",
];

pub(super) const LOLA: &[&str] = &[
    "{ comment }\nPLACE SAFE 2: x1, java.lang.Object[]; b$c;\nMARKING x1: 2, b$c;\nTRANSITION t1\nCONSUME x1: 1;\n\
     PRODUCE b$c: 3, x1;\nTRANSITION t2 CONSUME ; PRODUCE x1: 1;\n",
    "PLACE a; MARKING ; TRANSITION t STRONG FAIR CONSUME a: 1; PRODUCE ;",
];

pub(super) const LOLA_FORMULA: &[&str] = &[
    "EF ((a >= 4 AND b >= 1) OR (c >= 2))",
    "EF (a + 2 * b > 3 AND NOT (c < 1))",
    "AG (a <= 2 OR b = 0)",
    "EF (a != 0)",
];

pub(super) const TINA: &[&str] = &[
    "# comment\nnet n\ntr t1 p1*2 p2 -> p3\ntr t2 : label [0,w[ p3 p2?1 -> p1\npl p1 (3)\npl p2 : x (1)\n",
    "net {a b}\ntr {t 1} {p q} -> {p q}*3\npl {p q} (2)\n",
];

pub(super) const PNET: &[&str] = &[
    "petri net \"n\" { places { p q, r } transitions { t u } arcs { { p q } -> t ->[2] r  r ->[3] u -> { p } }\n\
     initial { p[2] q } }\nsafety property \"bad\" { p + 2 * q >= 2 && !(r < 1) || r > 3 }\n",
    "petri net { places p transitions t arcs p -> t -> p initial p } // end\nsafety property { p >= 2 }\n\
     liveness property l { p = 0 } /* x */",
];

pub(super) const PL: &[&str] = &[
    "% comment\nplace('x').\nplace(y).\nplace(3).\ntransition(t, ['x', 'x', y], [3]).\ntransition('u', [], ['x']).\n\
     init('x', 2).\ntarget(1, [(['x'], 2), ([y, 3], 4)]).\ntarget(2, [(['x', y], 1)]).\n",
];

pub(super) const BOOLPROG: &[&str] = &[
    "decl s, t; // shared\nvoid main() begin\n decl x;\n s := *;\nPC0: if !(*) then goto l1; fi;\n start_thread goto l1;\n\
     goto PC0, l1;\nl1: 12: atomic_begin; assume(s); s,x := x,* constrain ((!s) | 'x) & ('s => x = t); atomic_end;\n\
     assert(!(s & x)); end_thread;\nend\n",
    "thread_local decl l; bool<2> f(a, b) begin enforce a | b; return schoose[a, b], ~b ^ a; end\n\
     dfs void main() begin decl x, y; x, y := f(y, 1 != x); ASYNC_1: g(x); start_thread g(T);\n\
     while * do if x then skip; elsif y then x$, l := x$ && l, F; else dead x, y; fi od abortif x || y; end\n\
     void g(a) begin /* nothing */ return; end",
    "decl b; main() begin L: K: skip; f(); f(); goto L, K; end void f() begin g(); end void g() begin b := !b; end",
];

pub(super) const CPROG: &[&str] = &[
    "#include <pthread.h>\n#include <assert.h>\n#define N 4\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n\
     int x, a[N];\nvoid *f(void *arg) {\n  pthread_mutex_lock(&m);\n  for (int i = 0; i < N; i++) a[i] += x++;\n\
       assert(a[0] <= x && \"sum\");\n  pthread_mutex_unlock(&m);\n  return arg;\n}\n\
     int main(void) { pthread_t t; while (1) pthread_create(&t, NULL, f, NULL); }\n",
    "#include <stdatomic.h>\n#define MAX(a, b) ((a) > (b) ? (a) : (b))\n#define CAT(a, b) a ## b\n#define STR(...) #__VA_ARGS__\n\
     atomic_int CAT(c, 1); /* a\n comment */ char *s = STR(a, 'b') L\"\\x41\\n\"; // end\n\
     int f(int n) { int e = 0; do { e = n ?: 2; } while (!atomic_compare_exchange_weak(&c1, &e, MAX(e, 1) + 1)); return e; }\n\
     #if defined(N) && N > 2 || 0x10u\nint g(void) { return ({ __auto_type y = f(1); y; }); }\n#else\n#error no\n#endif\n",
    "typedef unsigned T; struct s { T a : 3, : 0; union { int b; char c[2]; }; } __attribute__((packed)) v = { .a = 1 };\n\
     enum e { A, B = 2 }; int (*p[3])(int, T *); int w[9] = { [1 ... 2] = 3, [4] = 5 };\n\
     int f(int T) { switch (T) { case 1 ... 3: T <<= 1; break; default: goto out; } if (T) T--; else if (T > 1) ; else T = ~T;\n\
     out: __asm__ volatile (\"\" ::: \"memory\"); return sizeof(struct s) + _Generic(T, int: 1, default: 2) * (int)v.a; }\n",
    "#define T1 struct t\nT1 { int x; };\nint h(a, b) int a; char *b; { return a + *b; }\n_Thread_local long long z = 0x7fffULL; _Static_assert(1, \"ok\");\n\
     double d = 1.5e-3; typeof(z) q; void g(void) { ERROR: ; int n = (T1){ 0 }.x; T1 * m; }\n",
    "#include <pthread.h>\n#include <assert.h>\nstruct node { int key; struct node *next; } pool[3], *head = &pool[0];\n\
     pthread_cond_t ready = PTHREAD_COND_INITIALIZER; pthread_mutex_t m; int nondet_int(void); static unsigned short u = 7;\n\
     static int pick(struct node *n, int (*f)(int)) { switch (n->key & 3) { case 0: return f(1); case 1: u <<= 2; default: break; } return n->next ? u % 5 : -1; }\n\
     static int twice(int x) { return 2 * x; }\nvoid *w(void *p) { struct node *n = p; pthread_mutex_lock(&m);\n\
     while (!n->key) pthread_cond_wait(&ready, &m); n->next = head; head = n; __sync_fetch_and_add(&n->key, 1); pthread_cond_broadcast(&ready);\n\
     pthread_mutex_unlock(&m); return (void *)(long)pick(n, twice); }\n\
     int main(void) { pthread_t t[2]; for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, w, &pool[i]); int k = nondet_int();\n\
     if (k > 0 && k < 3) pool[k].key += k; void *r; pthread_join(t[0], &r); assert((long)r != 4 || head == &pool[1]); return k ? 1 : 0; }\n",
];

pub(super) const CONFIG_TEXT: &[&str] =
    &["0|1,2", "1/0", "0|1,1/2", "1|", "0|1*3,\"2\"", "1,2", "|0/1", "/0,1"];

pub(super) const EVIDENCE_JSON: &[&str] = &[
    r##"{"format":"throng-evidence","version":1,"verdict":"unsafe","kind":"trace","engine":"backward","input":"x.tts",
"trace":{"initial":{"shared":"0","threads":[["0",2],["1",1]]},"items":[{"rule":"#1","moved":[{"from":"1","to":"0",
"count":1},{"from":"2","count":3}]},{"repeat":1000,"items":[{"rule":"t5"},{"repeat":2,"items":[]}]}]}}"##,
    r##"{"format":"throng-evidence","version":1,"verdict":"safe","kind":"proof","proof":{"cuts":[{"shared":[["0",1]],
"locals":[["1",2]],"bound":3,"traps":[[0,1]]}],"traps":[["0","1"]],"elements":[{"shared":"1","threads":[["1",2]]},
{"shared":{"any":["0","1"]},"threads":[[{"any":true},1],[{"at":"main:3","where":{"x":true}},2]]}]}}"##,
    r##"{"format":"throng-evidence","version":1,"verdict":"safe","kind":"cover-set","cover-set":{"elements":[
{"threads":[["p","omega"],["q",1]]}]}}"##,
];

/// Bytes from which systems and evidence are drawn; any text will do.
pub(super) const CHECKER: &[&str] = &[
    "Any bytes make a system: their low bits choose its sizes, its rules and what the evidence says about it.",
    "\u{1}\u{2}\u{3}\u{5}\u{8}\u{d}\u{15}\u{22}\u{37}\u{59}abcdefghijklmnopqrstuvwxyz0123456789",
];
