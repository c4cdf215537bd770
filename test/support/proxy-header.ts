import { isIPv4, SocketAddress } from 'node:net';

/** Returns a header of version 1 of the PROXY protocol. */
export function proxyHeaderV1(
  source: string,
  destination = isIPv4(source) ? '192.0.2.1' : '2001:db8::1',
): Buffer {
  const family = isIPv4(source) ? 'TCP4' : 'TCP6';
  return Buffer.from(`PROXY ${family} ${source} ${destination} 4711 443\r\n`);
}

/** The parts of a header of version 2 that a test sets. */
interface HeaderV2 {
  /** Version in the high half, command in the low half: 0x20 is LOCAL, 0x21 is PROXY. */
  readonly versionAndCommand?: number;
  readonly familyAndProtocol?: number;
  readonly addresses: Buffer;
  /** Stated length; default: that of the addresses. */
  readonly length?: number;
}

/** Returns a header of version 2 with any content. */
export function rawHeaderV2(header: HeaderV2): Buffer {
  const { versionAndCommand = 0x21, familyAndProtocol = 0x11, addresses, length = addresses.length } = header;
  const fixed = Buffer.from([versionAndCommand, familyAndProtocol, length >> 8, length & 0xff]);
  return Buffer.concat([Buffer.from('\r\n\r\n\0\r\nQUIT\n'), fixed, addresses]);
}

/** Returns a header of version 2 for a client, with additional bytes (TLV) after the addresses. */
export function proxyHeaderV2(source: string, additions = Buffer.alloc(0)): Buffer {
  const isV4 = isIPv4(source);
  const bytes = isV4 ? Buffer.from(source.split('.').map(Number)) : ipv6Bytes(source);
  const ports = Buffer.from([0x12, 0x67, 0x01, 0xbb]);
  const addresses = Buffer.concat([bytes, bytes, ports, additions]);
  return rawHeaderV2({ familyAndProtocol: isV4 ? 0x11 : 0x21, addresses });
}

function ipv6Bytes(text: string): Buffer {
  const { address } = new SocketAddress({ address: text, family: 'ipv6' });
  const groups = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_all, ...parts: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = parts.slice(0, 4).map(Number);
    return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
  });
  const [head = [], tail] = groups.split('::').map((half) => half.split(':').filter((group) => group !== ''));
  const zeros = tail ? Array<string>(8 - head.length - tail.length).fill('0') : [];
  return Buffer.from(
    [...head, ...zeros, ...(tail ?? [])].flatMap((group) => [
      parseInt(group, 16) >> 8,
      parseInt(group, 16) & 0xff,
    ]),
  );
}
