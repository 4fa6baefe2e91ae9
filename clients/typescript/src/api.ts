// Made by internal/httpapi/clients_test.go from the description of the API. Do not edit.

export interface Affected {
  grounds?: Array<string>;
  headline: string;
  path?: Array<string>;
  ref: string;
}

export interface AnchorCheckReply {
  checked: Array<CheckedAnchor>;
  skipped: number;
}

export interface AnchorReply {
  bound: boolean;
  claim: string;
  hint?: string;
  reference: string;
  sha256?: string;
  status: string;
  trust: TrustReply;
  type: string;
  why?: string;
}

export interface AnchorStampReply {
  line: string;
  query: string;
  ref: string;
}

export interface AnswerReply {
  bundle?: string;
  claim?: string;
  expires: string;
  from: string;
  memory: Memory;
  name?: string;
  redacted?: Array<Redaction>;
  request: string;
}

export interface AskReply {
  bundle: string;
  expires: string;
  others?: Array<AskedOther>;
  ref: string;
  request: string;
  to: string;
  via?: string;
}

export interface Asked {
  found: number;
  ms: number;
  new: number;
  problem?: string;
  remote: string;
}

export interface AskedOther {
  request: string;
  to: string;
}

export interface AssignReply {
  assigned: number;
  claim?: string;
  hint?: string;
  space: string;
}

export interface AttestReply {
  change: AttestedChange;
  comment?: string;
  envelope?: string;
}

export interface AttestationCheck {
  change: AttestedChange;
  checks: boolean;
  comment?: string;
  commits: number;
  held: number;
  signer?: string;
  why?: string;
}

export interface AttestedChange {
  at: string;
  base?: string;
  by: string;
  code: Array<AttestedCode>;
  commits: Array<AttestedCommit>;
  head: string;
  lines: number;
  memories: Array<AttestedMemory>;
  not_known: Array<string>;
  not_seen: number;
  owner: string;
  seen: number;
  sessions: Array<AttestedSession>;
  store: string;
  words: boolean;
}

export interface AttestedCode {
  files: Array<string>;
  ref: string;
  state: string;
  words?: string;
}

export interface AttestedCommit {
  commit: string;
  files: Array<AttestedFile>;
  lines: number;
  merge?: boolean;
  more_files?: number;
  seen: number;
}

export interface AttestedDecision {
  act: string;
  agent?: string;
  at: string;
  by?: string;
  counts: boolean;
  key: string;
  ref: string;
  taken_back?: boolean;
  why?: string;
}

export interface AttestedFile {
  binary?: boolean;
  by?: Array<AttestedLines>;
  lines: number;
  path: string;
  seen: number;
  submodule?: boolean;
}

export interface AttestedGiven {
  at?: string;
  level?: string;
  outside?: boolean;
  receipt?: string;
  ref: string;
  review?: string;
  tier?: string;
}

export interface AttestedHeld {
  count?: number;
  reason: string;
  ref?: string;
}

export interface AttestedLines {
  agent?: string;
  lines: string;
  noted?: string;
  noted_by?: string;
  session: number;
}

export interface AttestedMemory {
  actionable?: boolean;
  agent?: string;
  at?: string;
  author?: string;
  decisions?: Array<AttestedDecision>;
  disputed?: boolean;
  from?: Array<string>;
  hidden?: string;
  level?: string;
  missing?: string;
  origin?: string;
  outside?: boolean;
  owner?: string;
  ref: string;
  review?: string;
  source?: string;
  speaker?: string;
  tier?: string;
  via?: string;
  words?: string;
}

export interface AttestedPrompt {
  at: string;
  ref: string;
  words?: string;
}

export interface AttestedSession {
  given: Array<AttestedGiven>;
  host?: string;
  last: string;
  lines: number;
  more_prompts?: number;
  prompts: Array<AttestedPrompt>;
  session: string;
  withheld: Array<AttestedHeld>;
  withheld_unknown?: string;
}

export interface AuditReply {
  attestation?: AttestationCheck;
  certificate?: CertificateCheck;
  counts: Record<string, number>;
  elapsed_ns: number;
  exit: number;
  horizon: string;
  lines?: Array<Line>;
  lines_more?: number;
  logs: Array<LogFinding>;
  no_bundle?: string;
  offenders: Array<Finding>;
  roots: Array<Root>;
  since?: CheckScope;
  statements: number;
}

export interface Backward {
  created_at: string;
  source_type: string;
  sources: Array<Node>;
}

export interface BeliefMove {
  belief: string;
  claim?: string;
  confidence: number;
  confidence_before: number;
  effect: string;
  headline: string;
  not_written?: string;
  reason?: string;
}

export interface BlameGiven {
  at?: string;
  bears: string;
  by?: string;
  created_at?: string;
  decisions?: Array<Decision>;
  headline: string;
  hidden?: string;
  marks?: Array<string>;
  ref: string;
  speaker?: string;
  text?: string;
  was?: string;
}

export interface BlamePart {
  agent?: string;
  at?: string;
  author?: string;
  commit?: string;
  edited?: string;
  file: string;
  from: number;
  host?: string;
  noted?: string;
  noted_by?: string;
  path?: string;
  seen: string;
  session?: string;
  summary?: string;
  text?: Array<string>;
  to: number;
}

export interface BlameReply {
  commit?: string;
  file?: string;
  lines: number;
  notes?: Array<string>;
  parts: Array<BlamePart>;
  root: string;
  seen: number;
  sessions: Array<BlameSession>;
}

export interface BlameSaid {
  at: string;
  ref: string;
  text: string;
}

export interface BlameSession {
  given: Array<BlameGiven>;
  given_in_all: number;
  host?: string;
  lines: number;
  more_prompts?: number;
  prompts: Array<BlameSaid>;
  session: string;
}

export interface Certificate {
  act: Array<string>;
  at: string;
  by: string;
  copies: number;
  erased: Record<string, number>;
  id: string;
  kept: Record<string, number>;
  list: string;
  logs: Array<CertificateLog>;
  probes: CertificateProbes;
  remotes: Array<CertificateRemote>;
  store: string;
  unreached: Array<CertificatePlace>;
  v: number;
}

export interface CertificateCheck {
  act: Array<string>;
  at: string;
  by: string;
  checks: boolean;
  copies: number;
  erased: Record<string, number>;
  id: string;
  kept: Record<string, number>;
  list: string;
  logs: Array<CertificateLog>;
  probes: CertificateProbes;
  remotes: Array<CertificateRemote>;
  signer?: string;
  store: string;
  unreached: Array<CertificatePlace>;
  v: number;
  why?: string;
}

export interface CertificateLog {
  root: string;
  size: number;
}

export interface CertificatePlace {
  count?: number;
  what: string;
  where?: string;
}

export interface CertificateProbes {
  before: number;
  bytes: number;
  files: number;
  found: number;
  spans: number;
  tables: number;
  words: number;
}

export interface CertificateRemote {
  confirmed: number;
  machines: number;
  name: string;
  state: string;
}

export interface CheckLogReply {
  fork?: LogFork;
  seen: number;
  size: number;
  space: string;
  status: string;
  why: string;
}

export interface CheckReply {
  checked: number;
  counts: Record<string, number>;
  memories: Array<Checked>;
  plain?: string;
  refs: number;
  root: string;
  uncommitted?: boolean;
}

export interface CheckScope {
  at?: string;
  checked: number;
  records: number;
  whole?: string;
  why?: string;
}

export interface Checked {
  at?: string;
  files: Array<CheckedRef>;
  headline: string;
  last_verified?: string;
  reasons?: Array<string>;
  ref: string;
  state: string;
  store?: string;
  subtype?: string;
  text?: string;
  tier?: string;
  type: string;
  verified_by_agent?: boolean;
}

export interface CheckedAnchor {
  before?: string;
  bound: boolean;
  due?: string;
  of: string;
  ref: string;
  reference: string;
  status: string;
  type: string;
  why?: string;
}

export interface CheckedRef {
  commit?: string;
  now?: string;
  reason?: string;
  ref: string;
  state: string;
}

export interface CheckpointReply {
  note: string;
  origin: string;
  root: string;
  size: number;
  space: string;
}

export interface Claim {
  at: string;
  author: string;
  content?: Record<string, unknown>;
  headline: string;
  ref: string;
  type: string;
}

export interface Code {
  code: string;
  expires: string;
  path: string;
}

export interface CompareReply {
  jobs?: Array<string>;
  links: Array<LinkView>;
  notes?: Array<string>;
  ref: string;
}

export interface Condition {
  met: boolean;
  name: string;
  says: string;
}

export interface ConfidenceChange {
  after: number;
  agent?: string;
  at: string;
  because?: Array<string>;
  before?: number | null;
  by: string;
  claim?: string;
  kind: string;
  of: string;
  origin: string;
  why: string;
}

export interface ConfidenceHistoryReply {
  confidence: number;
  confidence_asserted: number;
  confidence_history: Array<ConfidenceChange>;
  headline: string;
  ref: string;
}

export interface ConflictsReply {
  conflicts: Array<LinkView>;
  forks?: Array<ForkView>;
  more?: boolean;
}

export type ContextReply = Record<string, any>;

export interface CorrectReply {
  code_refs?: Array<string>;
  consolidation_id?: string;
  created_at: string;
  derived_from?: Array<string>;
  done: string;
  existing?: boolean;
  headline: string;
  hint?: string;
  id: string;
  link?: string;
  of: string;
  redacted?: Array<Redaction>;
  ref: string;
  rejected?: Rejection;
  stays?: Array<string>;
  superseded?: Array<string>;
  type: string;
}

export interface Counted {
  count: number;
  more?: boolean;
  since?: string;
}

export interface Course {
  intensity?: number | null;
  progress?: string;
  status?: string;
}

export interface DecideReply {
  claim?: string;
  hint?: string;
  memories: Array<Memory>;
  witnesses?: Array<TrustWitness>;
}

export interface Decided {
  act: string;
  agent?: string;
  at: string;
  author: string;
  detail?: string;
  owner?: string;
  ref: string;
  why?: string;
}

export interface Decision {
  act: string;
  agent?: string;
  at: string;
  by: string;
  counts: boolean;
  detail?: string;
  key: string;
  now?: LinkEnd;
  of: Array<LinkEnd>;
  of_more?: number;
  proposed_by?: string;
  ref: string;
  space: string;
  taken_back?: boolean;
  why: string;
}

export interface DecisionsReply {
  decisions: Array<Decision>;
  more?: boolean;
}

export interface Difference {
  is?: string;
  ref?: string;
  text: string;
  was?: string;
  what: string;
}

export interface DistrustReply {
  claims: Array<string>;
  fingerprint: string;
  key: string;
  name?: string;
  quarantine?: QuarantineReply;
  since?: string;
  wrote_since: number;
}

export interface DoctorReply {
  notes?: Array<string>;
  problems: Array<Problem>;
  records: number;
  repaired?: Repaired;
  secrets?: Array<KeptSecret>;
  signatures: number;
  since?: CheckScope;
  waiting?: Array<NotTaken>;
}

export interface DocumentsReply {
  documents: number;
  left_out: number;
  secrets?: Record<string, number>;
}

export interface EmbedReply {
  left: number;
  looked_at: number;
  made: number;
  model: string;
  nothing: number;
}

export interface EmotionSummaryReply {
  count: number;
  episodes: number;
  labels: Array<LabelCount>;
  mean_arousal?: number | null;
  mean_valence?: number | null;
  since?: string;
  weeks: Array<FeltWeek>;
}

export interface EntitiesReply {
  entities: Array<Entity>;
  more?: boolean;
  total: number;
}

export interface Entity {
  count: number;
  first_seen: string;
  kind: string;
  kinds: Record<string, number>;
  last_seen: string;
  name: string;
  type?: string;
}

export interface EntityReply {
  about: Array<Memory>;
  count: number;
  first_seen: string;
  kind: string;
  kinds: Record<string, number>;
  last_seen: string;
  links?: Array<LinkView>;
  more?: boolean;
  name: string;
  type?: string;
}

export interface EntryProof {
  decided?: string;
  missing?: string;
  span?: string;
}

export interface EpisodeEvidence {
  at?: string;
  by?: string;
  id: string;
  lessons: Array<string>;
  marks?: Array<string>;
  objective: string;
  outcome: string;
  text?: string;
}

export interface Evidence {
  episodes: Array<EpisodeEvidence>;
  notes: Array<NoteEvidence>;
  raw_entries: Array<RawEvidence>;
}

export interface EvidenceReply {
  belief: Node;
  direct_episodes: number;
  evidence: Evidence;
  missing?: Array<string>;
  no_longer_counts: Array<FallenEvidence>;
  said_in?: Array<Node>;
  source_raw_entries: number;
  total_evidence_count: number;
}

export interface ExportReply {
  person?: { by_kind?: Record<string, number>; digest?: string; entities?: Array<{ count?: number; name?: string; ref?: string; shared?: boolean }>; others?: number; records?: Array<{ headline?: string; others?: Array<string>; ref?: string; space?: string; why?: string }>; repeats?: Array<{ headline?: string; others?: Array<string>; ref?: string; space?: string; why?: string }>; repeats_more?: number; stays?: Array<{ headline?: string; others?: Array<string>; ref?: string; space?: string; why?: string }>; unsure?: Array<{ headline?: string; others?: Array<string>; ref?: string; space?: string; why?: string }> } | null;
  purged: number;
  records: number;
  secrets?: Record<string, number>;
}

export interface Factors {
  recency: number;
  relevance: number;
  tier: number;
  trust: number;
}

export interface Fallen {
  ref: string;
  why: string;
}

export interface FallenEvidence {
  at?: string;
  headline: string;
  ref: string;
  text?: string;
  why: string;
}

export interface Felt {
  count: number;
  labels: Array<LabelCount>;
  mean_arousal?: number | null;
  mean_valence?: number | null;
}

export interface FeltWeek {
  count: number;
  labels: Array<LabelCount>;
  mean_arousal?: number | null;
  mean_valence?: number | null;
  week: string;
}

export interface Finding {
  agent?: string;
  author?: string;
  line?: number;
  ref?: string;
  status: string;
  why: string;
}

export interface Followed {
  at: string;
  commit?: string;
  files: Array<string>;
  host?: string;
  noted?: string;
  session: string;
}

export interface ForgetCandidate {
  at?: string;
  confidence: number;
  created_at: string;
  days_since_access: number;
  formula: string;
  half_life_days: number;
  headline: string;
  ref: string;
  salience: number;
  text?: string;
  times_accessed: number;
}

export interface ForgetKept {
  count: number;
  reason: string;
}

export interface ForgetListReply {
  forgotten: Array<Forgotten>;
  more?: boolean;
}

export interface ForgetReply {
  claim?: string;
  hint?: string;
  memories: Array<Memory>;
}

export interface ForgetRunReply {
  by_age?: boolean;
  candidates: Array<ForgetCandidate>;
  claims: Array<string>;
  count: number;
  half_life_days: number;
  kept?: Array<ForgetKept>;
  min_age_days: number;
  more?: boolean;
  purged?: boolean;
  threshold: number;
}

