/**
 * Returns the name under which wrong passwords from an address are counted. This is an IPv4 address itself,
 * however it is written, or the /64 network of an IPv6 address, because one host can use any address in it.
 */
export function networkOf(address: string): string {
  const plain = address.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '');
  if (!plain.includes(':')) return plain;
  const [left = [], right] = plain
    .toLowerCase()
    .split('::')
    .map((half) => half.split(':').filter((group) => group !== ''));
  const zeros = right ? Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0') : [];
  const groups = [...left, ...zeros, ...(right ?? [])].slice(0, 4);
  return `${groups.map((group) => group.replace(/^0+(?=.)/, '')).join(':')}::/64`;
}
