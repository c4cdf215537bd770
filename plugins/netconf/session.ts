import type { Duplex } from 'node:stream';
import type { Scheduler } from '../../src/core/lib/clock.js';
import { Problem } from '../../src/core/problem.js';
import { InvalidXml, parseXml, type XmlLimits } from '../../src/yang/encoding/parse-xml.js';
import type { XmlOutput } from '../../src/yang/encoding/write-xml.js';
import type { XmlElement } from '../../src/yang/encoding/xml-element.js';
import { type Capabilities, hasBase, readCapabilities } from './capabilities.js';
import { chunkedFrame, endOfMessageFrame, FrameDecoder, InvalidFrame } from './framing.js';
import { capabilitiesIn, helloText, messageIdOf, NETCONF, requireNoErrors, rpcText } from './messages.js';

/** Connection to a server: the bytes of a session, and what carries them. */
export interface Connected {
  readonly stream: Duplex;
  /** Closes the stream and what carries it. */
  readonly close: () => void;
}

/** Settings of a session. */
export interface SessionSettings {
  readonly limits: XmlLimits;
  /** Maximum time from the connection to the hello of the server, in milliseconds. */
  readonly helloMs: number;
  readonly scheduler: Scheduler;
}

/** NETCONF session (RFC 6241). A failure of the connection or of the framing closes it. */
export interface Session {
  readonly capabilities: Capabilities;
  readonly isOpen: () => boolean;
  /**
   * Sends an operation and returns the `rpc-reply`. Throws RpcFailed for a reply with errors, the reason of the signal if it fires
   * first, and a Problem if no reply arrives.
   */
  rpc(operation: XmlOutput, signal: AbortSignal): Promise<XmlElement>;
  /** Returns the number of operations so far that may have changed something: all but reads and locks. */
  readonly changes: () => number;
  /** Closes the session: with `close-session` if nothing is in progress. Calls in progress fail. */
  close(): void;
  /** Calls a function when the session has closed. */
  onClose(listener: () => void): void;
  /** Calls a function with each notification (RFC 5277). Without a listener they are dropped. */
  onNotification(listener: (notification: XmlElement) => void): void;
}

/** Exchanges hellos over a connection. Throws a Problem, and closes the connection then. */
export async function openSession(
  connected: Connected,
  settings: SessionSettings,
  signal: AbortSignal,
): Promise<Session> {
  const wire = new Wire(connected, settings.limits);
  const limit = new Problem('upstream_timeout', `no hello within ${settings.helloMs} ms`);
  const cancel = settings.scheduler.after(settings.helloMs, () => {
    wire.fail(limit);
  });
  const onAbort = (): void => {
    wire.fail(asProblem(signal.reason));
  };
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await wire.open();
  } finally {
    cancel();
    signal.removeEventListener('abort', onAbort);
  }
}

/** Operations that change no datastore and no state of the device. A session that ends takes back its locks. */
const WITHOUT_CHANGES: ReadonlySet<string> = new Set([
  'get',
  'get-config',
  'get-data',
  'get-schema',
  'lock',
  'unlock',
  'validate',
]);

/** Returns true for an operation of the IETF that only reads or locks; operations of vendors may do anything. */
function isWithoutChange({ name, namespace }: XmlOutput): boolean {
  return WITHOUT_CHANGES.has(name) && namespace.startsWith('urn:ietf:params:xml:ns:');
}

interface PendingCall {
  readonly resolve: (reply: XmlElement) => void;
  readonly reject: (error: unknown) => void;
}

class Wire {
  readonly #connected: Connected;
  readonly #limits: XmlLimits;
  readonly #decoder: FrameDecoder;
  readonly #pending = new Map<number, PendingCall>();
  readonly #closeListeners: (() => void)[] = [];
  #capabilities: Capabilities | undefined;
  #failure: Problem | undefined;
  #lastId = 0;
  #changes = 0;
  #onNotification: (notification: XmlElement) => void = () => undefined;
  #onHello: PendingCall | undefined;

  constructor(connected: Connected, limits: XmlLimits) {
    this.#connected = connected;
    this.#limits = limits;
    this.#decoder = new FrameDecoder(limits.bytes);
  }

