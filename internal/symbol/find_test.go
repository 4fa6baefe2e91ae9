package symbol

import (
	"fmt"
	"strings"
	"testing"
)

// Each row looks for a name in a file of testdata. A name that is found gives
// the first and the last line of its span, as they stand there.
var lookups = []struct {
	file, name  string
	status      Status
	first, last string // with Unknown and Absent: first is part of the reason
}{
	{"nasty.go", "Limit", Found, "const Limit = 3", "const Limit = 3"},
	{"nasty.go", "second", Found, "second", "second"},
	{"nasty.go", "wide", Found, `wide = "func hidden() {" +`, `"}"`},
	{"nasty.go", "other", Found, "var table, other = map[string]int{", "}, 2"},
	{"nasty.go", "Open", Found, "func Open(name string) *Store {", "}"},
	{"nasty.go", "nasty.Open", Found, "func Open(name string) *Store {", "}"},
	{"nasty.go", "Pair", Found, "Pair[K comparable, V any] struct {", "}"},
	{
		"nasty.go", "Close", Found, "func (s *Store) Close() error { return nil }",
		"func (s *Store) Close() error { return nil }",
	},
	{
		"nasty.go", "(*Store).Close", Found, "func (s *Store) Close() error { return nil }",
		"func (s *Store) Close() error { return nil }",
	},
	{"nasty.go", "Pair#String", Found, "func (p *Pair[K, V]) String() string {", "}"},
	{"nasty.go", "String", Unknown, "ambiguous: 2 symbols are called String", ""},
	{"nasty.go", "init", Unknown, "ambiguous: 2 symbols", ""},
	{"nasty.go", "Store.Name", Unknown, "names Name in a way", ""},
	{"nasty.go", "Reader.Read", Unknown, "names Read in a way", ""},
	{"nasty.go", "scratch", Unknown, "names scratch in a way", ""},
	{"nasty.go", "hidden", Absent, "no symbol hidden in nasty.go", ""},
	{"nasty.go", "hiddenRaw", Absent, "no symbol", ""},
	{"nasty.go", "Store.Swap", Absent, "no symbol", ""},
	{"nasty.go", "local", Absent, "no symbol", ""},

	{"nasty.py", "Widget", Found, "@decorate(", "def load(self): pass"},
	{"nasty.py", "Widget.load", Found, "async def load(self):", "return inner"},
	{"nasty.py", "inner", Found, "def inner():", `return text + "}" + rf'\d{1}'`},
	{"nasty.py", "Widget#__init__", Found, "def __init__(self, size=(1,", "self.late = 1"},
	{"nasty.py", "Nested.load", Found, "def load(self): pass", "def load(self): pass"},
	{"nasty.py", "testdata.nasty.plain", Unknown, "no symbol testdata.nasty.plain", ""},
	{"nasty.py", "elsewhere.Widget.load", Unknown, "load may be the same", ""},
	{"nasty.py", "Gadget.load", Absent, "no symbol", ""},
	{"nasty.py", "nasty.plain", Found, `def plain(a, b=")", *, c: dict = {"k": ":"}) -> "List[int]":`, "c"},
	{"nasty.py", "TABLE", Found, "TABLE = {", "}"},
	{"nasty.py", "load", Unknown, "ambiguous: 2 symbols", ""},
	{"nasty.py", "Widget.width", Unknown, "ambiguous: 2 symbols", ""},
	{"nasty.py", "platform", Unknown, "ambiguous", ""},
	{"nasty.py", "many", Unknown, "ambiguous: 3 symbols", ""},
	{"nasty.py", "LEFT", Unknown, "names LEFT", ""},
	{"nasty.py", "other", Unknown, "names other", ""},
	{"nasty.py", "Widget.late", Unknown, "names late", ""},
	{"nasty.py", "hidden", Absent, "no symbol", ""},
	{"nasty.py", "hidden_too", Absent, "no symbol", ""},
	{"nasty.py", "Any", Absent, "no symbol", ""},
	{"nasty.py", "Widget.plain", Absent, "no symbol", ""},

	{"nasty.tsx", "Widget", Found, `@Component({ selector: "x", run() {} })`, "}"},
	{
		"nasty.tsx", "Widget.Widget", Found, `Widget() { return "named as its class" }`,
		`Widget() { return "named as its class" }`,
	},
	{"nasty.tsx", "Widget.#secret", Found, "#secret() {", "}"},
	{"nasty.tsx", "Widget.pages", Found, "async *pages<U>(a: U): AsyncGenerator<{ page: U }> {", "}"},
	{"nasty.tsx", "deep", Unknown, "ambiguous: 2", ""},
	{"nasty.tsx", "App", Found, "export default function App({ a, b }: Props): JSX.Element {", "}"},
	{"nasty.tsx", "App.onClick", Found, "const onClick = useCallback(async () => {", "}, [])"},
	{"nasty.tsx", "sum", Found, "const sum = (a) => a +", "2"},
	{"nasty.tsx", "guard", Found, "const guard = <T,>(x: T): x is T => x", "const guard = <T,>(x: T): x is T => x"},
	{"nasty.tsx", "Union", Found, "export type Union<T> =", "| ((x: T) => void)"},
	{"nasty.tsx", "Chosen", Found, "type Chosen = T extends string", ": never"},
	{"nasty.tsx", "Widget.added", Found, "Widget.prototype.added = function added() {", "}"},
	{"nasty.tsx", "A.B.helper", Found, "function helper() {}", "function helper() {}"},
	{"nasty.tsx", "last", Found, "export const last = async x => {", "}"},
	{"nasty.tsx", "cards", Found, "const cards = new WeakMap<", ">();"},
	{"nasty.tsx", "Island", Found, "const Island = React.forwardRef<HTMLDivElement, IslandProps>(", ");"},
	{"nasty.tsx", "message", Found, "const message = (text) => {", "}"},
	{"nasty.tsx", "chosen", Found, "const chosen = isWindows", "}"},
	{"nasty.tsx", "typed", Found, "const typed = async ({", "}"},
	{"nasty.tsx", "cased", Found, "const cased = () => null", "const cased = () => null"},
	{"nasty.tsx", "innerValue", Unknown, "names innerValue", ""},
	{"nasty.tsx", "if", Absent, "no symbol", ""},
	{"nasty.tsx", "hidden2", Unknown, "names hidden2", ""},
	{"nasty.tsx", "api.deep", Unknown, "deep may be the same", ""},
	{"nasty.tsx", "Widget.over", Unknown, "ambiguous: 3", ""},
	{"nasty.tsx", "Widget.value", Unknown, "ambiguous: 2", ""},
	{"nasty.tsx", "over", Unknown, "ambiguous: 2", ""},
	{"nasty.tsx", "Shape.area", Unknown, "names area", ""},
	{"nasty.tsx", "Color.Red", Unknown, "names Red", ""},
	{"nasty.tsx", "cache", Unknown, "names cache", ""},
	{"nasty.tsx", "store", Unknown, "names store", ""},
	{"nasty.tsx", "renamed", Unknown, "names renamed", ""},
	{"nasty.tsx", "taken", Unknown, "names taken", ""},
	{"nasty.tsx", "Moved", Absent, "no symbol", ""},
	{"nasty.tsx", "hidden", Absent, "no symbol", ""},
	{"nasty.tsx", "comment", Absent, "no symbol", ""},

	{"nasty.rs", "Holder", Found, "#[derive(Debug, Clone)]", "}"},
	{"nasty.rs", "Holder::make", Found, "pub const unsafe fn make<const N: usize>() -> [u8; N] {", "}"},
	{"nasty.rs", "Holder.make", Found, "pub const unsafe fn make<const N: usize>() -> [u8; N] {", "}"},
	{"nasty.rs", "nested", Found, "fn nested() -> &'static str {", "}"},
	{"nasty.rs", "Drawn#given", Found, "fn given(&self) -> u8 { 1 }", "fn given(&self) -> u8 { 1 }"},
	{"nasty.rs", "make_it", Found, "macro_rules! make_it {", "}"},
	{"nasty.rs", "crate::tests::works", Found, "#[test]", "fn works() {}"},
	{"nasty.rs", "match", Found, "async fn r#match() {}", "async fn r#match() {}"},
	{"nasty.rs", "Holder::fmt", Unknown, "ambiguous: 2", ""},
	{"nasty.rs", "platform", Unknown, "ambiguous: 2", ""},
	{"nasty.rs", "generated", Unknown, "names generated", ""},
	{"nasty.rs", "SLOT", Unknown, "names SLOT", ""},
	{"nasty.rs", "Shape::Circle", Unknown, "names Circle", ""},
	{"nasty.rs", "Local::One", Unknown, "names One", ""},
	{"nasty.rs", "field", Unknown, "names field", ""},
	{"nasty.rs", "Thing", Absent, "no symbol", ""},
	{"nasty.rs", "hidden_raw", Absent, "no symbol", ""},
	{"nasty.rs", "hidden_comment", Absent, "no symbol", ""},
	{"nasty.rs", "Unit::make", Absent, "no symbol", ""},

	{"Nasty.java", "Nasty", Found, `@Marker({"a", "}"})`, "}"},
	{"Nasty.java", "com.example.nasty.Nasty.run", Found, "@Override", "}"},
	{"Nasty.java", "Nasty.run", Found, "@Override", "}"},
	{"Nasty.java", "TABLE", Found, "private static final Map<String, Integer> TABLE = new HashMap<>() {{", "}};"},
	{"Nasty.java", "Nasty.Nasty", Found, `public Nasty() { this("x"); }`, `public Nasty() { this("x"); }`},
	{"Nasty.java", "Deeper.Deep", Found, "void Deep() { }", "void Deep() { }"},
	{"Nasty.java", "Point", Found, "record Point(int x, int y) {", "}"},
	{"Nasty.java", "Point#Point", Found, "Point {", "}"},
	{"Nasty.java", "over", Unknown, "ambiguous: 2", ""},
	{"Nasty.java", "Color.RED", Unknown, "names RED", ""},
	{"Nasty.java", "paint", Unknown, "names paint", ""},
	{"Nasty.java", "size", Unknown, "names size", ""},
	{"Nasty.java", "anonymous", Unknown, "names anonymous", ""},
	{"Nasty.java", "Hidden", Absent, "no symbol", ""},
	{"Nasty.java", "HiddenText", Absent, "no symbol", ""},
	{"Nasty.java", "setup", Absent, "no symbol", ""},

	{"nasty.c", "BOTH", Found, `#define BOTH(a, b) \`, "do { a; b; } while (0)"},
	{"nasty.c", "main", Found, "main(argc, argv)", "}"},
	{"nasty.c", "gnu_style", Found, "int", "}"},
	{"nasty.c", "forward", Found, "static int forward(int x) { return x; }", "static int forward(int x) { return x; }"},
	{"nasty.c", "branches", Found, "int branches(int a)", "}"},
	{"nasty.c", "tag_p", Found, "typedef struct tag {", "} tag_t, *tag_p;"},
	{"nasty.c", "handler_t", Found, "typedef int (*handler_t)(int, char *);", "typedef int (*handler_t)(int, char *);"},
	{"nasty.c", "Alloc", Found, "API void *(*Alloc)(size_t n) ATTR;", "API void *(*Alloc)(size_t n) ATTR;"},
	{"nasty.c", "wrapped", Found, "API int (wrapped)(int x);", "API int (wrapped)(int x);"},
	{
		"nasty.c", "after", Found, "int after(int x) __attribute__((noreturn)) { return x; }",
		"int after(int x) __attribute__((noreturn)) { return x; }",
	},
	{
		"nasty.c", "exported", Found, "EXPORT(int) exported(int x) { return x; }",
		"EXPORT(int) exported(int x) { return x; }",
	},
	{"nasty.c", "MODE", Unknown, "ambiguous: 2", ""},
	{"nasty.c", "variant", Unknown, "where it ends is not certain", ""},
	{"nasty.c", "uneven", Unknown, "where it ends is not certain", ""},
	{
		"nasty.c", "by_value", Found, "struct made by_value(struct made m) { return m; }",
		"struct made by_value(struct made m) { return m; }",
	},
	{"nasty.c", "both", Unknown, "ambiguous: 2", ""},
	{"nasty.c", "RED", Unknown, "names RED", ""},
	{"nasty.c", "field", Unknown, "names field", ""},
	{"nasty.c", "left", Unknown, "names left", ""},
	{"nasty.c", "zoo", Unknown, "names zoo", ""},
	{"nasty.c", "Fcar", Unknown, "names Fcar", ""},
	{"nasty.c", "inside", Unknown, "names inside", ""},
	{"nasty.c", "made", Absent, "no symbol", ""},
	{"nasty.c", "hidden_include", Absent, "no symbol", ""},
	{"nasty.c", "hidden", Absent, "no symbol", ""},
	{"nasty.c", "hidden_text", Absent, "no symbol", ""},

	{"nasty.cpp", "Widget", Found, "template <typename T, int N = (3 > 2)>", "};"},
	{"nasty.cpp", "outer::mid::Widget::run", Found, "void run(int a = '{') const noexcept(true) override {", "}"},
	{"nasty.cpp", "Widget.Inner.run", Found, "void run() {}", "void run() {}"},
	{"nasty.cpp", "Widget::later", Found, "template <typename T>", "}"},
	{"nasty.cpp", "Widget::~Widget", Found, "outer::mid::Widget::~Widget() { }", "outer::mid::Widget::~Widget() { }"},
	{
		"nasty.cpp", "Widget::operator()", Found, "bool operator()(int x) const { return 1'000 > x; }",
		"bool operator()(int x) const { return 1'000 > x; }",
	},
	{
		"nasty.cpp", "operator<<", Found,
		"std::ostream& operator<<(std::ostream& o, const Widget& w) { return o; }",
		"std::ostream& operator<<(std::ostream& o, const Widget& w) { return o; }",
	},
	{"nasty.cpp", "free_fn", Found, "int free_fn(int b) { return b; }", "int free_fn(int b) { return b; }"},
	{"nasty.cpp", "trailing", Found, "FMT_EXPORT template <typename T>", "}"},
	{"nasty.cpp", "Thing::Thing", Found, "Thing::Thing(int x) try : a(1) { } catch (...) {", "}"},
	{"nasty.cpp", "limited", Found, "template <class T> requires Small<T> && (sizeof(T) > 1)", "void limited(T t) { }"},
	{"nasty.cpp", "Widget::Widget", Unknown, "ambiguous: 2", ""},
	{"nasty.cpp", "outer::Deep", Found, "struct Deep {};", "struct Deep {};"},
	{"nasty.cpp", "Widget::over", Unknown, "ambiguous: 2", ""},
	{"nasty.cpp", "Widget::at", Unknown, "ambiguous: 2", ""},
	{"nasty.cpp", "other_fn", Unknown, "ambiguous: 2", ""},
	{"nasty.cpp", "run", Unknown, "ambiguous: 2", ""},
	{"nasty.cpp", "operator+", Absent, "no symbol", ""},
	{"nasty.cpp", "kSize", Unknown, "names kSize", ""},
	{"nasty.cpp", "Mode::A", Unknown, "names A", ""},
	{"nasty.cpp", "Case", Unknown, "names Case", ""},
	{"nasty.cpp", "Local", Unknown, "names Local", ""},
	{"nasty.cpp", "hidden", Absent, "no symbol", ""},
	{"nasty.cpp", "Widget::free_fn", Absent, "no symbol", ""},
}

func TestFind(t *testing.T) {
	for _, tt := range lookups {
		src := load(t, tt.file)
		span, status, reason := Find(tt.file, src, tt.name)
		if status != tt.status {
			t.Errorf("Find(%s, %s) = %v %v %q, want %v", tt.file, tt.name, span, status, reason, tt.status)
			continue
		}
		if status != Found {
			if !strings.Contains(reason, tt.first) || span != (Span{}) {
				t.Errorf("Find(%s, %s) = %v %q, want no span and a reason with %q", tt.file, tt.name, span, reason, tt.first)
			}
			continue
		}
		lines := strings.Split(string(src), "\n")
		first, last := strings.TrimSpace(lines[span.Start-1]), strings.TrimSpace(lines[span.End-1])
		if first != tt.first || last != tt.last || reason != "" {
			t.Errorf(
				"Find(%s, %s) = %v from %q to %q %q, want from %q to %q", tt.file, tt.name, span, first, last,
				reason, tt.first, tt.last,
			)
		}
	}
}

func TestFilesThatCannotBeRead(t *testing.T) {
	tests := []struct{ path, src, name, reason string }{
		{"a.zig", "fn main() void {}", "main", "symbols of .zig files are not known"},
		{"dir/Makefile", "all:", "all", "symbols of Makefile are not known"},
		{"a.c", "int f(void) { return 1; }\nint g(void) { if (1) { }\n", "f", "line 2: a bracket does not close"},
		{"a.c", "int f(void) { } }\nint g(void) { }\n", "g", "line 1: a bracket closes that was not open"},
		{"a.c", "#if A\nint f(void) { }\n", "f", "#if does not end"},
		{"a.m.h", "@interface A\n@end\n", "A", "it is Objective-C"},
		{"a.rs", "fn f() { (] }", "f", "a bracket closes"},
		{"a.ts", "const f = `${a", "f", "does not close"},
		{"a.js", "const f = 'a\nfunction g() {}", "g", "line 1: a string does not end"},
		{"A.java", "class A { /* }", "A", "a comment does not end"},
		{"a.py", "def f():\n    pass\n  g = 1\n", "f", "line 3: indented as nothing before it"},
		{"a.py", "def f():\n", "f", "nothing follows a colon"},
		{"a.py", "x = '''\n", "x", "a string does not end"},
		{"a.py", "x = 1\rdef f(): pass\n", "f", "carriage return inside a line"},
		{"a.py", "x = 1\x00", "x", "is not text"},
		{"a.go", strings.Repeat("\n", maxSize+1), "x", "larger than 4 MiB"},
		{"a.go", "package a\n\nfunc f() {}\n", "", "no symbol is named"},
		{"a.go", "", "f", "line 1 of a.go names f"},
	}
	for _, tt := range tests {
		span, status, reason := Find(tt.path, []byte(tt.src), tt.name)
		if status != Unknown || !strings.Contains(reason, tt.reason) || span != (Span{}) {
			t.Errorf(
				"Find(%s, %.40q, %s) = %v %v %q, want unknown: %s", tt.path, tt.src, tt.name, span, status,
				reason, tt.reason,
			)
		}
	}
}

// What ended before the first error, and a function behind it proves that it
// ended there, is certain. All else of a Go file with errors is not.
func TestBrokenGo(t *testing.T) {
	src := []byte(
		"package a\n\nfunc one() {\n}\n\ntype T struct{}\n\nfunc two() {\n}\n\nfunc three() {\n\tif x {\n}\n\nfunc " +
			"four() {}\n",
	)
	tests := []struct {
		name   string
		status Status
		span   Span
	}{
		{"one", Found, Span{3, 4}},
		{"T", Found, Span{6, 6}},
		{"two", Found, Span{8, 9}},
		{"three", Unknown, Span{}},
		{"four", Unknown, Span{}},
		{"five", Unknown, Span{}},
	}
	for _, tt := range tests {
		if span, status, reason := Find("a.go", src, tt.name); status != tt.status || span != tt.span {
			t.Errorf("Find(%s) = %v %v %q, want %v %v", tt.name, span, status, reason, tt.span, tt.status)
		}
	}
	for _, early := range []string{
		"package a\n\nfunc f() {\n\tif x {\n\t}}\n\tg()\n}\n\nfunc h() {}\n",
		"package a\n\nfunc f() {\n\tif x {\n\t}}\n\tvar y = 1\n\treturn\n}\n\nfunc h() {}\n",
	} {
		if span, status, _ := Find("a.go", []byte(early), "f"); status != Unknown {
			t.Errorf("f closed too early is %v %v, want unknown: %s", span, status, early)
		}
	}
}

// Type parameters that look like elements are many in some files.
func TestGenericArrows(t *testing.T) {
	src := strings.Repeat("const a = <T extends U>(x: T) => x;\n", 3*maxFailed) + "const last = 1;\n"
	if span, status, reason := Find("a.tsx", []byte(src), "last"); status != Found {
		t.Errorf("Find(last) = %v %v %s", span, status, reason)
	}
}

func TestSupported(t *testing.T) {
	for _, path := range []string{"a.go", "a.py", "a.pyi", "a.js", "a.jsx", "a.mjs", "a.cjs", "a.ts", "a.tsx",
		"a.mts", "a.cts",
		"a.rs", "A.java", "a.c", "a.h", "a.cc", "a.cpp", "a.hpp", "A.PY"} {
		if !Supported(path) {
			t.Errorf("Supported(%s) = false", path)
		}
	}
	for _, path := range []string{"a.zig", "a", "go", "a.rb", ""} {
		if Supported(path) {
			t.Errorf("Supported(%s) = true", path)
		}
	}
}

func ExampleFind() {
	src := []byte("package a\n\n// Run runs.\nfunc Run() {\n}\n")
	span, status, _ := Find("a.go", src, "Run")
	fmt.Println(status, span.Start, span.End)
	_, status, why := Find("a.go", src, "Stop")
	fmt.Println(status, why)
	// Output:
	// found 4 5
	// absent no symbol Stop in a.go
}
