import { isIP, isIPv4, isIPv6 } from 'node:net';
import formats from 'ajv-formats';
import type { Engine } from './engine.js';
import { DURATION, isDate, isDateTime, isTime } from './time-format.js';
import { isIri, isIriReference, isUri, isUriReference } from './uri-format.js';

// RFC 5321 section 4.1.2: the part before the @ is of atoms or quoted.
const ATOMS = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i;
const QUOTED = /^"(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\[\x20-\x7e])*"$/;
const HOST_NAME =
  /^(?!.{254})[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i;

// RFC 6570 section 2: literals and expressions.
const URI_TEMPLATE =
  /^(?:[^\x00-\x20\x7f"%<>\\^`{|}]|%[0-9a-f]{2}|\{[+#./;?&=,!@|]?(?:\w|%[0-9a-f]{2})+(?:\.(?:\w|%[0-9a-f]{2})+)*(?::[1-9]\d{0,3}|\*)?(?:,(?:[\w.]|%[0-9a-f]{2})+(?::[1-9]\d{0,3}|\*)?)*\})*$/i;

/** Teaches an engine the formats of all drafts: those of `ajv-formats`, and ours where it has none or is too lenient. */
export function addFormats(engine: Engine): void {
  formats.default(engine);
  engine.addFormat('date', isDate);
  engine.addFormat('time', isTime);
  engine.addFormat('date-time', isDateTime);
  engine.addFormat('duration', DURATION);
  engine.addFormat('uri', isUri);
  engine.addFormat('uri-reference', isUriReference);
  engine.addFormat('iri', isIri);
  engine.addFormat('iri-reference', isIriReference);
  engine.addFormat('uri-template', URI_TEMPLATE);
  engine.addFormat('url', (text: string) => URL.canParse(text));
  engine.addFormat('hostname', HOST_NAME);
  engine.addFormat('email', (text: string) => isMailbox(text, HOST_NAME));
  engine.addFormat('idn-email', (text: string) =>
    isMailbox(text.replaceAll(/[^\x00-\x7f]/gu, notAnAt), HOST_NAME),
  );
  engine.addFormat('uuid', /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i);
  engine.addFormat('ipv6', (text: string) => isIPv6(text) && !text.includes('%'));
}

/** A letter for a character beyond ASCII, but none for what looks like the sign between the parts of an address. */
function notAnAt(character: string): string {
  return '＠﹫'.includes(character) ? ' ' : 'x';
}

function isMailbox(text: string, hostName: RegExp): boolean {
  const at = text.lastIndexOf('@');
  const [local, domain] = [text.slice(0, at), text.slice(at + 1)];
  if (at < 1 || !(ATOMS.test(local) || QUOTED.test(local))) return false;
  return hostName.test(domain) || isAddressLiteral(domain);
}

/** RFC 5321 section 4.1.3. */
function isAddressLiteral(domain: string): boolean {
  const [, prefix = '', address = ''] = /^\[(IPv6:)?([^\]]*)\]$/i.exec(domain) ?? [];
  return prefix === '' ? isIPv4(address) : isIP(address) === 6;
}
