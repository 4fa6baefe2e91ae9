#!/usr/bin/env python3
"""Module text.

def hidden_in_docstring():
    pass
"""
import os as system
from typing import overload, \
    Any

LIMIT: int = 3
TABLE = {
    "a": [1, 2],
    "}": "def hidden(): {",
}
LEFT, RIGHT = 1, 2
alias = other = None


@decorate(
    "x",
    lambda f: f,
)
@second
class Widget(Base, metaclass=Meta):
    '''def hidden(self): pass'''

    size = 3

    def __init__(self, size=(1,
                             2)):
        self.size = size
        self.late = 1

    @property
    def width(self) -> int:
        return self.size

    @width.setter
    def width(self, value):
        self.size = value

    async def load(self):
        def inner():
            text = f"{self.table["it's"]:>{width}} {{ }}"
            text += f"{ {1: 2}['it"s'] } {text!r:'^{len(text)}}"
            return text + "}" + rf'\d{1}'
        # a comment before the end

        return inner

    # a comment after the end

    def one_line(self): return "class Hidden:"

    class Nested:
        def load(self): pass


def plain(a, b=")", *, c: dict = {"k": ":"}) -> "List[int]":
    if a: return b
    for i in range(3):
        x = """
def hidden_too():
"""
    else:
        return \
            c


if LIMIT:
    def platform():
        return 1
else:
    def platform():
        return 2

try:
    import fast
except ImportError:
    def fallback():
        pass

type Vector = list[float]
	# a tab before a comment


@overload
def many(a: int) -> int: ...
@overload
def many(a: str) -> str: ...
def many(a): return a


def last():
    pass
