import { chunkedFrame } from '../../../plugins/netconf/framing.js';
import { createNetconfDouble, type NetconfDouble } from '../netconf-double.js';

// What servers send against the RFCs or in an unusual form, after public descriptions of them. All values are invented.

/** A call, and what the caller gets. */
interface Exchange {
  /** Method and path. */
  readonly call: string;
  readonly body?: unknown;
  /** Status, with the error-tag and message of a refusal, or the code and message of the Problem. */
  readonly outcome: RegExp;
  readonly json?: unknown;
}

/** Dialogue with a server of one vendor. */
export interface Dialogue {
  /** Vendor and product. */
  readonly server: string;
  /** Page that describes it. */
  readonly source: string;
  /** What the dialogue shows: the end of a sentence that begins with the server. */
  readonly shows: string;
  /** First message of the server, with the end of the message. */
  readonly hello: string;
  /** True if the server has base:1.1. */
  readonly isChunked?: boolean;
  /** Size of the chunks in bytes; absent: each message is one chunk. */
  readonly chunkBytes?: number;
  /** Bytes after each message in end-of-message framing. */
  readonly afterMessage?: string;
  /** Encoding of the messages; absent: UTF-8. */
  readonly encoding?: 'latin1';
  /** Modules by name: those that the server sends, and those in the folder of the adapter. */
  readonly schemas?: Readonly<Record<string, string>>;
  readonly folder?: Readonly<Record<string, string>>;
  readonly options?: Readonly<Record<string, unknown>>;
  /** Messages in answer to operations; ID stands for the message-id. Others are answered with `ok`, and reads with no data. */
  readonly replies?: Readonly<Record<string, string | readonly string[]>>;
  readonly exchanges: readonly Exchange[];
  /** Operations of the exchanges, in order. */
  readonly operations?: readonly string[];
  /** Text that the log has afterwards. */
  readonly logged?: RegExp;
}

/** Namespace of NETCONF as the default namespace of an element. */
export const XMLNS = 'xmlns="urn:ietf:params:xml:ns:netconf:base:1.0"';

export function reply(content: string, attributes = ''): string {
  return `<rpc-reply ${XMLNS}${attributes} message-id="ID">${content}</rpc-reply>`;
}

/** Returns a module with a container `system`, and more statements. */
export function moduleText(name: string, namespace: string, more = ''): string {
  return `module ${name} { namespace "${namespace}"; prefix p; revision 2026-01-01;
    container system { leaf host-name { type string; } leaf location { type string; } list user { key "name"; leaf name { type string; } leaf uid { type uint16; } } }
    ${more} }`;
}

/** Returns a hello of a server with a module. */
export function helloOf(
  base: string,
  { name, namespace }: { name: string; namespace: string },
  more: readonly string[] = [],
): string {
  const uris = [
    base,
    'urn:ietf:params:netconf:capability:candidate:1.0',
    ...more,
    `${namespace}?module=${name}&amp;revision=2026-01-01`,
  ];
  return `<hello ${XMLNS}><capabilities>${uris.map((uri) => `<capability>${uri}</capability>`).join('')}</capabilities><session-id>7</session-id></hello>]]>]]>`;
}

export const BASE_1_0 = 'urn:ietf:params:netconf:base:1.0';
export const BASE_1_1 = 'urn:ietf:params:netconf:base:1.1';

export function createDialogueDouble(dialogue: Dialogue): Promise<NetconfDouble> {
  const { hello, isChunked = false, schemas = {}, replies = {}, encoding } = dialogue;
  return createNetconfDouble({
    capabilities: isChunked ? [BASE_1_1] : [],
    schemas,
    onConnect: (session) => {
      session.write(Buffer.from(hello, encoding ?? 'utf8'));
    },
    onOperation: ({ name }, session, messageId) => {
      const message = replies[name];
      if (message === undefined) return name.startsWith('get') ? '<data/>' : '<ok/>';
      for (const text of [message].flat())
        session.write(framed(text.replaceAll('"ID"', `"${messageId}"`), dialogue));
      return undefined;
    },
  });
}

function framed(text: string, { isChunked, chunkBytes, afterMessage = '', encoding }: Dialogue): Buffer {
  const bytes = Buffer.from(text, encoding ?? 'utf8');
  if (isChunked !== true) return Buffer.concat([bytes, Buffer.from(`]]>]]>${afterMessage}`)]);
  if (chunkBytes === undefined) return chunkedFrame(text);
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    const chunk = bytes.subarray(at, at + chunkBytes);
    chunks.push(Buffer.from(`\n#${chunk.length}\n`), chunk);
  }
  return Buffer.concat([...chunks, Buffer.from('\n##\n')]);
}
