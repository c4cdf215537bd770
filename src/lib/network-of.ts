/**
 * Returns the key that limits use for a peer: an IPv4 address in its plain form, or the /64 network of an IPv6
 * address, because a host can use every address of its /64 network.
 */
export function networkOf(address: string): string {
  const host = address.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '');
  if (!host.includes(':')) return host;
  const [head = [], tail] = host
    .toLowerCase()
    .split('::')
    .map((half) => half.split(':').filter((group) => group !== ''));
  const zeros = tail ? Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0') : [];
  const groups = [...head, ...zeros, ...(tail ?? [])].slice(0, 4);
  return `${groups.map((group) => group.replace(/^0+(?=.)/, '')).join(':')}::/64`;
}