export interface Forgotten {
  about?: Array<string>;
  actionable: boolean;
  agent?: string;
  alias?: Array<string>;
  at?: string;
  author: string;
  by?: string;
  claim?: string;
  code_refs?: Array<string>;
  confidence: number;
  confidence_asserted: number;
  content?: Record<string, unknown>;
  created_at: string;
  created_via: string;
  derived_from?: Array<string>;
  disputed?: boolean;
  doubt?: string;
  external?: boolean;
  forgotten_at?: string;
  forgotten_by?: string;
  headline: string;
  hidden?: string;
  id: string;
  intensity?: number | null;
  is_active: boolean;
  last_verified?: string;
  level?: string;
  marks?: Array<string>;
  no_longer_counts?: Array<Fallen>;
  not_actionable?: string;
  occurred_at?: string;
  origin: string;
  progress?: string;
  protected?: boolean;
  reason?: string;
  ref: string;
  review?: string;
  reviewed_at?: string;
  reviewed_by?: string;
  session?: string;
  source: string;
  source_created_at?: string;
  source_episodes?: Array<string>;
  source_type: string;
  source_updated_at?: string;
  space: string;
  status?: string;
  store?: string;
  success_rate?: number | null;
  successes?: number;
  superseded_by?: string;
  supersedes?: Array<string>;
  tags?: Array<string>;
  tainted?: boolean;
  text?: string;
  tier?: string;
  trigger?: string;
  trust?: number | null;
  trust_flags?: Array<string>;
  type: string;
  unverified?: boolean;
  uses?: number;
  valid_from?: string;
  valid_until?: string;
  verification_count?: number;
}

export interface ForkView {
  shown: LinkEnd;
  siblings: Array<LinkEnd>;
}

export interface Forward {
  derived: Array<Node>;
}

export interface Gathered {
  form: string;
  found: number;
  more?: boolean;
  names?: Array<string>;
  since?: string;
  until?: string;
  words?: Array<string>;
}

export interface HeldGroup {
  count: number;
  memories: Array<Memory>;
  one_by_one?: Array<string>;
  source: string;
}

export interface HeldReply {
  held: Record<string, string>;
}

export interface HistoryReply {
  forked?: boolean;
  ref: string;
  revisions: Array<Memory>;
}

export interface Holder {
  at?: string;
  key?: string;
  name: string;
  outside: boolean;
}

export interface IdentityMemory {
  about?: Array<string>;
  actionable: boolean;
  agent?: string;
  alias?: Array<string>;
  at?: string;
  author: string;
  by?: string;
  code_refs?: Array<string>;
  confidence: number;
  confidence_asserted: number;
  confirmations?: number;
  content?: Record<string, unknown>;
  created_at: string;
  created_via: string;
  derived_from?: Array<string>;
  disputed?: boolean;
  disputes?: number;
  doubt?: string;
  evidence_count: number;
  external?: boolean;
  headline: string;
  hidden?: string;
  id: string;
  intensity?: number | null;
  is_active: boolean;
  last_verified?: string;
  level?: string;
  marks?: Array<string>;
  no_longer_counts?: Array<Fallen>;
  not_actionable?: string;
  occurred_at?: string;
  origin: string;
  progress?: string;
  protected?: boolean;
  ref: string;
  review?: string;
  reviewed_at?: string;
  reviewed_by?: string;
  session?: string;
  source: string;
  source_count: number;
  source_created_at?: string;
  source_episodes?: Array<string>;
  source_type: string;
  source_updated_at?: string;
  space: string;
  status?: string;
  store?: string;
  success_rate?: number | null;
  successes?: number;
  superseded_by?: string;
  supersedes?: Array<string>;
  tags?: Array<string>;
  tainted?: boolean;
  text?: string;
  tier?: string;
  trigger?: string;
  trust?: number | null;
  trust_flags?: Array<string>;
  type: string;
  unverified?: boolean;
  uses?: number;
  valid_from?: string;
  valid_until?: string;
  verification_count?: number;
}

export interface IdentityReply {
  beliefs: Array<IdentityMemory>;
  drives: Array<IdentityMemory>;
  goals: Array<IdentityMemory>;
  more?: boolean;
  values: Array<IdentityMemory>;
}

export interface ImportReply {
  added: number;
  already_there: number;
  lines: number;
  purged: number;
  secrets?: Record<string, number>;
}

export interface InferProvenanceReply {
  applied?: number;
  legacy: number;
  more?: boolean;
  proposals: Array<Inferred>;
  total: number;
}

export interface Inferred {
  at?: string;
  headline: string;
  link?: string;
  reason: string;
  ref: string;
  score: number;
  shared: Array<string>;
  source: string;
  source_at?: string;
  source_headline: string;
  source_text?: string;
  text?: string;
}

export interface IngestReply {
  added: number;
  already_there: number;
  by_kind: Record<string, number>;
  changed?: number;
  changes?: Array<{ confidence?: number; created_at?: string; decisions?: Array<{ act?: string; agent?: string; at?: string; by?: string; counts?: boolean; detail?: string; key?: string; now?: { at?: string; by?: string; created_at?: string; headline?: string; hidden?: string; marks?: Array<string>; ref?: string; speaker?: string; text?: string; was?: string } | null; of?: Array<{ at?: string; by?: string; created_at?: string; headline?: string; hidden?: string; marks?: Array<string>; ref?: string; speaker?: string; text?: string; was?: string }>; of_more?: number; proposed_by?: string; ref?: string; space?: string; taken_back?: boolean; why?: string }>; detector?: string; ended?: string; for?: string; model?: string; new?: { at?: string; by?: string; created_at?: string; headline?: string; hidden?: string; marks?: Array<string>; ref?: string; speaker?: string; text?: string; was?: string }; old?: { at?: string; by?: string; created_at?: string; headline?: string; hidden?: string; marks?: Array<string>; ref?: string; speaker?: string; text?: string; was?: string }; one_by_one?: boolean; reason?: string; ref?: string; relation?: string; state?: string }>;
  purged?: number;
  read: number;
  redacted?: Record<string, number>;
  rejected?: Array<{ alike?: boolean; at?: string; headline?: string; quarantined?: boolean; raw?: string; reason?: string; ref?: string; rejected_at?: string; rejected_by?: string; text?: string }>;
}

export interface InitReply {
  agent: string;
  fingerprint: string;
  owner: string;
  space: string;
}

export interface IntroduceReply {
  claim: string;
  fingerprint: string;
  key: string;
  name?: string;
}

export interface InvitationCode {
  code: string;
  id: string;
}

export interface JobCount {
  done: number;
  gave_up: number;
  open: number;
}

export interface JobInfo {
  due?: string;
  key: string;
  made: string;
  note?: string;
  space: string;
  state: string;
  task: string;
  tries?: number;
}

export interface JobsReply {
  jobs: Array<JobInfo>;
  more?: boolean;
  open: number;
}

export interface JudgeCandidate {
  at?: string;
  created_at: string;
  headline: string;
  number: number;
  ref: string;
  text?: string;
}

export interface JudgeReply {
  link?: LinkView;
  ref: string;
}

export interface Judging {
  candidates: Array<JudgeCandidate>;
  headline: string;
  ref: string;
  text?: string;
}

export interface KeptSecret {
  fix?: string;
  found: Array<Redaction>;
  ref: string;
}

export interface KeyInfo {
  by?: string;
  calls_itself?: string;
  delegation?: string;
  ended?: string;
  expires?: string;
  fingerprint: string;
  key: string;
  name?: string;
  origins?: Array<string>;
  place?: string;
  principal: string;
  recovery?: boolean;
  role: string;
  scope?: string;
}

export interface KeyReply {
  by?: string;
  calls_itself?: string;
  claim?: string;
  claims?: Array<string>;
  delegation?: string;
  ended?: string;
  expires?: string;
  file?: string;
  fingerprint: string;
  hint?: string;
  key: string;
  name?: string;
  origins?: Array<string>;
  phrase?: string;
  place?: string;
  principal: string;
  public?: string;
  recovery?: boolean;
  role: string;
  scope?: string;
  wrote?: Array<string>;
  wrote_more?: boolean;
}

export interface KeysReply {
  keys: Array<KeyInfo>;
}

export interface KindCount {
  kind: string;
  live: number;
  total: number;
}

export interface LabelCount {
  count: number;
  label: string;
}

export interface LettersReply {
  answers?: number;
  remote: string;
  requests: Array<WaitingAsked>;
}

export interface Line {
  agent?: string;
  at?: string;
  author?: string;
  decisions?: Array<Decided>;
  line: number;
  missing?: Array<string>;
  owner?: string;
  ref: string;
  rests?: Array<string>;
  speaker?: string;
  status: string;
  why?: string;
  words?: string;
}

export interface LinkEnd {
  at?: string;
  by?: string;
  created_at?: string;
  headline: string;
  hidden?: string;
  marks?: Array<string>;
  ref: string;
  speaker?: string;
  text?: string;
  was?: string;
}

export interface LinkView {
  confidence: number;
  created_at: string;
  decisions?: Array<Decision>;
  detector?: string;
  ended?: string;
  for?: string;
  model?: string;
  new: LinkEnd;
  old: LinkEnd;
  one_by_one?: boolean;
  reason?: string;
  ref: string;
  relation: string;
  state: string;
}

export interface ListReply {
  hint?: string;
  left_out?: number;
  memories: Array<Memory>;
  more?: boolean;
  waiting?: Array<WaitingGroup>;
}

export interface LogFinding {
  origin?: string;
  records: number;
  signed?: Array<Holder>;
  size: number;
  space?: string;
  status: string;
  why?: string;
}

export interface LogFork {
  after: number;
  by: number;
  here?: string;
  there?: string;
}

export interface MarkReply {
  claim?: string;
  memory: Memory;
}

export interface Memory {
  about?: Array<string>;
  actionable: boolean;
  agent?: string;
  alias?: Array<string>;
  at?: string;
  author: string;
  by?: string;
  code_refs?: Array<string>;
  confidence: number;
  confidence_asserted: number;
  content?: Record<string, unknown>;
  created_at: string;
  created_via: string;
  derived_from?: Array<string>;
  disputed?: boolean;
  doubt?: string;
  external?: boolean;
  headline: string;
  hidden?: string;
  id: string;
  intensity?: number | null;
  is_active: boolean;
  last_verified?: string;
  level?: string;
  marks?: Array<string>;
  no_longer_counts?: Array<Fallen>;
  not_actionable?: string;
  occurred_at?: string;
  origin: string;
  progress?: string;
  protected?: boolean;
  ref: string;
  review?: string;
  reviewed_at?: string;
  reviewed_by?: string;
  session?: string;
  source: string;
  source_created_at?: string;
  source_episodes?: Array<string>;
  source_type: string;
  source_updated_at?: string;
  space: string;
  status?: string;
  store?: string;
  success_rate?: number | null;
  successes?: number;
  superseded_by?: string;
  supersedes?: Array<string>;
  tags?: Array<string>;
  tainted?: boolean;
  text?: string;
  tier?: string;
  trigger?: string;
  trust?: number | null;
  trust_flags?: Array<string>;
  type: string;
  unverified?: boolean;
  uses?: number;
  valid_from?: string;
  valid_until?: string;
  verification_count?: number;
}

export interface Node {
  at?: string;
  blob?: string;
  by?: string;
  captured_at?: string;
  confidence?: number;
  content?: string;
  created_at?: string;
  derived?: Array<Node>;
  disputed?: boolean;
  doubt?: string;
  hidden?: string;
  id: string;
  inferred?: boolean;
  intensity?: number | null;
  marks?: Array<string>;
  missing?: boolean;
  occurred_at?: string;
  of?: string;
  progress?: string;
  reason?: string;
  said_in?: boolean;
  seen?: boolean;
  source?: string;
  source_type?: string;
  sources?: Array<Node>;
  speaker?: string;
  statement?: string;
  status?: string;
  text?: string;
  tier?: string;
  title?: string;
  type: string;
}

export interface NotTaken {
  count: number;
  id: string;
  peer?: string;
  remote: string;
  space: string;
  there?: boolean;
  why: string;
}

export interface NoteEvidence {
  at?: string;
  by?: string;
  content: string;
  id: string;
  marks?: Array<string>;
  note_type: string;
  text?: string;
}

export interface Pending {
  about?: Array<string>;
  actionable: boolean;
  agent?: string;
  alias?: Array<string>;
  asks: boolean;
  at?: string;
  author: string;
  by?: string;
  code_refs?: Array<string>;
  conditions: Array<Condition>;
  confidence: number;
  confidence_asserted: number;
  content?: Record<string, unknown>;
  created_at: string;
  created_via: string;
  derived_from?: Array<string>;
  disputed?: boolean;
  doubt?: string;
  external?: boolean;
  headline: string;
  hidden?: string;
  id: string;
  intensity?: number | null;
  is_active: boolean;
  last_verified?: string;
  level?: string;
  marks?: Array<string>;
  near?: Array<Source>;
  no_longer_counts?: Array<Fallen>;
  not_actionable?: string;
  occurred_at?: string;
  one_by_one?: boolean;
  origin: string;
  progress?: string;
  protected?: boolean;
  ref: string;
  rejected_before?: Rejection;
  review?: string;
  reviewed_at?: string;
  reviewed_by?: string;
  session?: string;
  source: string;
  source_created_at?: string;
  source_episodes?: Array<string>;
  source_type: string;
  source_updated_at?: string;
  sources?: Array<Source>;
  space: string;
  status?: string;
  store?: string;
  success_rate?: number | null;
  successes?: number;
  superseded_by?: string;
  supersedes?: Array<string>;
  tags?: Array<string>;
  tainted?: boolean;
  text?: string;
  tier?: string;
  trigger?: string;
  trust?: number | null;
  trust_flags?: Array<string>;
  type: string;
  unverified?: boolean;
  uses?: number;
  valid_from?: string;
  valid_until?: string;
  verification_count?: number;
  why?: string;
}

export interface PersonList {
  by_kind: Record<string, number>;
  digest: string;
  entities: Array<PersonName>;
  others: number;
  records: Array<PersonRecord>;
  repeats: Array<PersonRecord>;
  repeats_more?: number;
  stays: Array<PersonRecord>;
  unsure: Array<PersonRecord>;
}

export interface PersonName {
  count: number;
  name: string;
  ref?: string;
  shared?: boolean;
}

export interface PersonRecord {
  headline: string;
  others?: Array<string>;
  ref: string;
  space: string;
  why: string;
}

export interface PlaybookFindReply {
  playbooks: Array<PlaybookFound>;
  receipt?: string;
  situation: string;
  warnings?: Array<string>;
}

export interface PlaybookFound {
  about?: Array<string>;
  actionable: boolean;
  agent?: string;
  alias?: Array<string>;
  at?: string;
  author: string;
  by?: string;
  code_refs?: Array<string>;
  confidence: number;
  confidence_asserted: number;
  content?: Record<string, unknown>;
  created_at: string;
  created_via: string;
  derived_from?: Array<string>;
  disputed?: boolean;
  doubt?: string;
  external?: boolean;
  headline: string;
  hidden?: string;
  id: string;
  intensity?: number | null;
  is_active: boolean;
  last_verified?: string;
  level?: string;
  marks?: Array<string>;
  no_longer_counts?: Array<Fallen>;
  not_actionable?: string;
  occurred_at?: string;
  origin: string;
  progress?: string;
  protected?: boolean;
  rank: number;
  ref: string;
  review?: string;
  reviewed_at?: string;
  reviewed_by?: string;
  score: number;
  session?: string;
  source: string;
  source_created_at?: string;
  source_episodes?: Array<string>;
  source_type: string;
  source_updated_at?: string;
  space: string;
  status?: string;
  store?: string;
  success_rate?: number | null;
  successes?: number;
  superseded_by?: string;
  supersedes?: Array<string>;
  tags?: Array<string>;
  tainted?: boolean;
  text?: string;
  tier?: string;
  trigger?: string;
  trust?: number | null;
  trust_flags?: Array<string>;
  type: string;
  unverified?: boolean;
  uses?: number;
  valid_from?: string;
  valid_until?: string;
  verification_count?: number;
}

