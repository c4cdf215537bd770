import type { Duplex } from 'node:stream';
import { Problem } from '../../src/core/problem.js';
import type { Scheduler } from '../../src/lib/clock.js';
import type { ModelBytes } from '../../src/yang/encoding/model-bytes.js';
import type { XmlOutput } from '../../src/yang/encoding/write-xml.js';
import { type Capabilities, hasBase, readCapabilities } from './capabilities.js';
import type { Confirmation } from './confirmation.js';
import { FirstAnswer } from './first-answer.js';
import { chunkedFrame, endOfMessageFrame } from './framing.js';
import { MessageReader, type ReadSettings } from './message-reader.js';
import { helloText, isWithoutChange, NETCONF, rpcText } from './messages.js';
import { valueOf } from './reader-threads.js';
import type { Reading, ReadingResults } from './reading.js';
import type { MessageContent, NotificationJson, Outcome } from './thread-tasks.js';

/** Connection to a server: the bytes of a session, and what carries them. */
export interface Connected {
  readonly stream: Duplex;
  /** Called with each piece of the stream. */
  readonly onData?: () => void;
  /** Closes the stream and what carries it. */
  readonly close: () => void;
}

/** Settings of a session. */
export interface SessionSettings extends ReadSettings {
  /** False to speak NETCONF 1.0 with a server that has 1.1 as well. Absent: true. */
  readonly offersChunks?: boolean;
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
  /** Lets the server take any time for the first answer of the session. */
  allowSilence(): void;
  /** Returns the number of operations so far that may have changed something: all but reads and locks. */
  readonly changes: () => number;
  /** Closes the session: with `close-session` if nothing is in progress. Calls in progress fail. */
  close(): void;
  /** Calls a function when the session has closed. */
  onClose(listener: () => void): void;
  /** Calls a function with each notification (RFC 5277). Without a listener and a model they are dropped. */
  onNotification(listener: (notification: NotificationJson) => void): void;
}

/** Exchanges hellos over a connection, until the signal fires. Throws a Problem, and closes the connection then. */
export async function openSession(
  connected: Connected,
  settings: SessionSettings,
  signal: AbortSignal,
): Promise<Session> {
  const wire = new Wire(connected, settings);
  const onAbort = (): void => {
    wire.fail(asProblem(signal.reason));
  };
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await wire.open();
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
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

/** Time for the server to read the hello before the first request: netconfd loses what it reads together with the hello. */
const HELLO_PAUSE_MS = 50;

class Wire {
  readonly #connected: Connected;
  readonly #reader: MessageReader;
  readonly #pending = new Map<number, PendingCall>();
  readonly #closeListeners: (() => void)[] = [];
  #capabilities: Capabilities | undefined;
  #failure: Problem | undefined;
  #lastId = 0;
  #changes = 0;
  #onNotification: ((notification: NotificationJson) => void) | undefined;
  #onHello: PendingHello | undefined;
  #isHelloRead = false;
  #model: ModelBytes | undefined;
  readonly #scheduler: Scheduler;
  readonly #firstAnswer: FirstAnswer;
  readonly #offersChunks: boolean;

  constructor(connected: Connected, settings: SessionSettings) {
    const { read, memory, maxBytes, scheduler, offersChunks = true } = settings;
    this.#offersChunks = offersChunks;
    this.#connected = connected;
    this.#scheduler = scheduler;
    this.#firstAnswer = new FirstAnswer(scheduler, (failure) => {
      this.fail(failure);
    });
    this.#reader = new MessageReader({
      read,
      memory,
      maxBytes,
      stream: connected.stream,
      context: () => ({
        calls: new Map([...this.#pending].map(([id, { reading }]) => [id, reading])),
        model: this.#model,
        wantsEvents: this.#onNotification !== undefined,
      }),
      onMessage: (message) => {
        this.#receive(message);
      },
      onFailure: (failure) => {
        this.fail(failure);
      },
    });
  }

  open(): Promise<Session> {
    const { stream, onData } = this.#connected;
    const opened = new Promise<void>((resolve, reject) => {
      this.#onHello = { resolve, reject };
      if (this.#failure) reject(this.#failure);
    });
    stream.on('data', (bytes: Buffer) => {
      onData?.();
      this.#firstAnswer.received(bytes);
      this.#reader.push(bytes);
    });
    const ended = (): void => {
      this.fail(new Problem('upstream_unreachable', 'the server closed the NETCONF session'));
    };
    stream.on('end', ended);
    stream.on('close', ended);
    stream.on('error', (cause: Error) => {
      const failed = 'the connection of the NETCONF session failed';
      this.fail(cause instanceof Problem ? cause : new Problem('upstream_unreachable', failed, { cause }));
    });
    // Both sides send their hello at once (RFC 6241 section 8.1).
    if (!this.#failure)
      stream.write(endOfMessageFrame(helloText(this.#offersChunks)), () => {
        this.#scheduler.after(HELLO_PAUSE_MS, () => {
          this.#isHelloRead = true;
          this.#openIfReady();
        });
      });
    return opened.then(() => this.#session());
  }

  /** Ends the session: every call in progress and every later call fails. */
  fail(failure: Problem): void {
    if (this.#failure) return;
    this.#failure = failure;
    const calls = [...this.#pending.values(), ...(this.#onHello ? [this.#onHello] : [])];
    this.#pending.clear();
    this.#connected.close();
    this.#reader.close();
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
      limitReceived: (bytes, excess) => this.#reader.limitReceived(bytes, excess),
      allowSilence: () => {
        this.#firstAnswer.allowSilence();
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
    const cancel = this.#firstAnswer.expect(isWithoutChange(operation));
    try {
      this.#send(rpcText(id, operation));
      return valueOf(await outcome);
    } finally {
      cancel();
      signal.removeEventListener('abort', onAbort);
      this.#pending.delete(id);
    }
  }

  /** True if both sides have base:1.1. */
  get #isChunked(): boolean {
    return this.#offersChunks && this.#capabilities?.isVersion11 === true;
  }

  #send(text: string): void {
    this.#connected.stream.write(this.#isChunked ? chunkedFrame(text) : endOfMessageFrame(text));
  }

  #close(): void {
    if (this.#failure) return;
    if (this.#pending.size === 0)
      this.#send(rpcText(this.#lastId + 1, { namespace: NETCONF, name: 'close-session' }));
    this.fail(new Problem('upstream_unreachable', 'the NETCONF session was closed'));
  }

  #receive(message: MessageContent): void {
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
    this.#capabilities = readCapabilities(uris);
    this.#reader.endHello(this.#isChunked);
    this.#openIfReady();
  }

  #openIfReady(): void {
    if (!this.#capabilities || !this.#isHelloRead) return;
    this.#onHello?.resolve();
    this.#onHello = undefined;
  }
}

/** Returns the reason of a signal, which is a Problem for the signals of the host. */
function asProblem(reason: unknown): Problem {
  return reason instanceof Problem
    ? reason
    : new Problem('upstream_timeout', 'the call was ended before the reply', { cause: reason });
}
