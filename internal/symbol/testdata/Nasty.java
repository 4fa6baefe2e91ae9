package com.example.nasty;

import java.util.Map;

/** class Hidden { } */
@Marker({"a", "}"})
public sealed class Nasty<A extends Comparable<A>> extends Base<Map<A, B>> implements Runner permits Other {
  private static final Map<String, Integer> TABLE = new HashMap<>() {{
    put("a", 1);
  }};
  int left, right = 2;
  private String size;

  static {
    setup();
  }

  public Nasty() { this("x"); }

  @Override
  @SuppressWarnings("x")
  public <X extends Y> Map<A, B> run(List<? super X> list) throws IOException {
    Runnable r = new Runnable() {
      public void anonymous() { }
    };
    String text = """
        class HiddenText { void x() { "
        """;
    char open = '{', quote = '\'';
    // }
    return null;
  }

  abstract void required(int x);

  void over(int a) { }

  void over(String a) { }

  int[] array() [] { return null; }

  interface Inner {
    int WIDTH = 1;
    void method();
    default void given() { }
  }

  enum Color {
    RED(1) { void paint() { } },
    GREEN;
    void mix() { }
  }

  record Point(int x, int y) {
    Point {
      check(x);
    }
    static Point origin() { return null; }
  }

  @interface Marker {
    String[] value() default {};
  }

  class Deep {
    class Deeper {
      void Deep() { }
    }
  }
}