export interface Problem {
  changed?: Array<{ now?: string; ref?: string }> | null;
  detail?: string;
  kind: string;
  status: number;
  title: string;
  type: string;
}

export interface ProcessReply {
  done: number;
  gave_up?: number;
  later?: number;
  links: number;
  memories: number;
  notes?: Array<string>;
  open: number;
  raws: number;
  rejected_before?: Array<Rejection>;
  said_again?: number;
  sessions: number;
}

export interface Processed {
  processed: number;
  unprocessed: number;
}

export interface ProveReply {
  hashes: Array<string>;
  index: number;
  note: string;
  old_size?: number;
  origin: string;
  ref?: string;
  root: string;
  size: number;
  space: string;
}

export interface ProvenanceReply {
  author: string;
  confidence_history: Array<ConfidenceChange>;
  consolidation_id?: string;
  created_at: string;
  created_via: string;
  derived_from?: Array<string>;
  derived_into?: Array<string>;
  hidden?: string;
  origin: string;
  promotion_context?: string;
  ref: string;
  run?: string;
  session?: string;
  source_episodes?: Array<string>;
  source_memory_refs?: Array<string>;
  source_raw_ids?: Array<string>;
  source_type: string;
  superseded_by?: string;
  supersedes?: Array<string>;
}

export interface PurgeMachine {
  account: string;
  label?: string;
  left?: string;
  name: string;
  said?: string;
  seen?: string;
  state: string;
  store?: string;
  token?: string;
}

export interface PurgeOutcome {
  before?: boolean;
  certificate?: string;
  copies: number;
  erased: Record<string, number>;
  found: number;
  found_before: number;
  found_in?: Array<string>;
  probes: number;
  unreached: Array<PurgeUnreached>;
}

export interface PurgeRemote {
  confirmed: number;
  machines: number;
  note?: string;
  open?: Array<PurgeMachine>;
  part?: string;
  remote: string;
  space: string;
  state: string;
}

export interface PurgeReply {
  claim?: string;
  goes?: Array<Affected>;
  here?: Array<PurgedRecord>;
  outcome?: PurgeOutcome;
  pending?: number;
  person?: PersonList;
  purged: Array<string>;
  remotes?: Array<PurgeRemote>;
  rests_on_them: Array<Affected>;
}

export interface PurgeUnreached {
  count?: number;
  what: string;
  where?: string;
  why: string;
}

export interface PurgedRecord {
  at: string;
  by: string;
  claim: string;
  ref: string;
  space: string;
}

export interface QuarantineReply {
  claims: Array<string>;
  count: number;
  hint?: string;
  records: Array<Affected>;
  survives?: Array<Affected>;
  target: string;
}

export interface Ranking {
  recency: number;
  tier: number;
  trust: number;
}

export interface RawEvidence {
  at?: string;
  blob: string;
  by?: string;
  captured_at: string;
  id: string;
  marks?: Array<string>;
  occurred_at?: string;
  purged?: boolean;
  speaker?: string;
}

export interface RecallReply {
  as_of?: string;
  budget: number;
  constraints?: Array<Recalled>;
  gathered?: Gathered;
  left_out?: number;
  note?: string;
  proofs?: string;
  query?: string;
  receipt?: string;
  results: Array<Recalled>;
  start?: string;
  warnings?: Array<string>;
  without?: RecallWithout;
}

export interface RecallWithout {
  answer: RecallReply;
  differs: Array<Difference>;
  hidden: number;
  hint?: string;
  targets: Array<string>;
}

export interface Recalled {
  actionable: boolean;
  after?: Array<Turn>;
  alias?: Array<string>;
  at?: string;
  before?: Array<Turn>;
  by?: string;
  code?: string;
  confidence: number;
  created_at: string;
  cut?: boolean;
  disputed?: boolean;
  doubt?: string;
  external?: boolean;
  factors: Factors;
  from?: string;
  group?: string;
  hidden?: string;
  id: string;
  intensity?: number | null;
  level: string;
  marks?: Array<string>;
  no_longer_counts?: number;
  not_actionable?: string;
  occurred_at?: string;
  origin: string;
  perhaps?: boolean;
  progress?: string;
  proof?: EntryProof;
  rank: number;
  ref: string;
  remote?: string;
  review?: string;
  score: number;
  session?: string;
  source?: string;
  speaker?: string;
  status?: string;
  store?: string;
  tainted?: boolean;
  text: string;
  tier?: string;
  trust: number;
  type: string;
  undecided?: Array<string>;
  until?: string;
  unverified?: boolean;
  weak?: boolean;
  why?: Why;
  wording?: Array<string>;
  words?: number;
}

export interface Receipt {
  agent?: string;
  at: string;
  embedder?: string;
  id: string;
  key?: string;
  op: string;
  origin: string;
  path?: string;
  query?: string;
  /** any JSON */
  request: unknown;
  results: Array<Receipted>;
  session?: string;
  space?: string;
  store?: string;
  warnings?: Array<string>;
  withheld?: Array<Withheld>;
}

export interface Receipted {
  external?: boolean;
  factors?: Factors;
  level?: string;
  rank: number;
  ref: string;
  remote?: string;
  review?: string;
  score?: number;
  signature: string;
  text: string;
  tier?: string;
}

export interface ReceiptsReply {
  more?: boolean;
  receipts: Array<Receipt>;
  unreadable?: number;
}

export interface Redaction {
  field: string;
  rule: string;
}

export interface ReinforceReply {
  because: Array<string>;
  claim: string;
  confidence: number;
  confidence_before: number;
  headline: string;
  ref: string;
}

export interface Rejection {
  alike?: boolean;
  at?: string;
  headline: string;
  quarantined?: boolean;
  raw?: string;
  reason?: string;
  ref: string;
  rejected_at: string;
  rejected_by: string;
  text?: string;
}

export interface Related {
  at?: string;
  by?: string;
  created_at: string;
  depth: number;
  headline: string;
  id: string;
  intensity?: number | null;
  marks?: Array<string>;
  progress?: string;
  relationship: string;
  speaker?: string;
  status?: string;
  text?: string;
  type: string;
}

export interface RelatedReply {
  ref: string;
  related: Array<Related>;
}

export interface RelationshipEntry {
  at: string;
  headline: string;
  hidden?: string;
  how: string;
  marks?: Array<string>;
  ref: string;
  sentiment?: number | null;
  text?: string;
  type: string;
}

export interface RelationshipHistoryReply {
  entries: Array<RelationshipEntry>;
  more?: boolean;
  name: string;
  sentiment?: number | null;
  sentiments: Array<SentimentChange>;
}

export interface RememberReply {
  code_refs?: Array<string>;
  consolidation_id?: string;
  created_at: string;
  derived_from?: Array<string>;
  entities?: Array<Entity>;
  existing?: boolean;
  headline: string;
  hint?: string;
  id: string;
  jobs?: Array<string>;
  judge?: Array<Judging>;
  link?: string;
  links?: Array<LinkView>;
  memories?: Array<Memory>;
  near?: Array<Memory>;
  not_kept?: Array<string>;
  notes?: Array<string>;
  redacted?: Array<Redaction>;
  ref: string;
  rejected?: Rejection;
  rejected_before?: Array<Rejection>;
  said_again?: Array<SaidAgain>;
  stays?: Array<string>;
  superseded?: Array<string>;
  type: string;
}

export interface Remote {
  address: string;
  also?: Array<string>;
  keepers?: Array<RemoteMember>;
  kinds?: Array<string>;
  lag?: SyncLag;
  name: string;
  raw?: boolean;
  search?: boolean;
  spaces?: Array<string>;
  store: string;
  sync?: SyncState;
  tags?: Array<string>;
  whose?: string;
}

export interface RemoteCompareReply {
  failed: number;
  logs: Array<RemoteCompared>;
  remote: string;
  split: number;
}

export interface RemoteCompared {
  here: RemoteLog;
  key: string;
  problem?: string;
  split?: boolean;
  there: RemoteLog;
}

export interface RemoteInvitation {
  address: string;
  code: string;
  expires: string;
  id: string;
  more?: Array<InvitationCode>;
  remote: string;
  role: string;
  space: string;
}

export interface RemoteLog {
  note?: string;
  root?: string;
  size: number;
  space: string;
  withheld?: Array<string>;
  withheld_more?: boolean;
}

export interface RemoteMember {
  accepted?: boolean;
  account: string;
  calls?: string;
  name?: string;
  role: string;
  since?: string;
  space?: string;
  vouches?: number;
}

export interface RemoteMembersReply {
  files?: Array<unknown>;
  invited: Array<RemoteOpen>;
  members: Array<RemoteMember>;
  remote: string;
  services?: Array<RemoteService>;
  space: string;
}

export interface RemoteOpen {
  by?: string;
  expires: string;
  id: string;
  role: string;
}

export interface RemotePeer {
  key: string;
  logs: Array<RemoteLog>;
  name: string;
}

export interface RemoteReply {
  remotes: Array<Remote>;
}

export interface RemoteService {
  account: string;
  by: string;
  expires?: string;
  made: string;
  name: string;
  places: Array<ServicePlace>;
  revoked?: string;
  stored: Array<SpaceCount>;
  tokens: Array<ServiceToken>;
}

export interface RemoteView {
  peers: Array<RemotePeer>;
  remote: string;
}

export interface Repaired {
  columns: number;
  edges: number;
  left?: Array<string>;
  records: number;
  states: number;
}

export interface Replacement {
  is?: number;
  reason: string;
  ref: string;
  text: string;
  was?: number;
}

export interface ReplayReply {
  changes: Array<Replacement>;
  now: Array<Receipted>;
  receipt: Receipt;
}

export interface Report {
  counts: Record<string, number>;
  elapsed_ns: number;
  horizon: string;
  lines?: Array<Line>;
  lines_more?: number;
  logs: Array<LogFinding>;
  no_bundle?: string;
  offenders: Array<Finding>;
  roots: Array<Root>;
  statements: number;
}

export interface ReputationReply {
  agent_id: string;
  known: boolean;
  name?: string;
  refuted: number;
  reputation: number;
  upheld: number;
}

export interface ResolveReply {
  claim?: string;
  link: LinkView;
  memory?: WriteReply;
}

export interface Result {
  actionable: boolean;
  alias?: Array<string>;
  at?: string;
  by?: string;
  confidence: number;
  created_at: string;
  cut?: boolean;
  disputed?: boolean;
  doubt?: string;
  external?: boolean;
  factors: Factors;
  from?: string;
  group?: string;
  hidden?: string;
  id: string;
  intensity?: number | null;
  level: string;
  marks?: Array<string>;
  no_longer_counts?: number;
  not_actionable?: string;
  occurred_at?: string;
  origin: string;
  perhaps?: boolean;
  progress?: string;
  rank: number;
  ref: string;
  remote?: string;
  review?: string;
  score: number;
  session?: string;
  source?: string;
  speaker?: string;
  status?: string;
  store?: string;
  tainted?: boolean;
  text: string;
  tier?: string;
  trust: number;
  type: string;
  undecided?: Array<string>;
  until?: string;
  unverified?: boolean;
  weak?: boolean;
  why?: Why;
  wording?: Array<string>;
  words?: number;
}

export interface ReviewReply {
  held_back?: Array<HeldGroup>;
  more?: boolean;
  pending: Array<Pending>;
  prompts_not_kept: Counted;
  prompts_waiting: Counted;
  proposals: Record<string, number>;
}

export interface ReviseBeliefsReply {
  beliefs: number;
  by: string;
  episode: string;
  headline: string;
  moved_before?: number;
  moves: Array<BeliefMove>;
  notes?: Array<string>;
}

export interface Root {
  did: string;
  fingerprint: string;
  name?: string;
  statements: number;
}

export interface RunJobsReply {
  done: number;
  gave_up?: number;
  later?: number;
  links: number;
  memories: number;
  notes?: Array<string>;
  open: number;
  rejected_before?: Array<Rejection>;
  said_again?: number;
}

export interface SaidAgain {
  about?: Array<string>;
  actionable: boolean;
  agent?: string;
  alias?: Array<string>;
  at?: string;
  author: string;
  by?: string;
  code_refs?: Array<string>;
  confidence: number;
  confidence_asserted: number;
  content?: Record<string, unknown>;
  created_at: string;
  created_via: string;
  derived_from?: Array<string>;
  disputed?: boolean;
  doubt?: string;
  external?: boolean;
  headline: string;
  hidden?: string;
  id: string;
  intensity?: number | null;
  is_active: boolean;
  last_verified?: string;
  level?: string;
  marks?: Array<string>;
  no_longer_counts?: Array<Fallen>;
  not_actionable?: string;
  occurred_at?: string;
  origin: string;
  progress?: string;
  protected?: boolean;
  raw: string;
  ref: string;
  review?: string;
  reviewed_at?: string;
  reviewed_by?: string;
  session?: string;
  source: string;
  source_created_at?: string;
  source_episodes?: Array<string>;
  source_type: string;
  source_updated_at?: string;
  space: string;
  status?: string;
  store?: string;
  success_rate?: number | null;
  successes?: number;
  superseded_by?: string;
  supersedes?: Array<string>;
  tags?: Array<string>;
  tainted?: boolean;
  text?: string;
  tier?: string;
  trigger?: string;
  trust?: number | null;
  trust_flags?: Array<string>;
  type: string;
  unverified?: boolean;
  uses?: number;
  valid_from?: string;
  valid_until?: string;
  verification_count?: number;
}

export interface SearchReply {
  as_of?: string;
  asked?: Array<Asked>;
  embedder?: string;
  gathered?: Gathered;
  note?: string;
  query: string;
  receipt?: string;
  results: Array<Result>;
  warnings?: Array<string>;
}

export interface SentimentChange {
  at: string;
  ref: string;
  sentiment: number;
}

export interface ServicePlace {
  role: string;
  space: string;
}

export interface ServiceToken {
  address?: string;
  id: string;
  label?: string;
  revoked?: boolean;
  used?: string;
}

export interface ShowReply {
  about?: Array<string>;
  actionable: boolean;
  agent?: string;
  alias?: Array<string>;
  at?: string;
  author: string;
  by?: string;
  claims?: Array<Claim>;
  code?: Array<CheckedRef>;
  code_refs?: Array<string>;
  code_state?: string;
  conditions?: Array<Condition>;
  confidence: number;
  confidence_asserted: number;
  content?: Record<string, unknown>;
  created_at: string;
  created_via: string;
  decisions?: Array<Decision>;
  derived_from?: Array<string>;
  derived_into?: Array<string>;
  disputed?: boolean;
  doubt?: string;
  external?: boolean;
  headline: string;
  hidden?: string;
  id: string;
  intensity?: number | null;
  is_active: boolean;
  last_verified?: string;
  level?: string;
  links?: Array<LinkView>;
  marks?: Array<string>;
  no_longer_counts?: Array<Fallen>;
  not_actionable?: string;
  occurred_at?: string;
  origin: string;
  processed_into?: Array<string>;
  progress?: string;
  protected?: boolean;
  ref: string;
  review?: string;
  reviewed_at?: string;
  reviewed_by?: string;
  session?: string;
  source: string;
  source_created_at?: string;
  source_episodes?: Array<string>;
  source_type: string;
  source_updated_at?: string;
  space: string;
  status?: string;
  store?: string;
  success_rate?: number | null;
  successes?: number;
  superseded_by?: string;
  supersedes?: Array<string>;
  tags?: Array<string>;
  tainted?: boolean;
  text?: string;
  tier?: string;
  trigger?: string;
  trust?: number | null;
  trust_flags?: Array<string>;
  type: string;
  unverified?: boolean;
  upstream?: Array<TrustUpstream>;
  uses?: number;
  valid_from?: string;
  valid_until?: string;
  verification_count?: number;
}

