"""The client of a stemma server, in one file, for Python 3.9 or later without packages.

    client = Client.local(agent="planner")
    client.remember("We deploy on Fridays")

The types and methods between the marks are made from the API; a test compares them.
"""

import hashlib
import hmac
import http.client
import json
import os
import secrets
import time
import urllib.parse
from typing import Any, BinaryIO, Dict, Iterable, Iterator, List, Optional, TypedDict, Union

__all__ = ["Client", "StemmaError", "UnreachableError", "OPERATIONS"]

# The most tries of a request, the longest wait between two in seconds, and how many bytes of a stream are read at once.
_TRIES = 4
_LONGEST = 10.0
_PART = 64 << 10


class StemmaError(Exception):
    """What a server answered in place of a reply. kind is one of not_found, invalid, conflict,
    ambiguous, forbidden, unavailable and the others of docs/reference/http.md."""

    def __init__(self, status: int, kind: str, detail: str) -> None:
        super().__init__(detail)
        self.status = status
        self.kind = kind
        self.detail = detail


class UnreachableError(StemmaError):
    """The server cannot be reached, or broke off."""

    def __init__(self, detail: str) -> None:
        super().__init__(0, "unavailable", detail)


# generated: begin

Affected = TypedDict(
    "Affected",
    {
        "grounds": List[str],
        "headline": str,
        "path": List[str],
        "ref": str,
    },
    total=False,
)

AnchorCheckReply = TypedDict(
    "AnchorCheckReply",
    {
        "checked": List["CheckedAnchor"],
        "skipped": int,
    },
    total=False,
)

AnchorReply = TypedDict(
    "AnchorReply",
    {
        "bound": bool,
        "claim": str,
        "hint": str,
        "reference": str,
        "sha256": str,
        "status": str,
        "trust": "TrustReply",
        "type": str,
        "why": str,
    },
    total=False,
)

AnchorStampReply = TypedDict(
    "AnchorStampReply",
    {
        "line": str,
        "query": str,
        "ref": str,
    },
    total=False,
)

AnswerReply = TypedDict(
    "AnswerReply",
    {
        "bundle": str,
        "claim": str,
        "expires": str,
        "from": str,
        "memory": "Memory",
        "name": str,
        "redacted": List["Redaction"],
        "request": str,
    },
    total=False,
)

AskReply = TypedDict(
    "AskReply",
    {
        "bundle": str,
        "expires": str,
        "others": List["AskedOther"],
        "ref": str,
        "request": str,
        "to": str,
        "via": str,
    },
    total=False,
)

Asked = TypedDict(
    "Asked",
    {
        "found": int,
        "ms": int,
        "new": int,
        "problem": str,
        "remote": str,
    },
    total=False,
)

AskedOther = TypedDict(
    "AskedOther",
    {
        "request": str,
        "to": str,
    },
    total=False,
)

AssignReply = TypedDict(
    "AssignReply",
    {
        "assigned": int,
        "claim": str,
        "hint": str,
        "space": str,
    },
    total=False,
)

AttestReply = TypedDict(
    "AttestReply",
    {
        "change": "AttestedChange",
        "comment": str,
        "envelope": str,
    },
    total=False,
)

AttestationCheck = TypedDict(
    "AttestationCheck",
    {
        "change": "AttestedChange",
        "checks": bool,
        "comment": str,
        "commits": int,
        "held": int,
        "signer": str,
        "why": str,
    },
    total=False,
)

AttestedChange = TypedDict(
    "AttestedChange",
    {
        "at": str,
        "base": str,
        "by": str,
        "code": List["AttestedCode"],
        "commits": List["AttestedCommit"],
        "head": str,
        "lines": int,
        "memories": List["AttestedMemory"],
        "not_known": List[str],
        "not_seen": int,
        "owner": str,
        "seen": int,
        "sessions": List["AttestedSession"],
        "store": str,
        "words": bool,
    },
    total=False,
)

AttestedCode = TypedDict(
    "AttestedCode",
    {
        "files": List[str],
        "ref": str,
        "state": str,
        "words": str,
    },
    total=False,
)

AttestedCommit = TypedDict(
    "AttestedCommit",
    {
        "commit": str,
        "files": List["AttestedFile"],
        "lines": int,
        "merge": bool,
        "more_files": int,
        "seen": int,
    },
    total=False,
)

AttestedDecision = TypedDict(
    "AttestedDecision",
    {
        "act": str,
        "agent": str,
        "at": str,
        "by": str,
        "counts": bool,
        "key": str,
        "ref": str,
        "taken_back": bool,
        "why": str,
    },
    total=False,
)

AttestedFile = TypedDict(
    "AttestedFile",
    {
        "binary": bool,
        "by": List["AttestedLines"],
        "lines": int,
        "path": str,
        "seen": int,
        "submodule": bool,
    },
    total=False,
)

AttestedGiven = TypedDict(
    "AttestedGiven",
    {
        "at": str,
        "level": str,
        "outside": bool,
        "receipt": str,
        "ref": str,
        "review": str,
        "tier": str,
    },
    total=False,
)

AttestedHeld = TypedDict(
    "AttestedHeld",
    {
        "count": int,
        "reason": str,
        "ref": str,
    },
    total=False,
)

AttestedLines = TypedDict(
    "AttestedLines",
    {
        "agent": str,
        "lines": str,
        "noted": str,
        "noted_by": str,
        "session": int,
    },
    total=False,
)

AttestedMemory = TypedDict(
    "AttestedMemory",
    {
        "actionable": bool,
        "agent": str,
        "at": str,
        "author": str,
        "decisions": List["AttestedDecision"],
        "disputed": bool,
        "from": List[str],
        "hidden": str,
        "level": str,
        "missing": str,
        "origin": str,
        "outside": bool,
        "owner": str,
        "ref": str,
        "review": str,
        "source": str,
        "speaker": str,
        "tier": str,
        "via": str,
        "words": str,
    },
    total=False,
)

AttestedPrompt = TypedDict(
    "AttestedPrompt",
    {
        "at": str,
        "ref": str,
        "words": str,
    },
    total=False,
)

AttestedSession = TypedDict(
    "AttestedSession",
    {
        "given": List["AttestedGiven"],
        "host": str,
        "last": str,
        "lines": int,
        "more_prompts": int,
        "prompts": List["AttestedPrompt"],
        "session": str,
        "withheld": List["AttestedHeld"],
        "withheld_unknown": str,
    },
    total=False,
)

AuditReply = TypedDict(
    "AuditReply",
    {
        "attestation": "AttestationCheck",
        "certificate": "CertificateCheck",
        "counts": Dict[str, int],
        "elapsed_ns": int,
        "exit": int,
        "horizon": str,
        "lines": List["Line"],
        "lines_more": int,
        "logs": List["LogFinding"],
        "no_bundle": str,
        "offenders": List["Finding"],
        "roots": List["Root"],
        "since": "CheckScope",
        "statements": int,
    },
    total=False,
)

Backward = TypedDict(
    "Backward",
    {
        "created_at": str,
        "source_type": str,
        "sources": List["Node"],
    },
    total=False,
)

BeliefMove = TypedDict(
    "BeliefMove",
    {
        "belief": str,
        "claim": str,
        "confidence": float,
        "confidence_before": float,
        "effect": str,
        "headline": str,
        "not_written": str,
        "reason": str,
    },
    total=False,
)

BlameGiven = TypedDict(
    "BlameGiven",
    {
        "at": str,
        "bears": str,
        "by": str,
        "created_at": str,
        "decisions": List["Decision"],
        "headline": str,
        "hidden": str,
        "marks": List[str],
        "ref": str,
        "speaker": str,
        "text": str,
        "was": str,
    },
    total=False,
)

BlamePart = TypedDict(
    "BlamePart",
    {
        "agent": str,
        "at": str,
        "author": str,
        "commit": str,
        "edited": str,
        "file": str,
        "from": int,
        "host": str,
        "noted": str,
        "noted_by": str,
        "path": str,
        "seen": str,
        "session": str,
        "summary": str,
        "text": List[str],
        "to": int,
    },
    total=False,
)

BlameReply = TypedDict(
    "BlameReply",
    {
        "commit": str,
        "file": str,
        "lines": int,
        "notes": List[str],
        "parts": List["BlamePart"],
        "root": str,
        "seen": int,
        "sessions": List["BlameSession"],
    },
    total=False,
)

BlameSaid = TypedDict(
    "BlameSaid",
    {
        "at": str,
        "ref": str,
        "text": str,
    },
    total=False,
)

BlameSession = TypedDict(
    "BlameSession",
    {
        "given": List["BlameGiven"],
        "given_in_all": int,
        "host": str,
        "lines": int,
        "more_prompts": int,
        "prompts": List["BlameSaid"],
        "session": str,
    },
    total=False,
)

Certificate = TypedDict(
    "Certificate",
    {
        "act": List[str],
        "at": str,
        "by": str,
        "copies": int,
        "erased": Dict[str, int],
        "id": str,
        "kept": Dict[str, int],
        "list": str,
        "logs": List["CertificateLog"],
        "probes": "CertificateProbes",
        "remotes": List["CertificateRemote"],
        "store": str,
        "unreached": List["CertificatePlace"],
        "v": int,
    },
    total=False,
)

CertificateCheck = TypedDict(
    "CertificateCheck",
    {
        "act": List[str],
        "at": str,
        "by": str,
        "checks": bool,
        "copies": int,
        "erased": Dict[str, int],
        "id": str,
        "kept": Dict[str, int],
        "list": str,
        "logs": List["CertificateLog"],
        "probes": "CertificateProbes",
        "remotes": List["CertificateRemote"],
        "signer": str,
        "store": str,
        "unreached": List["CertificatePlace"],
        "v": int,
        "why": str,
    },
    total=False,
)

CertificateLog = TypedDict(
    "CertificateLog",
    {
        "root": str,
        "size": int,
    },
    total=False,
)

CertificatePlace = TypedDict(
    "CertificatePlace",
    {
        "count": int,
        "what": str,
        "where": str,
    },
    total=False,
)

CertificateProbes = TypedDict(
    "CertificateProbes",
    {
        "before": int,
        "bytes": int,
        "files": int,
        "found": int,
        "spans": int,
        "tables": int,
        "words": int,
    },
    total=False,
)

CertificateRemote = TypedDict(
    "CertificateRemote",
    {
        "confirmed": int,
        "machines": int,
        "name": str,
        "state": str,
    },
    total=False,
)

CheckLogReply = TypedDict(
    "CheckLogReply",
    {
        "fork": "LogFork",
        "seen": int,
        "size": int,
        "space": str,
        "status": str,
        "why": str,
    },
    total=False,
)

CheckReply = TypedDict(
    "CheckReply",
    {
        "checked": int,
        "counts": Dict[str, int],
        "memories": List["Checked"],
        "plain": str,
        "refs": int,
        "root": str,
        "uncommitted": bool,
    },
    total=False,
)

CheckScope = TypedDict(
    "CheckScope",
    {
        "at": str,
        "checked": int,
        "records": int,
        "whole": str,
        "why": str,
    },
    total=False,
)

Checked = TypedDict(
    "Checked",
    {
        "at": str,
        "files": List["CheckedRef"],
        "headline": str,
        "last_verified": str,
        "reasons": List[str],
        "ref": str,
        "state": str,
        "store": str,
        "subtype": str,
        "text": str,
        "tier": str,
        "type": str,
        "verified_by_agent": bool,
    },
    total=False,
)

CheckedAnchor = TypedDict(
    "CheckedAnchor",
    {
        "before": str,
        "bound": bool,
        "due": str,
        "of": str,
        "ref": str,
        "reference": str,
        "status": str,
        "type": str,
        "why": str,
    },
    total=False,
)

CheckedRef = TypedDict(
    "CheckedRef",
    {
        "commit": str,
        "now": str,
        "reason": str,
        "ref": str,
        "state": str,
    },
    total=False,
)

CheckpointReply = TypedDict(
    "CheckpointReply",
    {
        "note": str,
        "origin": str,
        "root": str,
        "size": int,
        "space": str,
    },
    total=False,
)

Claim = TypedDict(
    "Claim",
    {
        "at": str,
        "author": str,
        "content": Dict[str, Any],
        "headline": str,
        "ref": str,
        "type": str,
    },
    total=False,
)

Code = TypedDict(
    "Code",
    {
        "code": str,
        "expires": str,
        "path": str,
    },
    total=False,
)

CompareReply = TypedDict(
    "CompareReply",
    {
        "jobs": List[str],
        "links": List["LinkView"],
        "notes": List[str],
        "ref": str,
    },
    total=False,
)

Condition = TypedDict(
    "Condition",
    {
        "met": bool,
        "name": str,
        "says": str,
    },
    total=False,
)

ConfidenceChange = TypedDict(
    "ConfidenceChange",
    {
        "after": float,
        "agent": str,
        "at": str,
        "because": List[str],
        "before": Optional[float],
        "by": str,
        "claim": str,
        "kind": str,
        "of": str,
        "origin": str,
        "why": str,
    },
    total=False,
)

ConfidenceHistoryReply = TypedDict(
    "ConfidenceHistoryReply",
    {
        "confidence": float,
        "confidence_asserted": float,
        "confidence_history": List["ConfidenceChange"],
        "headline": str,
        "ref": str,
    },
    total=False,
)

ConflictsReply = TypedDict(
    "ConflictsReply",
    {
        "conflicts": List["LinkView"],
        "forks": List["ForkView"],
        "more": bool,
    },
    total=False,
)

ContextReply = Dict[str, Any]

CorrectReply = TypedDict(
    "CorrectReply",
    {
        "code_refs": List[str],
        "consolidation_id": str,
        "created_at": str,
        "derived_from": List[str],
        "done": str,
        "existing": bool,
        "headline": str,
        "hint": str,
        "id": str,
        "link": str,
        "of": str,
        "redacted": List["Redaction"],
        "ref": str,
        "rejected": "Rejection",
        "stays": List[str],
        "superseded": List[str],
        "type": str,
    },
    total=False,
)

Counted = TypedDict(
    "Counted",
    {
        "count": int,
        "more": bool,
        "since": str,
    },
    total=False,
)

Course = TypedDict(
    "Course",
    {
        "intensity": Optional[float],
        "progress": str,
        "status": str,
    },
    total=False,
)

DecideReply = TypedDict(
    "DecideReply",
    {
        "claim": str,
        "hint": str,
        "memories": List["Memory"],
        "witnesses": List["TrustWitness"],
    },
    total=False,
)

Decided = TypedDict(
    "Decided",
    {
        "act": str,
        "agent": str,
        "at": str,
        "author": str,
        "detail": str,
        "owner": str,
        "ref": str,
        "why": str,
    },
    total=False,
)

Decision = TypedDict(
    "Decision",
    {
        "act": str,
        "agent": str,
        "at": str,
        "by": str,
        "counts": bool,
        "detail": str,
        "key": str,
        "now": "LinkEnd",
        "of": List["LinkEnd"],
        "of_more": int,
        "proposed_by": str,
        "ref": str,
        "space": str,
        "taken_back": bool,
        "why": str,
    },
    total=False,
)

DecisionsReply = TypedDict(
    "DecisionsReply",
    {
        "decisions": List["Decision"],
        "more": bool,
    },
    total=False,
)

Difference = TypedDict(
    "Difference",
    {
        "is": str,
        "ref": str,
        "text": str,
        "was": str,
        "what": str,
    },
    total=False,
)

DistrustReply = TypedDict(
    "DistrustReply",
    {
        "claims": List[str],
        "fingerprint": str,
        "key": str,
        "name": str,
        "quarantine": "QuarantineReply",
        "since": str,
        "wrote_since": int,
    },
    total=False,
)

DoctorReply = TypedDict(
    "DoctorReply",
    {
        "notes": List[str],
        "problems": List["Problem"],
        "records": int,
        "repaired": "Repaired",
        "secrets": List["KeptSecret"],
        "signatures": int,
        "since": "CheckScope",
        "waiting": List["NotTaken"],
    },
    total=False,
)

DocumentsReply = TypedDict(
    "DocumentsReply",
    {
        "documents": int,
        "left_out": int,
        "secrets": Dict[str, int],
    },
    total=False,
)

EmbedReply = TypedDict(
    "EmbedReply",
    {
        "left": int,
        "looked_at": int,
        "made": int,
        "model": str,
        "nothing": int,
    },
    total=False,
)

EmotionSummaryReply = TypedDict(
    "EmotionSummaryReply",
    {
        "count": int,
        "episodes": int,
        "labels": List["LabelCount"],
        "mean_arousal": Optional[float],
        "mean_valence": Optional[float],
        "since": str,
        "weeks": List["FeltWeek"],
    },
    total=False,
)

