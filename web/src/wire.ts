// The shapes of the answers that the page reads.

// Choice is one of the things that can be read: this project, what is the person's, another project, or all.
export interface Choice { value: string; name: string }

// Me is for whom the page speaks: only a signed-in person acts.
export interface Me { acts: boolean; page?: string; locked: boolean; choices?: Choice[]; reads?: string }

// Axes are the three things that are known of a memory, each by itself.
export interface Axes {
  tier?: string;
  trust?: number;
  level?: string;
  confidence?: number;
}

export interface Memory extends Axes {
  ref: string;
  type: string;
  headline: string;
  text?: string; // all that it says, where the headline is not all
  content?: Record<string, unknown>;
  review?: string;
  hidden?: string;
  marks?: string[];
  superseded_by?: string;
  supersedes?: string[];
  derived_from?: string[];
  source: string;
  at?: string; // when it was said or happened
  created_at: string;
  created_via: string;
  occurred_at?: string;
  valid_from?: string;
  valid_until?: string;
  author: string;
  by?: string; // who wrote it, where another person did
  agent?: string;
  origin: string;
  actionable: boolean;
  not_actionable?: string;
  space: string;
  session?: string;
  tags?: string[];
  about?: string[];
  protected?: boolean;
  last_verified?: string;
}

// Standing is how a record stands now, for a person who is about to decide on it.
export interface Standing extends Memory {
  tag: string;
  text?: string;
  speaker?: string;
  reviewed_at?: string;
  reviewed_by?: string;
  disputed?: boolean;
  tainted?: boolean;
  external?: boolean;
  unverified?: boolean;
}

export interface Affected { ref: string; headline: string; path?: string[]; grounds?: string[] }

// A Blast is what a quarantine would hide and what it would leave.
export interface Blast extends Drawing {
  target: string;
  root_count: number;
  affected_count: number;
  survives_count: number;
  hidden_count: number;
  survives: Affected[];
}

export interface Source { ref: string; headline: string; text?: string; speaker?: string; at?: string }
export interface Condition { name: string; met: boolean; says: string }

export interface LinkEnd { ref: string; headline: string; text?: string; speaker?: string; by?: string; at?: string; created_at?: string; hidden?: string; marks?: string[] }
export interface LinkView {
  ref: string;
  relation: string;
  old: LinkEnd;
  new: LinkEnd;
  reason?: string;
  confidence: number;
  detector?: string;
  state: string;
  created_at: string;
}

export interface Node extends Axes {
  ref: string;
  kind: string;
  words: string;
  at?: string;
  said?: string; // when it was said or happened, where that is another time
  speaker?: string;
  writer?: string; // who wrote it
  actionable?: boolean;
  hidden?: string;
  until?: string; // the day until which it held, where it does not hold now
  review?: string;
  disputed?: boolean;
  tainted?: boolean;
  missing?: boolean;
  older?: number;
  newer?: number;
  layer: number;
  y: number;
  fate?: "root" | "falls" | "stays";
  folded?: number; // it stands for so many records
  behind?: number; // records beyond them that are not drawn
}

export interface Arrow { newer: number; older: number; how?: string; bends?: [number, number][] }

export interface Drawing {
  roots: number[];
  nodes: Node[];
  arrows: Arrow[];
  layers: number;
  low: number;
  high: number;
  full?: boolean;
  all?: number; // records, where several are drawn as one node
}

export interface Result extends Axes {
  rank: number;
  ref: string;
  type: string;
  text: string;
  score: number;
  factors: { relevance: number; tier: number; trust: number; recency: number };
  hidden?: string;
  until?: string; // when it stopped to hold
  tainted?: boolean;
  actionable: boolean;
  speaker?: string;
  at: string;
  created_at: string;
  undecided?: string[];
  from?: string;
  why?: {
    own: number;
    propagated?: number;
    shared?: number;
    graph?: number;
    graph_by?: string;
    cosine?: number;
    terms?: string[];
    question?: string[];
  };
}

// Found is a result of a search with what the page shows beside it.
export interface Found extends Result {
  pieces?: string[];
  author?: string;
  space?: string;
  source?: string;
  tags?: string[];
  review?: string;
  disputed?: boolean;
  unverified?: boolean;
  session?: string;
  marks?: string[];
}

export interface Facet { name: string; values: { value: string; count: number }[]; others?: number }

export interface FoundReply {
  results: Found[];
  warnings?: string[];
  embedder?: string;
  more?: boolean;
  total?: number;
  bounded?: boolean;
  facets?: Facet[];
}