export interface Source {
  at?: string;
  headline: string;
  ref: string;
  speaker?: string;
  text?: string;
}

export interface SpaceCount {
  records: number;
  space: string;
}

export interface StatsReply {
  bytes: number;
  claims: Array<KindCount>;
  edges: number;
  jobs: JobCount;
  links?: Record<string, number>;
  memories: Array<KindCount>;
  missing: number;
  model?: Record<string, number>;
  purged: number;
  raws: Processed;
  records: number;
  spaces: Array<SpaceCount>;
}

export interface StatusReply {
  embedder?: string;
  encrypted?: boolean;
  held_back: Counted;
  last_capture?: string;
  memories: Array<KindCount>;
  needs_verification: Counted;
  open_conflicts: Counted;
  open_jobs: number;
  pending_reviews: Counted;
  prompts_not_kept: Counted;
  prompts_waiting: Counted;
  proposals: Record<string, number>;
  records: number;
  remotes?: Array<Remote>;
  uncertain: Counted;
  unprocessed_raws: number;
  without_vector: number;
}

export interface Suggestion {
  at?: string;
  by?: string;
  created_at: string;
  headline: string;
  link?: LinkView;
  ref: string;
  sources?: Array<Source>;
  text?: string;
  type: string;
}

export interface SuggestionReply {
  link?: LinkView;
  memories?: Array<Memory>;
  memory?: WriteReply;
}

export interface SuggestionsReply {
  more?: boolean;
  suggestions: Array<Suggestion>;
}

export interface Support {
  origins: number;
  sources: number;
}

export interface SyncLag {
  about?: boolean;
  failed?: string;
  failure?: string;
  next?: string;
  seconds?: number | null;
  unpulled: number;
  unpushed: number;
}

export interface SyncPeer {
  answers?: Array<string>;
  code?: string;
  name?: string;
  problem?: string;
  spaces: Array<SyncSpace>;
  unfit?: Array<SyncRefuse>;
  waiting?: number;
}

export interface SyncRefuse {
  id: string;
  why: string;
}

export interface SyncReply {
  busy?: boolean;
  failed: number;
  kept_back?: Array<string>;
  peers: Array<SyncPeer>;
  pulled: number;
  pushed: number;
  reasons?: Array<NotTaken>;
  remote: string;
  uncounted?: Array<UncountedDecisions>;
  withheld?: number;
}

export interface SyncSpace {
  back?: Array<SyncRefuse>;
  code?: string;
  cosigned?: number;
  kept?: boolean;
  problem?: string;
  pulled: number;
  pushed: number;
  refused?: Array<SyncRefuse>;
  size: number;
  space: string;
  withheld?: Array<string>;
  withheld_more?: boolean;
}

export interface SyncState {
  failures?: number;
  last?: string;
  problem?: string;
  tried?: string;
}

export interface SynthesizeReply {
  links?: Array<LinkView>;
  looked_at: number;
  memories: Array<Memory>;
  notes?: Array<string>;
  proposed_before?: number;
  what: string;
}

export interface TaintReply {
  affected: Array<Affected>;
  affected_count: number;
  followed: Array<Followed>;
  roots: Array<string>;
  survives: Array<Affected>;
  survives_count: number;
  target: string;
}

export interface TraceDocumentReply {
  document: string;
  more?: boolean;
  records: number;
}

export interface TraceReply {
  backward?: Backward;
  deeper?: boolean;
  forward?: Forward;
  links?: Array<LinkView>;
  memory: Node;
  next?: number;
}

export interface TrustAnchor {
  bound: boolean;
  by: string;
  checked_at?: string;
  class?: string;
  counts: boolean;
  ref: string;
  reference: string;
  status: string;
  type: string;
  why?: string;
}

export interface TrustLimit {
  headline?: string;
  in_force: boolean;
  level: string;
  ref: string;
  score: number;
  text?: string;
}

export interface TrustOpinion {
  belief: number;
  disbelief: number;
  uncertainty: number;
}

export interface TrustRecord {
  refuted: number;
  upheld: number;
  value: number;
}

export interface TrustReply {
  actionable: boolean;
  anchors: Array<TrustAnchor>;
  at?: string;
  author: string;
  author_reputation: TrustRecord;
  controller: string;
  flags: Array<string>;
  headline: string;
  level: string;
  level_by_range: string;
  limit?: TrustLimit;
  name?: string;
  not_actionable?: string;
  opinion: TrustOpinion;
  origin: string;
  policy: string;
  raw: number;
  ref: string;
  score: number;
  seen_by: string;
  tainted: boolean;
  terms: Array<TrustTerm>;
  text?: string;
  upstream?: Array<TrustUpstream>;
  voices: TrustVoices;
  witnesses: Array<TrustWitness>;
}

export interface TrustTerm {
  name: string;
  points: number;
  why: string;
}

export interface TrustUpstream {
  headline: string;
  ref: string;
  text?: string;
  why: string;
}

export interface TrustVoices {
  anchors: number;
  confirm: number;
  dispute: number;
  partial: number;
}

export interface TrustWitness {
  at: string;
  attestation: string;
  controller: string;
  counts: boolean;
  name?: string;
  notes?: string;
  ref: string;
  resolved?: string;
  why?: string;
}

export interface Turn {
  by?: string;
  cut?: boolean;
  gap?: boolean;
  marks?: Array<string>;
  proof?: EntryProof;
  ref: string;
  text: string;
  words?: number;
}

export interface UncountedDecisions {
  count: number;
  refs: Array<string>;
  space: string;
}

export interface UndoReply {
  act: string;
  claims: Array<string>;
  did: string;
  dry_run?: boolean;
  hint?: string;
  of: Array<string>;
  undone: Array<string>;
}

export interface Unheard {
  hidden: number;
  hint?: string;
  targets: Array<string>;
}

export interface UsedMemory {
  ref: string;
  times_accessed: number;
}

export interface UsedReply {
  memories: Array<UsedMemory>;
}

export interface VerifyReply {
  by_agent?: boolean;
  claim: string;
  code_refs?: Array<string>;
  confidence: number;
  confidence_before: number;
  headline: string;
  missing?: Array<string>;
  ref: string;
  tier?: string;
  verification_count: number;
}

export interface WaitingAsked {
  expires?: string;
  from: string;
  id: string;
  memory?: Memory;
  name?: string;
  problem?: string;
}

export interface WaitingGroup {
  prompts: Array<WaitingPrompt>;
  session?: string;
}

export interface WaitingPrompt {
  at: string;
  cut?: boolean;
  ref: string;
  text: string;
  words?: number;
}

export interface Why {
  cosine?: number;
  graph?: number;
  graph_by?: string;
  meaning?: number;
  own: number;
  propagated?: number;
  question?: Array<string>;
  shared?: number;
  terms?: Array<string>;
  wording?: number;
}

export interface WhyReply {
  about?: Array<string>;
  actionable: boolean;
  agent?: string;
  alias?: Array<string>;
  at?: string;
  author: string;
  by?: string;
  code?: Array<CheckedRef>;
  code_refs?: Array<string>;
  code_state?: string;
  conditions: Array<Condition>;
  confidence: number;
  confidence_asserted: number;
  confidence_history: Array<ConfidenceChange>;
  content?: Record<string, unknown>;
  created_at: string;
  created_via: string;
  decisions?: Array<Decision>;
  deeper?: boolean;
  derived_from?: Array<string>;
  disputed?: boolean;
  doubt?: string;
  external?: boolean;
  followed?: Array<Followed>;
  headline: string;
  hidden?: string;
  id: string;
  intensity?: number | null;
  is_active: boolean;
  last_verified?: string;
  level?: string;
  links?: Array<LinkView>;
  marks?: Array<string>;
  no_longer_counts?: Array<Fallen>;
  not_actionable?: string;
  occurred_at?: string;
  origin: string;
  progress?: string;
  protected?: boolean;
  ranking: Ranking;
  ref: string;
  review?: string;
  reviewed_at?: string;
  reviewed_by?: string;
  session?: string;
  source: string;
  source_created_at?: string;
  source_episodes?: Array<string>;
  source_type: string;
  source_updated_at?: string;
  sources: Array<Node>;
  space: string;
  status?: string;
  store?: string;
  success_rate?: number | null;
  successes?: number;
  superseded_by?: string;
  supersedes?: Array<string>;
  support: Support;
  tags?: Array<string>;
  tainted?: boolean;
  text?: string;
  tier?: string;
  trigger?: string;
  trust: TrustReply;
  trust_flags?: Array<string>;
  type: string;
  unverified?: boolean;
  uses?: number;
  valid_from?: string;
  valid_until?: string;
  verification_count?: number;
  without?: WhyWithout;
}

export interface WhyWithout {
  answer: WhyReply;
  differs: Array<Difference>;
  falls: boolean;
  hidden: number;
  hint?: string;
  targets: Array<string>;
}

export interface Withheld {
  count?: number;
  reason: string;
  ref?: string;
}

export interface WitnessReply {
  claim: string;
  hint?: string;
  redacted?: Array<Redaction>;
  trust: TrustReply;
}

export interface WriteReply {
  code_refs?: Array<string>;
  consolidation_id?: string;
  created_at: string;
  derived_from?: Array<string>;
  existing?: boolean;
  headline: string;
  hint?: string;
  id: string;
  link?: string;
  redacted?: Array<Redaction>;
  ref: string;
  rejected?: Rejection;
  stays?: Array<string>;
  superseded?: Array<string>;
  type: string;
}

/** What accept_suggestion is asked. */
export interface AcceptSuggestionRequest {
  reason?: string;
  ref: string;
  /** for an edit: the rewritten memory */
  text?: string;
}

/** What add is asked. */
export interface AddRequest {
  /** names of what it speaks of; me: the person */
  about?: Array<string>;
  /** although a person rejected the same; only a person may */
  again?: boolean;
  alternatives?: Array<string>;
  /** approve it at once; only a person's approval lifts its tier */
  approve?: boolean;
  /** 0 to 1 */
  arousal?: number | null;
  avoid?: Array<string>;
  /** 0 to 1 */
  confidence?: number | null;
  description?: string;
  emotions?: Array<string>;
  failure_modes?: Array<string>;
  /** other fields that the kind has, by name */
  fields?: Record<string, unknown>;
  /** code it speaks of: path, path#symbol or path:10-20 */
  files?: Array<string>;
  focus?: Array<string>;
  /** refs of memories it was inferred from */
  from?: Array<string>;
  /** 0 to 1 */
  intensity?: number | null;
  /** episode, note, belief, value, goal, drive, relationship or playbook */
  kind?: string;
  lessons?: Array<string>;
  name?: string;
  outcome?: string;
  /** success, failure, partial or unknown */
  outcome_type?: string;
  /** 0 to 100 */
  priority?: number | null;
  reason?: string;
  recovery?: Array<string>;
  repeat?: Array<string>;
  /** -1 to 1 */
  sentiment?: number | null;
  session?: string;
  speaker?: string;
  steps?: Array<string>;
  tags?: Array<string>;
  /** the statement, objective, summary, title or name */
  text?: string;
  /** it was told by somebody, not experienced */
  told?: boolean;
  /** what prompted it */
  trigger?: string;
  /** the type a kind distinguishes, such as decision or principle */
  type?: string;
  /** pages it speaks of, signed as its evidence */
  urls?: Array<string>;
  /** -1 to 1 */
  valence?: number | null;
  /** when it begins to hold, RFC 3339 or a date */
  valid_from?: string;
  valid_until?: string;
  when?: string;
}

/** What anchor is asked. */
export interface AnchorRequest {
  ref: string;
  /** a commit, a URL, a path, the file of a timestamp token */
  reference: string;
  /** git_commit, url, file, rfc3161, moltbook_post, tlog or blockchain */
  type: string;
}

/** What anchor_line is asked. */
export interface AnchorLineRequest {
  /** kind:id, or the first digits of the id */
  ref: string;
}

/** What answer_witness is asked. */
export interface AnswerWitnessRequest {
  /** confirm, dispute or partial; empty only shows it */
  attestation?: string;
  /** the text of the file that was handed over */
  bundle?: string;
  /** with via: the ID of a request there, or a prefix */
  letter?: string;
  notes?: string;
  /** the hub that has the request and takes the answer */
  via?: string;
}

/** What approve is asked. */
export interface ApproveRequest {
  /** also approve rejected memories */
  force?: boolean;
  reason?: string;
  refs: Array<string>;
}

/** What ask_witness is asked. */
export interface AskWitnessRequest {
  /** further persons who are asked */
  also?: Array<string>;
  /** end of the request: a time, or how long; default two weeks */
  expires?: string;
  ref: string;
  /** the witness: a did:key, an OpenSSH .pub line or a name; or a list */
  to: string;
  /** the hub that carries it; empty returns it */
  via?: string;
}

/** What attest is asked. */
export interface AttestRequest {
  /** also as Markdown for a comment on a pull request */
  comment?: boolean;
  /** a git range such as main..HEAD, or one commit */
  range: string;
  /** only show it; a signature is a person's */
  unsigned?: boolean;
  /** also what memories and prompts say, and people's names */
  words?: boolean;
}

/** What audit is asked. */
export interface AuditRequest {
  /** the text of an attestation of a change, to check that */
  attestation?: string;
  /** the text of a certificate of a purge, to check that */
  certificate?: string;
  /** texts of checkpoints that somebody else kept */
  checkpoints?: Array<string>;
  /** the attestation also as Markdown for a pull request */
  comment?: boolean;
  /** how many offenders are named; 0 is 20 */
  limit?: number;
  /** how many records to give with their words; -1 is all */
  lines?: number;
  /** the digest that the certificate is of; empty is the last act */
  list?: string;
  /** the git range that the attestation must be of */
  of?: string;
  /** one record with all its sources; empty for everything */
  ref?: string;
  /** did:key or fingerprint that must have signed the attestation */
  signer?: string;
  /** verify only what came after the last clean audit */
  since?: boolean;
}

/** What blame is asked. */
export interface BlameRequest {
  /** a commit: what it brought in or, with a file, the file as it was */
  commit?: string;
  /** a file of the repository: FILE, FILE:LINE or FILE:FROM-TO */
  file?: string;
}

/** What capture is asked. */
export interface CaptureRequest {
  /** names of what it speaks of; me: the person */
  about?: Array<string>;
  /** approve it at once; only a person's approval lifts its tier */
  approve?: boolean;
  /** bytes instead of text, in base64 */
  blob?: string;
  caption?: string;
  /** 0 to 1 */
  confidence?: number | null;
  /** turn, user_prompt, tool_call, … */
  event?: string;
  /** code it speaks of: path, path#symbol or path:10-20 */
  files?: Array<string>;
  occurred_at?: string;
  session?: string;
  /** cli, mcp, hook, import or api */
  source?: string;
  speaker?: string;
  tags?: Array<string>;
  /** the words, at most 1 MiB */
  text?: string;
  /** what prompted it */
  trigger?: string;
  /** pages it speaks of, signed as its evidence */
  urls?: Array<string>;
  /** when it begins to hold, RFC 3339 or a date */
  valid_from?: string;
  valid_until?: string;
}