EntitiesReply = TypedDict(
    "EntitiesReply",
    {
        "entities": List["Entity"],
        "more": bool,
        "total": int,
    },
    total=False,
)

Entity = TypedDict(
    "Entity",
    {
        "count": int,
        "first_seen": str,
        "kind": str,
        "kinds": Dict[str, int],
        "last_seen": str,
        "name": str,
        "type": str,
    },
    total=False,
)

EntityReply = TypedDict(
    "EntityReply",
    {
        "about": List["Memory"],
        "count": int,
        "first_seen": str,
        "kind": str,
        "kinds": Dict[str, int],
        "last_seen": str,
        "links": List["LinkView"],
        "more": bool,
        "name": str,
        "type": str,
    },
    total=False,
)

EntryProof = TypedDict(
    "EntryProof",
    {
        "decided": str,
        "missing": str,
        "span": str,
    },
    total=False,
)

EpisodeEvidence = TypedDict(
    "EpisodeEvidence",
    {
        "at": str,
        "by": str,
        "id": str,
        "lessons": List[str],
        "marks": List[str],
        "objective": str,
        "outcome": str,
        "text": str,
    },
    total=False,
)

Evidence = TypedDict(
    "Evidence",
    {
        "episodes": List["EpisodeEvidence"],
        "notes": List["NoteEvidence"],
        "raw_entries": List["RawEvidence"],
    },
    total=False,
)

EvidenceReply = TypedDict(
    "EvidenceReply",
    {
        "belief": "Node",
        "direct_episodes": int,
        "evidence": "Evidence",
        "missing": List[str],
        "no_longer_counts": List["FallenEvidence"],
        "said_in": List["Node"],
        "source_raw_entries": int,
        "total_evidence_count": int,
    },
    total=False,
)

ExportReply = TypedDict(
    "ExportReply",
    {
        "person": Optional[Dict[str, Any]],
        "purged": int,
        "records": int,
        "secrets": Dict[str, int],
    },
    total=False,
)

Factors = TypedDict(
    "Factors",
    {
        "recency": float,
        "relevance": float,
        "tier": float,
        "trust": float,
    },
    total=False,
)

Fallen = TypedDict(
    "Fallen",
    {
        "ref": str,
        "why": str,
    },
    total=False,
)

FallenEvidence = TypedDict(
    "FallenEvidence",
    {
        "at": str,
        "headline": str,
        "ref": str,
        "text": str,
        "why": str,
    },
    total=False,
)

Felt = TypedDict(
    "Felt",
    {
        "count": int,
        "labels": List["LabelCount"],
        "mean_arousal": Optional[float],
        "mean_valence": Optional[float],
    },
    total=False,
)

FeltWeek = TypedDict(
    "FeltWeek",
    {
        "count": int,
        "labels": List["LabelCount"],
        "mean_arousal": Optional[float],
        "mean_valence": Optional[float],
        "week": str,
    },
    total=False,
)

Finding = TypedDict(
    "Finding",
    {
        "agent": str,
        "author": str,
        "line": int,
        "ref": str,
        "status": str,
        "why": str,
    },
    total=False,
)

Followed = TypedDict(
    "Followed",
    {
        "at": str,
        "commit": str,
        "files": List[str],
        "host": str,
        "noted": str,
        "session": str,
    },
    total=False,
)

ForgetCandidate = TypedDict(
    "ForgetCandidate",
    {
        "at": str,
        "confidence": float,
        "created_at": str,
        "days_since_access": float,
        "formula": str,
        "half_life_days": float,
        "headline": str,
        "ref": str,
        "salience": float,
        "text": str,
        "times_accessed": int,
    },
    total=False,
)

ForgetKept = TypedDict(
    "ForgetKept",
    {
        "count": int,
        "reason": str,
    },
    total=False,
)

ForgetListReply = TypedDict(
    "ForgetListReply",
    {
        "forgotten": List["Forgotten"],
        "more": bool,
    },
    total=False,
)

ForgetReply = TypedDict(
    "ForgetReply",
    {
        "claim": str,
        "hint": str,
        "memories": List["Memory"],
    },
    total=False,
)

ForgetRunReply = TypedDict(
    "ForgetRunReply",
    {
        "by_age": bool,
        "candidates": List["ForgetCandidate"],
        "claims": List[str],
        "count": int,
        "half_life_days": float,
        "kept": List["ForgetKept"],
        "min_age_days": float,
        "more": bool,
        "purged": bool,
        "threshold": float,
    },
    total=False,
)

Forgotten = TypedDict(
    "Forgotten",
    {
        "about": List[str],
        "actionable": bool,
        "agent": str,
        "alias": List[str],
        "at": str,
        "author": str,
        "by": str,
        "claim": str,
        "code_refs": List[str],
        "confidence": float,
        "confidence_asserted": float,
        "content": Dict[str, Any],
        "created_at": str,
        "created_via": str,
        "derived_from": List[str],
        "disputed": bool,
        "doubt": str,
        "external": bool,
        "forgotten_at": str,
        "forgotten_by": str,
        "headline": str,
        "hidden": str,
        "id": str,
        "intensity": Optional[float],
        "is_active": bool,
        "last_verified": str,
        "level": str,
        "marks": List[str],
        "no_longer_counts": List["Fallen"],
        "not_actionable": str,
        "occurred_at": str,
        "origin": str,
        "progress": str,
        "protected": bool,
        "reason": str,
        "ref": str,
        "review": str,
        "reviewed_at": str,
        "reviewed_by": str,
        "session": str,
        "source": str,
        "source_created_at": str,
        "source_episodes": List[str],
        "source_type": str,
        "source_updated_at": str,
        "space": str,
        "status": str,
        "store": str,
        "success_rate": Optional[float],
        "successes": int,
        "superseded_by": str,
        "supersedes": List[str],
        "tags": List[str],
        "tainted": bool,
        "text": str,
        "tier": str,
        "trigger": str,
        "trust": Optional[float],
        "trust_flags": List[str],
        "type": str,
        "unverified": bool,
        "uses": int,
        "valid_from": str,
        "valid_until": str,
        "verification_count": int,
    },
    total=False,
)

ForkView = TypedDict(
    "ForkView",
    {
        "shown": "LinkEnd",
        "siblings": List["LinkEnd"],
    },
    total=False,
)

Forward = TypedDict(
    "Forward",
    {
        "derived": List["Node"],
    },
    total=False,
)

Gathered = TypedDict(
    "Gathered",
    {
        "form": str,
        "found": int,
        "more": bool,
        "names": List[str],
        "since": str,
        "until": str,
        "words": List[str],
    },
    total=False,
)

HeldGroup = TypedDict(
    "HeldGroup",
    {
        "count": int,
        "memories": List["Memory"],
        "one_by_one": List[str],
        "source": str,
    },
    total=False,
)

HeldReply = TypedDict(
    "HeldReply",
    {
        "held": Dict[str, str],
    },
    total=False,
)

HistoryReply = TypedDict(
    "HistoryReply",
    {
        "forked": bool,
        "ref": str,
        "revisions": List["Memory"],
    },
    total=False,
)

Holder = TypedDict(
    "Holder",
    {
        "at": str,
        "key": str,
        "name": str,
        "outside": bool,
    },
    total=False,
)

IdentityMemory = TypedDict(
    "IdentityMemory",
    {
        "about": List[str],
        "actionable": bool,
        "agent": str,
        "alias": List[str],
        "at": str,
        "author": str,
        "by": str,
        "code_refs": List[str],
        "confidence": float,
        "confidence_asserted": float,
        "confirmations": int,
        "content": Dict[str, Any],
        "created_at": str,
        "created_via": str,
        "derived_from": List[str],
        "disputed": bool,
        "disputes": int,
        "doubt": str,
        "evidence_count": int,
        "external": bool,
        "headline": str,
        "hidden": str,
        "id": str,
        "intensity": Optional[float],
        "is_active": bool,
        "last_verified": str,
        "level": str,
        "marks": List[str],
        "no_longer_counts": List["Fallen"],
        "not_actionable": str,
        "occurred_at": str,
        "origin": str,
        "progress": str,
        "protected": bool,
        "ref": str,
        "review": str,
        "reviewed_at": str,
        "reviewed_by": str,
        "session": str,
        "source": str,
        "source_count": int,
        "source_created_at": str,
        "source_episodes": List[str],
        "source_type": str,
        "source_updated_at": str,
        "space": str,
        "status": str,
        "store": str,
        "success_rate": Optional[float],
        "successes": int,
        "superseded_by": str,
        "supersedes": List[str],
        "tags": List[str],
        "tainted": bool,
        "text": str,
        "tier": str,
        "trigger": str,
        "trust": Optional[float],
        "trust_flags": List[str],
        "type": str,
        "unverified": bool,
        "uses": int,
        "valid_from": str,
        "valid_until": str,
        "verification_count": int,
    },
    total=False,
)

IdentityReply = TypedDict(
    "IdentityReply",
    {
        "beliefs": List["IdentityMemory"],
        "drives": List["IdentityMemory"],
        "goals": List["IdentityMemory"],
        "more": bool,
        "values": List["IdentityMemory"],
    },
    total=False,
)

ImportReply = TypedDict(
    "ImportReply",
    {
        "added": int,
        "already_there": int,
        "lines": int,
        "purged": int,
        "secrets": Dict[str, int],
    },
    total=False,
)

InferProvenanceReply = TypedDict(
    "InferProvenanceReply",
    {
        "applied": int,
        "legacy": int,
        "more": bool,
        "proposals": List["Inferred"],
        "total": int,
    },
    total=False,
)

Inferred = TypedDict(
    "Inferred",
    {
        "at": str,
        "headline": str,
        "link": str,
        "reason": str,
        "ref": str,
        "score": float,
        "shared": List[str],
        "source": str,
        "source_at": str,
        "source_headline": str,
        "source_text": str,
        "text": str,
    },
    total=False,
)

IngestReply = TypedDict(
    "IngestReply",
    {
        "added": int,
        "already_there": int,
        "by_kind": Dict[str, int],
        "changed": int,
        "changes": List[Dict[str, Any]],
        "purged": int,
        "read": int,
        "redacted": Dict[str, int],
        "rejected": List[Dict[str, Any]],
    },
    total=False,
)

InitReply = TypedDict(
    "InitReply",
    {
        "agent": str,
        "fingerprint": str,
        "owner": str,
        "space": str,
    },
    total=False,
)

IntroduceReply = TypedDict(
    "IntroduceReply",
    {
        "claim": str,
        "fingerprint": str,
        "key": str,
        "name": str,
    },
    total=False,
)

InvitationCode = TypedDict(
    "InvitationCode",
    {
        "code": str,
        "id": str,
    },
    total=False,
)

JobCount = TypedDict(
    "JobCount",
    {
        "done": int,
        "gave_up": int,
        "open": int,
    },
    total=False,
)

JobInfo = TypedDict(
    "JobInfo",
    {
        "due": str,
        "key": str,
        "made": str,
        "note": str,
        "space": str,
        "state": str,
        "task": str,
        "tries": int,
    },
    total=False,
)

JobsReply = TypedDict(
    "JobsReply",
    {
        "jobs": List["JobInfo"],
        "more": bool,
        "open": int,
    },
    total=False,
)

JudgeCandidate = TypedDict(
    "JudgeCandidate",
    {
        "at": str,
        "created_at": str,
        "headline": str,
        "number": int,
        "ref": str,
        "text": str,
    },
    total=False,
)

JudgeReply = TypedDict(
    "JudgeReply",
    {
        "link": "LinkView",
        "ref": str,
    },
    total=False,
)

Judging = TypedDict(
    "Judging",
    {
        "candidates": List["JudgeCandidate"],
        "headline": str,
        "ref": str,
        "text": str,
    },
    total=False,
)

KeptSecret = TypedDict(
    "KeptSecret",
    {
        "fix": str,
        "found": List["Redaction"],
        "ref": str,
    },
    total=False,
)

KeyInfo = TypedDict(
    "KeyInfo",
    {
        "by": str,
        "calls_itself": str,
        "delegation": str,
        "ended": str,
        "expires": str,
        "fingerprint": str,
        "key": str,
        "name": str,
        "origins": List[str],
        "place": str,
        "principal": str,
        "recovery": bool,
        "role": str,
        "scope": str,
    },
    total=False,
)

KeyReply = TypedDict(
    "KeyReply",
    {
        "by": str,
        "calls_itself": str,
        "claim": str,
        "claims": List[str],
        "delegation": str,
        "ended": str,
        "expires": str,
        "file": str,
        "fingerprint": str,
        "hint": str,
        "key": str,
        "name": str,
        "origins": List[str],
        "phrase": str,
        "place": str,
        "principal": str,
        "public": str,
        "recovery": bool,
        "role": str,
        "scope": str,
        "wrote": List[str],
        "wrote_more": bool,
    },
    total=False,
)

KeysReply = TypedDict(
    "KeysReply",
    {
        "keys": List["KeyInfo"],
    },
    total=False,
)

KindCount = TypedDict(
    "KindCount",
    {
        "kind": str,
        "live": int,
        "total": int,
    },
    total=False,
)

LabelCount = TypedDict(
    "LabelCount",
    {
        "count": int,
        "label": str,
    },
    total=False,
)

LettersReply = TypedDict(
    "LettersReply",
    {
        "answers": int,
        "remote": str,
        "requests": List["WaitingAsked"],
    },
    total=False,
)

Line = TypedDict(
    "Line",
    {
        "agent": str,
        "at": str,
        "author": str,
        "decisions": List["Decided"],
        "line": int,
        "missing": List[str],
        "owner": str,
        "ref": str,
        "rests": List[str],
        "speaker": str,
        "status": str,
        "why": str,
        "words": str,
    },
    total=False,
)

LinkEnd = TypedDict(
    "LinkEnd",
    {
        "at": str,
        "by": str,
        "created_at": str,
        "headline": str,
        "hidden": str,
        "marks": List[str],
        "ref": str,
        "speaker": str,
        "text": str,
        "was": str,
    },
    total=False,
)

LinkView = TypedDict(
    "LinkView",
    {
        "confidence": float,
        "created_at": str,
        "decisions": List["Decision"],
        "detector": str,
        "ended": str,
        "for": str,
        "model": str,
        "new": "LinkEnd",
        "old": "LinkEnd",
        "one_by_one": bool,
        "reason": str,
        "ref": str,
        "relation": str,
        "state": str,
    },
    total=False,
)

ListReply = TypedDict(
    "ListReply",
    {
        "hint": str,
        "left_out": int,
        "memories": List["Memory"],
        "more": bool,
        "waiting": List["WaitingGroup"],
    },
    total=False,
)

LogFinding = TypedDict(
    "LogFinding",
    {
        "origin": str,
        "records": int,
        "signed": List["Holder"],
        "size": int,
        "space": str,
        "status": str,
        "why": str,
    },
    total=False,
)

LogFork = TypedDict(
    "LogFork",
    {
        "after": int,
        "by": int,
        "here": str,
        "there": str,
    },
    total=False,
)

MarkReply = TypedDict(
    "MarkReply",
    {
        "claim": str,
        "memory": "Memory",
    },
    total=False,
)

Memory = TypedDict(
    "Memory",
    {
        "about": List[str],
        "actionable": bool,
        "agent": str,
        "alias": List[str],
        "at": str,
        "author": str,
        "by": str,
        "code_refs": List[str],
        "confidence": float,
        "confidence_asserted": float,
        "content": Dict[str, Any],
        "created_at": str,
        "created_via": str,
        "derived_from": List[str],
        "disputed": bool,
        "doubt": str,
        "external": bool,
        "headline": str,
        "hidden": str,
        "id": str,
        "intensity": Optional[float],
        "is_active": bool,
        "last_verified": str,
        "level": str,
        "marks": List[str],
        "no_longer_counts": List["Fallen"],
        "not_actionable": str,
        "occurred_at": str,
        "origin": str,
        "progress": str,
        "protected": bool,
        "ref": str,
        "review": str,
        "reviewed_at": str,
        "reviewed_by": str,
        "session": str,
        "source": str,
        "source_created_at": str,
        "source_episodes": List[str],
        "source_type": str,
        "source_updated_at": str,
        "space": str,
        "status": str,
        "store": str,
        "success_rate": Optional[float],
        "successes": int,
        "superseded_by": str,
        "supersedes": List[str],
        "tags": List[str],
        "tainted": bool,
        "text": str,
        "tier": str,
        "trigger": str,
        "trust": Optional[float],
        "trust_flags": List[str],
        "type": str,
        "unverified": bool,
        "uses": int,
        "valid_from": str,
        "valid_until": str,
        "verification_count": int,
    },
    total=False,
)

