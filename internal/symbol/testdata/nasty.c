#include <stdio.h> /* it's
	int hidden_include(void) { */
#include <sys/*odd.h>
#define LIMIT 3
#define BOTH(a, b) \
	do { a; b; } while (0)
#ifdef ODD
#define MODE 1
#else
#define MODE 2
#endif

/* int hidden(void) { */
static int forward(int);
static int forward(int x) { return x; }

main(argc, argv)
	int argc;
	char **argv;
{
	return 0;
}

int
gnu_style (int a,
           int b)
{
	struct local { int inside; };
	const char *s = "} int hidden_text(void) {";
	char c = '{';
#if 0
	don't read this {
#endif
	return a;
}

int branches(int a)
{
#ifdef ODD
	if (a) {
#else
	if (!a) {
#endif
		return 1;
	}
	return 2;
}

int uneven(int a)
{
#ifdef ODD
	if (a) {
#endif
		return 1;
#ifdef ODD
	}
#endif
}

#ifdef ODD
int variant(int a) {
#else
int variant(long a) {
#endif
	return 1;
}

#ifdef ODD
int both(void) { return 1; }
#else
int both(void) { return 2; }
#endif

typedef struct tag {
	int field;
} tag_t, *tag_p;
typedef struct same { int x; } same;
typedef int (*handler_t)(int, char *);
typedef void proc(tag_t *t);
enum color { RED, GREEN };
struct made *make(struct made *m) { return m; }
struct made by_value(struct made m) { return m; }
static const struct ops my_ops = {
	.open = make,
};
int table[2][3] = { { 1 }, { 2 } };
int left, right;
void (*pointer)(int) = 0;
API void *(*Alloc)(size_t n) ATTR;
API int (wrapped)(int x);
DECLARE_THING(zoo)
int after(int x) __attribute__((noreturn)) { return x; }
EXPORT(int) exported(int x) { return x; }
DEFUN("car", Fcar, Scar, 1, 1, 0)
	(Object list)
{
	return list;
}
