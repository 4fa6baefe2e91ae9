import {
  two,
} from "./two";
import type { Three } from "./three";

export const one = (n: Three) => two(n);