Node = TypedDict(
    "Node",
    {
        "at": str,
        "blob": str,
        "by": str,
        "captured_at": str,
        "confidence": float,
        "content": str,
        "created_at": str,
        "derived": List["Node"],
        "disputed": bool,
        "doubt": str,
        "hidden": str,
        "id": str,
        "inferred": bool,
        "intensity": Optional[float],
        "marks": List[str],
        "missing": bool,
        "occurred_at": str,
        "of": str,
        "progress": str,
        "reason": str,
        "said_in": bool,
        "seen": bool,
        "source": str,
        "source_type": str,
        "sources": List["Node"],
        "speaker": str,
        "statement": str,
        "status": str,
        "text": str,
        "tier": str,
        "title": str,
        "type": str,
    },
    total=False,
)

NotTaken = TypedDict(
    "NotTaken",
    {
        "count": int,
        "id": str,
        "peer": str,
        "remote": str,
        "space": str,
        "there": bool,
        "why": str,
    },
    total=False,
)

NoteEvidence = TypedDict(
    "NoteEvidence",
    {
        "at": str,
        "by": str,
        "content": str,
        "id": str,
        "marks": List[str],
        "note_type": str,
        "text": str,
    },
    total=False,
)

Pending = TypedDict(
    "Pending",
    {
        "about": List[str],
        "actionable": bool,
        "agent": str,
        "alias": List[str],
        "asks": bool,
        "at": str,
        "author": str,
        "by": str,
        "code_refs": List[str],
        "conditions": List["Condition"],
        "confidence": float,
        "confidence_asserted": float,
        "content": Dict[str, Any],
        "created_at": str,
        "created_via": str,
        "derived_from": List[str],
        "disputed": bool,
        "doubt": str,
        "external": bool,
        "headline": str,
        "hidden": str,
        "id": str,
        "intensity": Optional[float],
        "is_active": bool,
        "last_verified": str,
        "level": str,
        "marks": List[str],
        "near": List["Source"],
        "no_longer_counts": List["Fallen"],
        "not_actionable": str,
        "occurred_at": str,
        "one_by_one": bool,
        "origin": str,
        "progress": str,
        "protected": bool,
        "ref": str,
        "rejected_before": "Rejection",
        "review": str,
        "reviewed_at": str,
        "reviewed_by": str,
        "session": str,
        "source": str,
        "source_created_at": str,
        "source_episodes": List[str],
        "source_type": str,
        "source_updated_at": str,
        "sources": List["Source"],
        "space": str,
        "status": str,
        "store": str,
        "success_rate": Optional[float],
        "successes": int,
        "superseded_by": str,
        "supersedes": List[str],
        "tags": List[str],
        "tainted": bool,
        "text": str,
        "tier": str,
        "trigger": str,
        "trust": Optional[float],
        "trust_flags": List[str],
        "type": str,
        "unverified": bool,
        "uses": int,
        "valid_from": str,
        "valid_until": str,
        "verification_count": int,
        "why": str,
    },
    total=False,
)

PersonList = TypedDict(
    "PersonList",
    {
        "by_kind": Dict[str, int],
        "digest": str,
        "entities": List["PersonName"],
        "others": int,
        "records": List["PersonRecord"],
        "repeats": List["PersonRecord"],
        "repeats_more": int,
        "stays": List["PersonRecord"],
        "unsure": List["PersonRecord"],
    },
    total=False,
)

PersonName = TypedDict(
    "PersonName",
    {
        "count": int,
        "name": str,
        "ref": str,
        "shared": bool,
    },
    total=False,
)

PersonRecord = TypedDict(
    "PersonRecord",
    {
        "headline": str,
        "others": List[str],
        "ref": str,
        "space": str,
        "why": str,
    },
    total=False,
)

PlaybookFindReply = TypedDict(
    "PlaybookFindReply",
    {
        "playbooks": List["PlaybookFound"],
        "receipt": str,
        "situation": str,
        "warnings": List[str],
    },
    total=False,
)

PlaybookFound = TypedDict(
    "PlaybookFound",
    {
        "about": List[str],
        "actionable": bool,
        "agent": str,
        "alias": List[str],
        "at": str,
        "author": str,
        "by": str,
        "code_refs": List[str],
        "confidence": float,
        "confidence_asserted": float,
        "content": Dict[str, Any],
        "created_at": str,
        "created_via": str,
        "derived_from": List[str],
        "disputed": bool,
        "doubt": str,
        "external": bool,
        "headline": str,
        "hidden": str,
        "id": str,
        "intensity": Optional[float],
        "is_active": bool,
        "last_verified": str,
        "level": str,
        "marks": List[str],
        "no_longer_counts": List["Fallen"],
        "not_actionable": str,
        "occurred_at": str,
        "origin": str,
        "progress": str,
        "protected": bool,
        "rank": int,
        "ref": str,
        "review": str,
        "reviewed_at": str,
        "reviewed_by": str,
        "score": float,
        "session": str,
        "source": str,
        "source_created_at": str,
        "source_episodes": List[str],
        "source_type": str,
        "source_updated_at": str,
        "space": str,
        "status": str,
        "store": str,
        "success_rate": Optional[float],
        "successes": int,
        "superseded_by": str,
        "supersedes": List[str],
        "tags": List[str],
        "tainted": bool,
        "text": str,
        "tier": str,
        "trigger": str,
        "trust": Optional[float],
        "trust_flags": List[str],
        "type": str,
        "unverified": bool,
        "uses": int,
        "valid_from": str,
        "valid_until": str,
        "verification_count": int,
    },
    total=False,
)

Problem = TypedDict(
    "Problem",
    {
        "changed": Optional[List[Dict[str, Any]]],
        "detail": str,
        "kind": str,
        "status": int,
        "title": str,
        "type": str,
    },
    total=False,
)

ProcessReply = TypedDict(
    "ProcessReply",
    {
        "done": int,
        "gave_up": int,
        "later": int,
        "links": int,
        "memories": int,
        "notes": List[str],
        "open": int,
        "raws": int,
        "rejected_before": List["Rejection"],
        "said_again": int,
        "sessions": int,
    },
    total=False,
)

Processed = TypedDict(
    "Processed",
    {
        "processed": int,
        "unprocessed": int,
    },
    total=False,
)

ProveReply = TypedDict(
    "ProveReply",
    {
        "hashes": List[str],
        "index": int,
        "note": str,
        "old_size": int,
        "origin": str,
        "ref": str,
        "root": str,
        "size": int,
        "space": str,
    },
    total=False,
)

ProvenanceReply = TypedDict(
    "ProvenanceReply",
    {
        "author": str,
        "confidence_history": List["ConfidenceChange"],
        "consolidation_id": str,
        "created_at": str,
        "created_via": str,
        "derived_from": List[str],
        "derived_into": List[str],
        "hidden": str,
        "origin": str,
        "promotion_context": str,
        "ref": str,
        "run": str,
        "session": str,
        "source_episodes": List[str],
        "source_memory_refs": List[str],
        "source_raw_ids": List[str],
        "source_type": str,
        "superseded_by": str,
        "supersedes": List[str],
    },
    total=False,
)

PurgeMachine = TypedDict(
    "PurgeMachine",
    {
        "account": str,
        "label": str,
        "left": str,
        "name": str,
        "said": str,
        "seen": str,
        "state": str,
        "store": str,
        "token": str,
    },
    total=False,
)

PurgeOutcome = TypedDict(
    "PurgeOutcome",
    {
        "before": bool,
        "certificate": str,
        "copies": int,
        "erased": Dict[str, int],
        "found": int,
        "found_before": int,
        "found_in": List[str],
        "probes": int,
        "unreached": List["PurgeUnreached"],
    },
    total=False,
)

PurgeRemote = TypedDict(
    "PurgeRemote",
    {
        "confirmed": int,
        "machines": int,
        "note": str,
        "open": List["PurgeMachine"],
        "part": str,
        "remote": str,
        "space": str,
        "state": str,
    },
    total=False,
)

PurgeReply = TypedDict(
    "PurgeReply",
    {
        "claim": str,
        "goes": List["Affected"],
        "here": List["PurgedRecord"],
        "outcome": "PurgeOutcome",
        "pending": int,
        "person": "PersonList",
        "purged": List[str],
        "remotes": List["PurgeRemote"],
        "rests_on_them": List["Affected"],
    },
    total=False,
)

PurgeUnreached = TypedDict(
    "PurgeUnreached",
    {
        "count": int,
        "what": str,
        "where": str,
        "why": str,
    },
    total=False,
)

PurgedRecord = TypedDict(
    "PurgedRecord",
    {
        "at": str,
        "by": str,
        "claim": str,
        "ref": str,
        "space": str,
    },
    total=False,
)

QuarantineReply = TypedDict(
    "QuarantineReply",
    {
        "claims": List[str],
        "count": int,
        "hint": str,
        "records": List["Affected"],
        "survives": List["Affected"],
        "target": str,
    },
    total=False,
)

Ranking = TypedDict(
    "Ranking",
    {
        "recency": float,
        "tier": float,
        "trust": float,
    },
    total=False,
)

RawEvidence = TypedDict(
    "RawEvidence",
    {
        "at": str,
        "blob": str,
        "by": str,
        "captured_at": str,
        "id": str,
        "marks": List[str],
        "occurred_at": str,
        "purged": bool,
        "speaker": str,
    },
    total=False,
)

RecallReply = TypedDict(
    "RecallReply",
    {
        "as_of": str,
        "budget": int,
        "constraints": List["Recalled"],
        "gathered": "Gathered",
        "left_out": int,
        "note": str,
        "proofs": str,
        "query": str,
        "receipt": str,
        "results": List["Recalled"],
        "start": str,
        "warnings": List[str],
        "without": "RecallWithout",
    },
    total=False,
)

RecallWithout = TypedDict(
    "RecallWithout",
    {
        "answer": "RecallReply",
        "differs": List["Difference"],
        "hidden": int,
        "hint": str,
        "targets": List[str],
    },
    total=False,
)

Recalled = TypedDict(
    "Recalled",
    {
        "actionable": bool,
        "after": List["Turn"],
        "alias": List[str],
        "at": str,
        "before": List["Turn"],
        "by": str,
        "code": str,
        "confidence": float,
        "created_at": str,
        "cut": bool,
        "disputed": bool,
        "doubt": str,
        "external": bool,
        "factors": "Factors",
        "from": str,
        "group": str,
        "hidden": str,
        "id": str,
        "intensity": Optional[float],
        "level": str,
        "marks": List[str],
        "no_longer_counts": int,
        "not_actionable": str,
        "occurred_at": str,
        "origin": str,
        "perhaps": bool,
        "progress": str,
        "proof": "EntryProof",
        "rank": int,
        "ref": str,
        "remote": str,
        "review": str,
        "score": float,
        "session": str,
        "source": str,
        "speaker": str,
        "status": str,
        "store": str,
        "tainted": bool,
        "text": str,
        "tier": str,
        "trust": float,
        "type": str,
        "undecided": List[str],
        "until": str,
        "unverified": bool,
        "weak": bool,
        "why": "Why",
        "wording": List[str],
        "words": int,
    },
    total=False,
)

Receipt = TypedDict(
    "Receipt",
    {
        "agent": str,
        "at": str,
        "embedder": str,
        "id": str,
        "key": str,
        "op": str,
        "origin": str,
        "path": str,
        "query": str,
        "request": Any,
        "results": List["Receipted"],
        "session": str,
        "space": str,
        "store": str,
        "warnings": List[str],
        "withheld": List["Withheld"],
    },
    total=False,
)

Receipted = TypedDict(
    "Receipted",
    {
        "external": bool,
        "factors": "Factors",
        "level": str,
        "rank": int,
        "ref": str,
        "remote": str,
        "review": str,
        "score": float,
        "signature": str,
        "text": str,
        "tier": str,
    },
    total=False,
)

ReceiptsReply = TypedDict(
    "ReceiptsReply",
    {
        "more": bool,
        "receipts": List["Receipt"],
        "unreadable": int,
    },
    total=False,
)

Redaction = TypedDict(
    "Redaction",
    {
        "field": str,
        "rule": str,
    },
    total=False,
)

ReinforceReply = TypedDict(
    "ReinforceReply",
    {
        "because": List[str],
        "claim": str,
        "confidence": float,
        "confidence_before": float,
        "headline": str,
        "ref": str,
    },
    total=False,
)

Rejection = TypedDict(
    "Rejection",
    {
        "alike": bool,
        "at": str,
        "headline": str,
        "quarantined": bool,
        "raw": str,
        "reason": str,
        "ref": str,
        "rejected_at": str,
        "rejected_by": str,
        "text": str,
    },
    total=False,
)

Related = TypedDict(
    "Related",
    {
        "at": str,
        "by": str,
        "created_at": str,
        "depth": int,
        "headline": str,
        "id": str,
        "intensity": Optional[float],
        "marks": List[str],
        "progress": str,
        "relationship": str,
        "speaker": str,
        "status": str,
        "text": str,
        "type": str,
    },
    total=False,
)

RelatedReply = TypedDict(
    "RelatedReply",
    {
        "ref": str,
        "related": List["Related"],
    },
    total=False,
)

RelationshipEntry = TypedDict(
    "RelationshipEntry",
    {
        "at": str,
        "headline": str,
        "hidden": str,
        "how": str,
        "marks": List[str],
        "ref": str,
        "sentiment": Optional[float],
        "text": str,
        "type": str,
    },
    total=False,
)

RelationshipHistoryReply = TypedDict(
    "RelationshipHistoryReply",
    {
        "entries": List["RelationshipEntry"],
        "more": bool,
        "name": str,
        "sentiment": Optional[float],
        "sentiments": List["SentimentChange"],
    },
    total=False,
)

RememberReply = TypedDict(
    "RememberReply",
    {
        "code_refs": List[str],
        "consolidation_id": str,
        "created_at": str,
        "derived_from": List[str],
        "entities": List["Entity"],
        "existing": bool,
        "headline": str,
        "hint": str,
        "id": str,
        "jobs": List[str],
        "judge": List["Judging"],
        "link": str,
        "links": List["LinkView"],
        "memories": List["Memory"],
        "near": List["Memory"],
        "not_kept": List[str],
        "notes": List[str],
        "redacted": List["Redaction"],
        "ref": str,
        "rejected": "Rejection",
        "rejected_before": List["Rejection"],
        "said_again": List["SaidAgain"],
        "stays": List[str],
        "superseded": List[str],
        "type": str,
    },
    total=False,
)

Remote = TypedDict(
    "Remote",
    {
        "address": str,
        "also": List[str],
        "keepers": List["RemoteMember"],
        "kinds": List[str],
        "lag": "SyncLag",
        "name": str,
        "raw": bool,
        "search": bool,
        "spaces": List[str],
        "store": str,
        "sync": "SyncState",
        "tags": List[str],
        "whose": str,
    },
    total=False,
)

RemoteCompareReply = TypedDict(
    "RemoteCompareReply",
    {
        "failed": int,
        "logs": List["RemoteCompared"],
        "remote": str,
        "split": int,
    },
    total=False,
)

RemoteCompared = TypedDict(
    "RemoteCompared",
    {
        "here": "RemoteLog",
        "key": str,
        "problem": str,
        "split": bool,
        "there": "RemoteLog",
    },
    total=False,
)

RemoteInvitation = TypedDict(
    "RemoteInvitation",
    {
        "address": str,
        "code": str,
        "expires": str,
        "id": str,
        "more": List["InvitationCode"],
        "remote": str,
        "role": str,
        "space": str,
    },
    total=False,
)

RemoteLog = TypedDict(
    "RemoteLog",
    {
        "note": str,
        "root": str,
        "size": int,
        "space": str,
        "withheld": List[str],
        "withheld_more": bool,
    },
    total=False,
)

RemoteMember = TypedDict(
    "RemoteMember",
    {
        "accepted": bool,
        "account": str,
        "calls": str,
        "name": str,
        "role": str,
        "since": str,
        "space": str,
        "vouches": int,
    },
    total=False,
)

RemoteMembersReply = TypedDict(
    "RemoteMembersReply",
    {
        "files": List[Any],
        "invited": List["RemoteOpen"],
        "members": List["RemoteMember"],
        "remote": str,
        "services": List["RemoteService"],
        "space": str,
    },
    total=False,
)

RemoteOpen = TypedDict(
    "RemoteOpen",
    {
        "by": str,
        "expires": str,
        "id": str,
        "role": str,
    },
    total=False,
)

RemotePeer = TypedDict(
    "RemotePeer",
    {
        "key": str,
        "logs": List["RemoteLog"],
        "name": str,
    },
    total=False,
)

RemoteReply = TypedDict(
    "RemoteReply",
    {
        "remotes": List["Remote"],
    },
    total=False,
)

RemoteService = TypedDict(
    "RemoteService",
    {
        "account": str,
        "by": str,
        "expires": str,
        "made": str,
        "name": str,
        "places": List["ServicePlace"],
        "revoked": str,
        "stored": List["SpaceCount"],
        "tokens": List["ServiceToken"],
    },
    total=False,
)

