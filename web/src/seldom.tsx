// The views that a browser loads when somebody looks at one of them.

export { BlastView } from "./blast";
export { DecisionsView } from "./decisions";
export { GivenView } from "./given";
export { HealthView } from "./health";
export { PackView } from "./pack";
export { PeopleView } from "./people";
export { TimelineView } from "./timeline";
