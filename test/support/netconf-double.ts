import { generateKeyPairSync } from 'node:crypto';
import { createRequire } from 'node:module';
import type { AddressInfo, Server as NetServer } from 'node:net';
import type { Duplex } from 'node:stream';
import { createServer as createTlsServer } from 'node:tls';
import { chunkedFrame, endOfMessageFrame, FrameDecoder } from '../../plugins/netconf/framing.js';
import { fingerprintOf } from '../../plugins/netconf/host-key.js';
import { parseXml } from '../../src/yang/encoding/parse-xml.js';
import { attributeOf, childText, type XmlElement } from '../../src/yang/encoding/xml-element.js';
import { listenOnLoopback } from './loopback.js';

const NETCONF = 'urn:ietf:params:xml:ns:netconf:base:1.0';
const BASE = 'urn:ietf:params:netconf:base:';

export interface DoubleSession {
  /** Writes bytes as they are. */
  write(bytes: Buffer | string): void;
  /** Writes a reply in the framing of the session. */
  reply(messageId: string, content: string): void;
  /** Writes a message in the framing of the session. */
  send(text: string): void;
  /** Cuts the connection. */
  drop(): void;
  /** Sends messages of SSH that a server should not send; absent over TLS. */
  readonly ssh?: SshMisuse;
}

/** Messages of SSH besides the data of a session. */
interface SshMisuse {
  /** Sends data of the session in one message of SSH, whatever the window of the client is. */
  data(bytes: Buffer): void;
  /** Sends error output of the subsystem. */
  errorOutput(bytes: Buffer): void;
  /** Sends data for a channel that does not exist. */
  dataToNobody(bytes: Buffer): void;
  /** Sends a request for which it wants an answer. */
  ask(): void;
}

/** Options of {@link createNetconfDouble}. */
export interface NetconfDoubleOptions {
  readonly username?: string;
  readonly password?: string;
  readonly capabilities?: readonly string[];
  /** YANG texts by the name of their module. */
  readonly schemas?: Readonly<Record<string, string>>;
  /** Called in place of the acceptance of the subsystem, with the function that accepts it. */
  readonly onSubsystem?: (accept: () => void) => void;
  /** Called in place of the hello. */
  readonly onConnect?: (session: DoubleSession) => void;
  /** Returns the content of the reply to an operation; undefined if the function answers itself, or not at all. */
  readonly onOperation?: (
    operation: XmlElement,
    session: DoubleSession,
    messageId: string,
  ) => string | undefined;
  /** True for a server that asks for the password in a prompt. */
  readonly asksByPrompt?: boolean;
  /** Key exchanges that the server offers; absent: those of the package. */
  readonly keyExchanges?: readonly string[];
}

/** A NETCONF server for one user, on a free port of 127.0.0.1. */
export interface NetconfDouble {
  readonly port: number;
  readonly fingerprint: string;
  /** Operations so far, in order. */
  readonly operations: readonly XmlElement[];
  readonly names: () => readonly string[];
  /** Sessions that are open now. */
  readonly sessions: () => number;
  /** Number of logins that were attempted. */
  readonly logins: () => number;
  close(): Promise<void>;
}

interface Authentication {
  readonly method: string;
  readonly username: string;
  readonly password?: string;
  accept(): void;
  reject(methods?: readonly string[]): void;
  prompt(prompts: readonly object[], done: (answers: readonly string[]) => void): void;
}

interface SshConnection {
  on(event: 'authentication', listener: (attempt: Authentication) => void): void;
  on(event: 'session', listener: (accept: () => SshSession) => void): void;
  on(event: 'error' | 'close', listener: () => void): void;
  setNoDelay(noDelay: boolean): void;
  end(): void;
}

interface SshSession {
  on(
    event: 'subsystem',
    listener: (accept: () => Duplex, reject: () => void, info: { name: string }) => void,
  ): void;
}

interface Ssh2 {
  readonly Server: new (
    config: { hostKeys: readonly string[]; algorithms?: { kex: readonly string[] } },
    onConnection: (client: SshConnection) => void,
  ) => NetServer;
  readonly utils: {
    parseKey(text: string): { getPublicSSH(): Buffer };
  };
}

const { Server, utils } = createRequire(import.meta.url)('ssh2') as Ssh2;