/** What check is asked. */
export interface CheckRequest {
  /** show those that are verified too */
  all?: boolean;
  /** only these memories; none is all that name code */
  refs?: Array<string>;
  /** compare code with the working tree */
  uncommitted?: boolean;
}

/** What check_anchors is asked. */
export interface CheckAnchorsRequest {
  /** also anchors that are not due */
  all?: boolean;
  /** fetch pages; without it only what can be checked offline is */
  online?: boolean;
  /** a memory, or one anchor; empty is every anchor that is due */
  ref?: string;
}

/** What check_log is asked. */
export interface CheckLogRequest {
  /** who held it, to be remembered where it agrees */
  by?: string;
  /** the text of a checkpoint, or of an export in the order of the log */
  held: string;
}

/** What checkpoint is asked. */
export interface CheckpointRequest {
  /** in full; empty is the space that is written to */
  space?: string;
}

/** What compare is asked. */
export interface CompareRequest {
  ref: string;
  /** answer when it was compared */
  wait?: boolean;
  /** at most 10 older ones */
  with?: Array<string>;
}

/** What confidence_history is asked. */
export interface ConfidenceHistoryRequest {
  /** kind:id, or the first digits of the id */
  ref: string;
}

/** What conflicts is asked. */
export interface ConflictsRequest {
  /** those that were decided too, and links of every relation */
  all?: boolean;
  /** 0 is 50, -1 is all */
  limit?: number;
}

/** What consolidate is asked. */
export interface ConsolidateRequest {
  /** names of what it speaks of; me: the person */
  about?: Array<string>;
  /** although a person rejected the same; only a person may */
  again?: boolean;
  alternatives?: Array<string>;
  /** approve it at once; only a person's approval lifts its tier */
  approve?: boolean;
  /** 0 to 1 */
  arousal?: number | null;
  avoid?: Array<string>;
  /** the consolidation it belongs to; default: named after its sources */
  batch?: string;
  /** 0 to 1 */
  confidence?: number | null;
  description?: string;
  emotions?: Array<string>;
  failure_modes?: Array<string>;
  /** other fields that the kind has, by name */
  fields?: Record<string, unknown>;
  /** code it speaks of: path, path#symbol or path:10-20 */
  files?: Array<string>;
  focus?: Array<string>;
  /** refs of the episodes and other memories it rests on */
  from: Array<string>;
  /** 0 to 1 */
  intensity?: number | null;
  /** episode, note, belief, value, goal, drive, relationship or playbook */
  kind?: string;
  lessons?: Array<string>;
  name?: string;
  outcome?: string;
  /** success, failure, partial or unknown */
  outcome_type?: string;
  /** 0 to 100 */
  priority?: number | null;
  reason?: string;
  recovery?: Array<string>;
  repeat?: Array<string>;
  /** -1 to 1 */
  sentiment?: number | null;
  session?: string;
  speaker?: string;
  steps?: Array<string>;
  tags?: Array<string>;
  /** the statement, objective, summary, title or name */
  text?: string;
  /** what prompted it */
  trigger?: string;
  /** the type a kind distinguishes, such as decision or principle */
  type?: string;
  /** pages it speaks of, signed as its evidence */
  urls?: Array<string>;
  /** -1 to 1 */
  valence?: number | null;
  /** when it begins to hold, RFC 3339 or a date */
  valid_from?: string;
  valid_until?: string;
  when?: string;
}

/** What context is asked. */
export interface ContextRequest {
  /** tokens, 100 to 50000; 0 is the level's */
  budget?: number;
  /** minimal, task or deep: 500, 2000 or 4000 tokens */
  level?: string;
  /** empty selects the best grounded and newest memories */
  query?: string;
  /** compare code with the working tree */
  uncommitted?: boolean;
}

/** What correct is asked. */
export interface CorrectRequest {
  /** the memory that says what is so instead */
  by?: string;
  /** wrong: it was never so; over: it was so until now */
  is?: "wrong" | "over";
  /** the memory */
  ref: string;
  source?: string;
  /** what is so instead */
  text?: string;
  /** the reason, one or two sentences */
  why?: string;
}

/** What decisions is asked. */
export interface DecisionsRequest {
  /** a ref, or a name that memories are about */
  about?: string;
  /** one act, such as approve or purge */
  act?: string;
  /** a person or an agent, by name or key; or me */
  by?: string;
  /** 0 is 50, -1 is all */
  limit?: number;
  /** a time, or how long ago such as 2h */
  since?: string;
  /** a time, or how long ago */
  until?: string;
}

/** What derived is asked. */
export interface DerivedRequest {
  /** kind:id, or the first digits of the id */
  ref: string;
}

/** What distrust is asked. */
export interface DistrustRequest {
  dry_run?: boolean;
  /** a did:key, a line of an OpenSSH .pub file, or the name it was introduced by */
  key: string;
  /** hide what it wrote since then and what rests on it */
  quarantine?: boolean;
  reason?: string;
  /** when somebody else got the key: a time, or an age such as 24h */
  since?: string;
}

/** What doctor is asked. */
export interface DoctorRequest {
  /** first rebuild derived data, such as the index */
  repair?: boolean;
  /** look only at what came after the last clean run */
  since?: boolean;
}

/** What drive_intensity is asked. */
export interface DriveIntensityRequest {
  /** 0 to 1 */
  intensity: number | null;
  reason?: string;
  ref: string;
}

/** What drive_satisfy is asked. */
export interface DriveSatisfyRequest {
  /** by how much it is weaker now, 0 to 1; left out is 0.2 */
  amount?: number | null;
  reason?: string;
  ref: string;
}

/** What edit_suggestion is asked. */
export interface EditSuggestionRequest {
  reason?: string;
  ref: string;
  /** for an edit: the rewritten memory */
  text?: string;
}

/** What embed is asked. */
export interface EmbedRequest {
  /** records to look at; 0 is all */
  limit?: number;
}

/** What emotion_search is asked. */
export interface EmotionSearchRequest {
  /** the name of a feeling */
  label?: string;
  /** 0 is 50, -1 is all */
  limit?: number;
  /** 0 to 1 */
  max_arousal?: number | null;
  /** -1 to 1 */
  max_valence?: number | null;
  /** 0 to 1 */
  min_arousal?: number | null;
  /** -1 to 1 */
  min_valence?: number | null;
}

/** What emotion_summary is asked. */
export interface EmotionSummaryRequest {
  /** only episodes recorded since: a time, or an age such as 720h */
  since?: string;
}

/** What entities is asked. */
export interface EntitiesRequest {
  /** only names that contain this */
  like?: string;
  /** 0 is 50, -1 is all */
  limit?: number;
}

/** What entity is asked. */
export interface EntityRequest {
  /** how many memories, the newest; 0 is 50, -1 is all */
  limit?: number;
  name: string;
}

/** What evidence is asked. */
export interface EvidenceRequest {
  /** belief:id, or any other memory */
  ref: string;
}

/** What export is asked. */
export interface ExportRequest {
  /** what speaks of this person: a name, or the ref of a relationship */
  about?: string;
  /** refs of records that belong to the list too */
  also?: Array<string>;
  /** refs of records that are left out of the list */
  keep?: Array<string>;
  /** other names, addresses or numbers of the same person */
  names?: Array<string>;
  /** include checkpoints, and proofs that each record is in the log */
  proofs?: boolean;
  /** with their sources and all claims about them; empty is everything */
  refs?: Array<string>;
  /** what this person said: a name or a ref; with about, either */
  speaker?: string;
  /** with the records that may only look like it */
  unsure?: boolean;
}

/** What export_documents is asked. */
export interface ExportDocumentsRequest {
  /** memories of any kind, in this order; none is all notes and beliefs */
  refs?: Array<string>;
}

/** What forget is asked. */
export interface ForgetRequest {
  reason?: string;
  refs: Array<string>;
}

/** What forget_candidates is asked. */
export interface ForgetCandidatesRequest {
  /** show what would be forgotten, and forget nothing */
  dry_run?: boolean;
  /** 30d is the default */
  half_life?: string;
  /** also memories that a person approved */
  include_approved?: boolean;
  /** 0 is all; of candidates shown, 0 is 50 and -1 all */
  limit?: number;
  /** unused for that long: 90d (the default), 12w, 36h */
  min_age?: string;
  /** what is older goes, however often it was used: 365d */
  older_than?: string;
  /** with older_than: erase it; only a person may */
  purge?: boolean;
  /** only memories of a lower salience; default 0.3 */
  threshold?: number | null;
}

/** What forget_list is asked. */
export interface ForgetListRequest {
  /** 0 is 50, -1 is all */
  limit?: number;
}

/** What forget_run is asked. */
export interface ForgetRunRequest {
  /** show what would be forgotten, and forget nothing */
  dry_run?: boolean;
  /** 30d is the default */
  half_life?: string;
  /** also memories that a person approved */
  include_approved?: boolean;
  /** 0 is all; of candidates shown, 0 is 50 and -1 all */
  limit?: number;
  /** unused for that long: 90d (the default), 12w, 36h */
  min_age?: string;
  /** what is older goes, however often it was used: 365d */
  older_than?: string;
  /** with older_than: erase it; only a person may */
  purge?: boolean;
  /** only memories of a lower salience; default 0.3 */
  threshold?: number | null;
}

/** What from_raw is asked. */
export interface FromRawRequest {
  /** kind:id, or the first digits of the id */
  ref: string;
}

/** What goal_progress is asked. */
export interface GoalProgressRequest {
  /** in words, or as 40% */
  progress: string;
  reason?: string;
  ref: string;
}

/** What goal_status is asked. */
export interface GoalStatusRequest {
  reason?: string;
  ref: string;
  /** active, achieved, abandoned or paused */
  status: string;
}

/** What held is asked. */
export interface HeldRequest {
  aliases: Array<string>;
}

/** What history is asked. */
export interface HistoryRequest {
  /** kind:id, or the first digits of the id */
  ref: string;
}

/** What identity is asked. */
export interface IdentityRequest {
  /** of each kind; 0 is 10, -1 is all */
  limit?: number;
}

/** What infer_provenance is asked. */
export interface InferProvenanceRequest {
  /** keep all proposals; only a person may */
  all?: boolean;
  /** keep the proposals of these memories as links; for a person */
  apply?: Array<string>;
  /** how many proposals are shown; 0 is 50, -1 is all */
  limit?: number;
}

/** What introduce is asked. */
export interface IntroduceRequest {
  /** a did:key, or a line of an OpenSSH .pub file */
  key: string;
  /** the name of the key's owner */
  name?: string;
}

/** What jobs is asked. */
export interface JobsRequest {
  /** those that are over too */
  all?: boolean;
  /** 0 is 50, -1 is all */
  limit?: number;
}

/** What judge is asked. */
export interface JudgeRequest {
  /** the number of the older memory, not with none */
  candidate?: number;
  /** 0 to 1; left out is 0.5 */
  confidence?: number | null;
  /** one short sentence */
  reason?: string;
  /** the new memory */
  ref: string;
  /** none, update, extend, derive or contradict */
  relation: string;
}

/** What key_add is asked. */
export interface KeyAddRequest {
  /** use the agent's key, not the owner's */
  agent?: boolean;
  /** for a rotation: delete the old private key */
  destroy?: boolean;
  /** a time, or how long from now such as 24h */
  expires?: string;
  /** a did:key, a line of an OpenSSH .pub file, or a name */
  key?: string;
  name?: string;
  /** channels of a delegated key; default: agent and tool */
  origins?: Array<string>;
  /** for a revocation: superseded, lost or compromised */
  reason?: string;
  scope?: string;
  /** for a compromised key: since when its records have no effect */
  since?: string;
}

/** What key_delegate is asked. */
export interface KeyDelegateRequest {
  /** use the agent's key, not the owner's */
  agent?: boolean;
  /** for a rotation: delete the old private key */
  destroy?: boolean;
  /** a time, or how long from now such as 24h */
  expires?: string;
  /** a did:key, a line of an OpenSSH .pub file, or a name */
  key?: string;
  name?: string;
  /** channels of a delegated key; default: agent and tool */
  origins?: Array<string>;
  /** for a revocation: superseded, lost or compromised */
  reason?: string;
  scope?: string;
  /** for a compromised key: since when its records have no effect */
  since?: string;
}

/** What key_export_public is asked. */
export interface KeyExportPublicRequest {
  /** use the agent's key, not the owner's */
  agent?: boolean;
  /** for a rotation: delete the old private key */
  destroy?: boolean;
  /** a time, or how long from now such as 24h */
  expires?: string;
  /** a did:key, a line of an OpenSSH .pub file, or a name */
  key?: string;
  name?: string;
  /** channels of a delegated key; default: agent and tool */
  origins?: Array<string>;
  /** for a revocation: superseded, lost or compromised */
  reason?: string;
  scope?: string;
  /** for a compromised key: since when its records have no effect */
  since?: string;
}

/** What key_revoke is asked. */
export interface KeyRevokeRequest {
  /** use the agent's key, not the owner's */
  agent?: boolean;
  /** for a rotation: delete the old private key */
  destroy?: boolean;
  /** a time, or how long from now such as 24h */
  expires?: string;
  /** a did:key, a line of an OpenSSH .pub file, or a name */
  key?: string;
  name?: string;
  /** channels of a delegated key; default: agent and tool */
  origins?: Array<string>;
  /** for a revocation: superseded, lost or compromised */
  reason?: string;
  scope?: string;
  /** for a compromised key: since when its records have no effect */
  since?: string;
}

/** What key_rotate is asked. */
export interface KeyRotateRequest {
  /** use the agent's key, not the owner's */
  agent?: boolean;
  /** for a rotation: delete the old private key */
  destroy?: boolean;
  /** a time, or how long from now such as 24h */
  expires?: string;
  /** a did:key, a line of an OpenSSH .pub file, or a name */
  key?: string;
  name?: string;
  /** channels of a delegated key; default: agent and tool */
  origins?: Array<string>;
  /** for a revocation: superseded, lost or compromised */
  reason?: string;
  scope?: string;
  /** for a compromised key: since when its records have no effect */
  since?: string;
}

/** What list is asked. */
export interface ListRequest {
  /** superseded, rejected and forgotten ones too */
  all?: boolean;
  /** one kind; empty is all but raw */
  kind?: string;
  /** 0 is 50, -1 is all */
  limit?: number;
  /** the oldest first */
  oldest?: boolean;
  session?: string;
  tag?: string;
  /** the type within a kind, such as decision */
  type?: string;
  /** captures that no memory was made from */
  unprocessed?: boolean;
}

/** What load is asked. */
export interface LoadRequest {
  /** tokens, 100 to 50000; 0 is the level's */
  budget?: number;
  /** minimal, task or deep: 500, 2000 or 4000 tokens */
  level?: string;
  /** show each one's source */
  verbose?: boolean;
}

/** What playbook_find is asked. */
export interface PlaybookFindRequest {
  /** 0 is 10, at most 1000 */
  limit?: number;
  /** the task, or what went wrong */
  situation: string;
}

/** What playbook_outcome is asked. */
export interface PlaybookOutcomeRequest {
  notes?: string;
  /** success or failure */
  outcome: string;
  ref: string;
}

/** What process is asked. */
export interface ProcessRequest {
  /** leave it to jobs */
  later?: boolean;
  /** do not compare drafts with older memories */
  no_evolution?: boolean;
  /** only this conversation */
  session?: string;
}

