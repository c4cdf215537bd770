import { loopbackSpellings } from '../../test/support/loopback-spellings.js';

/** IPv4 addresses of every closed kind; a canary listens on each. */
export const CLOSED_IPV4: readonly string[] = [
  ...['127.0.0.1', '127.8.8.8', '10.0.0.5', '172.16.0.5', '192.168.0.5', '169.254.1.5', '169.254.169.254'],
  ...['100.64.0.5', '100.100.100.200', '168.63.129.16', '192.0.0.192', '198.18.0.5'],
];

/** Closed IPv6 addresses, and those that embed closed addresses; a canary listens on each. */
export const CLOSED_IPV6: readonly string[] = [
  ...[
    '::1',
    '::7f00:1',
    '::a9fe:a9fe',
    'fd00:ec2::254',
    'fe80::5',
    'fc00::5',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b::7f00:1',
  ],
  ...['64:ff9b:1::7f00:1', '2002:7f00:1::1', '2002:a9fe:a9fe::1', '::ffff:0:7f00:1', '2001:db8::5', '100::5'],
];

const wide = (text: string): string =>
  text.replace(/[0-9]/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)));
const circled = (text: string): string =>
  text.replace(/[1-9]/g, (digit) => String.fromCodePoint(0x2460 + Number(digit) - 1));
const hex = (value: number, width = 0): string => value.toString(16).padStart(width, '0');

/** Returns 26 spellings of an IPv4 address as the host of a URI. */
function hostForms(ip: string): readonly string[] {
  const bytes = ip.split('.').map(Number);
  const [a = 0, b = 0, c = 0, d = 0] = bytes;
  const whole = ((a * 256 + b) * 256 + c) * 256 + d;
  const groups = `${hex(a * 256 + b)}:${hex(c * 256 + d)}`;
  return [
    ...[ip, `${ip}.`, String(whole), `0x${hex(whole, 8)}`, `0${whole.toString(8)}`],
    ...[
      bytes.map((byte) => `0${byte.toString(8)}`).join('.'),
      bytes.map((byte) => `0x${hex(byte)}`).join('.'),
    ],
    ...[bytes.map((byte) => String(byte).padStart(3, '0')).join('.'), `${a}.${(b * 256 + c) * 256 + d}`],
    ...[`${a}.${b}.${c * 256 + d}`, `0x${hex(a)}.${b}.${c}.0${d.toString(8)}`, wide(ip), circled(ip)],
    ...[ip.replaceAll('.', '。'), ip.replaceAll('.', '．'), ip.replaceAll('.', '%2e')],
    `%3${String(a).slice(0, 1)}${ip.slice(1)}`,
    ...[`[::ffff:${ip}]`, `[::ffff:${groups}]`, `[0:0:0:0:0:FFFF:${groups.toUpperCase()}]`, `[::${ip}]`],
    ...[
      `[::${groups}]`,
      `[64:ff9b::${ip}]`,
      `[64:ff9b:1::${groups}]`,
      `[2002:${groups}::]`,
      `[::ffff:0:${ip}]`,
    ],
  ];
}

/** Returns more than 430 URIs of closed addresses; only the test resolves the host names in them. */
export function closedUris(port: number): readonly string[] {
  const hosts = [...CLOSED_IPV4.flatMap(hostForms), ...CLOSED_IPV6.map((ip) => `[${ip}]`)];
  return [...new Set([...hosts.map((host) => `http://${host}:${port}/`), ...loopbackSpellings(port)])];
}
