/** What `traceparent` says (W3C Trace Context, level 1, section 3.2). */
export interface TraceParent {
  readonly traceId: string;
  /** Identifier of the sender's own span. */
  readonly parentId: string;
  /** True where the sender may have recorded its span. */
  readonly isSampled: boolean;
}

// A version, and what all versions have in common: neither identifier is zero.
const TRACE_PARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?$/;
/** Length of version 00. */
const LENGTH = 55;
const SAMPLED = 1;

/**
 * Reads `traceparent`; `undefined` for what a new trace must replace. Of versions to come, the part that this one knows is
 * read (section 4.3).
 */
export function parseTraceParent(value: unknown): TraceParent | undefined {
  if (typeof value !== 'string' || !TRACE_PARENT.test(value)) return undefined;
  if (value.length > LENGTH && value.startsWith('00')) return undefined;
  const isSampled = (parseInt(value.slice(53, LENGTH), 16) & SAMPLED) === SAMPLED;
  return { traceId: value.slice(3, 35), parentId: value.slice(36, 52), isSampled };
}

/** Writes `traceparent`, in version 00. */
export function formatTraceParent({ traceId, parentId, isSampled }: TraceParent): string {
  return `00-${traceId}-${parentId}-${isSampled ? '01' : '00'}`;
}

/** Most members of a `tracestate` (section 3.3.1.1). */
const MEMBERS = 32;
// Section 3.3.1.3: a simple key, or one of a tenant; a value of visible characters without "," and "=", no blank at its end.
const MEMBER =
  /^(?:[a-z][a-z0-9_*/-]{0,255}|[a-z0-9][a-z0-9_*/-]{0,240}@[a-z][a-z0-9_*/-]{0,13})=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;

/** The `tracestate` to pass on; `undefined` for none, and for one that is not as the standard wants it. */
export function forwardedTracestate(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const written = value.split(',').map((member) => member.trim());
  const members = written.filter((member) => member !== '');
  const keys = new Set(members.map((member) => member.slice(0, member.indexOf('='))));
  const isUnique = keys.size === members.length;
  if (members.length === 0 || members.length > MEMBERS || !isUnique) return undefined;
  return members.every((member) => MEMBER.test(member)) ? members.join(',') : undefined;
}