  open(): Promise<Session> {
    const { stream } = this.#connected;
    const opened = new Promise<XmlElement>((resolve, reject) => {
      this.#onHello = { resolve, reject };
      if (this.#failure) reject(this.#failure);
    });
    stream.on('data', (bytes: Buffer) => {
      this.#read(bytes);
    });
    const ended = (): void => {
      this.fail(new Problem('upstream_unreachable', 'the server closed the NETCONF session'));
    };
    stream.on('end', ended);
    stream.on('close', ended);
    stream.on('error', (cause: Error) => {
      this.fail(
        new Problem('upstream_unreachable', 'the connection of the NETCONF session failed', { cause }),
      );
    });
    // Both sides send their hello at once (RFC 6241 section 8.1).
    if (!this.#failure) stream.write(endOfMessageFrame(helloText()));
    return opened.then(() => this.#session());
  }

  /** Ends the session: every call in progress and every later call fails. */
  fail(failure: Problem): void {
    if (this.#failure) return;
    this.#failure = failure;
    const calls = [...this.#pending.values(), ...(this.#onHello ? [this.#onHello] : [])];
    this.#pending.clear();
    this.#connected.close();
    for (const { reject } of calls) reject(failure);
    for (const listener of this.#closeListeners) listener();
  }

  #session(): Session {
    const capabilities = this.#capabilities;
    if (!capabilities) throw new Error('the session is not open');
    return {
      capabilities,
      isOpen: () => this.#failure === undefined,
      rpc: (operation, signal) => this.#rpc(operation, signal),
      changes: () => this.#changes,
      close: () => {
        this.#close();
      },
      onClose: (listener) => {
        if (this.#failure) listener();
        else this.#closeListeners.push(listener);
      },
      onNotification: (listener) => {
        this.#onNotification = listener;
      },
    };
  }

  async #rpc(operation: XmlOutput, signal: AbortSignal): Promise<XmlElement> {
    signal.throwIfAborted();
    if (this.#failure) throw this.#failure;
    if (!isWithoutChange(operation)) this.#changes += 1;
    const id = (this.#lastId += 1);
    let onAbort = (): void => undefined;
    const reply = new Promise<XmlElement>((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      onAbort = () => {
        reject(asProblem(signal.reason));
      };
    });
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      this.#send(rpcText(id, operation));
      return requireNoErrors(await reply);
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.#pending.delete(id);
    }
  }

  #send(text: string): void {
    const isChunked = this.#capabilities?.isVersion11 ?? false;
    this.#connected.stream.write(isChunked ? chunkedFrame(text) : endOfMessageFrame(text));
  }

  #close(): void {
    if (this.#failure) return;
    if (this.#pending.size === 0)
      this.#send(rpcText(this.#lastId + 1, { namespace: NETCONF, name: 'close-session' }));
    this.fail(new Problem('upstream_unreachable', 'the NETCONF session was closed'));
  }

  #read(bytes: Buffer): void {
    try {
      this.#decoder.push(bytes);
      for (let next = this.#nextMessage(); next; next = this.#nextMessage())
        this.#receive(parseXml(next, this.#limits));
    } catch (error) {
      this.fail(badReply(error));
    }
  }

  #nextMessage(): Buffer | undefined {
    return this.#failure ? undefined : this.#decoder.next();
  }

  #receive(message: XmlElement): void {
    if (!this.#capabilities) {
      this.#receiveHello(message);
      return;
    }
    if (message.name === 'notification') this.#onNotification(message);
    // Late replies have no caller.
    if (message.name !== 'rpc-reply') return;
    const id = messageIdOf(message);
    const call = id === undefined ? this.#onlyCall() : this.#pending.get(id);
    call?.resolve(message);
  }

  /** Returns the call that an error without a message-id is the answer to. */
  #onlyCall(): PendingCall | undefined {
    if (this.#pending.size > 1)
      throw new Problem('upstream_bad_reply', 'the server sent a reply without a message-id');
    const [call] = this.#pending.values();
    return call;
  }

  #receiveHello(message: XmlElement): void {
    const uris = capabilitiesIn(message);
    if (!uris || !hasBase(uris))
      throw new Problem('upstream_bad_reply', 'the server sent no hello of NETCONF 1.0 or 1.1');
    this.#capabilities = readCapabilities(uris);
    if (this.#capabilities.isVersion11) this.#decoder.useChunks();
    const onHello = this.#onHello;
    this.#onHello = undefined;
    onHello?.resolve(message);
  }
}

function badReply(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof InvalidFrame || error instanceof InvalidXml) {
    const code = error.isTooLarge ? 'upstream_too_large' : 'upstream_bad_reply';
    return new Problem(code, `what the server sent ${error.message}`);
  }
  return new Problem('upstream_bad_reply', 'the reply of the server cannot be read', { cause: error });
}

/** Returns the reason of a signal, which is a Problem for the signals of the host. */
function asProblem(reason: unknown): Problem {
  return reason instanceof Problem
    ? reason
    : new Problem('upstream_timeout', 'the call was ended before the reply', { cause: reason });
}
