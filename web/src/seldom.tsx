// The views that a browser loads when somebody looks at one of them.

export { HealthView } from "./health";
export { PackView } from "./pack";
export { TimelineView } from "./timeline";