/** Creates a double. Without options it has no modules, and answers every operation with `ok`. */
export async function createNetconfDouble(options: NetconfDoubleOptions = {}): Promise<NetconfDouble> {
  const { privateKey: hostKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'sec1', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const operations: XmlElement[] = [];
  const clients = new Set<SshConnection>();
  let [sessions, logins] = [0, 0];
  const { keyExchanges } = options;
  const algorithms = keyExchanges && { algorithms: { kex: keyExchanges } };
  const server = new Server({ hostKeys: [hostKey], ...algorithms }, (client) => {
    clients.add(client);
    // Nagle's algorithm and delayed acknowledgments would add 40 ms to each reply.
    client.setNoDelay(true);
    client.on('error', () => undefined);
    client.on('close', () => clients.delete(client));
    client.on('authentication', (attempt) => {
      if (attempt.method !== 'none') logins += 1;
      authenticate(attempt, options);
    });
    client.on('session', (accept) => {
      accept().on('subsystem', (acceptChannel, reject, { name }) => {
        if (name !== 'netconf') {
          reject();
          return;
        }
        const open = (): void => {
          sessions += 1;
          const channel = acceptChannel();
          channel.on('close', () => {
            sessions -= 1;
          });
          channel.on('error', () => undefined);
          const drop = (): void => {
            client.end();
          };
          serve(channel, drop, { options, operations, ssh: misuseOf(channel) });
        };
        if (options.onSubsystem) options.onSubsystem(open);
        else open();
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    fingerprint: fingerprintOf(utils.parseKey(hostKey).getPublicSSH()),
    operations,
    names: () => operations.map(({ name }) => name),
    sessions: () => sessions,
    logins: () => logins,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        for (const client of clients) client.end();
      }),
  };
}

function authenticate(
  attempt: Authentication,
  { username = 'gatehouse', password = 'a-password', asksByPrompt = false }: NetconfDoubleOptions,
): void {
  const method = asksByPrompt ? 'keyboard-interactive' : 'password';
  const decide = (given: string | undefined): void => {
    if (attempt.username === username && given === password) attempt.accept();
    else attempt.reject([method]);
  };
  if (attempt.method !== method) attempt.reject([method]);
  else if (asksByPrompt)
    attempt.prompt([{ prompt: 'Password: ', echo: false }], (answers) => {
      decide(answers[0]);
    });
  else decide(attempt.password);
}

interface ServeInput {
  readonly options: NetconfDoubleOptions;
  readonly operations: XmlElement[];
  readonly ssh?: SshMisuse;
}

/** The members of a channel of the package that send messages of SSH. */
interface RawChannel {
  readonly _client: {
    readonly _protocol: {
      channelData(id: number, bytes: Buffer): void;
      channelExtData(id: number, bytes: Buffer, type: number): void;
      ping(): void;
    };
  };
  readonly outgoing: { readonly id: number };
}

const STDERR = 1;
const NO_CHANNEL = 4_000_000;

function misuseOf(channel: Duplex): SshMisuse {
  const {
    _client: { _protocol: protocol },
    outgoing: { id },
  } = channel as unknown as RawChannel;
  return {
    data(bytes) {
      protocol.channelData(id, bytes);
    },
    errorOutput(bytes) {
      protocol.channelExtData(id, bytes, STDERR);
    },
    dataToNobody(bytes) {
      protocol.channelData(NO_CHANNEL, bytes);
    },
    ask() {
      protocol.ping();
    },
  };
}

function serve(channel: Duplex, drop: () => void, { options, operations, ssh }: ServeInput): void {
  const { capabilities = [`${BASE}1.1`], onConnect, onOperation } = options;
  const decoder = new FrameDecoder(10_000_000);
  let isChunked = false;
  const write = (text: string): void =>
    void channel.write(isChunked ? chunkedFrame(text) : endOfMessageFrame(text));
  const session: DoubleSession = {
    write: (bytes) => void channel.write(bytes),
    reply: (messageId, content) => {
      write(`<rpc-reply xmlns="${NETCONF}" message-id="${messageId}">${content}</rpc-reply>`);
    },
    send: write,
    drop,
    ...(ssh && { ssh }),
  };
  if (onConnect) onConnect(session);
  else write(helloWith([`${BASE}1.0`, ...capabilities]));
  const receive = (message: XmlElement): void => {
    if (message.name === 'hello') {
      isChunked = capabilities.includes(`${BASE}1.1`);
      if (isChunked) decoder.useChunks();
      return;
    }
    const [operation] = message.children;
    if (!operation) return;
    operations.push(operation);
    const messageId = attributeOf(message, 'message-id') ?? '';
    if (operation.name === 'get-schema') {
      session.reply(messageId, schemaReply(operation, options));
      return;
    }
    const content = onOperation ? onOperation(operation, session, messageId) : '<ok/>';
    if (content !== undefined) session.reply(messageId, content);
  };
  channel.on('data', (bytes: Buffer) => {
    decoder.push(bytes);
    for (let next = decoder.next(); next; next = decoder.next())
      receive(parseXml(next, { bytes: 10_000_000, depth: 100, memory: 100_000_000 }));
  });
}

/** A NETCONF server over TLS that demands a certificate of a client (RFC 7589). */
export interface NetconfTlsDouble {
  readonly port: number;
  /** Common names of the certificates of its clients. */
  readonly clients: readonly string[];
  close(): Promise<void>;
}

/** Creates a double over TLS. `ca` signed the certificates of the server and of its clients. */
export async function createNetconfTlsDouble(
  options: NetconfDoubleOptions,
  certificate: { readonly key: string; readonly cert: string; readonly ca: string },
): Promise<NetconfTlsDouble> {
  const clients: string[] = [];
  const server = createTlsServer(
    { ...certificate, requestCert: true, rejectUnauthorized: true },
    (socket) => {
      clients.push(String(socket.getPeerCertificate().subject.CN));
      socket.on('error', () => undefined);
      serve(socket, () => socket.destroy(), { options, operations: [] });
    },
  );
  const { port, close } = await listenOnLoopback(server);
  return { port, clients, close };
}

export function helloWith(capabilities: readonly string[]): string {
  const list = capabilities.map((uri) => `<capability>${uri.replaceAll('&', '&amp;')}</capability>`).join('');
  return `<?xml version="1.0"?>\n<hello xmlns="${NETCONF}"><capabilities>${list}</capabilities><session-id>1</session-id></hello>`;
}

function schemaReply(operation: XmlElement, { schemas = {} }: NetconfDoubleOptions): string {
  const text = schemas[childText(operation, 'identifier')];
  if (text === undefined) return errorReply('operation-failed', 'no such schema');
  return `<data xmlns="urn:ietf:params:xml:ns:yang:ietf-netconf-monitoring"><![CDATA[${text}]]></data>`;
}

/** Returns an element `rpc-error`. */
export function errorReply(tag: string, message: string): string {
  return `<rpc-error><error-type>application</error-type><error-tag>${tag}</error-tag><error-severity>error</error-severity><error-message>${message}</error-message></rpc-error>`;
}
