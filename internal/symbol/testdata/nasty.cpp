#ifndef NASTY
#define NASTY
#include <map> // it's
#ifdef __cplusplus
extern "C" {
#endif
int proto(int x);
#ifdef __cplusplus
}
#endif

namespace outer::mid {
inline namespace v1 {

template <typename T, int N = (3 > 2)>
class EXPORT_API Widget final : public Base<T>, private Other {
 public:
  Q_OBJECT

  Widget() : x_(1), y_{2}, Base<T>(3) {
  }
  explicit Widget(int x);
  ~Widget() override;
  void run(int a = '{') const noexcept(true) override {
    if (a) { }
    struct Local { int inside; };
  }
  virtual int pure() const = 0;
  Widget& operator=(const Widget&) = delete;
  bool operator()(int x) const { return 1'000 > x; }
  operator bool() const { return true; }
  struct Inner {
    int field;
    void run() {}
  };
  enum class Mode : int { A, B };
  static constexpr int kSize = 3;
  std::map<int, int> map_{{1, 2}};
  void over(int a);
  void over(long a) { }
  int& at(int i) { return i; }
  int at(int i) const;
  void later(std::function<void(int)> f);
  friend class Stranger;
};

}  // namespace v1
}  // namespace outer::mid

namespace outer::inline v2 {
struct Deep {};
}

template <typename T>
void outer::mid::Widget<T>::later(std::function<void(int)> f)
{
  auto s = R"x(} " ) void hidden() { )x";
}

outer::mid::Widget::~Widget() { }

std::ostream& operator<<(std::ostream& o, const Widget& w) { return o; }

int free_fn(int a);
int free_fn(int b) { return b; }
int other_fn(int a);
int other_fn(char* b) { return 0; }

FMT_EXPORT template <typename T>
auto trailing(T t) -> decltype(t.x()) {
  return t.x();
}

TEST(Suite, Case) { free_fn(1); }
using Names = std::vector<int>;
auto lambda = [](int x) { return x; };
Thing::Thing(int x) try : a(1) { } catch (...) {
}
template <> void special<int>(int x) { }
template <class T> concept Small = requires(T t) { t.x(); };
template <class T> requires Small<T> && (sizeof(T) > 1)
void limited(T t) { }
#endif
