// The views that a browser loads when somebody looks at one of them.

export { DecisionsView } from "./decisions";
export { GivenView } from "./given";
export { HealthView } from "./health";
export { PackView } from "./pack";
export { TimelineView } from "./timeline";