RemoteView = TypedDict(
    "RemoteView",
    {
        "peers": List["RemotePeer"],
        "remote": str,
    },
    total=False,
)

Repaired = TypedDict(
    "Repaired",
    {
        "columns": int,
        "edges": int,
        "left": List[str],
        "records": int,
        "states": int,
    },
    total=False,
)

Replacement = TypedDict(
    "Replacement",
    {
        "is": int,
        "reason": str,
        "ref": str,
        "text": str,
        "was": int,
    },
    total=False,
)

ReplayReply = TypedDict(
    "ReplayReply",
    {
        "changes": List["Replacement"],
        "now": List["Receipted"],
        "receipt": "Receipt",
    },
    total=False,
)

Report = TypedDict(
    "Report",
    {
        "counts": Dict[str, int],
        "elapsed_ns": int,
        "horizon": str,
        "lines": List["Line"],
        "lines_more": int,
        "logs": List["LogFinding"],
        "no_bundle": str,
        "offenders": List["Finding"],
        "roots": List["Root"],
        "statements": int,
    },
    total=False,
)

ReputationReply = TypedDict(
    "ReputationReply",
    {
        "agent_id": str,
        "known": bool,
        "name": str,
        "refuted": int,
        "reputation": float,
        "upheld": int,
    },
    total=False,
)

ResolveReply = TypedDict(
    "ResolveReply",
    {
        "claim": str,
        "link": "LinkView",
        "memory": "WriteReply",
    },
    total=False,
)

Result = TypedDict(
    "Result",
    {
        "actionable": bool,
        "alias": List[str],
        "at": str,
        "by": str,
        "confidence": float,
        "created_at": str,
        "cut": bool,
        "disputed": bool,
        "doubt": str,
        "external": bool,
        "factors": "Factors",
        "from": str,
        "group": str,
        "hidden": str,
        "id": str,
        "intensity": Optional[float],
        "level": str,
        "marks": List[str],
        "no_longer_counts": int,
        "not_actionable": str,
        "occurred_at": str,
        "origin": str,
        "perhaps": bool,
        "progress": str,
        "rank": int,
        "ref": str,
        "remote": str,
        "review": str,
        "score": float,
        "session": str,
        "source": str,
        "speaker": str,
        "status": str,
        "store": str,
        "tainted": bool,
        "text": str,
        "tier": str,
        "trust": float,
        "type": str,
        "undecided": List[str],
        "until": str,
        "unverified": bool,
        "weak": bool,
        "why": "Why",
        "wording": List[str],
        "words": int,
    },
    total=False,
)

ReviewReply = TypedDict(
    "ReviewReply",
    {
        "held_back": List["HeldGroup"],
        "more": bool,
        "pending": List["Pending"],
        "prompts_not_kept": "Counted",
        "prompts_waiting": "Counted",
        "proposals": Dict[str, int],
    },
    total=False,
)

ReviseBeliefsReply = TypedDict(
    "ReviseBeliefsReply",
    {
        "beliefs": int,
        "by": str,
        "episode": str,
        "headline": str,
        "moved_before": int,
        "moves": List["BeliefMove"],
        "notes": List[str],
    },
    total=False,
)

Root = TypedDict(
    "Root",
    {
        "did": str,
        "fingerprint": str,
        "name": str,
        "statements": int,
    },
    total=False,
)

RunJobsReply = TypedDict(
    "RunJobsReply",
    {
        "done": int,
        "gave_up": int,
        "later": int,
        "links": int,
        "memories": int,
        "notes": List[str],
        "open": int,
        "rejected_before": List["Rejection"],
        "said_again": int,
    },
    total=False,
)

SaidAgain = TypedDict(
    "SaidAgain",
    {
        "about": List[str],
        "actionable": bool,
        "agent": str,
        "alias": List[str],
        "at": str,
        "author": str,
        "by": str,
        "code_refs": List[str],
        "confidence": float,
        "confidence_asserted": float,
        "content": Dict[str, Any],
        "created_at": str,
        "created_via": str,
        "derived_from": List[str],
        "disputed": bool,
        "doubt": str,
        "external": bool,
        "headline": str,
        "hidden": str,
        "id": str,
        "intensity": Optional[float],
        "is_active": bool,
        "last_verified": str,
        "level": str,
        "marks": List[str],
        "no_longer_counts": List["Fallen"],
        "not_actionable": str,
        "occurred_at": str,
        "origin": str,
        "progress": str,
        "protected": bool,
        "raw": str,
        "ref": str,
        "review": str,
        "reviewed_at": str,
        "reviewed_by": str,
        "session": str,
        "source": str,
        "source_created_at": str,
        "source_episodes": List[str],
        "source_type": str,
        "source_updated_at": str,
        "space": str,
        "status": str,
        "store": str,
        "success_rate": Optional[float],
        "successes": int,
        "superseded_by": str,
        "supersedes": List[str],
        "tags": List[str],
        "tainted": bool,
        "text": str,
        "tier": str,
        "trigger": str,
        "trust": Optional[float],
        "trust_flags": List[str],
        "type": str,
        "unverified": bool,
        "uses": int,
        "valid_from": str,
        "valid_until": str,
        "verification_count": int,
    },
    total=False,
)

SearchReply = TypedDict(
    "SearchReply",
    {
        "as_of": str,
        "asked": List["Asked"],
        "embedder": str,
        "gathered": "Gathered",
        "note": str,
        "query": str,
        "receipt": str,
        "results": List["Result"],
        "warnings": List[str],
    },
    total=False,
)

SentimentChange = TypedDict(
    "SentimentChange",
    {
        "at": str,
        "ref": str,
        "sentiment": float,
    },
    total=False,
)

ServicePlace = TypedDict(
    "ServicePlace",
    {
        "role": str,
        "space": str,
    },
    total=False,
)

ServiceToken = TypedDict(
    "ServiceToken",
    {
        "address": str,
        "id": str,
        "label": str,
        "revoked": bool,
        "used": str,
    },
    total=False,
)

ShowReply = TypedDict(
    "ShowReply",
    {
        "about": List[str],
        "actionable": bool,
        "agent": str,
        "alias": List[str],
        "at": str,
        "author": str,
        "by": str,
        "claims": List["Claim"],
        "code": List["CheckedRef"],
        "code_refs": List[str],
        "code_state": str,
        "conditions": List["Condition"],
        "confidence": float,
        "confidence_asserted": float,
        "content": Dict[str, Any],
        "created_at": str,
        "created_via": str,
        "decisions": List["Decision"],
        "derived_from": List[str],
        "derived_into": List[str],
        "disputed": bool,
        "doubt": str,
        "external": bool,
        "headline": str,
        "hidden": str,
        "id": str,
        "intensity": Optional[float],
        "is_active": bool,
        "last_verified": str,
        "level": str,
        "links": List["LinkView"],
        "marks": List[str],
        "no_longer_counts": List["Fallen"],
        "not_actionable": str,
        "occurred_at": str,
        "origin": str,
        "processed_into": List[str],
        "progress": str,
        "protected": bool,
        "ref": str,
        "review": str,
        "reviewed_at": str,
        "reviewed_by": str,
        "session": str,
        "source": str,
        "source_created_at": str,
        "source_episodes": List[str],
        "source_type": str,
        "source_updated_at": str,
        "space": str,
        "status": str,
        "store": str,
        "success_rate": Optional[float],
        "successes": int,
        "superseded_by": str,
        "supersedes": List[str],
        "tags": List[str],
        "tainted": bool,
        "text": str,
        "tier": str,
        "trigger": str,
        "trust": Optional[float],
        "trust_flags": List[str],
        "type": str,
        "unverified": bool,
        "upstream": List["TrustUpstream"],
        "uses": int,
        "valid_from": str,
        "valid_until": str,
        "verification_count": int,
    },
    total=False,
)

Source = TypedDict(
    "Source",
    {
        "at": str,
        "headline": str,
        "ref": str,
        "speaker": str,
        "text": str,
    },
    total=False,
)

SpaceCount = TypedDict(
    "SpaceCount",
    {
        "records": int,
        "space": str,
    },
    total=False,
)

StatsReply = TypedDict(
    "StatsReply",
    {
        "bytes": int,
        "claims": List["KindCount"],
        "edges": int,
        "jobs": "JobCount",
        "links": Dict[str, int],
        "memories": List["KindCount"],
        "missing": int,
        "model": Dict[str, int],
        "purged": int,
        "raws": "Processed",
        "records": int,
        "spaces": List["SpaceCount"],
    },
    total=False,
)

StatusReply = TypedDict(
    "StatusReply",
    {
        "embedder": str,
        "encrypted": bool,
        "held_back": "Counted",
        "last_capture": str,
        "memories": List["KindCount"],
        "needs_verification": "Counted",
        "open_conflicts": "Counted",
        "open_jobs": int,
        "pending_reviews": "Counted",
        "prompts_not_kept": "Counted",
        "prompts_waiting": "Counted",
        "proposals": Dict[str, int],
        "records": int,
        "remotes": List["Remote"],
        "uncertain": "Counted",
        "unprocessed_raws": int,
        "without_vector": int,
    },
    total=False,
)

Suggestion = TypedDict(
    "Suggestion",
    {
        "at": str,
        "by": str,
        "created_at": str,
        "headline": str,
        "link": "LinkView",
        "ref": str,
        "sources": List["Source"],
        "text": str,
        "type": str,
    },
    total=False,
)

SuggestionReply = TypedDict(
    "SuggestionReply",
    {
        "link": "LinkView",
        "memories": List["Memory"],
        "memory": "WriteReply",
    },
    total=False,
)

SuggestionsReply = TypedDict(
    "SuggestionsReply",
    {
        "more": bool,
        "suggestions": List["Suggestion"],
    },
    total=False,
)

Support = TypedDict(
    "Support",
    {
        "origins": int,
        "sources": int,
    },
    total=False,
)

SyncLag = TypedDict(
    "SyncLag",
    {
        "about": bool,
        "failed": str,
        "failure": str,
        "next": str,
        "seconds": Optional[int],
        "unpulled": int,
        "unpushed": int,
    },
    total=False,
)

SyncPeer = TypedDict(
    "SyncPeer",
    {
        "answers": List[str],
        "code": str,
        "name": str,
        "problem": str,
        "spaces": List["SyncSpace"],
        "unfit": List["SyncRefuse"],
        "waiting": int,
    },
    total=False,
)

SyncRefuse = TypedDict(
    "SyncRefuse",
    {
        "id": str,
        "why": str,
    },
    total=False,
)

SyncReply = TypedDict(
    "SyncReply",
    {
        "busy": bool,
        "failed": int,
        "kept_back": List[str],
        "peers": List["SyncPeer"],
        "pulled": int,
        "pushed": int,
        "reasons": List["NotTaken"],
        "remote": str,
        "uncounted": List["UncountedDecisions"],
        "withheld": int,
    },
    total=False,
)

SyncSpace = TypedDict(
    "SyncSpace",
    {
        "back": List["SyncRefuse"],
        "code": str,
        "cosigned": int,
        "kept": bool,
        "problem": str,
        "pulled": int,
        "pushed": int,
        "refused": List["SyncRefuse"],
        "size": int,
        "space": str,
        "withheld": List[str],
        "withheld_more": bool,
    },
    total=False,
)

SyncState = TypedDict(
    "SyncState",
    {
        "failures": int,
        "last": str,
        "problem": str,
        "tried": str,
    },
    total=False,
)

SynthesizeReply = TypedDict(
    "SynthesizeReply",
    {
        "links": List["LinkView"],
        "looked_at": int,
        "memories": List["Memory"],
        "notes": List[str],
        "proposed_before": int,
        "what": str,
    },
    total=False,
)

TaintReply = TypedDict(
    "TaintReply",
    {
        "affected": List["Affected"],
        "affected_count": int,
        "followed": List["Followed"],
        "roots": List[str],
        "survives": List["Affected"],
        "survives_count": int,
        "target": str,
    },
    total=False,
)

TraceDocumentReply = TypedDict(
    "TraceDocumentReply",
    {
        "document": str,
        "more": bool,
        "records": int,
    },
    total=False,
)

TraceReply = TypedDict(
    "TraceReply",
    {
        "backward": "Backward",
        "deeper": bool,
        "forward": "Forward",
        "links": List["LinkView"],
        "memory": "Node",
        "next": int,
    },
    total=False,
)

TrustAnchor = TypedDict(
    "TrustAnchor",
    {
        "bound": bool,
        "by": str,
        "checked_at": str,
        "class": str,
        "counts": bool,
        "ref": str,
        "reference": str,
        "status": str,
        "type": str,
        "why": str,
    },
    total=False,
)

TrustLimit = TypedDict(
    "TrustLimit",
    {
        "headline": str,
        "in_force": bool,
        "level": str,
        "ref": str,
        "score": float,
        "text": str,
    },
    total=False,
)

TrustOpinion = TypedDict(
    "TrustOpinion",
    {
        "belief": float,
        "disbelief": float,
        "uncertainty": float,
    },
    total=False,
)

TrustRecord = TypedDict(
    "TrustRecord",
    {
        "refuted": int,
        "upheld": int,
        "value": float,
    },
    total=False,
)

TrustReply = TypedDict(
    "TrustReply",
    {
        "actionable": bool,
        "anchors": List["TrustAnchor"],
        "at": str,
        "author": str,
        "author_reputation": "TrustRecord",
        "controller": str,
        "flags": List[str],
        "headline": str,
        "level": str,
        "level_by_range": str,
        "limit": "TrustLimit",
        "name": str,
        "not_actionable": str,
        "opinion": "TrustOpinion",
        "origin": str,
        "policy": str,
        "raw": float,
        "ref": str,
        "score": float,
        "seen_by": str,
        "tainted": bool,
        "terms": List["TrustTerm"],
        "text": str,
        "upstream": List["TrustUpstream"],
        "voices": "TrustVoices",
        "witnesses": List["TrustWitness"],
    },
    total=False,
)

TrustTerm = TypedDict(
    "TrustTerm",
    {
        "name": str,
        "points": float,
        "why": str,
    },
    total=False,
)

TrustUpstream = TypedDict(
    "TrustUpstream",
    {
        "headline": str,
        "ref": str,
        "text": str,
        "why": str,
    },
    total=False,
)

TrustVoices = TypedDict(
    "TrustVoices",
    {
        "anchors": int,
        "confirm": int,
        "dispute": int,
        "partial": int,
    },
    total=False,
)

TrustWitness = TypedDict(
    "TrustWitness",
    {
        "at": str,
        "attestation": str,
        "controller": str,
        "counts": bool,
        "name": str,
        "notes": str,
        "ref": str,
        "resolved": str,
        "why": str,
    },
    total=False,
)

Turn = TypedDict(
    "Turn",
    {
        "by": str,
        "cut": bool,
        "gap": bool,
        "marks": List[str],
        "proof": "EntryProof",
        "ref": str,
        "text": str,
        "words": int,
    },
    total=False,
)

UncountedDecisions = TypedDict(
    "UncountedDecisions",
    {
        "count": int,
        "refs": List[str],
        "space": str,
    },
    total=False,
)

UndoReply = TypedDict(
    "UndoReply",
    {
        "act": str,
        "claims": List[str],
        "did": str,
        "dry_run": bool,
        "hint": str,
        "of": List[str],
        "undone": List[str],
    },
    total=False,
)

Unheard = TypedDict(
    "Unheard",
    {
        "hidden": int,
        "hint": str,
        "targets": List[str],
    },
    total=False,
)

UsedMemory = TypedDict(
    "UsedMemory",
    {
        "ref": str,
        "times_accessed": int,
    },
    total=False,
)

UsedReply = TypedDict(
    "UsedReply",
    {
        "memories": List["UsedMemory"],
    },
    total=False,
)

VerifyReply = TypedDict(
    "VerifyReply",
    {
        "by_agent": bool,
        "claim": str,
        "code_refs": List[str],
        "confidence": float,
        "confidence_before": float,
        "headline": str,
        "missing": List[str],
        "ref": str,
        "tier": str,
        "verification_count": int,
    },
    total=False,
)

WaitingAsked = TypedDict(
    "WaitingAsked",
    {
        "expires": str,
        "from": str,
        "id": str,
        "memory": "Memory",
        "name": str,
        "problem": str,
    },
    total=False,
)

WaitingGroup = TypedDict(
    "WaitingGroup",
    {
        "prompts": List["WaitingPrompt"],
        "session": str,
    },
    total=False,
)

WaitingPrompt = TypedDict(
    "WaitingPrompt",
    {
        "at": str,
        "cut": bool,
        "ref": str,
        "text": str,
        "words": int,
    },
    total=False,
)