/** What promote is asked. */
export interface PromoteRequest {
  /** names of what it speaks of; me: the person */
  about?: Array<string>;
  /** even if one was promoted to this kind before */
  again?: boolean;
  alternatives?: Array<string>;
  /** approve it at once; only a person's approval lifts its tier */
  approve?: boolean;
  /** 0 to 1 */
  arousal?: number | null;
  avoid?: Array<string>;
  /** 0 to 1 */
  confidence?: number | null;
  description?: string;
  emotions?: Array<string>;
  failure_modes?: Array<string>;
  /** other fields that the kind has, by name */
  fields?: Record<string, unknown>;
  /** code it speaks of: path, path#symbol or path:10-20 */
  files?: Array<string>;
  focus?: Array<string>;
  /** refs of the raws */
  from: Array<string>;
  /** 0 to 1 */
  intensity?: number | null;
  /** episode, note, belief, value, goal, drive, relationship or playbook */
  kind?: string;
  lessons?: Array<string>;
  name?: string;
  outcome?: string;
  /** success, failure, partial or unknown */
  outcome_type?: string;
  /** 0 to 100 */
  priority?: number | null;
  reason?: string;
  recovery?: Array<string>;
  repeat?: Array<string>;
  /** -1 to 1 */
  sentiment?: number | null;
  session?: string;
  speaker?: string;
  steps?: Array<string>;
  tags?: Array<string>;
  /** the statement, objective, summary, title or name */
  text?: string;
  /** what prompted it */
  trigger?: string;
  /** the type a kind distinguishes, such as decision or principle */
  type?: string;
  /** pages it speaks of, signed as its evidence */
  urls?: Array<string>;
  /** -1 to 1 */
  valence?: number | null;
  /** when it begins to hold, RFC 3339 or a date */
  valid_from?: string;
  valid_until?: string;
  when?: string;
}

/** What protect is asked. */
export interface ProtectRequest {
  reason?: string;
  refs: Array<string>;
}

/** What prove is asked. */
export interface ProveRequest {
  /** a record in the log */
  ref?: string;
  /** the text of an older checkpoint from which the log only grew */
  since?: string;
}

/** What provenance is asked. */
export interface ProvenanceRequest {
  /** kind:id, or the first digits of the id */
  ref: string;
}

/** What purge is asked. */
export interface PurgeRequest {
  /** what speaks of this person: a name, or the ref of a relationship */
  about?: string;
  /** refs of records that belong to the list too */
  also?: Array<string>;
  dry_run?: boolean;
  /** refs of records that are left out of the list */
  keep?: Array<string>;
  /** the digest of the list that a dry run showed: act on exactly that */
  list?: string;
  /** other names, addresses or numbers of the same person */
  names?: Array<string>;
  /** stored and shown: do not repeat the purged words */
  reason?: string;
  refs?: Array<string>;
  /** what this person said: a name or a ref; with about, either */
  speaker?: string;
  /** purge nothing: say where what was purged is erased */
  status?: boolean;
  /** with the records that may only look like it */
  unsure?: boolean;
}

/** What quarantine is asked. */
export interface QuarantineRequest {
  /** show what would be hidden, and hide nothing */
  dry_run?: boolean;
  reason?: string;
  /** a ref, author:KEY or source:NAME */
  target: string;
}

/** What raw_sources is asked. */
export interface RawSourcesRequest {
  /** kind:id, or the first digits of the id */
  ref: string;
}

/** What recall is asked. */
export interface RecallRequest {
  /** superseded, rejected and forgotten ones too */
  all?: boolean;
  /** as it was known at this time */
  as_of?: string;
  /** tokens that the answer may take, 100 to 50000; 0 is 1000 */
  budget?: number;
  /** what the budget counts: full, short or text; empty is full */
  form?: string;
  /** one kind, or several with commas */
  kind?: string;
  /** results; 0: as many as the budget holds */
  limit?: number;
  /** with what proves each entry offline; not counted in the budget */
  proofs?: boolean;
  /** a question or a task; empty: what to know when work begins */
  query?: string;
  /** only what happened or was recorded since */
  since?: string;
  /** also as if never heard: refs, source:NAME, author:NAME */
  without?: Array<string>;
}

/** What receipt is asked. */
export interface ReceiptRequest {
  id: string;
}

/** What receipts is asked. */
export interface ReceiptsRequest {
  /** receipts of every store, not only this one; for a person */
  all_stores?: boolean;
  /** 0 is 20, -1 is all */
  limit?: number;
  /** only answers that had this memory */
  ref?: string;
  session?: string;
  /** a time, or how long ago such as 2h */
  since?: string;
  /** a time, or how long ago */
  until?: string;
}

/** What recent is asked. */
export interface RecentRequest {
  /** with waiting: tokens for the words, 100 to 50000; 0 is 2000 */
  budget?: number;
  /** 0 is 50, -1 is all */
  limit?: number;
  /** with waiting: instead those that were not kept */
  not_kept?: boolean;
  /** only captures of this session; default: the current one */
  session?: string;
  /** a time, or an age such as 2h */
  since?: string;
  /** prompts that are not memories yet */
  waiting?: boolean;
}

/** What recover is asked. */
export interface RecoverRequest {
  reason?: string;
  refs: Array<string>;
}

/** What reinforce is asked. */
export interface ReinforceRequest {
  /** refs of the episodes that speak for it, or against it */
  because: Array<string>;
  reason?: string;
  ref: string;
  /** -1 to 1; below 0 weakens; left out is 0.05 */
  step?: number | null;
}

/** What reject is asked. */
export interface RejectRequest {
  /** also approve rejected memories */
  force?: boolean;
  reason?: string;
  refs: Array<string>;
}

/** What reject_suggestion is asked. */
export interface RejectSuggestionRequest {
  reason?: string;
  ref: string;
  /** for an edit: the rewritten memory */
  text?: string;
}

/** What relationship_history is asked. */
export interface RelationshipHistoryRequest {
  /** the newest so many; 0 is 50, -1 is all */
  limit?: number;
  /** as the relationship is called, or its ref */
  name: string;
}

/** What release is asked. */
export interface ReleaseRequest {
  /** show what would be hidden, and hide nothing */
  dry_run?: boolean;
  reason?: string;
  /** a ref, author:KEY or source:NAME */
  target: string;
}

/** What remember is asked. */
export interface RememberRequest {
  /** names of what it speaks of; me: the person */
  about?: Array<string>;
  /** although a person rejected the same; only a person may */
  again?: boolean;
  /** approve it at once; only a person's approval lifts its tier */
  approve?: boolean;
  /** 0 to 1 */
  confidence?: number | null;
  /** code it speaks of: path, path#symbol or path:10-20 */
  files?: Array<string>;
  /** captures it is made of */
  from?: Array<string>;
  /** return the pairs to compare, for the caller to judge */
  judge?: boolean;
  /** belief, decision, preference, convention, known_fix, … if you know */
  kind?: string;
  /** do not compare them with older memories */
  no_evolution?: boolean;
  /** prompts not worth keeping */
  not_kept?: Array<string>;
  /** memories that it takes the place of */
  replaces?: Array<string>;
  session?: string;
  source?: string;
  /** who said it; empty for the user */
  speaker?: string;
  tags?: Array<string>;
  /** what to remember */
  text?: string;
  /** what prompted it */
  trigger?: string;
  /** pages it speaks of, signed as its evidence */
  urls?: Array<string>;
  /** when it begins to hold, RFC 3339 or a date */
  valid_from?: string;
  valid_until?: string;
  /** answer when memories are drafted and compared, not before */
  wait?: boolean;
  /** the reason for it, one or two sentences */
  why?: string;
}

/** What remote_accept is asked. */
export interface RemoteAcceptRequest {
  /** only take */
  pull?: boolean;
  /** only give; neither push nor pull is both */
  push?: boolean;
  /** which; empty is the only one */
  remote?: string;
}

/** What remote_add is asked. */
export interface RemoteAddRequest {
  /** a folder, ssh://host, or the address of a hub */
  address?: string;
  /** more of your spaces to exchange */
  also?: Array<string>;
  /** none is all */
  kinds?: Array<string>;
  name?: string;
  /** send raws too, not their ids alone; default: if whose is mine */
  raw?: boolean | null;
  /** for a hub: also send searches to it */
  search?: boolean;
  /** local or full names; none follows from whose */
  spaces?: Array<string>;
  /** any of them; none is all */
  tags?: Array<string>;
  /** mine, if only you use it: it gets all your spaces; or shared */
  whose?: string;
}

/** What remote_compare is asked. */
export interface RemoteCompareRequest {
  /** which; empty is the only one */
  remote?: string;
  /** the reply of remote_view in another store */
  view: { peers?: Array<{ key?: string; logs?: Array<{ note?: string; root?: string; size?: number; space?: string; withheld?: Array<string>; withheld_more?: boolean }>; name?: string }>; remote?: string };
}

/** What remote_invite is asked. */
export interface RemoteInviteRequest {
  /** how many; 0 is one */
  count?: number;
  /** until it expires; 0 is a week, and for a service without end */
  hours?: number;
  /** which, a hub; empty is the only one */
  remote?: string;
  /** reader, writer, keeper or arbiter; empty is writer */
  role?: string;
  /** name of a machine; with count, -001 and so on follow it */
  service?: string;
  /** for a service: spaces that you keep; none is the current one */
  spaces?: Array<string>;
}

/** What remote_member_remove is asked. */
export interface RemoteMemberRemoveRequest {
  /** did:key of the member; of a service also its name */
  account: string;
  /** which, a hub; empty is the only one */
  remote?: string;
  /** reader to arbiter, owner, vouched, unvouched, accepted or dropped */
  role?: string;
}

/** What remote_member_set is asked. */
export interface RemoteMemberSetRequest {
  /** did:key of the member; of a service also its name */
  account: string;
  /** which, a hub; empty is the only one */
  remote?: string;
  /** reader to arbiter, owner, vouched, unvouched, accepted or dropped */
  role?: string;
}

/** What remote_members is asked. */
export interface RemoteMembersRequest {
  keepers?: boolean;
  /** which, a hub; empty is the only one */
  remote?: string;
  /** list accounts of machines instead */
  services?: boolean;
}

/** What remote_remove is asked. */
export interface RemoteRemoveRequest {
  /** a folder, ssh://host, or the address of a hub */
  address?: string;
  /** more of your spaces to exchange */
  also?: Array<string>;
  /** none is all */
  kinds?: Array<string>;
  name?: string;
  /** send raws too, not their ids alone; default: if whose is mine */
  raw?: boolean | null;
  /** for a hub: also send searches to it */
  search?: boolean;
  /** local or full names; none follows from whose */
  spaces?: Array<string>;
  /** any of them; none is all */
  tags?: Array<string>;
  /** mine, if only you use it: it gets all your spaces; or shared */
  whose?: string;
}

/** What remote_service_add is asked. */
export interface RemoteServiceAddRequest {
  /** how many; 0 is one */
  count?: number;
  /** until it expires; 0 is a week, and for a service without end */
  hours?: number;
  /** which, a hub; empty is the only one */
  remote?: string;
  /** reader, writer, keeper or arbiter; empty is writer */
  role?: string;
  /** name of a machine; with count, -001 and so on follow it */
  service?: string;
  /** for a service: spaces that you keep; none is the current one */
  spaces?: Array<string>;
}

/** What remote_service_revoke is asked. */
export interface RemoteServiceRevokeRequest {
  /** did:key of the member; of a service also its name */
  account: string;
  /** which, a hub; empty is the only one */
  remote?: string;
  /** reader to arbiter, owner, vouched, unvouched, accepted or dropped */
  role?: string;
}

/** What remote_uninvite is asked. */
export interface RemoteUninviteRequest {
  /** the invitation's ID, as remote_members lists it */
  id: string;
  /** which, a hub; empty is the only one */
  remote?: string;
}

/** What remote_view is asked. */
export interface RemoteViewRequest {
  /** a folder, ssh://host, or the address of a hub */
  address?: string;
  /** more of your spaces to exchange */
  also?: Array<string>;
  /** none is all */
  kinds?: Array<string>;
  name?: string;
  /** send raws too, not their ids alone; default: if whose is mine */
  raw?: boolean | null;
  /** for a hub: also send searches to it */
  search?: boolean;
  /** local or full names; none follows from whose */
  spaces?: Array<string>;
  /** any of them; none is all */
  tags?: Array<string>;
  /** mine, if only you use it: it gets all your spaces; or shared */
  whose?: string;
}

/** What remotes is asked. */
export interface RemotesRequest {
  /** a folder, ssh://host, or the address of a hub */
  address?: string;
  /** more of your spaces to exchange */
  also?: Array<string>;
  /** none is all */
  kinds?: Array<string>;
  name?: string;
  /** send raws too, not their ids alone; default: if whose is mine */
  raw?: boolean | null;
  /** for a hub: also send searches to it */
  search?: boolean;
  /** local or full names; none follows from whose */
  spaces?: Array<string>;
  /** any of them; none is all */
  tags?: Array<string>;
  /** mine, if only you use it: it gets all your spaces; or shared */
  whose?: string;
}

/** What replay is asked. */
export interface ReplayRequest {
  id: string;
}

/** What reputation is asked. */
export interface ReputationRequest {
  /** 0 is 50, -1 is all */
  limit?: number;
  name: string;
}

/** What resolve is asked. */
export interface ResolveRequest {
  /** they have nothing to do with each other */
  dismiss?: boolean;
  /** old, new or both */
  keep?: string;
  /** words that take the place of both */
  merge?: string;
  reason?: string;
  /** the link, or a memory with revisions beside it */
  ref: string;
}

/** What review is asked. */
export interface ReviewRequest {
  /** also what needs no decision */
  all?: boolean;
  kind?: string;
  /** 0 is 50, -1 is all */
  limit?: number;
}

/** What revise is asked. */
export interface ReviseRequest {
  /** names of what it speaks of; me: the person */
  about?: Array<string>;
  /** although a person rejected the same; only a person may */
  again?: boolean;
  alternatives?: Array<string>;
  /** approve it at once; only a person's approval lifts its tier */
  approve?: boolean;
  /** 0 to 1 */
  arousal?: number | null;
  avoid?: Array<string>;
  /** fields to empty; fields that are not given stay as they are */
  clear?: Array<string>;
  /** 0 to 1 */
  confidence?: number | null;
  description?: string;
  emotions?: Array<string>;
  failure_modes?: Array<string>;
  /** other fields that the kind has, by name */
  fields?: Record<string, unknown>;
  /** code it speaks of: path, path#symbol or path:10-20 */
  files?: Array<string>;
  focus?: Array<string>;
  /** more sources of the new revision */
  from?: Array<string>;
  /** 0 to 1 */
  intensity?: number | null;
  /** episode, note, belief, value, goal, drive, relationship or playbook */
  kind?: string;
  lessons?: Array<string>;
  /** other memories that it replaces too */
  merge?: Array<string>;
  name?: string;
  outcome?: string;
  /** success, failure, partial or unknown */
  outcome_type?: string;
  /** 0 to 100 */
  priority?: number | null;
  reason?: string;
  recovery?: Array<string>;
  /** the memory to replace */
  ref: string;
  repeat?: Array<string>;
  /** -1 to 1 */
  sentiment?: number | null;
  session?: string;
  speaker?: string;
  steps?: Array<string>;
  tags?: Array<string>;
  /** the statement, objective, summary, title or name */
  text?: string;
  /** what prompted it */
  trigger?: string;
  /** the type a kind distinguishes, such as decision or principle */
  type?: string;
  /** pages it speaks of, signed as its evidence */
  urls?: Array<string>;
  /** -1 to 1 */
  valence?: number | null;
  /** when it begins to hold, RFC 3339 or a date */
  valid_from?: string;
  valid_until?: string;
  when?: string;
}

