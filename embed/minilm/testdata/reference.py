"""Writes what the tests of this directory compare with: the vectors of texts in 32-bit floats, and the tokens of texts
that are hard to take apart, by other programs than ours.

    pip install numpy safetensors tokenizers
    python3 reference.py DIR

DIR holds the model as it was published: model.safetensors and tokenizer.json.
"""

import base64
import json
import math
import pathlib
import sys

import numpy as np
from safetensors.numpy import load_file
from tokenizers import Tokenizer

here = pathlib.Path(__file__).parent
model = pathlib.Path(sys.argv[1])
weights = load_file(model / "model.safetensors")
tokenizer = Tokenizer.from_file(str(model / "tokenizer.json"))
tokenizer.no_padding()  # the file asks for padding and for a cut at 128 tokens
tokenizer.no_truncation()
erf = np.vectorize(math.erf)


def level(x, name):
    x = x - x.mean(-1, keepdims=True)
    x = x / np.sqrt((x**2).mean(-1, keepdims=True) + 1e-12)
    return x * weights[name + ".weight"] + weights[name + ".bias"]


def linear(x, name):
    return x @ weights[name + ".weight"].T + weights[name + ".bias"]


def embed(ids):
    n = len(ids)
    x = weights["embeddings.word_embeddings.weight"][ids]
    x = x + weights["embeddings.position_embeddings.weight"][:n] + weights["embeddings.token_type_embeddings.weight"][0]
    x = level(x, "embeddings.LayerNorm")
    for i in range(6):
        at = f"encoder.layer.{i}."
        parts = [linear(x, f"{at}attention.self.{part}") for part in ("query", "key", "value")]
        q, k, v = [part.reshape(n, 12, 32).transpose(1, 0, 2) for part in parts]
        shares = q @ k.transpose(0, 2, 1) / math.sqrt(32)
        shares = np.exp(shares - shares.max(-1, keepdims=True))
        shares = shares / shares.sum(-1, keepdims=True)
        found = (shares @ v).transpose(1, 0, 2).reshape(n, 384)
        x = level(x + linear(found, at + "attention.output.dense"), at + "attention.output.LayerNorm")
        wide = linear(x, at + "intermediate.dense")
        wide = (wide * 0.5 * (1 + erf(wide / math.sqrt(2)))).astype(np.float32)
        x = level(x + linear(wide, at + "output.dense"), at + "output.LayerNorm")
    mean = x.mean(0)
    return mean / np.linalg.norm(mean)


sentences = (here / "sentences.txt").read_text().splitlines()
texts = list(sentences)
for size in (2, 3, 5, 8, 11):
    texts += [" ".join(sentences[i : i + size]) for i in range(0, len(sentences) - size + 1, 7)]
with open(here / "vectors.jsonl", "w") as out:
    for text in texts:
        ids = tokenizer.encode(text).ids
        assert len(ids) <= 256
        codes = np.round(embed(ids) * 32767).astype("<i2")
        line = {"text": text, "tokens": len(ids), "vector": base64.b64encode(codes.tobytes()).decode()}
        print(json.dumps(line), file=out)

hard = [
    "", " ", "\t\r\n", "a", "A", "Café CAFÉ cafe\u0301 naïve Ångström ﬁancé", "Straße GROẞE ß", "İstanbul ISPARTA ıı",
    "東京タワーへ行きました", "我爱你hello世界", "カ\u3099ギ", "안녕하세요 세계", "Привет, мир!", "שָׁלוֹם עולם", "مرحبا بالعالم",
    "नमस्ते दुनिया", "ไทยแลนด์", "👩‍👩‍👧 emoji 😀🎉 test", "a\u200bb a\u00adb a\ufeffb a\u2060b", "nul\x00within", "bell\x07 esc\x1b[31mred",
    "a\u00a0b\u2003c\u2028d\u3000e", "x\x0by\x0cz", "--- === *** ___ ```", "it's we're don't o'clock 'quoted'", "“curly” ‘quotes’ — dash… «guillemets»",
    "a" * 100, "a" * 101, "é" * 101, "supercalifragilisticexpialidocious", "x" * 5000 + " end",
    "ErrUnavailable sqlstore_test.go internal/model/bert v1.2.3-rc.1+build5", "https://example.org/a/b?c=d&e=f#g",
    "user@example.org 192.168.0.1 ::1 0xDEADBEEF 1e-12", "dGhlIHF1aWNrIGJyb3duIGZveA==", "3.14159 1,000,000 50% $19.99 €20 £5 ¥100",
    "∑∫√∞≠≤ αβγδ ΑΒΓ ℝ ½ ² ™ ©", "ﷺ ﬃ Ⅷ ① ㎏", "\ufffd replacement \ufffd", "unaffable ##hello #tag", "\ud55c\uae00 e\u0301\u0302\u0303",
    "Ｆｕｌｌｗｉｄｔｈ ＡＢＣ", "𝕳𝖊𝖑𝖑𝖔 𝟙𝟚𝟛", "𠀀𠀁 㐀 豈", "\U000f0000 private \ue000 use", "line one\nline two\r\n\r\nline three", "Ǆ ǅ ǆ Ł ł Ø ø Đ đ",
    "a,b;c:d!e?f(g)h[i]j{k}l", "ΣΊΣΥΦΟΣ σς", "tab\tseparated\tvalues", "· • ● ◦ ‣", "word " * 400,
]
with open(here / "tokens.jsonl", "w") as out:
    for text in hard:
        ids = tokenizer.encode(text, add_special_tokens=False).ids
        print(json.dumps({"text": text, "tokens": ids[:300]}), file=out)