Why = TypedDict(
    "Why",
    {
        "cosine": float,
        "graph": float,
        "graph_by": str,
        "meaning": float,
        "own": float,
        "propagated": float,
        "question": List[str],
        "shared": float,
        "terms": List[str],
        "wording": float,
    },
    total=False,
)

WhyReply = TypedDict(
    "WhyReply",
    {
        "about": List[str],
        "actionable": bool,
        "agent": str,
        "alias": List[str],
        "at": str,
        "author": str,
        "by": str,
        "code": List["CheckedRef"],
        "code_refs": List[str],
        "code_state": str,
        "conditions": List["Condition"],
        "confidence": float,
        "confidence_asserted": float,
        "confidence_history": List["ConfidenceChange"],
        "content": Dict[str, Any],
        "created_at": str,
        "created_via": str,
        "decisions": List["Decision"],
        "deeper": bool,
        "derived_from": List[str],
        "disputed": bool,
        "doubt": str,
        "external": bool,
        "followed": List["Followed"],
        "headline": str,
        "hidden": str,
        "id": str,
        "intensity": Optional[float],
        "is_active": bool,
        "last_verified": str,
        "level": str,
        "links": List["LinkView"],
        "marks": List[str],
        "no_longer_counts": List["Fallen"],
        "not_actionable": str,
        "occurred_at": str,
        "origin": str,
        "progress": str,
        "protected": bool,
        "ranking": "Ranking",
        "ref": str,
        "review": str,
        "reviewed_at": str,
        "reviewed_by": str,
        "session": str,
        "source": str,
        "source_created_at": str,
        "source_episodes": List[str],
        "source_type": str,
        "source_updated_at": str,
        "sources": List["Node"],
        "space": str,
        "status": str,
        "store": str,
        "success_rate": Optional[float],
        "successes": int,
        "superseded_by": str,
        "supersedes": List[str],
        "support": "Support",
        "tags": List[str],
        "tainted": bool,
        "text": str,
        "tier": str,
        "trigger": str,
        "trust": "TrustReply",
        "trust_flags": List[str],
        "type": str,
        "unverified": bool,
        "uses": int,
        "valid_from": str,
        "valid_until": str,
        "verification_count": int,
        "without": "WhyWithout",
    },
    total=False,
)

WhyWithout = TypedDict(
    "WhyWithout",
    {
        "answer": "WhyReply",
        "differs": List["Difference"],
        "falls": bool,
        "hidden": int,
        "hint": str,
        "targets": List[str],
    },
    total=False,
)

Withheld = TypedDict(
    "Withheld",
    {
        "count": int,
        "reason": str,
        "ref": str,
    },
    total=False,
)

WitnessReply = TypedDict(
    "WitnessReply",
    {
        "claim": str,
        "hint": str,
        "redacted": List["Redaction"],
        "trust": "TrustReply",
    },
    total=False,
)

WriteReply = TypedDict(
    "WriteReply",
    {
        "code_refs": List[str],
        "consolidation_id": str,
        "created_at": str,
        "derived_from": List[str],
        "existing": bool,
        "headline": str,
        "hint": str,
        "id": str,
        "link": str,
        "redacted": List["Redaction"],
        "ref": str,
        "rejected": "Rejection",
        "stays": List[str],
        "superseded": List[str],
        "type": str,
    },
    total=False,
)

# All operations, and whether they write.
OPERATIONS: Dict[str, bool] = {
    "accept_suggestion": True,
    "add": True,
    "anchor": True,
    "anchor_line": False,
    "answer_witness": True,
    "approve": True,
    "ask_witness": True,
    "attest": False,
    "audit": False,
    "blame": False,
    "capture": True,
    "check": False,
    "check_anchors": True,
    "check_log": True,
    "checkpoint": True,
    "compare": True,
    "confidence_history": False,
    "conflicts": False,
    "consolidate": True,
    "context": False,
    "correct": True,
    "decisions": False,
    "derived": False,
    "distrust": True,
    "doctor": False,
    "drive_intensity": True,
    "drive_satisfy": True,
    "edit_suggestion": True,
    "embed": True,
    "emotion_search": False,
    "emotion_summary": False,
    "entities": False,
    "entity": False,
    "evidence": False,
    "forget": True,
    "forget_candidates": False,
    "forget_list": False,
    "forget_run": True,
    "from_raw": False,
    "goal_progress": True,
    "goal_status": True,
    "held": False,
    "history": False,
    "identity": False,
    "infer_provenance": True,
    "init": True,
    "introduce": True,
    "jobs": False,
    "judge": True,
    "key_add": True,
    "key_delegate": True,
    "key_export_public": False,
    "key_recovery": True,
    "key_revoke": True,
    "key_rotate": True,
    "key_show": False,
    "keys": False,
    "list": False,
    "load": False,
    "playbook_find": False,
    "playbook_outcome": True,
    "process": True,
    "promote": True,
    "protect": True,
    "prove": False,
    "provenance": False,
    "purge": True,
    "quarantine": True,
    "raw_sources": False,
    "recall": False,
    "receipt": False,
    "receipts": False,
    "recent": False,
    "recover": True,
    "reinforce": True,
    "reject": True,
    "reject_suggestion": True,
    "relationship_history": False,
    "release": True,
    "remember": True,
    "remote_accept": True,
    "remote_add": True,
    "remote_compare": False,
    "remote_invite": True,
    "remote_member_remove": True,
    "remote_member_set": True,
    "remote_members": False,
    "remote_remove": True,
    "remote_service_add": True,
    "remote_service_revoke": True,
    "remote_uninvite": True,
    "remote_view": False,
    "remotes": False,
    "replay": False,
    "reputation": False,
    "resolve": True,
    "review": False,
    "revise": True,
    "revise_beliefs": True,
    "run_jobs": True,
    "search": False,
    "show": False,
    "sources": False,
    "space_assign": True,
    "stats": False,
    "status": False,
    "suggestions": False,
    "sync": True,
    "synthesize": True,
    "taint": False,
    "trace": False,
    "trace_document": False,
    "trust": False,
    "uncertain": False,
    "undo": True,
    "unprotect": True,
    "used": True,
    "verify": True,
    "why": False,
    "witness": True,
    "witness_requests": False,
}


