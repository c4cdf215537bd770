import { keepDirection } from './idn-direction.js';
import { isIdnLabel } from './idn-label.js';
import { decodePunycode, encodePunycode } from './punycode.js';

// RFC 1123 section 2.1, RFC 5890 section 2.3.1.
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;

/** Longest name and longest label, in characters as they go over the wire. */
const LONGEST_NAME = 253;
const LONGEST_LABEL = 63;

/** True for the name of a host (RFC 1123); labels that stand for others in Unicode mean such (RFC 5890). */
export function isHostName(text: string): boolean {
  return text.length <= LONGEST_NAME && text.split('.').every(isLabel);
}

/** True for the name of a host as drafts 4 and 6 mean it: labels that stand for others are like any. */
export function isPlainHostName(text: string): boolean {
  return text.length <= LONGEST_NAME && text.split('.').every((label) => LABEL.test(label));
}

/** True for a label in ASCII. */
export function isLabel(label: string): boolean {
  if (!LABEL.test(label)) return false;
  return label.slice(2, 4) !== '--' || isALabel(label.toLowerCase());
}

function isALabel(label: string): boolean {
  if (!label.startsWith('xn--')) return false;
  const decoded = decodePunycode(label.slice(4));
  if (decoded === undefined || !/[^\x00-\x7f]/.test(decoded)) return false;
  return encodePunycode(decoded) === label.slice(4) && isIdnLabel(decoded) && keepDirection([decoded]);
}

/** The label as it goes over the wire; undefined when it is too long for that. */
export function wireLabel(label: string): string | undefined {
  if (label.length > LONGEST_LABEL) return undefined;
  const wire = /[^\x00-\x7f]/.test(label) ? `xn--${encodePunycode(label)}` : label;
  return wire.length <= LONGEST_LABEL ? wire : undefined;
}
