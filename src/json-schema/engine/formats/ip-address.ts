const OCTET = '(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])';
const IPV4 = new RegExp(`^${OCTET}(?:\\.${OCTET}){3}$`);
const GROUP = /^[0-9a-f]{1,4}$/i;

/** True for an address as RFC 2673 section 3.2 writes it: four decimal numbers without leading zeros. */
export function isIpv4(text: string): boolean {
  return IPV4.test(text);
}

/** True for an address as RFC 4291 section 2.2 writes it, without a zone. */
export function isIpv6(text: string): boolean {
  // The longest has eight groups, the last two of them as an IPv4 address.
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
