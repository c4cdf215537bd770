import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** Records of a name by type; `silent` never answers; a name without an entry does not exist. */
type Zone = Readonly<
  Record<string, { readonly A?: readonly string[]; readonly AAAA?: readonly string[] } | 'silent'>
>;

/** A name server on UDP port of 127.0.0.1. */
export interface DnsServer {
  /** `address:port` */
  readonly address: string;
  /** Names of the questions so far, with their types. */
  readonly questions: readonly string[];
  close(): Promise<void>;
}

const TYPES: Readonly<Record<number, 'A' | 'AAAA'>> = { 1: 'A', 28: 'AAAA' };

/** Starts a name server that knows these names alone (RFC 1035). */
export async function startDnsServer(zone: Zone): Promise<DnsServer> {
  const socket = createSocket('udp4').unref();
  const questions: string[] = [];
  socket.on('message', (query, peer) => {
    const { name, end } = readName(query);
    const type = TYPES[query.readUInt16BE(end)] ?? 'A';
    questions.push(`${name} ${type}`);
    const entry = zone[name];
    if (entry === 'silent') return;
    const records = (entry?.[type] ?? []).map((address) => recordOf(type, address));
    const head = Buffer.from(query.subarray(0, 12));
    // A reply, recursion available, and NXDOMAIN for an unknown name.
    head.writeUInt16BE(entry ? 0x8180 : 0x8183, 2);
    head.writeUInt16BE(records.length, 6);
    head.writeUInt32BE(0, 8);
    socket.send(Buffer.concat([head, query.subarray(12, end + 4), ...records]), peer.port, peer.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    questions,
    async close() {
      socket.close();
      await once(socket, 'close');
    },
  };
}

function readName(query: Buffer): { readonly name: string; readonly end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
}

/** Returns a record of the name in the question, valid for a minute. */
function recordOf(type: 'A' | 'AAAA', address: string): Buffer {
  const data = type === 'A' ? Buffer.from(address.split('.').map(Number)) : ipv6Bytes(address);
  const head = Buffer.from([0xc0, 12, 0, type === 'A' ? 1 : 28, 0, 1, 0, 0, 0, 60, 0, data.length]);
  return Buffer.concat([head, data]);
}

function ipv6Bytes(address: string): Buffer {
  const [front = '', back = ''] = address.split('::');
  const groups = (text: string): string[] => (text === '' ? [] : text.split(':'));
  const [first, last] = [groups(front), groups(back)];
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => '0');
  return Buffer.from([...first, ...zeros, ...last].map((group) => group.padStart(4, '0')).join(''), 'hex');
}
