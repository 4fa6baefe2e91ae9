// The views that a browser loads when somebody looks at one of them: all but the first, the search and a memory.

export { BlastView } from "./blast";
export { ConflictsView } from "./conflicts";
export { DecisionsView } from "./decisions";
export { GivenView } from "./given";
export { HealthView } from "./health";
export { PackView } from "./pack";
export { PeopleView } from "./people";
export { ReviewView } from "./review";
export { TimelineView } from "./timeline";
