import { chunkedFrame } from '../../plugins/netconf/framing.js';
import { type DoubleSession, helloWith } from '../../test/support/netconf-double.js';

/** What a hostile NETCONF device sends. A part that is absent is as usual. */
export interface DeviceAttack {
  readonly name: string;
  /** Writes what is in place of the hello. */
  readonly hello?: (session: DoubleSession) => void;
  /** Writes what is in place of the reply to a read. */
  readonly answer?: (session: DoubleSession, messageId: string) => void;
  /** Texts of the modules that the hello announces, in place of the module of the device. */
  readonly modules?: Readonly<Record<string, () => string>>;
  /** True if the call must be answered with data, `maybe` if it may be. */
  readonly isAnswered?: boolean | 'maybe';
}

const MIB = 1_048_576;
const PACKET = Buffer.alloc(32_768, ' ');
const EVENT =
  '<notification xmlns="urn:ietf:params:xml:ns:netconf:notification:1.0"><eventTime>2026-01-31T12:00:00Z</eventTime><e xmlns="urn:d"/></notification>';

const times = (count: number, write: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => write(at)).join('');

export function replyWith(messageId: string, content: string): string {
  return `<rpc-reply xmlns="urn:ietf:params:xml:ns:netconf:base:1.0" message-id="${messageId}">${content}</rpc-reply>`;
}

/** Returns the reply to a read whose container has this content. */
export function dataWith(messageId: string, content: string): string {
  return replyWith(messageId, `<data><c xmlns="urn:d">${content}</c></data>`);
}

const data =
  (content: () => string): NonNullable<DeviceAttack['answer']> =>
  (session, messageId) => {
    session.write(chunkedFrame(dataWith(messageId, content())));
  };

const RIGHT = '<s>a</s>';

/** Replies whose content costs more than their size. */
const COSTLY: Readonly<Record<string, () => string>> = {
  '8,000 prefixes, which 8,000 elements extend': () =>
    `<x ${times(8000, (at) => `xmlns:p${at}="u" `)}>${'<e xmlns:z="u"/>'.repeat(8000)}</x>`,
  '1.5 million attributes': () => `<x ${times(1_500_000, (at) => `a${at.toString(36)}="" `)}/>`,
  '1.9 million elements': () => '<e><n>a</n></e>'.repeat(950_000),
  '7.5 million references to characters': () => `<s>${'&lt;'.repeat(7_500_000)}</s>`,
  '4 million comments': () => '<!---->'.repeat(4_000_000),
  '2.5 million CDATA sections': () => `<s>${'<![CDATA[]]>'.repeat(2_500_000)}</s>`,
  '30 MB of quotation marks, twice as many in JSON': () => `<s>${'"'.repeat(30_000_000)}</s>`,
  '100,000 levels': () => '<a>'.repeat(100_000),
  'a name of 30 MB': () => `<${'n'.repeat(30_000_000)}/>`,
  '300,000 errors': () =>
    times(300_000, () => '<rpc-error><error-tag>a</error-tag><error-message>b</error-message></rpc-error>'),
};

/** Replies that are no message, or not only one. */
const ODD: readonly DeviceAttack[] = [
  {
    name: 'an entity that expands',
    answer: (session, id) => {
      session.write(
        chunkedFrame(
          `<!DOCTYPE a [<!ENTITY a "${'x'.repeat(1000)}"><!ENTITY b "${'&a;'.repeat(1000)}">]>${dataWith(id, '&b;')}`,
        ),
      );
    },
  },
  { name: 'an endless chunk', answer: endless('\n#4294967295\n', PACKET) },
  {
    name: 'endless chunks of one byte',
    answer: endless('', Buffer.from('\n#1\n '.repeat(10_000))),
  },
  {
    name: '300,000 chunks of one byte',
    isAnswered: true,
    answer: (session, id) => {
      const text = dataWith(id, `<s>${'a'.repeat(300_000)}</s>`);
      session.write(`${text.replaceAll(/[^]/g, '\n#1\n$&')}\n##\n`);
    },
  },
  {
    name: '30 MB of white space before the message',
    isAnswered: true,
    answer: (session, id) => {
      session.write(chunkedFrame(' '.repeat(30_000_000) + dataWith(id, RIGHT)));
    },
  },
  {
    name: '3,000 replies that nobody asked for, with ids of 10,000 digits',
    isAnswered: true,
    answer(session, id) {
      for (let sent = 0; sent < 3000; sent += 1) session.send(replyWith('9'.repeat(10_000), '<data/>'));
      session.send(dataWith(id, RIGHT));
    },
  },
  {
    name: '20,000 notifications before the reply',
    isAnswered: true,
    answer(session, id) {
      const frame = chunkedFrame(EVENT);
      for (let sent = 0; sent < 200; sent += 1) session.write(Buffer.concat(Array<Buffer>(100).fill(frame)));
      session.send(dataWith(id, RIGHT));
    },
  },
  { name: 'no reply', answer: () => undefined },
  {
    name: 'the end in the middle of a chunk',
    answer(session) {
      session.write('\n#4000\n<rpc-reply');
      session.drop();
    },
  },
];