/** What revise_beliefs is asked. */
export interface ReviseBeliefsRequest {
  /** ref of the episode */
  episode: string;
}

/** What run_jobs is asked. */
export interface RunJobsRequest {
  /** how many at most; 0 is all */
  limit?: number;
  /** those that wait for another try too */
  now?: boolean;
}

/** What search is asked. */
export interface SearchRequest {
  /** superseded, rejected, forgotten and quarantined ones too */
  all?: boolean;
  /** as it was known at this time */
  as_of?: string;
  /** show the parts of the relevance */
  explain?: boolean;
  include_provenance?: boolean;
  /** one kind, or several with commas */
  kind?: string;
  /** ref of a memory, in place of a query: more like it */
  like?: string;
  /** 0 is 10, at most 1000 */
  limit?: number;
  /** attested, anchored or consensus: that or better */
  min_level?: string;
  /** a trust score, 0 to 1: that or more */
  min_trust?: number | null;
  query: string;
  session?: string;
  /** only what happened or was recorded since */
  since?: string;
  /** a tag, or several with commas: all of them */
  tag?: string;
  /** minimum: grounded, observed, inferred or hypothesis */
  tier?: string;
  /** the type within a kind, such as decision */
  type?: string;
  /** only what happened or was recorded before */
  until?: string;
  /** only what held at this time */
  valid_at?: string;
}

/** What show is asked. */
export interface ShowRequest {
  /** kind:id, or the first digits of the id */
  ref: string;
}

/** What sources is asked. */
export interface SourcesRequest {
  /** kind:id, or the first digits of the id */
  ref: string;
}

/** What space_assign is asked. */
export interface SpaceAssignRequest {
  /** all that belong to no project, in place of refs */
  all?: boolean;
  reason?: string;
  refs?: Array<string>;
  /** of the project; empty is the one you are in, main is none again */
  space?: string;
}

/** What suggestions is asked. */
export interface SuggestionsRequest {
  /** also what needs no decision */
  all?: boolean;
  /** a kind of memory, or link */
  kind?: string;
  /** 0 is 50, -1 is all */
  limit?: number;
}

/** What sync is asked. */
export interface SyncRequest {
  /** only take */
  pull?: boolean;
  /** only give; neither push nor pull is both */
  push?: boolean;
  /** which; empty is the only one */
  remote?: string;
}

/** What synthesize is asked. */
export interface SynthesizeRequest {
  /** how many of the newest are read; 0 is 1000, -1 is all */
  limit?: number;
  /** only of this conversation */
  session?: string;
  /** beliefs (of episodes) or identity (of beliefs, the default) */
  what?: string;
}

/** What taint is asked. */
export interface TaintRequest {
  /** how many records are listed; 0 is 1000, -1 is all */
  limit?: number;
  /** a ref, author:KEY or source:NAME */
  target: string;
}

/** What trace is asked. */
export interface TraceRequest {
  /** the continuation that the last reply named */
  after?: number;
  /** levels to show; 0 is all, left out is 3 */
  depth?: number | null;
  /** both, backward or forward */
  direction?: string;
  /** kind:id, or the first digits of the id */
  ref: string;
}

/** What trace_document is asked. */
export interface TraceDocumentRequest {
  /** levels; 0 is all */
  depth?: number;
  /** both, backward or forward; empty is both */
  direction?: string;
  /** prov or in-toto */
  format: string;
  /** a memory */
  ref: string;
  /** include the records' words and the names of runs */
  words?: boolean;
}

/** What trust is asked. */
export interface TrustRequest {
  /** kind:id, or the first digits of the id */
  ref: string;
}

/** What uncertain is asked. */
export interface UncertainRequest {
  limit?: number;
  /** 0 to 1; left out is 0.5 */
  threshold?: number | null;
}

/** What undo is asked. */
export interface UndoRequest {
  /** show what would be undone, and store nothing */
  dry_run?: boolean;
  reason?: string;
  /** the link of an update that applied by itself */
  ref?: string;
}

/** What unprotect is asked. */
export interface UnprotectRequest {
  reason?: string;
  refs: Array<string>;
}

/** What used is asked. */
export interface UsedRequest {
  refs: Array<string>;
}

/** What verify is asked. */
export interface VerifyRequest {
  /** new code references, in place of the old ones */
  files?: Array<string>;
  /** how it was checked */
  method?: string;
  notes?: string;
  ref: string;
}

/** What why is asked. */
export interface WhyRequest {
  /** kind:id, or the first digits of the id */
  ref: string;
  /** also as if never heard: refs, source:NAME, author:NAME */
  without?: Array<string>;
}

/** What witness is asked. */
export interface WitnessRequest {
  /** confirm, dispute or partial */
  attestation: string;
  notes?: string;
  ref: string;
}

/** What witness_requests is asked. */
export interface WitnessRequestsRequest {
  /** the remote, a hub; empty is the only one */
  via?: string;
}

/** All operations, and whether they write. */
export const operations = {
  accept_suggestion: true,
  add: true,
  anchor: true,
  anchor_line: false,
  answer_witness: true,
  approve: true,
  ask_witness: true,
  attest: false,
  audit: false,
  blame: false,
  capture: true,
  check: false,
  check_anchors: true,
  check_log: true,
  checkpoint: true,
  compare: true,
  confidence_history: false,
  conflicts: false,
  consolidate: true,
  context: false,
  correct: true,
  decisions: false,
  derived: false,
  distrust: true,
  doctor: false,
  drive_intensity: true,
  drive_satisfy: true,
  edit_suggestion: true,
  embed: true,
  emotion_search: false,
  emotion_summary: false,
  entities: false,
  entity: false,
  evidence: false,
  forget: true,
  forget_candidates: false,
  forget_list: false,
  forget_run: true,
  from_raw: false,
  goal_progress: true,
  goal_status: true,
  held: false,
  history: false,
  identity: false,
  infer_provenance: true,
  init: true,
  introduce: true,
  jobs: false,
  judge: true,
  key_add: true,
  key_delegate: true,
  key_export_public: false,
  key_recovery: true,
  key_revoke: true,
  key_rotate: true,
  key_show: false,
  keys: false,
  list: false,
  load: false,
  playbook_find: false,
  playbook_outcome: true,
  process: true,
  promote: true,
  protect: true,
  prove: false,
  provenance: false,
  purge: true,
  quarantine: true,
  raw_sources: false,
  recall: false,
  receipt: false,
  receipts: false,
  recent: false,
  recover: true,
  reinforce: true,
  reject: true,
  reject_suggestion: true,
  relationship_history: false,
  release: true,
  remember: true,
  remote_accept: true,
  remote_add: true,
  remote_compare: false,
  remote_invite: true,
  remote_member_remove: true,
  remote_member_set: true,
  remote_members: false,
  remote_remove: true,
  remote_service_add: true,
  remote_service_revoke: true,
  remote_uninvite: true,
  remote_view: false,
  remotes: false,
  replay: false,
  reputation: false,
  resolve: true,
  review: false,
  revise: true,
  revise_beliefs: true,
  run_jobs: true,
  search: false,
  show: false,
  sources: false,
  space_assign: true,
  stats: false,
  status: false,
  suggestions: false,
  sync: true,
  synthesize: true,
  taint: false,
  trace: false,
  trace_document: false,
  trust: false,
  uncertain: false,
  undo: true,
  unprotect: true,
  used: true,
  verify: true,
  why: false,
  witness: true,
  witness_requests: false,
} as const;

export type Operation = keyof typeof operations;

/** What a call may say beside its request. */
export interface CallOptions {
  signal?: AbortSignal;
}

/** A method for each operation. */
export abstract class Operations {
  abstract ask(name: Operation, request: object, options?: CallOptions): Promise<any>;

  /** Approve a draft or apply a proposed update. */
  accept_suggestion(request: AcceptSuggestionRequest, options?: CallOptions): Promise<SuggestionReply> {
    return this.ask("accept_suggestion", request, options);
  }

  /** Write a memory directly. */
  add(request: AddRequest = {}, options?: CallOptions): Promise<WriteReply> {
    return this.ask("add", request, options);
  }

  /** Anchor a memory to outside proof. */
  anchor(request: AnchorRequest, options?: CallOptions): Promise<AnchorReply> {
    return this.ask("anchor", request, options);
  }

  /** Return the line by which a commit or document names a memory. */
  anchor_line(request: AnchorLineRequest, options?: CallOptions): Promise<AnchorStampReply> {
    return this.ask("anchor_line", request, options);
  }

  /** Answer a request to witness a memory. */
  answer_witness(request: AnswerWitnessRequest = {}, options?: CallOptions): Promise<AnswerReply> {
    return this.ask("answer_witness", request, options);
  }

  /** Approve memories. */
  approve(request: ApproveRequest, options?: CallOptions): Promise<DecideReply> {
    return this.ask("approve", request, options);
  }

  /** Ask somebody to witness a memory. */
  ask_witness(request: AskWitnessRequest, options?: CallOptions): Promise<AskReply> {
    return this.ask("ask_witness", request, options);
  }

  /** Say and sign on what the commits of a range rest: sessions, and memories they were given. */
  attest(request: AttestRequest, options?: CallOptions): Promise<AttestReply> {
    return this.ask("attest", request, options);
  }

  /** Check signatures, keys and logs as an outsider. */
  audit(request: AuditRequest = {}, options?: CallOptions): Promise<AuditReply> {
    return this.ask("audit", request, options);
  }

  /** Show which session wrote lines of code, what it was told and given, and who decided that. */
  blame(request: BlameRequest = {}, options?: CallOptions): Promise<BlameReply> {
    return this.ask("blame", request, options);
  }

  /** Store words as they are, to be processed later. */
  capture(request: CaptureRequest = {}, options?: CallOptions): Promise<WriteReply> {
    return this.ask("capture", request, options);
  }

  /** Compare code references in memories with the current code. */
  check(request: CheckRequest = {}, options?: CallOptions): Promise<CheckReply> {
    return this.ask("check", request, options);
  }

  /** Check anchors against their targets. */
  check_anchors(request: CheckAnchorsRequest = {}, options?: CallOptions): Promise<AnchorCheckReply> {
    return this.ask("check_anchors", request, options);
  }

  /** Compare a log with a checkpoint that somebody else holds. */
  check_log(request: CheckLogRequest, options?: CallOptions): Promise<CheckLogReply> {
    return this.ask("check_log", request, options);
  }

  /** Sign the length and hash of a log. */
  checkpoint(request: CheckpointRequest = {}, options?: CallOptions): Promise<CheckpointReply> {
    return this.ask("checkpoint", request, options);
  }

  /** Compare a memory with older ones. */
  compare(request: CompareRequest, options?: CallOptions): Promise<CompareReply> {
    return this.ask("compare", request, options);
  }

  /** List the changes of a memory's confidence: who, when and why. */
  confidence_history(request: ConfidenceHistoryRequest, options?: CallOptions): Promise<ConfidenceHistoryReply> {
    return this.ask("confidence_history", request, options);
  }

  /** List conflicts between memories. */
  conflicts(request: ConflictsRequest = {}, options?: CallOptions): Promise<ConflictsReply> {
    return this.ask("conflicts", request, options);
  }

  /** Draw a conclusion from memories. */
  consolidate(request: ConsolidateRequest, options?: CallOptions): Promise<WriteReply> {
    return this.ask("consolidate", request, options);
  }

  /** Return a pack of memories for a question, within a token budget. */
  context(request: ContextRequest = {}, options?: CallOptions): Promise<ContextReply> {
    return this.ask("context", request, options);
  }

  /** Say that a memory is otherwise, wrong, or over. */
  correct(request: CorrectRequest, options?: CallOptions): Promise<CorrectReply> {
    return this.ask("correct", request, options);
  }

  /** List who decided what, when and why. */
  decisions(request: DecisionsRequest = {}, options?: CallOptions): Promise<DecisionsReply> {
    return this.ask("decisions", request, options);
  }

  /** List the records derived directly from a record. */
  derived(request: DerivedRequest, options?: CallOptions): Promise<RelatedReply> {
    return this.ask("derived", request, options);
  }

  /** Stop trusting a key. */
  distrust(request: DistrustRequest, options?: CallOptions): Promise<DistrustReply> {
    return this.ask("distrust", request, options);
  }

  /** Check a store for problems. */
  doctor(request: DoctorRequest = {}, options?: CallOptions): Promise<DoctorReply> {
    return this.ask("doctor", request, options);
  }

  /** Set the intensity of a drive. */
  drive_intensity(request: DriveIntensityRequest, options?: CallOptions): Promise<MarkReply> {
    return this.ask("drive_intensity", request, options);
  }

  /** Mark a drive as satisfied, which lowers its intensity. */
  drive_satisfy(request: DriveSatisfyRequest, options?: CallOptions): Promise<MarkReply> {
    return this.ask("drive_satisfy", request, options);
  }

  /** Rewrite a draft and approve it. */
  edit_suggestion(request: EditSuggestionRequest, options?: CallOptions): Promise<SuggestionReply> {
    return this.ask("edit_suggestion", request, options);
  }

  /** Compute missing vectors. */
  embed(request: EmbedRequest = {}, options?: CallOptions): Promise<EmbedReply> {
    return this.ask("embed", request, options);
  }

  /** List episodes by emotion. */
  emotion_search(request: EmotionSearchRequest = {}, options?: CallOptions): Promise<ListReply> {
    return this.ask("emotion_search", request, options);
  }

  /** Summarize the emotions of episodes. */
  emotion_summary(request: EmotionSummaryRequest = {}, options?: CallOptions): Promise<EmotionSummaryReply> {
    return this.ask("emotion_summary", request, options);
  }

  /** List the people and things that memories mention. */
  entities(request: EntitiesRequest = {}, options?: CallOptions): Promise<EntitiesReply> {
    return this.ask("entities", request, options);
  }

  /** Show everything about a name. */
  entity(request: EntityRequest, options?: CallOptions): Promise<EntityReply> {
    return this.ask("entity", request, options);
  }

  /** Show what a belief rests on. */
  evidence(request: EvidenceRequest, options?: CallOptions): Promise<EvidenceReply> {
    return this.ask("evidence", request, options);
  }

  /** Leave memories out of lists, searches and packs; they can be brought back. */
  forget(request: ForgetRequest, options?: CallOptions): Promise<ForgetReply> {
    return this.ask("forget", request, options);
  }

  /** Show what a forgetting run would forget, with the terms of each salience. */
  forget_candidates(request: ForgetCandidatesRequest = {}, options?: CallOptions): Promise<ForgetRunReply> {
    return this.ask("forget_candidates", request, options);
  }

  /** List forgotten memories. */
  forget_list(request: ForgetListRequest = {}, options?: CallOptions): Promise<ForgetListReply> {
    return this.ask("forget_list", request, options);
  }

  /** Forget memories of low salience. */
  forget_run(request: ForgetRunRequest = {}, options?: CallOptions): Promise<ForgetRunReply> {
    return this.ask("forget_run", request, options);
  }

  /** List every memory that traces back to a capture. */
  from_raw(request: FromRawRequest, options?: CallOptions): Promise<RelatedReply> {
    return this.ask("from_raw", request, options);
  }

