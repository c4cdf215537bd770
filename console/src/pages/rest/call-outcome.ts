/** What became of a call, as far as the egress rules go. */
export interface CallOutcome {
  readonly status: 'good' | 'bad' | 'off';
  readonly word: string;
  /** What decided it. */
  readonly why: string;
}

/** A failure, as far as it matters here. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
}

/** Failures that come before the rules are asked. */
const BEFORE: ReadonlySet<string> = new Set([
  'invalid_uri',
  'invalid_header',
  'invalid_request',
  'invalid_json',
  'body_too_large',
]);

/** What the egress rules said: they are asked last before a connection is made, so that a failure of the target means yes. */
export function callOutcomeOf(refusal: Refusal | undefined): CallOutcome {
  if (!refusal) return { status: 'good', word: 'Let through', why: 'The rules leave this destination open.' };
  const { code, message } = refusal;
  if (code === 'egress_denied') return { status: 'bad', word: 'Blocked', why: message };
  if (code.startsWith('upstream_'))
    return {
      status: 'good',
      word: 'Let through',
      why: 'The rules leave it open; the target is what failed.',
    };
  const why = BEFORE.has(code)
    ? 'The request was refused before the rules were asked.'
    : 'The request did not come as far as the rules.';
  return { status: 'off', word: 'Not asked', why };
}

/** The entry of `egress.allow` that would open a URI; undefined for what is no http URI. */
export function openingEntry(uri: string): string | undefined {
  if (!URL.canParse(uri)) return undefined;
  const { protocol, host, hostname, port } = new URL(uri);
  if (protocol !== 'http:' && protocol !== 'https:') return undefined;
  return port === '' ? `${hostname}:${protocol === 'https:' ? 443 : 80}` : host;
}
