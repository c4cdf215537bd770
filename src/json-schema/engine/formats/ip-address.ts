const OCTET = '(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])';
const IPV4 = new RegExp(`^${OCTET}(?:\\.${OCTET}){3}$`);
const GROUP = /^[0-9a-f]{1,4}$/i;

/**
 * Returns true for an IPv4 address in the form of RFC 2673 section 3.2: four decimal numbers without leading
 * zeros.
 */
export function isIpv4(text: string): boolean {
  return IPV4.test(text);
}

/** Returns true for an IPv6 address in the form of RFC 4291 section 2.2, without a zone. */
export function isIpv6(text: string): boolean {
  // The longest address has eight groups, with an IPv4 address as the last two.
  if (text.length > 45) return false;
  const halves = text.split('::');
  if (halves.length > 2) return false;
  const groups = halves.map((half) => (half === '' ? [] : half.split(':')));
  const all = groups.flat();
  const last = groups.at(-1)?.at(-1) ?? '';
  const endsInIpv4 = last.includes('.');
  if (endsInIpv4 && !isIpv4(last)) return false;
  const plain = endsInIpv4 ? all.slice(0, -1) : all;
  const size = all.length + (endsInIpv4 ? 1 : 0);
  return plain.every((group) => GROUP.test(group)) && (halves.length === 2 ? size < 8 : size === 8);
}