  /** Set the progress of a goal. */
  goal_progress(request: GoalProgressRequest, options?: CallOptions): Promise<MarkReply> {
    return this.ask("goal_progress", request, options);
  }

  /** Set the status of a goal. */
  goal_status(request: GoalStatusRequest, options?: CallOptions): Promise<MarkReply> {
    return this.ask("goal_status", request, options);
  }

  /** The refs of ids that records had elsewhere. */
  held(request: HeldRequest, options?: CallOptions): Promise<HeldReply> {
    return this.ask("held", request, options);
  }

  /** List the revisions of a memory. */
  history(request: HistoryRequest, options?: CallOptions): Promise<HistoryReply> {
    return this.ask("history", request, options);
  }

  /** Show values, active goals, drives and the strongest beliefs. */
  identity(request: IdentityRequest = {}, options?: CallOptions): Promise<IdentityReply> {
    return this.ask("identity", request, options);
  }

  /** Propose where memories without sources come from; a person applies. */
  infer_provenance(request: InferProvenanceRequest = {}, options?: CallOptions): Promise<InferProvenanceReply> {
    return this.ask("infer_provenance", request, options);
  }

  /** Create your keys and add them to the store. */
  init(request: Record<string, never> = {}, options?: CallOptions): Promise<InitReply> {
    return this.ask("init", request, options);
  }

  /** Name a key's owner; their word as a witness then counts. */
  introduce(request: IntroduceRequest, options?: CallOptions): Promise<IntroduceReply> {
    return this.ask("introduce", request, options);
  }

  /** List background jobs. */
  jobs(request: JobsRequest = {}, options?: CallOptions): Promise<JobsReply> {
    return this.ask("jobs", request, options);
  }

  /** Answer how a new memory relates to the ones shown. */
  judge(request: JudgeRequest, options?: CallOptions): Promise<JudgeReply> {
    return this.ask("judge", request, options);
  }

  /** Give a key a name. */
  key_add(request: KeyAddRequest = {}, options?: CallOptions): Promise<KeyReply> {
    return this.ask("key_add", request, options);
  }

  /** Delegate a key: it may write for its owner. */
  key_delegate(request: KeyDelegateRequest = {}, options?: CallOptions): Promise<KeyReply> {
    return this.ask("key_delegate", request, options);
  }

  /** Return your public key, for others to introduce. */
  key_export_public(request: KeyExportPublicRequest = {}, options?: CallOptions): Promise<KeyReply> {
    return this.ask("key_export_public", request, options);
  }

  /** Create a recovery key. */
  key_recovery(request: Record<string, never> = {}, options?: CallOptions): Promise<KeyReply> {
    return this.ask("key_recovery", request, options);
  }

  /** Revoke a key. */
  key_revoke(request: KeyRevokeRequest = {}, options?: CallOptions): Promise<KeyReply> {
    return this.ask("key_revoke", request, options);
  }

  /** Replace a key with a new one. */
  key_rotate(request: KeyRotateRequest = {}, options?: CallOptions): Promise<KeyReply> {
    return this.ask("key_rotate", request, options);
  }

  /** Show your own keys. */
  key_show(request: Record<string, never> = {}, options?: CallOptions): Promise<KeysReply> {
    return this.ask("key_show", request, options);
  }

  /** List known keys. */
  keys(request: Record<string, never> = {}, options?: CallOptions): Promise<KeysReply> {
    return this.ask("keys", request, options);
  }

  /** List memories. */
  list(request: ListRequest = {}, options?: CallOptions): Promise<ListReply> {
    return this.ask("list", request, options);
  }

  /** Return a pack of memories for the start of work. */
  load(request: LoadRequest = {}, options?: CallOptions): Promise<ContextReply> {
    return this.ask("load", request, options);
  }

  /** Find playbooks, with how often each helped. */
  playbook_find(request: PlaybookFindRequest, options?: CallOptions): Promise<PlaybookFindReply> {
    return this.ask("playbook_find", request, options);
  }

  /** Record that a playbook was used, and whether it helped. */
  playbook_outcome(request: PlaybookOutcomeRequest, options?: CallOptions): Promise<MarkReply> {
    return this.ask("playbook_outcome", request, options);
  }

  /** Draft memories from captures. */
  process(request: ProcessRequest = {}, options?: CallOptions): Promise<ProcessReply> {
    return this.ask("process", request, options);
  }

  /** Make a memory from captures. */
  promote(request: PromoteRequest, options?: CallOptions): Promise<WriteReply> {
    return this.ask("promote", request, options);
  }

  /** Protect memories from being forgotten. */
  protect(request: ProtectRequest, options?: CallOptions): Promise<ForgetReply> {
    return this.ask("protect", request, options);
  }

  /** Prove that a record is in a log, or that the log only grew. */
  prove(request: ProveRequest = {}, options?: CallOptions): Promise<ProveReply> {
    return this.ask("prove", request, options);
  }

  /** Show how a record was made. */
  provenance(request: ProvenanceRequest, options?: CallOptions): Promise<ProvenanceReply> {
    return this.ask("provenance", request, options);
  }

  /** Erase a record's words, or all of a person's, for good. */
  purge(request: PurgeRequest = {}, options?: CallOptions): Promise<PurgeReply> {
    return this.ask("purge", request, options);
  }

  /** Hide memories and everything that rests on them alone. */
  quarantine(request: QuarantineRequest, options?: CallOptions): Promise<QuarantineReply> {
    return this.ask("quarantine", request, options);
  }

  /** List the captures that a memory ultimately rests on. */
  raw_sources(request: RawSourcesRequest, options?: CallOptions): Promise<RelatedReply> {
    return this.ask("raw_sources", request, options);
  }

  /** Return what is known about a question, or what to know when work begins. */
  recall(request: RecallRequest = {}, options?: CallOptions): Promise<RecallReply> {
    return this.ask("recall", request, options);
  }

  /** Show one receipt in full. */
  receipt(request: ReceiptRequest, options?: CallOptions): Promise<Receipt> {
    return this.ask("receipt", request, options);
  }

  /** List what agents asked and what they received. */
  receipts(request: ReceiptsRequest = {}, options?: CallOptions): Promise<ReceiptsReply> {
    return this.ask("receipts", request, options);
  }

  /** List recent records. */
  recent(request: RecentRequest = {}, options?: CallOptions): Promise<ListReply> {
    return this.ask("recent", request, options);
  }

  /** Restore forgotten memories. */
  recover(request: RecoverRequest, options?: CallOptions): Promise<ForgetReply> {
    return this.ask("recover", request, options);
  }

  /** Change a confidence because of an episode. */
  reinforce(request: ReinforceRequest, options?: CallOptions): Promise<ReinforceReply> {
    return this.ask("reinforce", request, options);
  }

  /** Reject memories; they are no longer shown. */
  reject(request: RejectRequest, options?: CallOptions): Promise<DecideReply> {
    return this.ask("reject", request, options);
  }

  /** Reject a drafted memory or link. */
  reject_suggestion(request: RejectSuggestionRequest, options?: CallOptions): Promise<SuggestionReply> {
    return this.ask("reject_suggestion", request, options);
  }

  /** List the history of a relationship. */
  relationship_history(request: RelationshipHistoryRequest, options?: CallOptions): Promise<RelationshipHistoryReply> {
    return this.ask("relationship_history", request, options);
  }

  /** End a quarantine. */
  release(request: ReleaseRequest, options?: CallOptions): Promise<QuarantineReply> {
    return this.ask("release", request, options);
  }

  /** Store words and draft memories from them. */
  remember(request: RememberRequest = {}, options?: CallOptions): Promise<RememberReply> {
    return this.ask("remember", request, options);
  }

  /** Accept that a remote's history was rewritten. */
  remote_accept(request: RemoteAcceptRequest = {}, options?: CallOptions): Promise<SyncReply> {
    return this.ask("remote_accept", request, options);
  }

  /** Add a remote. */
  remote_add(request: RemoteAddRequest = {}, options?: CallOptions): Promise<RemoteReply> {
    return this.ask("remote_add", request, options);
  }

  /** Compare what two stores received of a remote's logs. */
  remote_compare(request: RemoteCompareRequest, options?: CallOptions): Promise<RemoteCompareReply> {
    return this.ask("remote_compare", request, options);
  }

  /** Invite somebody to a space that you keep at a hub. */
  remote_invite(request: RemoteInviteRequest = {}, options?: CallOptions): Promise<RemoteInvitation> {
    return this.ask("remote_invite", request, options);
  }

  /** Remove a member from a space at a hub. */
  remote_member_remove(request: RemoteMemberRemoveRequest, options?: CallOptions): Promise<RemoteMembersReply> {
    return this.ask("remote_member_remove", request, options);
  }

  /** Set the role of a member of a space at a hub. */
  remote_member_set(request: RemoteMemberSetRequest, options?: CallOptions): Promise<RemoteMembersReply> {
    return this.ask("remote_member_set", request, options);
  }

  /** List the members and roles of a space that you keep at a hub. */
  remote_members(request: RemoteMembersRequest = {}, options?: CallOptions): Promise<RemoteMembersReply> {
    return this.ask("remote_members", request, options);
  }

  /** Remove a remote. */
  remote_remove(request: RemoteRemoveRequest = {}, options?: CallOptions): Promise<RemoteReply> {
    return this.ask("remote_remove", request, options);
  }

  /** Make accounts for machines at a hub, each with a key of its own. */
  remote_service_add(request: RemoteServiceAddRequest = {}, options?: CallOptions): Promise<RemoteMembersReply> {
    return this.ask("remote_service_add", request, options);
  }

  /** Revoke the account of a machine at a hub. */
  remote_service_revoke(request: RemoteServiceRevokeRequest, options?: CallOptions): Promise<RemoteMembersReply> {
    return this.ask("remote_service_revoke", request, options);
  }

  /** Withdraw an unused invitation. */
  remote_uninvite(request: RemoteUninviteRequest, options?: CallOptions): Promise<RemoteMembersReply> {
    return this.ask("remote_uninvite", request, options);
  }

  /** Return what the store received of a remote's logs, for another store to compare. */
  remote_view(request: RemoteViewRequest = {}, options?: CallOptions): Promise<RemoteView> {
    return this.ask("remote_view", request, options);
  }

  /** List the store's remotes. */
  remotes(request: RemotesRequest = {}, options?: CallOptions): Promise<RemoteReply> {
    return this.ask("remotes", request, options);
  }

  /** Ask a receipt's question again and show what changed. */
  replay(request: ReplayRequest, options?: CallOptions): Promise<ReplayReply> {
    return this.ask("replay", request, options);
  }

  /** Show what somebody's record so far is worth. */
  reputation(request: ReputationRequest, options?: CallOptions): Promise<ReputationReply> {
    return this.ask("reputation", request, options);
  }

  /** Decide a conflict between two memories. */
  resolve(request: ResolveRequest, options?: CallOptions): Promise<ResolveReply> {
    return this.ask("resolve", request, options);
  }

  /** List memories that wait for a person's decision. */
  review(request: ReviewRequest = {}, options?: CallOptions): Promise<ReviewReply> {
    return this.ask("review", request, options);
  }

  /** Replace a memory with a new revision; the old one stays readable. */
  revise(request: ReviseRequest, options?: CallOptions): Promise<WriteReply> {
    return this.ask("revise", request, options);
  }

  /** Let an episode reinforce, weaken or challenge beliefs. */
  revise_beliefs(request: ReviseBeliefsRequest, options?: CallOptions): Promise<ReviseBeliefsReply> {
    return this.ask("revise_beliefs", request, options);
  }

  /** Run background jobs. */
  run_jobs(request: RunJobsRequest = {}, options?: CallOptions): Promise<RunJobsReply> {
    return this.ask("run_jobs", request, options);
  }

  /** Find memories by their words. */
  search(request: SearchRequest, options?: CallOptions): Promise<SearchReply> {
    return this.ask("search", request, options);
  }

  /** Show one record in full. */
  show(request: ShowRequest, options?: CallOptions): Promise<ShowReply> {
    return this.ask("show", request, options);
  }

  /** List the direct sources of a record. */
  sources(request: SourcesRequest, options?: CallOptions): Promise<RelatedReply> {
    return this.ask("sources", request, options);
  }

  /** Say which project memories are of that belong to none. */
  space_assign(request: SpaceAssignRequest = {}, options?: CallOptions): Promise<AssignReply> {
    return this.ask("space_assign", request, options);
  }

  /** Count the records in the store. */
  stats(request: Record<string, never> = {}, options?: CallOptions): Promise<StatsReply> {
    return this.ask("stats", request, options);
  }

  /** Show counts, what waits for a person, and open jobs on one page. */
  status(request: Record<string, never> = {}, options?: CallOptions): Promise<StatusReply> {
    return this.ask("status", request, options);
  }

  /** List drafts and links that wait for a person. */
  suggestions(request: SuggestionsRequest = {}, options?: CallOptions): Promise<SuggestionsReply> {
    return this.ask("suggestions", request, options);
  }

  /** Exchange records with a remote. */
  sync(request: SyncRequest = {}, options?: CallOptions): Promise<SyncReply> {
    return this.ask("sync", request, options);
  }

  /** Propose beliefs from several episodes, or an identity from beliefs. */
  synthesize(request: SynthesizeRequest = {}, options?: CallOptions): Promise<SynthesizeReply> {
    return this.ask("synthesize", request, options);
  }

  /** List memories that rest on tainted or hidden sources. */
  taint(request: TaintRequest, options?: CallOptions): Promise<TaintReply> {
    return this.ask("taint", request, options);
  }

  /** Show where a record came from and what was derived from it. */
  trace(request: TraceRequest, options?: CallOptions): Promise<TraceReply> {
    return this.ask("trace", request, options);
  }

  /** A lineage for tools that know PROV or in-toto. */
  trace_document(request: TraceDocumentRequest, options?: CallOptions): Promise<TraceDocumentReply> {
    return this.ask("trace_document", request, options);
  }

  /** Show the trust score of a memory and each of its terms. */
  trust(request: TrustRequest, options?: CallOptions): Promise<TrustReply> {
    return this.ask("trust", request, options);
  }

  /** List memories of low confidence. */
  uncertain(request: UncertainRequest = {}, options?: CallOptions): Promise<ListReply> {
    return this.ask("uncertain", request, options);
  }

  /** Undo the last decision. */
  undo(request: UndoRequest = {}, options?: CallOptions): Promise<UndoReply> {
    return this.ask("undo", request, options);
  }

  /** End the protection of memories. */
  unprotect(request: UnprotectRequest, options?: CallOptions): Promise<ForgetReply> {
    return this.ask("unprotect", request, options);
  }

  /** Record that memories were used, which keeps them from being forgotten. */
  used(request: UsedRequest, options?: CallOptions): Promise<UsedReply> {
    return this.ask("used", request, options);
  }

  /** Confirm that a memory still holds. */
  verify(request: VerifyRequest, options?: CallOptions): Promise<VerifyReply> {
    return this.ask("verify", request, options);
  }

  /** Show what a memory rests on, who vouches for it and how sure its author is. */
  why(request: WhyRequest, options?: CallOptions): Promise<WhyReply> {
    return this.ask("why", request, options);
  }

  /** Confirm, dispute or partly confirm somebody else's memory. */
  witness(request: WitnessRequest, options?: CallOptions): Promise<WitnessReply> {
    return this.ask("witness", request, options);
  }

  /** List witness requests that wait at a remote. */
  witness_requests(request: WitnessRequestsRequest = {}, options?: CallOptions): Promise<LettersReply> {
    return this.ask("witness_requests", request, options);
  }
}
