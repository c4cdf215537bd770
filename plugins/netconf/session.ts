import type { Duplex } from 'node:stream';
import type { Scheduler } from '../../src/core/lib/clock.js';
import { Problem } from '../../src/core/problem.js';
import type { ReplyBytes, ReplyMemory } from '../../src/core/reply-memory.js';
import type { ModelBytes } from '../../src/yang/encoding/model-bytes.js';
import type { XmlOutput } from '../../src/yang/encoding/write-xml.js';
import { type Capabilities, hasBase, readCapabilities } from './capabilities.js';
import { chunkedFrame, endOfMessageFrame, FrameDecoder, InvalidFrame } from './framing.js';
import type { Confirmation } from './confirmation.js';
import { helloText, NETCONF, rpcText } from './messages.js';
import { valueOf } from './reader-threads.js';
import type {
  MessageContent,
  NotificationJson,
  Outcome,
  Reading,
  ReadingResults,
  ReadTask,
} from './thread-tasks.js';

/** Connection to a server: the bytes of a session, and what carries them. */
export interface Connected {
  readonly stream: Duplex;
  /** Closes the stream and what carries it. */
  readonly close: () => void;
}

/** Settings of a session. */
export interface SessionSettings {
  /** Reads a message in a thread. */
  readonly read: (task: Omit<ReadTask, 'do' | 'limits'>) => Promise<MessageContent>;
  /** Memory for the messages that arrive and are read. */
  readonly memory: ReplyMemory;
  /** Maximum size of a message, in bytes. */
  readonly maxBytes: number;
  /** Maximum time from the connection to the hello of the server, in milliseconds. */
  readonly helloMs: number;
  readonly scheduler: Scheduler;
}

/** NETCONF session (RFC 6241). A failure of the connection or of the framing closes it. */
export interface Session {
  readonly capabilities: Capabilities;
  readonly isOpen: () => boolean;
  /**
   * Sends an operation and returns what a thread reads in the reply. Throws RpcFailed for a reply with errors, RestconfFault if the
   * reply lacks what the reading asks for, the reason of the signal if it fires first, and a Problem if no reply arrives.
   */
  rpc(operation: XmlOutput, signal: AbortSignal): Promise<Confirmation>;
  rpc<As extends Reading['as']>(
    operation: XmlOutput,
    signal: AbortSignal,
    reading: Extract<Reading, { as: As }>,
  ): Promise<ReadingResults[As]>;
  /** Sets the modules by which replies and notifications are read. */
  useModel(model: ModelBytes): void;
  /**
   * Limits the bytes that the server may send until the returned function is called. Beyond them, the session ends with the Problem.
   */
  limitReceived(bytes: number, excess: Problem): () => void;
  /** Returns the number of operations so far that may have changed something: all but reads and locks. */
  readonly changes: () => number;
  /** Closes the session: with `close-session` if nothing is in progress. Calls in progress fail. */
  close(): void;
  /** Calls a function when the session has closed. */
  onClose(listener: () => void): void;
  /** Calls a function with each notification (RFC 5277). Without a listener and a model they are dropped. */
  onNotification(listener: (notification: NotificationJson) => void): void;
}

/** Exchanges hellos over a connection. Throws a Problem, and closes the connection then. */
export async function openSession(
  connected: Connected,
  settings: SessionSettings,
  signal: AbortSignal,
): Promise<Session> {
  const wire = new Wire(connected, settings);
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
  readonly reading: Reading;
  readonly resolve: (outcome: Outcome<unknown>) => void;
  readonly reject: (error: unknown) => void;
}

interface PendingHello {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Maximum size of a hello, in bytes, and of the number of capabilities in it. */
const MAX_HELLO_BYTES = 2 * 1024 * 1024;
const MAX_CAPABILITIES = 8000;

class Wire {
  readonly #connected: Connected;
  readonly #settings: Pick<SessionSettings, 'read' | 'memory' | 'maxBytes'>;
  readonly #decoder: FrameDecoder;
  readonly #pending = new Map<number, PendingCall>();
  readonly #closeListeners: (() => void)[] = [];
  #capabilities: Capabilities | undefined;
  #failure: Problem | undefined;
  #lastId = 0;
  #changes = 0;
  #onNotification: ((notification: NotificationJson) => void) | undefined;
  #onHello: PendingHello | undefined;
  #model: ModelBytes | undefined;
  readonly #memory: ReplyBytes;
  #isReading = false;
  #readBytes = 0;
  /** Bytes that the server may still send, and the failure beyond them. */
  #allowance: { bytes: number; readonly excess: Problem } | undefined;

  constructor(connected: Connected, settings: Pick<SessionSettings, 'read' | 'memory' | 'maxBytes'>) {
    this.#connected = connected;
    this.#settings = settings;
    this.#memory = settings.memory.open();
    this.#decoder = new FrameDecoder(Math.min(settings.maxBytes, MAX_HELLO_BYTES));
  }

