export { one } from "./one";

export const two = (n: number) => n;