/** Attacks below NETCONF. */
const SSH: readonly DeviceAttack[] = [
  {
    name: '200,000 packets of one byte',
    isAnswered: true,
    answer(session, id) {
      const frame = chunkedFrame(dataWith(id, `<s>${'a'.repeat(200_000)}</s>`));
      for (let at = 0; at < frame.length; at += 1) session.ssh?.data(frame.subarray(at, at + 1));
    },
  },
  {
    name: '128 MiB beyond the window, while a costly message is read',
    answer(session, id) {
      session.write(chunkedFrame(dataWith(id, '<e><n>a</n></e>'.repeat(500_000))));
      for (let sent = 0; sent < (128 * MIB) / PACKET.length; sent += 1) session.ssh?.data(PACKET);
    },
  },
  {
    name: '64 MiB of error output',
    answer(session) {
      for (let sent = 0; sent < (64 * MIB) / PACKET.length; sent += 1) session.ssh?.errorOutput(PACKET);
    },
  },
  {
    name: '64 MiB for a channel that does not exist',
    answer(session) {
      for (let sent = 0; sent < (64 * MIB) / PACKET.length; sent += 1) session.ssh?.dataToNobody(PACKET);
    },
  },
  {
    name: '300,000 requests of SSH that want an answer',
    answer(session) {
      for (let sent = 0; sent < 300_000; sent += 1) session.ssh?.ask();
    },
  },
];

const END = ']]>]]>';

const HELLOS: readonly DeviceAttack[] = [
  { name: 'an endless hello', hello: endless('<hello>', PACKET) },
  { name: 'an endless hello of white space', hello: endless('', PACKET) },
  {
    name: 'a hello of 100,000 levels',
    hello: (session) => {
      session.write(`<hello>${'<a>'.repeat(100_000)}${END}`);
    },
  },
  {
    name: 'a hello of 70,000 capabilities',
    hello: (session) => {
      session.write(`${helloWith(Array<string>(70_000).fill('u'))}${END}`);
    },
  },
  {
    name: 'a hello of 1 million features',
    hello: (session) => {
      session.write(`${helloWith([`urn:f?module=f&features=${'f,'.repeat(1_000_000)}`])}${END}`);
    },
  },
  { name: 'no hello', hello: () => undefined },
];

const doubling = times(
  40,
  (at) => `grouping g${at + 1} { container x { uses g${at}; } container y { uses g${at}; } } `,
);
const many = (count: number, text: (at: number) => string): NonNullable<DeviceAttack['modules']> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`m${at}`, () => text(at)]));
const moduleWith = (name: string, content: string): string =>
  `module ${name} { namespace "urn:${name}"; prefix p; ${content} }`;

const MODELS: readonly DeviceAttack[] = [
  {
    name: '400 modules of 20 MB',
    modules: many(400, (at) => moduleWith(`m${at}`, `description "${'x'.repeat(20 * MIB)}";`)),
  },
  {
    name: 'a module whose groupings double 40 times',
    modules: many(1, () => moduleWith('m0', `grouping g0 { leaf a { type string; } } ${doubling} uses g40;`)),
  },
  {
    name: '1,000 modules with 1,000 imports each',
    modules: many(1000, (at) =>
      moduleWith(
        `m${at}`,
        times(1000, (to) => `import i${at}-${to} { prefix i; } `),
      ),
    ),
  },
];

/** All attacks of a device. */
export const DEVICE_ATTACKS: readonly DeviceAttack[] = [
  ...Object.entries(COSTLY).map(([name, content]) => ({
    ...{ name, answer: data(content) },
    // Comments carry no data, and a node that no module knows is left out.
    ...(/comments|a name/.test(name) && ({ isAnswered: 'maybe' } as const)),
  })),
  ...ODD,
  ...SSH,
  ...HELLOS,
  ...MODELS,
];

/** Maximum number of bytes that are called endless. */
const ENDLESS_BYTES = 256 * MIB;

function endless(start: string, bytes: Buffer): (session: DoubleSession) => void {
  return (session) => {
    session.write(start);
    for (let sent = 0; sent < ENDLESS_BYTES; sent += bytes.length) session.write(bytes);
  };
}