  open(): Promise<Session> {
    const { stream } = this.#connected;
    const opened = new Promise<void>((resolve, reject) => {
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
    this.#settings.memory.release();
    for (const { reject } of calls) reject(failure);
    for (const listener of this.#closeListeners) listener();
  }

  #session(): Session {
    const capabilities = this.#capabilities;
    if (!capabilities) throw new Error('the session is not open');
    return {
      capabilities,
      isOpen: () => this.#failure === undefined,
      rpc: (operation: XmlOutput, signal: AbortSignal, reading: Reading = { as: 'ok' }) =>
        this.#rpc(operation, signal, reading) as Promise<never>,
      useModel: (model) => {
        this.#model = model;
      },
      limitReceived: (bytes, excess) => {
        this.#allowance = { bytes, excess };
        return () => {
          this.#allowance = undefined;
        };
      },
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

  async #rpc(operation: XmlOutput, signal: AbortSignal, reading: Reading): Promise<unknown> {
    signal.throwIfAborted();
    if (this.#failure) throw this.#failure;
    if (!isWithoutChange(operation)) this.#changes += 1;
    const id = (this.#lastId += 1);
    let onAbort = (): void => undefined;
    const outcome = new Promise<Outcome<unknown>>((resolve, reject) => {
      this.#pending.set(id, { reading, resolve, reject });
      onAbort = () => {
        reject(asProblem(signal.reason));
      };
    });
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      this.#send(rpcText(id, operation));
      return valueOf(await outcome);
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
      if (this.#allowance && (this.#allowance.bytes -= bytes.length) < 0) throw this.#allowance.excess;
      this.#decoder.push(bytes);
      if (this.#isReading) this.#reserve();
    } catch (error) {
      this.fail(badReply(error));
      return;
    }
    // While a message is read, the server must not fill the memory.
    if (this.#isReading) this.#connected.stream.pause();
    else void this.#readMessages();
  }

  /** Reads the messages that have arrived, one after the other: the hello decides how the next bytes are framed. */
  async #readMessages(): Promise<void> {
    this.#isReading = true;
    try {
      for (let next = this.#nextMessage(); next; next = this.#nextMessage())
        this.#receive(await this.#readMessage(next));
    } catch (error) {
      this.fail(badReply(error));
    }
    this.#isReading = false;
    if (this.#connected.stream.isPaused()) this.#connected.stream.resume();
  }

  #nextMessage(): Buffer | undefined {
    if (this.#failure) return undefined;
    const message = this.#decoder.next();
    this.#readBytes = message?.length ?? 0;
    this.#reserve();
    return message;
  }

  /** Reserves the memory of the message that is read, and of the bytes after it. Throws `overloaded`. */
  #reserve(): void {
    this.#memory.resize(this.#readBytes + this.#decoder.heldBytes);
  }

  #readMessage(message: Buffer): Promise<MessageContent> {
    const calls = new Map([...this.#pending].map(([id, { reading }]) => [id, reading]));
    const wantsEvents = this.#onNotification !== undefined;
    return this.#settings.read({ message, calls, model: this.#model, wantsEvents });
  }

  #receive(message: MessageContent): void {
    if (this.#failure) return;
    if (message.kind === 'invalid') throw new InvalidFrame(message.reason, message.isTooLarge);
    if (!this.#capabilities) this.#receiveHello(message);
    else if (message.kind === 'event') this.#onNotification?.(message.event);
    else if (message.kind === 'reply') this.#receiveReply(message);
  }

  #receiveReply({ id, outcome }: Extract<MessageContent, { kind: 'reply' }>): void {
    // A server may answer a message that it cannot read without a message-id.
    if (id === undefined && this.#pending.size > 1)
      throw new Problem('upstream_bad_reply', 'the server sent a reply without a message-id');
    // Late replies have no caller.
    if (id !== undefined && outcome) this.#pending.get(id)?.resolve(outcome);
  }

  #receiveHello(message: MessageContent): void {
    const uris = message.kind === 'hello' ? message.capabilities : undefined;
    if (!uris || !hasBase(uris))
      throw new Problem('upstream_bad_reply', 'the server sent no hello of NETCONF 1.0 or 1.1');
    if (uris.length > MAX_CAPABILITIES)
      throw new Problem('upstream_too_large', `the hello has more than ${MAX_CAPABILITIES} capabilities`);
    this.#capabilities = readCapabilities(uris);
    this.#decoder.limitMessages(this.#settings.maxBytes);
    if (this.#capabilities.isVersion11) this.#decoder.useChunks();
    const onHello = this.#onHello;
    this.#onHello = undefined;
    onHello?.resolve();
  }
}

function badReply(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof InvalidFrame) {
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
