import { textOf } from '../../text/text.js';

const text = textOf('rest');

/** The decision of the egress rules about a call. */
interface EgressDecision {
  readonly status: 'good' | 'bad' | 'off';
  readonly word: string;
  /** The reason for the decision. */
  readonly why: string;
}

/** The relevant part of a failure. */
interface Refusal {
  readonly code: string;
  readonly message: string;
}

/** Failures before the egress rules are evaluated. */
const CODES_BEFORE_EGRESS: ReadonlySet<string> = new Set([
  'invalid_uri',
  'invalid_header',
  'invalid_request',
  'invalid_json',
  'body_too_large',
]);

/**
 * Returns the decision of the egress rules. They are evaluated last before a connection is opened, so a
 * failure of the target means that they allowed the call.
 */
export function egressDecisionOf(refusal: Refusal | undefined): EgressDecision {
  if (!refusal) return { status: 'good', word: text('allowed'), why: text('allowed.reason') };
  const { code, message } = refusal;
  if (code === 'egress_denied') return { status: 'bad', word: text('denied'), why: message };
  if (code.startsWith('upstream_'))
    return {
      status: 'good',
      word: text('allowed'),
      why: text('allowed.failed'),
    };
  const why = CODES_BEFORE_EGRESS.has(code) ? text('notChecked.refused') : text('notChecked.failed');
  return { status: 'off', word: text('notChecked'), why };
}

/** Addresses that no entry should open: credentials of the cloud, and whatever is on the same link. */
const CLOSED_REASON = /address is (?:metadata|link-local)\b/;

/**
 * Returns the entry of `egress.allow` that would allow a denied call; undefined for an address that must stay
 * closed.
 */
export function adviceFor(uri: string, { code, message }: Refusal): string | undefined {
  return code !== 'egress_denied' || CLOSED_REASON.test(message) ? undefined : allowEntryFor(uri);
}

/** Returns the entry of `egress.allow` that would allow a URI; undefined unless it is an http URI. */
export function allowEntryFor(uri: string): string | undefined {
  if (!URL.canParse(uri)) return undefined;
  const { protocol, host, hostname, port } = new URL(uri);
  if (protocol !== 'http:' && protocol !== 'https:') return undefined;
  return port === '' ? `${hostname}:${protocol === 'https:' ? 443 : 80}` : host;
}
