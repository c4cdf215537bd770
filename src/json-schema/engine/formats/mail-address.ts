import { isHostName } from './host-name.js';
import { isIpv4, isIpv6 } from './ip-address.js';

// RFC 5321 section 4.1.2: the part before the @ is of atoms or quoted; RFC 6531 adds what is beyond ASCII.
const ATOMS = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i;
const QUOTED = /^"(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\[\x20-\x7e])*"$/;

/** True for a mail address (RFC 5321 section 4.1.2). */
export function isMailAddress(text: string): boolean {
  const at = text.lastIndexOf('@');
  const [local, domain] = [text.slice(0, at), text.slice(at + 1)];
  if (at < 1 || !(ATOMS.test(local) || QUOTED.test(local))) return false;
  return isHostName(domain) || isAddressLiteral(domain);
}

/** True for an internationalised mail address (RFC 6531). */
export function isIdnMailAddress(text: string): boolean {
  return isMailAddress(text.replaceAll(/[^\x00-\x7f]/gu, notAnAt));
}

/** A letter for a character beyond ASCII, but none for what looks like the sign between the parts of an address. */
function notAnAt(character: string): string {
  return '＠﹫'.includes(character) ? ' ' : 'x';
}

/** RFC 5321 section 4.1.3. */
function isAddressLiteral(domain: string): boolean {
  const [, prefix = '', address = ''] = /^\[(IPv6:)?([^\]]*)\]$/i.exec(domain) ?? [];
  return prefix === '' ? isIpv4(address) : isIpv6(address);
}
