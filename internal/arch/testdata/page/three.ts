export type Three = number;
