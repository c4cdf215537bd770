import { isHostName, isPlainHostName } from './host-name.js';
import { isIdnHostName } from './idn-host-name.js';
import { isIpv4, isIpv6 } from './ip-address.js';
import { isIdnMailAddress, isMailAddress } from './mail-address.js';
import { JSON_POINTER, RELATIVE_JSON_POINTER, URI_TEMPLATE } from './pointer-format.js';
import { DURATION, isDate, isDateTime, isTime } from './time.js';
import { isIri, isIriReference, isUri, isUriReference } from './uri.js';

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** Formats by name, each with what tells whether a text is one. */
export type Formats = ReadonlyMap<string, (text: string) => boolean>;

/** The formats of all drafts since draft 7. Each takes a time linear in the length of the text. */
export const FORMATS: Formats = new Map([
  ['date', isDate],
  ['time', isTime],
  ['date-time', isDateTime],
  ['duration', matching(DURATION)],
  ['email', isMailAddress],
  ['idn-email', isIdnMailAddress],
  ['hostname', isHostName],
  ['idn-hostname', isIdnHostName],
  ['ipv4', isIpv4],
  ['ipv6', isIpv6],
  ['uri', isUri],
  ['uri-reference', isUriReference],
  ['iri', isIri],
  ['iri-reference', isIriReference],
  ['uri-template', matching(URI_TEMPLATE)],
  ['uuid', matching(UUID)],
  ['json-pointer', matching(JSON_POINTER)],
  ['relative-json-pointer', matching(RELATIVE_JSON_POINTER)],
  ['regex', isPattern],
]);

/** The formats of drafts 4 and 6. */
export const OLD_FORMATS: Formats = new Map([...FORMATS, ['hostname', isPlainHostName]]);

function matching(pattern: RegExp): (text: string) => boolean {
  return (text) => pattern.test(text);
}

/** True for a pattern of ECMA-262, whether or not it could be matched in linear time. */
function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u');
    return true;
  } catch {
    return false;
  }
}
