// entry is where releases for Linux begin (go build -ldflags=-E=main.entry), before Go's runtime. The runtime reserves
// address space at once. It ends in a trace where a limit, such as ulimit -v, leaves too little; then entry writes one line and
// ends with exit status 2.

#define LIMIT 1500000000
#define RLIMIT_AS 9

DATA tooLittle<>+0(SB)/8, $"parcorel"
DATA tooLittle<>+8(SB)/8, $"s: needs"
DATA tooLittle<>+16(SB)/8, $" 1.5 GB "
DATA tooLittle<>+24(SB)/8, $"of addre"
DATA tooLittle<>+32(SB)/8, $"ss space"
DATA tooLittle<>+40(SB)/8, $" (raise "
DATA tooLittle<>+48(SB)/8, $"ulimit -"
DATA tooLittle<>+56(SB)/8, $"v)\n     "
GLOBL tooLittle<>(SB), NOPTR|RODATA, $64
#define LENGTH 59