class Operations:
    """A method for each operation."""

    def ask(self, name: str, request: Dict[str, Any]) -> Any:
        raise NotImplementedError

    def accept_suggestion(
        self,
        ref: str,
        *,
        reason: Optional[str] = None,
        text: Optional[str] = None,
    ) -> SuggestionReply:
        """Approve a draft or apply a proposed update."""
        return self.ask("accept_suggestion", {
            "ref": ref,
            "reason": reason,
            "text": text,
        })

    def add(
        self,
        text: Optional[str] = None,
        *,
        about: Optional[List[str]] = None,
        again: Optional[bool] = None,
        alternatives: Optional[List[str]] = None,
        approve: Optional[bool] = None,
        arousal: Optional[float] = None,
        avoid: Optional[List[str]] = None,
        confidence: Optional[float] = None,
        description: Optional[str] = None,
        emotions: Optional[List[str]] = None,
        failure_modes: Optional[List[str]] = None,
        fields: Optional[Dict[str, Any]] = None,
        files: Optional[List[str]] = None,
        focus: Optional[List[str]] = None,
        from_: Optional[List[str]] = None,
        intensity: Optional[float] = None,
        kind: Optional[str] = None,
        lessons: Optional[List[str]] = None,
        name: Optional[str] = None,
        outcome: Optional[str] = None,
        outcome_type: Optional[str] = None,
        priority: Optional[int] = None,
        reason: Optional[str] = None,
        recovery: Optional[List[str]] = None,
        repeat: Optional[List[str]] = None,
        sentiment: Optional[float] = None,
        session: Optional[str] = None,
        speaker: Optional[str] = None,
        steps: Optional[List[str]] = None,
        tags: Optional[List[str]] = None,
        told: Optional[bool] = None,
        trigger: Optional[str] = None,
        type: Optional[str] = None,
        urls: Optional[List[str]] = None,
        valence: Optional[float] = None,
        valid_from: Optional[str] = None,
        valid_until: Optional[str] = None,
        when: Optional[str] = None,
    ) -> WriteReply:
        """Write a memory directly."""
        return self.ask("add", {
            "text": text,
            "about": about,
            "again": again,
            "alternatives": alternatives,
            "approve": approve,
            "arousal": arousal,
            "avoid": avoid,
            "confidence": confidence,
            "description": description,
            "emotions": emotions,
            "failure_modes": failure_modes,
            "fields": fields,
            "files": files,
            "focus": focus,
            "from": from_,
            "intensity": intensity,
            "kind": kind,
            "lessons": lessons,
            "name": name,
            "outcome": outcome,
            "outcome_type": outcome_type,
            "priority": priority,
            "reason": reason,
            "recovery": recovery,
            "repeat": repeat,
            "sentiment": sentiment,
            "session": session,
            "speaker": speaker,
            "steps": steps,
            "tags": tags,
            "told": told,
            "trigger": trigger,
            "type": type,
            "urls": urls,
            "valence": valence,
            "valid_from": valid_from,
            "valid_until": valid_until,
            "when": when,
        })

    def anchor(
        self,
        ref: str,
        reference: str,
        type: str,
    ) -> AnchorReply:
        """Anchor a memory to outside proof."""
        return self.ask("anchor", {
            "ref": ref,
            "reference": reference,
            "type": type,
        })

    def anchor_line(
        self,
        ref: str,
    ) -> AnchorStampReply:
        """Return the line by which a commit or document names a memory."""
        return self.ask("anchor_line", {
            "ref": ref,
        })

    def answer_witness(
        self,
        *,
        attestation: Optional[str] = None,
        bundle: Optional[str] = None,
        letter: Optional[str] = None,
        notes: Optional[str] = None,
        via: Optional[str] = None,
    ) -> AnswerReply:
        """Answer a request to witness a memory."""
        return self.ask("answer_witness", {
            "attestation": attestation,
            "bundle": bundle,
            "letter": letter,
            "notes": notes,
            "via": via,
        })

    def approve(
        self,
        refs: List[str],
        *,
        force: Optional[bool] = None,
        reason: Optional[str] = None,
    ) -> DecideReply:
        """Approve memories."""
        return self.ask("approve", {
            "refs": refs,
            "force": force,
            "reason": reason,
        })

    def ask_witness(
        self,
        ref: str,
        to: str,
        *,
        also: Optional[List[str]] = None,
        expires: Optional[str] = None,
        via: Optional[str] = None,
    ) -> AskReply:
        """Ask somebody to witness a memory."""
        return self.ask("ask_witness", {
            "ref": ref,
            "to": to,
            "also": also,
            "expires": expires,
            "via": via,
        })

    def attest(
        self,
        range: str,
        *,
        comment: Optional[bool] = None,
        unsigned: Optional[bool] = None,
        words: Optional[bool] = None,
    ) -> AttestReply:
        """Say and sign on what the commits of a range rest: sessions, and memories they were given."""
        return self.ask("attest", {
            "range": range,
            "comment": comment,
            "unsigned": unsigned,
            "words": words,
        })

    def audit(
        self,
        *,
        attestation: Optional[str] = None,
        certificate: Optional[str] = None,
        checkpoints: Optional[List[str]] = None,
        comment: Optional[bool] = None,
        limit: Optional[int] = None,
        lines: Optional[int] = None,
        list: Optional[str] = None,
        of: Optional[str] = None,
        ref: Optional[str] = None,
        signer: Optional[str] = None,
        since: Optional[bool] = None,
    ) -> AuditReply:
        """Check signatures, keys and logs as an outsider."""
        return self.ask("audit", {
            "attestation": attestation,
            "certificate": certificate,
            "checkpoints": checkpoints,
            "comment": comment,
            "limit": limit,
            "lines": lines,
            "list": list,
            "of": of,
            "ref": ref,
            "signer": signer,
            "since": since,
        })

    def blame(
        self,
        *,
        commit: Optional[str] = None,
        file: Optional[str] = None,
    ) -> BlameReply:
        """Show which session wrote lines of code, what it was told and given, and who decided that."""
        return self.ask("blame", {
            "commit": commit,
            "file": file,
        })

    def capture(
        self,
        text: Optional[str] = None,
        *,
        about: Optional[List[str]] = None,
        approve: Optional[bool] = None,
        blob: Optional[str] = None,
        caption: Optional[str] = None,
        confidence: Optional[float] = None,
        event: Optional[str] = None,
        files: Optional[List[str]] = None,
        occurred_at: Optional[str] = None,
        session: Optional[str] = None,
        source: Optional[str] = None,
        speaker: Optional[str] = None,
        tags: Optional[List[str]] = None,
        trigger: Optional[str] = None,
        urls: Optional[List[str]] = None,
        valid_from: Optional[str] = None,
        valid_until: Optional[str] = None,
    ) -> WriteReply:
        """Store words as they are, to be processed later."""
        return self.ask("capture", {
            "text": text,
            "about": about,
            "approve": approve,
            "blob": blob,
            "caption": caption,
            "confidence": confidence,
            "event": event,
            "files": files,
            "occurred_at": occurred_at,
            "session": session,
            "source": source,
            "speaker": speaker,
            "tags": tags,
            "trigger": trigger,
            "urls": urls,
            "valid_from": valid_from,
            "valid_until": valid_until,
        })

    def check(
        self,
        *,
        all: Optional[bool] = None,
        refs: Optional[List[str]] = None,
        uncommitted: Optional[bool] = None,
    ) -> CheckReply:
        """Compare code references in memories with the current code."""
        return self.ask("check", {
            "all": all,
            "refs": refs,
            "uncommitted": uncommitted,
        })

    def check_anchors(
        self,
        *,
        all: Optional[bool] = None,
        online: Optional[bool] = None,
        ref: Optional[str] = None,
    ) -> AnchorCheckReply:
        """Check anchors against their targets."""
        return self.ask("check_anchors", {
            "all": all,
            "online": online,
            "ref": ref,
        })

    def check_log(
        self,
        held: str,
        *,
        by: Optional[str] = None,
    ) -> CheckLogReply:
        """Compare a log with a checkpoint that somebody else holds."""
        return self.ask("check_log", {
            "held": held,
            "by": by,
        })

    def checkpoint(
        self,
        *,
        space: Optional[str] = None,
    ) -> CheckpointReply:
        """Sign the length and hash of a log."""
        return self.ask("checkpoint", {
            "space": space,
        })

    def compare(
        self,
        ref: str,
        *,
        wait: Optional[bool] = None,
        with_: Optional[List[str]] = None,
    ) -> CompareReply:
        """Compare a memory with older ones."""
        return self.ask("compare", {
            "ref": ref,
            "wait": wait,
            "with": with_,
        })

    def confidence_history(
        self,
        ref: str,
    ) -> ConfidenceHistoryReply:
        """List the changes of a memory's confidence: who, when and why."""
        return self.ask("confidence_history", {
            "ref": ref,
        })

    def conflicts(
        self,
        *,
        all: Optional[bool] = None,
        limit: Optional[int] = None,
    ) -> ConflictsReply:
        """List conflicts between memories."""
        return self.ask("conflicts", {
            "all": all,
            "limit": limit,
        })

    def consolidate(
        self,
        from_: List[str],
        *,
        about: Optional[List[str]] = None,
        again: Optional[bool] = None,
        alternatives: Optional[List[str]] = None,
        approve: Optional[bool] = None,
        arousal: Optional[float] = None,
        avoid: Optional[List[str]] = None,
        batch: Optional[str] = None,
        confidence: Optional[float] = None,
        description: Optional[str] = None,
        emotions: Optional[List[str]] = None,
        failure_modes: Optional[List[str]] = None,
        fields: Optional[Dict[str, Any]] = None,
        files: Optional[List[str]] = None,
        focus: Optional[List[str]] = None,
        intensity: Optional[float] = None,
        kind: Optional[str] = None,
        lessons: Optional[List[str]] = None,
        name: Optional[str] = None,
        outcome: Optional[str] = None,
        outcome_type: Optional[str] = None,
        priority: Optional[int] = None,
        reason: Optional[str] = None,
        recovery: Optional[List[str]] = None,
        repeat: Optional[List[str]] = None,
        sentiment: Optional[float] = None,
        session: Optional[str] = None,
        speaker: Optional[str] = None,
        steps: Optional[List[str]] = None,
        tags: Optional[List[str]] = None,
        text: Optional[str] = None,
        trigger: Optional[str] = None,
        type: Optional[str] = None,
        urls: Optional[List[str]] = None,
        valence: Optional[float] = None,
        valid_from: Optional[str] = None,
        valid_until: Optional[str] = None,
        when: Optional[str] = None,
    ) -> WriteReply:
        """Draw a conclusion from memories."""
        return self.ask("consolidate", {
            "from": from_,
            "about": about,
            "again": again,
            "alternatives": alternatives,
            "approve": approve,
            "arousal": arousal,
            "avoid": avoid,
            "batch": batch,
            "confidence": confidence,
            "description": description,
            "emotions": emotions,
            "failure_modes": failure_modes,
            "fields": fields,
            "files": files,
            "focus": focus,
            "intensity": intensity,
            "kind": kind,
            "lessons": lessons,
            "name": name,
            "outcome": outcome,
            "outcome_type": outcome_type,
            "priority": priority,
            "reason": reason,
            "recovery": recovery,
            "repeat": repeat,
            "sentiment": sentiment,
            "session": session,
            "speaker": speaker,
            "steps": steps,
            "tags": tags,
            "text": text,
            "trigger": trigger,
            "type": type,
            "urls": urls,
            "valence": valence,
            "valid_from": valid_from,
            "valid_until": valid_until,
            "when": when,
        })

    def context(
        self,
        *,
        budget: Optional[int] = None,
        level: Optional[str] = None,
        query: Optional[str] = None,
        uncommitted: Optional[bool] = None,
    ) -> ContextReply:
        """Return a pack of memories for a question, within a token budget."""
        return self.ask("context", {
            "budget": budget,
            "level": level,
            "query": query,
            "uncommitted": uncommitted,
        })

    def correct(
        self,
        ref: str,
        *,
        by: Optional[str] = None,
        is_: Optional[str] = None,
        source: Optional[str] = None,
        text: Optional[str] = None,
        why: Optional[str] = None,
    ) -> CorrectReply:
        """Say that a memory is otherwise, wrong, or over."""
        return self.ask("correct", {
            "ref": ref,
            "by": by,
            "is": is_,
            "source": source,
            "text": text,
            "why": why,
        })

    def decisions(
        self,
        *,
        about: Optional[str] = None,
        act: Optional[str] = None,
        by: Optional[str] = None,
        limit: Optional[int] = None,
        since: Optional[str] = None,
        until: Optional[str] = None,
    ) -> DecisionsReply:
        """List who decided what, when and why."""
        return self.ask("decisions", {
            "about": about,
            "act": act,
            "by": by,
            "limit": limit,
            "since": since,
            "until": until,
        })

    def derived(
        self,
        ref: str,
    ) -> RelatedReply:
        """List the records derived directly from a record."""
        return self.ask("derived", {
            "ref": ref,
        })

    def distrust(
        self,
        key: str,
        *,
        dry_run: Optional[bool] = None,
        quarantine: Optional[bool] = None,
        reason: Optional[str] = None,
        since: Optional[str] = None,
    ) -> DistrustReply:
        """Stop trusting a key."""
        return self.ask("distrust", {
            "key": key,
            "dry_run": dry_run,
            "quarantine": quarantine,
            "reason": reason,
            "since": since,
        })

    def doctor(
        self,
        *,
        repair: Optional[bool] = None,
        since: Optional[bool] = None,
    ) -> DoctorReply:
        """Check a store for problems."""
        return self.ask("doctor", {
            "repair": repair,
            "since": since,
        })

    def drive_intensity(
        self,
        intensity: float,
        ref: str,
        *,
        reason: Optional[str] = None,
    ) -> MarkReply:
        """Set the intensity of a drive."""
        return self.ask("drive_intensity", {
            "intensity": intensity,
            "ref": ref,
            "reason": reason,
        })

    def drive_satisfy(
        self,
        ref: str,
        *,
        amount: Optional[float] = None,
        reason: Optional[str] = None,
    ) -> MarkReply:
        """Mark a drive as satisfied, which lowers its intensity."""
        return self.ask("drive_satisfy", {
            "ref": ref,
            "amount": amount,
            "reason": reason,
        })

    def edit_suggestion(
        self,
        ref: str,
        *,
        reason: Optional[str] = None,
        text: Optional[str] = None,
    ) -> SuggestionReply:
        """Rewrite a draft and approve it."""
        return self.ask("edit_suggestion", {
            "ref": ref,
            "reason": reason,
            "text": text,
        })

    def embed(
        self,
        *,
        limit: Optional[int] = None,
    ) -> EmbedReply:
        """Compute missing vectors."""
        return self.ask("embed", {
            "limit": limit,
        })

    def emotion_search(
        self,
        *,
        label: Optional[str] = None,
        limit: Optional[int] = None,
        max_arousal: Optional[float] = None,
        max_valence: Optional[float] = None,
        min_arousal: Optional[float] = None,
        min_valence: Optional[float] = None,
    ) -> ListReply:
        """List episodes by emotion."""
        return self.ask("emotion_search", {
            "label": label,
            "limit": limit,
            "max_arousal": max_arousal,
            "max_valence": max_valence,
            "min_arousal": min_arousal,
            "min_valence": min_valence,
        })

    def emotion_summary(
        self,
        *,
        since: Optional[str] = None,
    ) -> EmotionSummaryReply:
        """Summarize the emotions of episodes."""
        return self.ask("emotion_summary", {
            "since": since,
        })

    def entities(
        self,
        *,
        like: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> EntitiesReply:
        """List the people and things that memories mention."""
        return self.ask("entities", {
            "like": like,
            "limit": limit,
        })

    def entity(
        self,
        name: str,
        *,
        limit: Optional[int] = None,
    ) -> EntityReply:
        """Show everything about a name."""
        return self.ask("entity", {
            "name": name,
            "limit": limit,
        })

    def evidence(
        self,
        ref: str,
    ) -> EvidenceReply:
        """Show what a belief rests on."""
        return self.ask("evidence", {
            "ref": ref,
        })

    def forget(
        self,
        refs: List[str],
        *,
        reason: Optional[str] = None,
    ) -> ForgetReply:
        """Leave memories out of lists, searches and packs; they can be brought back."""
        return self.ask("forget", {
            "refs": refs,
            "reason": reason,
        })

    def forget_candidates(
        self,
        *,
        dry_run: Optional[bool] = None,
        half_life: Optional[str] = None,
        include_approved: Optional[bool] = None,
        limit: Optional[int] = None,
        min_age: Optional[str] = None,
        older_than: Optional[str] = None,
        purge: Optional[bool] = None,
        threshold: Optional[float] = None,
    ) -> ForgetRunReply:
        """Show what a forgetting run would forget, with the terms of each salience."""
        return self.ask("forget_candidates", {
            "dry_run": dry_run,
            "half_life": half_life,
            "include_approved": include_approved,
            "limit": limit,
            "min_age": min_age,
            "older_than": older_than,
            "purge": purge,
            "threshold": threshold,
        })

    def forget_list(
        self,
        *,
        limit: Optional[int] = None,
    ) -> ForgetListReply:
        """List forgotten memories."""
        return self.ask("forget_list", {
            "limit": limit,
        })

    def forget_run(
        self,
        *,
        dry_run: Optional[bool] = None,
        half_life: Optional[str] = None,
        include_approved: Optional[bool] = None,
        limit: Optional[int] = None,
        min_age: Optional[str] = None,
        older_than: Optional[str] = None,
        purge: Optional[bool] = None,
        threshold: Optional[float] = None,
    ) -> ForgetRunReply:
        """Forget memories of low salience."""
        return self.ask("forget_run", {
            "dry_run": dry_run,
            "half_life": half_life,
            "include_approved": include_approved,
            "limit": limit,
            "min_age": min_age,
            "older_than": older_than,
            "purge": purge,
            "threshold": threshold,
        })

    def from_raw(
        self,
        ref: str,
    ) -> RelatedReply:
        """List every memory that traces back to a capture."""
        return self.ask("from_raw", {
            "ref": ref,
        })

    def goal_progress(
        self,
        progress: str,
        ref: str,
        *,
        reason: Optional[str] = None,
    ) -> MarkReply:
        """Set the progress of a goal."""
        return self.ask("goal_progress", {
            "progress": progress,
            "ref": ref,
            "reason": reason,
        })

    def goal_status(
        self,
        ref: str,
        status: str,
        *,
        reason: Optional[str] = None,
    ) -> MarkReply:
        """Set the status of a goal."""
        return self.ask("goal_status", {
            "ref": ref,
            "status": status,
            "reason": reason,
        })

    def held(
        self,
        aliases: List[str],
    ) -> HeldReply:
        """The refs of ids that records had elsewhere."""
        return self.ask("held", {
            "aliases": aliases,
        })

    def history(
        self,
        ref: str,
    ) -> HistoryReply:
        """List the revisions of a memory."""
        return self.ask("history", {
            "ref": ref,
        })

    def identity(
        self,
        *,
        limit: Optional[int] = None,
    ) -> IdentityReply:
        """Show values, active goals, drives and the strongest beliefs."""
        return self.ask("identity", {
            "limit": limit,
        })

    def infer_provenance(
        self,
        *,
        all: Optional[bool] = None,
        apply: Optional[List[str]] = None,
        limit: Optional[int] = None,
    ) -> InferProvenanceReply:
        """Propose where memories without sources come from; a person applies."""
        return self.ask("infer_provenance", {
            "all": all,
            "apply": apply,
            "limit": limit,
        })

    def init(
        self,
    ) -> InitReply:
        """Create your keys and add them to the store."""
        return self.ask("init", {})

    def introduce(
        self,
        key: str,
        *,
        name: Optional[str] = None,
    ) -> IntroduceReply:
        """Name a key's owner; their word as a witness then counts."""
        return self.ask("introduce", {
            "key": key,
            "name": name,
        })

    def jobs(
        self,
        *,
        all: Optional[bool] = None,
        limit: Optional[int] = None,
    ) -> JobsReply:
        """List background jobs."""
        return self.ask("jobs", {
            "all": all,
            "limit": limit,
        })

    def judge(
        self,
        ref: str,
        relation: str,
        *,
        candidate: Optional[int] = None,
        confidence: Optional[float] = None,
        reason: Optional[str] = None,
    ) -> JudgeReply:
        """Answer how a new memory relates to the ones shown."""
        return self.ask("judge", {
            "ref": ref,
            "relation": relation,
            "candidate": candidate,
            "confidence": confidence,
            "reason": reason,
        })

    def key_add(
        self,
        *,
        agent: Optional[bool] = None,
        destroy: Optional[bool] = None,
        expires: Optional[str] = None,
        key: Optional[str] = None,
        name: Optional[str] = None,
        origins: Optional[List[str]] = None,
        reason: Optional[str] = None,
        scope: Optional[str] = None,
        since: Optional[str] = None,
    ) -> KeyReply:
        """Give a key a name."""
        return self.ask("key_add", {
            "agent": agent,
            "destroy": destroy,
            "expires": expires,
            "key": key,
            "name": name,
            "origins": origins,
            "reason": reason,
            "scope": scope,
            "since": since,
        })

    def key_delegate(
        self,
        *,
        agent: Optional[bool] = None,
        destroy: Optional[bool] = None,
        expires: Optional[str] = None,
        key: Optional[str] = None,
        name: Optional[str] = None,
        origins: Optional[List[str]] = None,
        reason: Optional[str] = None,
        scope: Optional[str] = None,
        since: Optional[str] = None,
    ) -> KeyReply:
        """Delegate a key: it may write for its owner."""
        return self.ask("key_delegate", {
            "agent": agent,
            "destroy": destroy,
            "expires": expires,
            "key": key,
            "name": name,
            "origins": origins,
            "reason": reason,
            "scope": scope,
            "since": since,
        })

    def key_export_public(
        self,
        *,
        agent: Optional[bool] = None,
        destroy: Optional[bool] = None,
        expires: Optional[str] = None,
        key: Optional[str] = None,
        name: Optional[str] = None,
        origins: Optional[List[str]] = None,
        reason: Optional[str] = None,
        scope: Optional[str] = None,
        since: Optional[str] = None,
    ) -> KeyReply:
        """Return your public key, for others to introduce."""
        return self.ask("key_export_public", {
            "agent": agent,
            "destroy": destroy,
            "expires": expires,
            "key": key,
            "name": name,
            "origins": origins,
            "reason": reason,
            "scope": scope,
            "since": since,
        })

    def key_recovery(
        self,
    ) -> KeyReply:
        """Create a recovery key."""
        return self.ask("key_recovery", {})

    def key_revoke(
        self,
        *,
        agent: Optional[bool] = None,
        destroy: Optional[bool] = None,
        expires: Optional[str] = None,
        key: Optional[str] = None,
        name: Optional[str] = None,
        origins: Optional[List[str]] = None,
        reason: Optional[str] = None,
        scope: Optional[str] = None,
        since: Optional[str] = None,
    ) -> KeyReply:
        """Revoke a key."""
        return self.ask("key_revoke", {
            "agent": agent,
            "destroy": destroy,
            "expires": expires,
            "key": key,
            "name": name,
            "origins": origins,
            "reason": reason,
            "scope": scope,
            "since": since,
        })

    def key_rotate(
        self,
        *,
        agent: Optional[bool] = None,
        destroy: Optional[bool] = None,
        expires: Optional[str] = None,
        key: Optional[str] = None,
        name: Optional[str] = None,
        origins: Optional[List[str]] = None,
        reason: Optional[str] = None,
        scope: Optional[str] = None,
        since: Optional[str] = None,
    ) -> KeyReply:
        """Replace a key with a new one."""
        return self.ask("key_rotate", {
            "agent": agent,
            "destroy": destroy,
            "expires": expires,
            "key": key,
            "name": name,
            "origins": origins,
            "reason": reason,
            "scope": scope,
            "since": since,
        })

    def key_show(
        self,
    ) -> KeysReply:
        """Show your own keys."""
        return self.ask("key_show", {})

    def keys(
        self,
    ) -> KeysReply:
        """List known keys."""
        return self.ask("keys", {})

    def list(
        self,
        *,
        all: Optional[bool] = None,
        kind: Optional[str] = None,
        limit: Optional[int] = None,
        oldest: Optional[bool] = None,
        session: Optional[str] = None,
        tag: Optional[str] = None,
        type: Optional[str] = None,
        unprocessed: Optional[bool] = None,
    ) -> ListReply:
        """List memories."""
        return self.ask("list", {
            "all": all,
            "kind": kind,
            "limit": limit,
            "oldest": oldest,
            "session": session,
            "tag": tag,
            "type": type,
            "unprocessed": unprocessed,
        })

    def load(
        self,
        *,
        budget: Optional[int] = None,
        level: Optional[str] = None,
        verbose: Optional[bool] = None,
    ) -> ContextReply:
        """Return a pack of memories for the start of work."""
        return self.ask("load", {
            "budget": budget,
            "level": level,
            "verbose": verbose,
        })

    def playbook_find(
        self,
        situation: str,
        *,
        limit: Optional[int] = None,
    ) -> PlaybookFindReply:
        """Find playbooks, with how often each helped."""
        return self.ask("playbook_find", {
            "situation": situation,
            "limit": limit,
        })

    def playbook_outcome(
        self,
        outcome: str,
        ref: str,
        *,
        notes: Optional[str] = None,
    ) -> MarkReply:
        """Record that a playbook was used, and whether it helped."""
        return self.ask("playbook_outcome", {
            "outcome": outcome,
            "ref": ref,
            "notes": notes,
        })

    def process(
        self,
        *,
        later: Optional[bool] = None,
        no_evolution: Optional[bool] = None,
        session: Optional[str] = None,
    ) -> ProcessReply:
        """Draft memories from captures."""
        return self.ask("process", {
            "later": later,
            "no_evolution": no_evolution,
            "session": session,
        })

    def promote(
        self,
        from_: List[str],
        *,
        about: Optional[List[str]] = None,
        again: Optional[bool] = None,
        alternatives: Optional[List[str]] = None,
        approve: Optional[bool] = None,
        arousal: Optional[float] = None,
        avoid: Optional[List[str]] = None,
        confidence: Optional[float] = None,
        description: Optional[str] = None,
        emotions: Optional[List[str]] = None,
        failure_modes: Optional[List[str]] = None,
        fields: Optional[Dict[str, Any]] = None,
        files: Optional[List[str]] = None,
        focus: Optional[List[str]] = None,
        intensity: Optional[float] = None,
        kind: Optional[str] = None,
        lessons: Optional[List[str]] = None,
        name: Optional[str] = None,
        outcome: Optional[str] = None,
        outcome_type: Optional[str] = None,
        priority: Optional[int] = None,
        reason: Optional[str] = None,
        recovery: Optional[List[str]] = None,
        repeat: Optional[List[str]] = None,
        sentiment: Optional[float] = None,
        session: Optional[str] = None,
        speaker: Optional[str] = None,
        steps: Optional[List[str]] = None,
        tags: Optional[List[str]] = None,
        text: Optional[str] = None,
        trigger: Optional[str] = None,
        type: Optional[str] = None,
        urls: Optional[List[str]] = None,
        valence: Optional[float] = None,
        valid_from: Optional[str] = None,
        valid_until: Optional[str] = None,
        when: Optional[str] = None,
    ) -> WriteReply:
        """Make a memory from captures."""
        return self.ask("promote", {
            "from": from_,
            "about": about,
            "again": again,
            "alternatives": alternatives,
            "approve": approve,
            "arousal": arousal,
            "avoid": avoid,
            "confidence": confidence,
            "description": description,
            "emotions": emotions,
            "failure_modes": failure_modes,
            "fields": fields,
            "files": files,
            "focus": focus,
            "intensity": intensity,
            "kind": kind,
            "lessons": lessons,
            "name": name,
            "outcome": outcome,
            "outcome_type": outcome_type,
            "priority": priority,
            "reason": reason,
            "recovery": recovery,
            "repeat": repeat,
            "sentiment": sentiment,
            "session": session,
            "speaker": speaker,
            "steps": steps,
            "tags": tags,
            "text": text,
            "trigger": trigger,
            "type": type,
            "urls": urls,
            "valence": valence,
            "valid_from": valid_from,
            "valid_until": valid_until,
            "when": when,
        })

    def protect(
        self,
        refs: List[str],
        *,
        reason: Optional[str] = None,
    ) -> ForgetReply:
        """Protect memories from being forgotten."""
        return self.ask("protect", {
            "refs": refs,
            "reason": reason,
        })

    def prove(
        self,
        *,
        ref: Optional[str] = None,
        since: Optional[str] = None,
    ) -> ProveReply:
        """Prove that a record is in a log, or that the log only grew."""
        return self.ask("prove", {
            "ref": ref,
            "since": since,
        })

    def provenance(
        self,
        ref: str,
    ) -> ProvenanceReply:
        """Show how a record was made."""
        return self.ask("provenance", {
            "ref": ref,
        })

    def purge(
        self,
        *,
        about: Optional[str] = None,
        also: Optional[List[str]] = None,
        dry_run: Optional[bool] = None,
        keep: Optional[List[str]] = None,
        list: Optional[str] = None,
        names: Optional[List[str]] = None,
        reason: Optional[str] = None,
        refs: Optional[List[str]] = None,
        speaker: Optional[str] = None,
        status: Optional[bool] = None,
        unsure: Optional[bool] = None,
    ) -> PurgeReply:
        """Erase a record's words, or all of a person's, for good."""
        return self.ask("purge", {
            "about": about,
            "also": also,
            "dry_run": dry_run,
            "keep": keep,
            "list": list,
            "names": names,
            "reason": reason,
            "refs": refs,
            "speaker": speaker,
            "status": status,
            "unsure": unsure,
        })

    def quarantine(
        self,
        target: str,
        *,
        dry_run: Optional[bool] = None,
        reason: Optional[str] = None,
    ) -> QuarantineReply:
        """Hide memories and everything that rests on them alone."""
        return self.ask("quarantine", {
            "target": target,
            "dry_run": dry_run,
            "reason": reason,
        })

    def raw_sources(
        self,
        ref: str,
    ) -> RelatedReply:
        """List the captures that a memory ultimately rests on."""
        return self.ask("raw_sources", {
            "ref": ref,
        })

    def recall(
        self,
        *,
        all: Optional[bool] = None,
        as_of: Optional[str] = None,
        budget: Optional[int] = None,
        form: Optional[str] = None,
        kind: Optional[str] = None,
        limit: Optional[int] = None,
        proofs: Optional[bool] = None,
        query: Optional[str] = None,
        since: Optional[str] = None,
        without: Optional[List[str]] = None,
    ) -> RecallReply:
        """Return what is known about a question, or what to know when work begins."""
        return self.ask("recall", {
            "all": all,
            "as_of": as_of,
            "budget": budget,
            "form": form,
            "kind": kind,
            "limit": limit,
            "proofs": proofs,
            "query": query,
            "since": since,
            "without": without,
        })

    def receipt(
        self,
        id: str,
    ) -> Receipt:
        """Show one receipt in full."""
        return self.ask("receipt", {
            "id": id,
        })

    def receipts(
        self,
        *,
        all_stores: Optional[bool] = None,
        limit: Optional[int] = None,
        ref: Optional[str] = None,
        session: Optional[str] = None,
        since: Optional[str] = None,
        until: Optional[str] = None,
    ) -> ReceiptsReply:
        """List what agents asked and what they received."""
        return self.ask("receipts", {
            "all_stores": all_stores,
            "limit": limit,
            "ref": ref,
            "session": session,
            "since": since,
            "until": until,
        })

    def recent(
        self,
        *,
        budget: Optional[int] = None,
        limit: Optional[int] = None,
        not_kept: Optional[bool] = None,
        session: Optional[str] = None,
        since: Optional[str] = None,
        waiting: Optional[bool] = None,
    ) -> ListReply:
        """List recent records."""
        return self.ask("recent", {
            "budget": budget,
            "limit": limit,
            "not_kept": not_kept,
            "session": session,
            "since": since,
            "waiting": waiting,
        })

    def recover(
        self,
        refs: List[str],
        *,
        reason: Optional[str] = None,
    ) -> ForgetReply:
        """Restore forgotten memories."""
        return self.ask("recover", {
            "refs": refs,
            "reason": reason,
        })

    def reinforce(
        self,
        because: List[str],
        ref: str,
        *,
        reason: Optional[str] = None,
        step: Optional[float] = None,
    ) -> ReinforceReply:
        """Change a confidence because of an episode."""
        return self.ask("reinforce", {
            "because": because,
            "ref": ref,
            "reason": reason,
            "step": step,
        })

    def reject(
        self,
        refs: List[str],
        *,
        force: Optional[bool] = None,
        reason: Optional[str] = None,
    ) -> DecideReply:
        """Reject memories; they are no longer shown."""
        return self.ask("reject", {
            "refs": refs,
            "force": force,
            "reason": reason,
        })

    def reject_suggestion(
        self,
        ref: str,
        *,
        reason: Optional[str] = None,
        text: Optional[str] = None,
    ) -> SuggestionReply:
        """Reject a drafted memory or link."""
        return self.ask("reject_suggestion", {
            "ref": ref,
            "reason": reason,
            "text": text,
        })

    def relationship_history(
        self,
        name: str,
        *,
        limit: Optional[int] = None,
    ) -> RelationshipHistoryReply:
        """List the history of a relationship."""
        return self.ask("relationship_history", {
            "name": name,
            "limit": limit,
        })

    def release(
        self,
        target: str,
        *,
        dry_run: Optional[bool] = None,
        reason: Optional[str] = None,
    ) -> QuarantineReply:
        """End a quarantine."""
        return self.ask("release", {
            "target": target,
            "dry_run": dry_run,
            "reason": reason,
        })

    def remember(
        self,
        text: Optional[str] = None,
        *,
        about: Optional[List[str]] = None,
        again: Optional[bool] = None,
        approve: Optional[bool] = None,
        confidence: Optional[float] = None,
        files: Optional[List[str]] = None,
        from_: Optional[List[str]] = None,
        judge: Optional[bool] = None,
        kind: Optional[str] = None,
        no_evolution: Optional[bool] = None,
        not_kept: Optional[List[str]] = None,
        replaces: Optional[List[str]] = None,
        session: Optional[str] = None,
        source: Optional[str] = None,
        speaker: Optional[str] = None,
        tags: Optional[List[str]] = None,
        trigger: Optional[str] = None,
        urls: Optional[List[str]] = None,
        valid_from: Optional[str] = None,
        valid_until: Optional[str] = None,
        wait: Optional[bool] = None,
        why: Optional[str] = None,
    ) -> RememberReply:
        """Store words and draft memories from them."""
        return self.ask("remember", {
            "text": text,
            "about": about,
            "again": again,
            "approve": approve,
            "confidence": confidence,
            "files": files,
            "from": from_,
            "judge": judge,
            "kind": kind,
            "no_evolution": no_evolution,
            "not_kept": not_kept,
            "replaces": replaces,
            "session": session,
            "source": source,
            "speaker": speaker,
            "tags": tags,
            "trigger": trigger,
            "urls": urls,
            "valid_from": valid_from,
            "valid_until": valid_until,
            "wait": wait,
            "why": why,
        })

    def remote_accept(
        self,
        *,
        pull: Optional[bool] = None,
        push: Optional[bool] = None,
        remote: Optional[str] = None,
    ) -> SyncReply:
        """Accept that a remote's history was rewritten."""
        return self.ask("remote_accept", {
            "pull": pull,
            "push": push,
            "remote": remote,
        })

    def remote_add(
        self,
        *,
        address: Optional[str] = None,
        also: Optional[List[str]] = None,
        kinds: Optional[List[str]] = None,
        name: Optional[str] = None,
        raw: Optional[bool] = None,
        search: Optional[bool] = None,
        spaces: Optional[List[str]] = None,
        tags: Optional[List[str]] = None,
        whose: Optional[str] = None,
    ) -> RemoteReply:
        """Add a remote."""
        return self.ask("remote_add", {
            "address": address,
            "also": also,
            "kinds": kinds,
            "name": name,
            "raw": raw,
            "search": search,
            "spaces": spaces,
            "tags": tags,
            "whose": whose,
        })

    def remote_compare(
        self,
        view: Dict[str, Any],
        *,
        remote: Optional[str] = None,
    ) -> RemoteCompareReply:
        """Compare what two stores received of a remote's logs."""
        return self.ask("remote_compare", {
            "view": view,
            "remote": remote,
        })

    def remote_invite(
        self,
        *,
        count: Optional[int] = None,
        hours: Optional[int] = None,
        remote: Optional[str] = None,
        role: Optional[str] = None,
        service: Optional[str] = None,
        spaces: Optional[List[str]] = None,
    ) -> RemoteInvitation:
        """Invite somebody to a space that you keep at a hub."""
        return self.ask("remote_invite", {
            "count": count,
            "hours": hours,
            "remote": remote,
            "role": role,
            "service": service,
            "spaces": spaces,
        })

    def remote_member_remove(
        self,
        account: str,
        *,
        remote: Optional[str] = None,
        role: Optional[str] = None,
    ) -> RemoteMembersReply:
        """Remove a member from a space at a hub."""
        return self.ask("remote_member_remove", {
            "account": account,
            "remote": remote,
            "role": role,
        })

    def remote_member_set(
        self,
        account: str,
        *,
        remote: Optional[str] = None,
        role: Optional[str] = None,
    ) -> RemoteMembersReply:
        """Set the role of a member of a space at a hub."""
        return self.ask("remote_member_set", {
            "account": account,
            "remote": remote,
            "role": role,
        })

    def remote_members(
        self,
        *,
        keepers: Optional[bool] = None,
        remote: Optional[str] = None,
        services: Optional[bool] = None,
    ) -> RemoteMembersReply:
        """List the members and roles of a space that you keep at a hub."""
        return self.ask("remote_members", {
            "keepers": keepers,
            "remote": remote,
            "services": services,
        })

    def remote_remove(
        self,
        *,
        address: Optional[str] = None,
        also: Optional[List[str]] = None,
        kinds: Optional[List[str]] = None,
        name: Optional[str] = None,
        raw: Optional[bool] = None,
        search: Optional[bool] = None,
        spaces: Optional[List[str]] = None,
        tags: Optional[List[str]] = None,
        whose: Optional[str] = None,
    ) -> RemoteReply:
        """Remove a remote."""
        return self.ask("remote_remove", {
            "address": address,
            "also": also,
            "kinds": kinds,
            "name": name,
            "raw": raw,
            "search": search,
            "spaces": spaces,
            "tags": tags,
            "whose": whose,
        })

    def remote_service_add(
        self,
        *,
        count: Optional[int] = None,
        hours: Optional[int] = None,
        remote: Optional[str] = None,
        role: Optional[str] = None,
        service: Optional[str] = None,
        spaces: Optional[List[str]] = None,
    ) -> RemoteMembersReply:
        """Make accounts for machines at a hub, each with a key of its own."""
        return self.ask("remote_service_add", {
            "count": count,
            "hours": hours,
            "remote": remote,
            "role": role,
            "service": service,
            "spaces": spaces,
        })

    def remote_service_revoke(
        self,
        account: str,
        *,
        remote: Optional[str] = None,
        role: Optional[str] = None,
    ) -> RemoteMembersReply:
        """Revoke the account of a machine at a hub."""
        return self.ask("remote_service_revoke", {
            "account": account,
            "remote": remote,
            "role": role,
        })

    def remote_uninvite(
        self,
        id: str,
        *,
        remote: Optional[str] = None,
    ) -> RemoteMembersReply:
        """Withdraw an unused invitation."""
        return self.ask("remote_uninvite", {
            "id": id,
            "remote": remote,
        })

    def remote_view(
        self,
        *,
        address: Optional[str] = None,
        also: Optional[List[str]] = None,
        kinds: Optional[List[str]] = None,
        name: Optional[str] = None,
        raw: Optional[bool] = None,
        search: Optional[bool] = None,
        spaces: Optional[List[str]] = None,
        tags: Optional[List[str]] = None,
        whose: Optional[str] = None,
    ) -> RemoteView:
        """Return what the store received of a remote's logs, for another store to compare."""
        return self.ask("remote_view", {
            "address": address,
            "also": also,
            "kinds": kinds,
            "name": name,
            "raw": raw,
            "search": search,
            "spaces": spaces,
            "tags": tags,
            "whose": whose,
        })

    def remotes(
        self,
        *,
        address: Optional[str] = None,
        also: Optional[List[str]] = None,
        kinds: Optional[List[str]] = None,
        name: Optional[str] = None,
        raw: Optional[bool] = None,
        search: Optional[bool] = None,
        spaces: Optional[List[str]] = None,
        tags: Optional[List[str]] = None,
        whose: Optional[str] = None,
    ) -> RemoteReply:
        """List the store's remotes."""
        return self.ask("remotes", {
            "address": address,
            "also": also,
            "kinds": kinds,
            "name": name,
            "raw": raw,
            "search": search,
            "spaces": spaces,
            "tags": tags,
            "whose": whose,
        })

    def replay(
        self,
        id: str,
    ) -> ReplayReply:
        """Ask a receipt's question again and show what changed."""
        return self.ask("replay", {
            "id": id,
        })

    def reputation(
        self,
        name: str,
        *,
        limit: Optional[int] = None,
    ) -> ReputationReply:
        """Show what somebody's record so far is worth."""
        return self.ask("reputation", {
            "name": name,
            "limit": limit,
        })

    def resolve(
        self,
        ref: str,
        *,
        dismiss: Optional[bool] = None,
        keep: Optional[str] = None,
        merge: Optional[str] = None,
        reason: Optional[str] = None,
    ) -> ResolveReply:
        """Decide a conflict between two memories."""
        return self.ask("resolve", {
            "ref": ref,
            "dismiss": dismiss,
            "keep": keep,
            "merge": merge,
            "reason": reason,
        })

    def review(
        self,
        *,
        all: Optional[bool] = None,
        kind: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> ReviewReply:
        """List memories that wait for a person's decision."""
        return self.ask("review", {
            "all": all,
            "kind": kind,
            "limit": limit,
        })

    def revise(
        self,
        ref: str,
        *,
        about: Optional[List[str]] = None,
        again: Optional[bool] = None,
        alternatives: Optional[List[str]] = None,
        approve: Optional[bool] = None,
        arousal: Optional[float] = None,
        avoid: Optional[List[str]] = None,
        clear: Optional[List[str]] = None,
        confidence: Optional[float] = None,
        description: Optional[str] = None,
        emotions: Optional[List[str]] = None,
        failure_modes: Optional[List[str]] = None,
        fields: Optional[Dict[str, Any]] = None,
        files: Optional[List[str]] = None,
        focus: Optional[List[str]] = None,
        from_: Optional[List[str]] = None,
        intensity: Optional[float] = None,
        kind: Optional[str] = None,
        lessons: Optional[List[str]] = None,
        merge: Optional[List[str]] = None,
        name: Optional[str] = None,
        outcome: Optional[str] = None,
        outcome_type: Optional[str] = None,
        priority: Optional[int] = None,
        reason: Optional[str] = None,
        recovery: Optional[List[str]] = None,
        repeat: Optional[List[str]] = None,
        sentiment: Optional[float] = None,
        session: Optional[str] = None,
        speaker: Optional[str] = None,
        steps: Optional[List[str]] = None,
        tags: Optional[List[str]] = None,
        text: Optional[str] = None,
        trigger: Optional[str] = None,
        type: Optional[str] = None,
        urls: Optional[List[str]] = None,
        valence: Optional[float] = None,
        valid_from: Optional[str] = None,
        valid_until: Optional[str] = None,
        when: Optional[str] = None,
    ) -> WriteReply:
        """Replace a memory with a new revision; the old one stays readable."""
        return self.ask("revise", {
            "ref": ref,
            "about": about,
            "again": again,
            "alternatives": alternatives,
            "approve": approve,
            "arousal": arousal,
            "avoid": avoid,
            "clear": clear,
            "confidence": confidence,
            "description": description,
            "emotions": emotions,
            "failure_modes": failure_modes,
            "fields": fields,
            "files": files,
            "focus": focus,
            "from": from_,
            "intensity": intensity,
            "kind": kind,
            "lessons": lessons,
            "merge": merge,
            "name": name,
            "outcome": outcome,
            "outcome_type": outcome_type,
            "priority": priority,
            "reason": reason,
            "recovery": recovery,
            "repeat": repeat,
            "sentiment": sentiment,
            "session": session,
            "speaker": speaker,
            "steps": steps,
            "tags": tags,
            "text": text,
            "trigger": trigger,
            "type": type,
            "urls": urls,
            "valence": valence,
            "valid_from": valid_from,
            "valid_until": valid_until,
            "when": when,
        })

    def revise_beliefs(
        self,
        episode: str,
    ) -> ReviseBeliefsReply:
        """Let an episode reinforce, weaken or challenge beliefs."""
        return self.ask("revise_beliefs", {
            "episode": episode,
        })

    def run_jobs(
        self,
        *,
        limit: Optional[int] = None,
        now: Optional[bool] = None,
    ) -> RunJobsReply:
        """Run background jobs."""
        return self.ask("run_jobs", {
            "limit": limit,
            "now": now,
        })

    def search(
        self,
        query: str,
        *,
        all: Optional[bool] = None,
        as_of: Optional[str] = None,
        explain: Optional[bool] = None,
        include_provenance: Optional[bool] = None,
        kind: Optional[str] = None,
        like: Optional[str] = None,
        limit: Optional[int] = None,
        min_level: Optional[str] = None,
        min_trust: Optional[float] = None,
        session: Optional[str] = None,
        since: Optional[str] = None,
        tag: Optional[str] = None,
        tier: Optional[str] = None,
        type: Optional[str] = None,
        until: Optional[str] = None,
        valid_at: Optional[str] = None,
    ) -> SearchReply:
        """Find memories by their words."""
        return self.ask("search", {
            "query": query,
            "all": all,
            "as_of": as_of,
            "explain": explain,
            "include_provenance": include_provenance,
            "kind": kind,
            "like": like,
            "limit": limit,
            "min_level": min_level,
            "min_trust": min_trust,
            "session": session,
            "since": since,
            "tag": tag,
            "tier": tier,
            "type": type,
            "until": until,
            "valid_at": valid_at,
        })

    def show(
        self,
        ref: str,
    ) -> ShowReply:
        """Show one record in full."""
        return self.ask("show", {
            "ref": ref,
        })

    def sources(
        self,
        ref: str,
    ) -> RelatedReply:
        """List the direct sources of a record."""
        return self.ask("sources", {
            "ref": ref,
        })

    def space_assign(
        self,
        *,
        all: Optional[bool] = None,
        reason: Optional[str] = None,
        refs: Optional[List[str]] = None,
        space: Optional[str] = None,
    ) -> AssignReply:
        """Say which project memories are of that belong to none."""
        return self.ask("space_assign", {
            "all": all,
            "reason": reason,
            "refs": refs,
            "space": space,
        })

    def stats(
        self,
    ) -> StatsReply:
        """Count the records in the store."""
        return self.ask("stats", {})

    def status(
        self,
    ) -> StatusReply:
        """Show counts, what waits for a person, and open jobs on one page."""
        return self.ask("status", {})

    def suggestions(
        self,
        *,
        all: Optional[bool] = None,
        kind: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> SuggestionsReply:
        """List drafts and links that wait for a person."""
        return self.ask("suggestions", {
            "all": all,
            "kind": kind,
            "limit": limit,
        })

    def sync(
        self,
        *,
        pull: Optional[bool] = None,
        push: Optional[bool] = None,
        remote: Optional[str] = None,
    ) -> SyncReply:
        """Exchange records with a remote."""
        return self.ask("sync", {
            "pull": pull,
            "push": push,
            "remote": remote,
        })

    def synthesize(
        self,
        *,
        limit: Optional[int] = None,
        session: Optional[str] = None,
        what: Optional[str] = None,
    ) -> SynthesizeReply:
        """Propose beliefs from several episodes, or an identity from beliefs."""
        return self.ask("synthesize", {
            "limit": limit,
            "session": session,
            "what": what,
        })

    def taint(
        self,
        target: str,
        *,
        limit: Optional[int] = None,
    ) -> TaintReply:
        """List memories that rest on tainted or hidden sources."""
        return self.ask("taint", {
            "target": target,
            "limit": limit,
        })

    def trace(
        self,
        ref: str,
        *,
        after: Optional[int] = None,
        depth: Optional[int] = None,
        direction: Optional[str] = None,
    ) -> TraceReply:
        """Show where a record came from and what was derived from it."""
        return self.ask("trace", {
            "ref": ref,
            "after": after,
            "depth": depth,
            "direction": direction,
        })

    def trace_document(
        self,
        format: str,
        ref: str,
        *,
        depth: Optional[int] = None,
        direction: Optional[str] = None,
        words: Optional[bool] = None,
    ) -> TraceDocumentReply:
        """A lineage for tools that know PROV or in-toto."""
        return self.ask("trace_document", {
            "format": format,
            "ref": ref,
            "depth": depth,
            "direction": direction,
            "words": words,
        })

    def trust(
        self,
        ref: str,
    ) -> TrustReply:
        """Show the trust score of a memory and each of its terms."""
        return self.ask("trust", {
            "ref": ref,
        })

    def uncertain(
        self,
        *,
        limit: Optional[int] = None,
        threshold: Optional[float] = None,
    ) -> ListReply:
        """List memories of low confidence."""
        return self.ask("uncertain", {
            "limit": limit,
            "threshold": threshold,
        })

    def undo(
        self,
        *,
        dry_run: Optional[bool] = None,
        reason: Optional[str] = None,
        ref: Optional[str] = None,
    ) -> UndoReply:
        """Undo the last decision."""
        return self.ask("undo", {
            "dry_run": dry_run,
            "reason": reason,
            "ref": ref,
        })

    def unprotect(
        self,
        refs: List[str],
        *,
        reason: Optional[str] = None,
    ) -> ForgetReply:
        """End the protection of memories."""
        return self.ask("unprotect", {
            "refs": refs,
            "reason": reason,
        })

    def used(
        self,
        refs: List[str],
    ) -> UsedReply:
        """Record that memories were used, which keeps them from being forgotten."""
        return self.ask("used", {
            "refs": refs,
        })

    def verify(
        self,
        ref: str,
        *,
        files: Optional[List[str]] = None,
        method: Optional[str] = None,
        notes: Optional[str] = None,
    ) -> VerifyReply:
        """Confirm that a memory still holds."""
        return self.ask("verify", {
            "ref": ref,
            "files": files,
            "method": method,
            "notes": notes,
        })

    def why(
        self,
        ref: str,
        *,
        without: Optional[List[str]] = None,
    ) -> WhyReply:
        """Show what a memory rests on, who vouches for it and how sure its author is."""
        return self.ask("why", {
            "ref": ref,
            "without": without,
        })

    def witness(
        self,
        attestation: str,
        ref: str,
        *,
        notes: Optional[str] = None,
    ) -> WitnessReply:
        """Confirm, dispute or partly confirm somebody else's memory."""
        return self.ask("witness", {
            "attestation": attestation,
            "ref": ref,
            "notes": notes,
        })

    def witness_requests(
        self,
        *,
        via: Optional[str] = None,
    ) -> LettersReply:
        """List witness requests that wait at a remote."""
        return self.ask("witness_requests", {
            "via": via,
        })
# generated: end


class Client(Operations):
    """Asks one server. Safe for several threads: each call has a connection of its own."""

    def __init__(
        self, url: str, token: str, *, agent: str = "", session: str = "", space: str = "", timeout: float = 120.0
    ) -> None:
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"url: must be like http://127.0.0.1:7463, got {url!r}")
        if parts.username is not None or parts.query or parts.fragment:
            raise ValueError("url: must have no user, query or fragment")
        token = token.strip()
        if any(c in token + agent + session + space for c in "\r\n"):
            raise ValueError("token, agent, session and space must be one line each")
        self._parts = parts
        self._timeout = timeout
        self._secret = ""  # which the server must prove to have before it is sent a token
        self._headers = {"Authorization": "Bearer " + _header(token)}
        for name, text in (("Stemma-Agent", agent), ("Stemma-Session", session), ("Stemma-Space", space)):
            if text:
                self._headers[name] = _header(text)

    @classmethod
    def local(cls, url: str = "http://127.0.0.1:7463", *, data: Optional[str] = None, **names: Any) -> "Client":
        """A client of this person's own server, with the token for agents that `stemma serve` keeps. It goes to no
        other machine, and on each connection the server proves that it has the token before it is sent. A token in
        STEMMA_TOKEN is sent without proof."""
        parts = urllib.parse.urlsplit(url)
        if parts.hostname not in ("127.0.0.1", "::1", "localhost"):
            raise ValueError(f"url: {url!r} is not on this machine; use Client(url, token) with a token of that server")
        if (parts.scheme, parts.hostname) == ("http", "localhost"):
            # the name may lead to ::1 first, where another account could pass on what the server at 127.0.0.1 proves
            url = parts._replace(netloc=parts.netloc.lower().replace("localhost", "127.0.0.1")).geturl()
        token = local_token(data)
        client = cls(url, token, **names)
        client._secret = "" if os.environ.get("STEMMA_TOKEN") else token
        return client

    def ask(self, name: str, request: Dict[str, Any]) -> Any:
        """Does an operation by its name. A write is done once however often it had to be asked."""
        return json.loads(self._asked(name, request, "application/json"))

    def pack(self, name: str, request: Dict[str, Any]) -> str:
        """Asks for context or load as text for a model."""
        return self._asked(name, request, "text/plain").decode()

    def tool(self, name: str, arguments: Dict[str, Any]) -> Any:
        """Calls recall, remember, correct, why, recent or status for a model: the answer is short, and
        a failure that other arguments would avoid is a text such as "not_found: ..."."""
        try:
            return json.loads(self._asked(name, arguments, "application/json", {"Stemma-Answer": "tool"}))
        except StemmaError as err:
            if err.kind in ("not_found", "invalid", "malformed", "conflict", "ambiguous", "forbidden"):
                return f"{err.kind}: {err.detail}"
            raise

    def export(self, **request: Any) -> Iterator[bytes]:
        """Yields records, signed, one line each. A stream that broke off is an UnreachableError."""
        return self._lines("export", request)

    def export_documents(self, **request: Any) -> Iterator[bytes]:
        """Yields memories as documents of the Memory Provenance Schema."""
        return self._lines("export_documents", request)

    def import_(self, lines: Union[BinaryIO, Iterable[bytes]]) -> "ImportReply":
        """Takes in what an export wrote: verified, then stored as it is."""
        return self._deliver("import", lines)

    def import_documents(self, lines: Union[BinaryIO, Iterable[bytes]]) -> "IngestReply":
        """Takes in documents of the Memory Provenance Schema."""
        return self._deliver("import_documents", lines)

    def ingest(self, records: Iterable[Dict[str, Any]]) -> "IngestReply":
        """Takes in records from elsewhere."""
        return self._deliver("ingest", (_json(r) + b"\n" for r in records))

    def _asked(self, name: str, request: Dict[str, Any], accept: str, more: Optional[Dict[str, str]] = None) -> bytes:
        body = _json({k: v for k, v in request.items() if v is not None})
        headers = {
            "Content-Type": "application/json", "Accept": accept, "Idempotency-Key": secrets.token_hex(16), **(more or {})
        }
        for left in reversed(range(_TRIES)):
            wait = 0.1
            connection = self._connection()
            try:
                self._connect(connection)
                answer = self._send(connection, name, body, headers)
                text = answer.read()
                if answer.status < 300:
                    return text
                wait = _seconds(answer.getheader("Retry-After"))
                if not wait or not left:
                    raise _problem(answer.status, text)
            except (OSError, http.client.HTTPException) as err:
                if not left:
                    raise UnreachableError(f"{name}: the answer broke off: {err}") from None
            finally:
                connection.close()
            time.sleep(min(wait, _LONGEST))
        raise AssertionError("unreachable")

    def _lines(self, name: str, request: Dict[str, Any]) -> Iterator[bytes]:
        connection = self._connection()
        try:
            self._connect(connection)
            answer = self._send(connection, name, _json(request), {"Content-Type": "application/json"})
            if answer.status >= 300:
                raise _problem(answer.status, answer.read())
            rest = b""
            while True:
                part = answer.read(_PART)  # readline takes the end of a connection for the end of the answer
                lines = (rest + part).splitlines(keepends=True)
                rest = lines.pop() if lines and not lines[-1].endswith(b"\n") else b""
                yield from lines
                if not part:
                    break
            if rest:
                yield rest
        except (OSError, http.client.HTTPException) as err:
            raise UnreachableError(f"{name}: the answer broke off: {err}") from None
        finally:
            connection.close()

    def _deliver(self, name: str, lines: Union[BinaryIO, Iterable[bytes]]) -> Any:
        connection = self._connection()
        try:
            self._connect(connection)
            answer = self._send(connection, name, iter(lines), {"Content-Type": "application/x-ndjson"})
            text = answer.read()
            if answer.status >= 300:
                raise _problem(answer.status, text)
            return json.loads(text)
        except (OSError, http.client.HTTPException) as err:
            raise UnreachableError(f"{name}: the answer broke off: {err}") from None
        finally:
            connection.close()

    def _connection(self) -> http.client.HTTPConnection:
        of = http.client.HTTPSConnection if self._parts.scheme == "https" else http.client.HTTPConnection
        return of(self._parts.hostname or "", self._parts.port, timeout=self._timeout)

    def _connect(self, connection: http.client.HTTPConnection) -> None:
        try:
            connection.connect()
        except OSError as err:
            raise UnreachableError(f"the server cannot be asked: {err}; does 'stemma serve' run there?") from None
        connection.auto_open = 0  # what was proved is for this connection
        if not self._secret:
            return
        challenge = secrets.token_urlsafe(32)
        connection.request("GET", self._parts.path.rstrip("/") + "/healthz", headers={"Stemma-Challenge": challenge})
        answer = connection.getresponse()
        text = answer.read(4 << 10)
        message = f"stemma server\0{self._parts.port or 80}\0{challenge}".encode()
        proof = hmac.new(self._secret.encode(), message, hashlib.sha256).hexdigest()
        try:
            given = str(json.loads(text)["proof"]).encode()
        except (ValueError, KeyError, TypeError):
            given = b""
        if not hmac.compare_digest(given, proof.encode()) or answer.read(1):
            raise UnreachableError(f"the server at {self._parts.netloc} is not yours: no token was sent to it")

    def _send(
        self, connection: http.client.HTTPConnection, name: str, body: Any, headers: Dict[str, str]
    ) -> http.client.HTTPResponse:
        path = self._parts.path.rstrip("/") + "/v1/" + urllib.parse.quote(name, safe="")
        connection.request("POST", path, body=body, headers={**self._headers, **headers})
        return connection.getresponse()


def _json(value: Any) -> bytes:
    return json.dumps(value, allow_nan=False).encode()


def _header(text: str) -> str:
    return text.encode().decode("latin-1")  # http.client writes Latin-1, the server reads UTF-8


def local_token(data: Optional[str] = None) -> str:
    """Reads the token for agents from the data directory of this person. STEMMA_TOKEN goes first."""
    if os.environ.get("STEMMA_TOKEN"):
        return os.environ["STEMMA_TOKEN"]
    path = os.path.join(data or _data_directory(), "server", "token")
    try:
        with open(path, encoding="ascii") as file:
            return file.read().strip()
    except OSError as err:
        raise UnreachableError(f"no token for agents: {err}; 'stemma serve' makes one, or set STEMMA_TOKEN") from None


def _data_directory() -> str:
    data, home = os.environ.get("XDG_DATA_HOME", ""), os.environ.get("HOME", "")
    if os.path.isabs(data):
        return os.path.join(data, "stemma")
    if home:
        return os.path.join(home, ".local", "share", "stemma")
    return os.path.join(os.environ.get("LOCALAPPDATA", ""), "stemma")


def _seconds(text: Optional[str]) -> float:
    return float(text) if text and text.isdigit() else 0.0


def _problem(status: int, text: bytes) -> StemmaError:
    try:
        problem = json.loads(text)
        return StemmaError(status, problem["kind"], problem.get("detail") or problem["title"])
    except (ValueError, KeyError, TypeError):
        return StemmaError(status, "unavailable" if status >= 500 else "invalid", f"the server answered {status}")
