import type { Socket } from 'node:net';

/** What one end of a link offers to the other: functions of one value that JSON can hold, which return another. */
type RpcHandlers<T> = { readonly [Name in keyof T]: (input: never) => unknown };

/** One end of the channel between a process and its child, as Node has it on both sides. */
export interface Channel {
  send?(
    message: object,
    handle: Socket | undefined,
    options: { readonly keepOpen: boolean },
    done: (error: Error | null) => void,
  ): unknown;
  on(event: 'message', listener: (message: unknown, handle: Socket | undefined) => void): unknown;
  once(event: 'disconnect', listener: () => void): unknown;
}

/** The way to the functions of the other end. */
export interface RpcChannel<Theirs extends RpcHandlers<Theirs>> {
  /** Calls one. Rejects when it throws, with its words, and when the other end is gone. */
  readonly ask: <Name extends keyof Theirs & string>(
    name: Name,
    input: Parameters<Theirs[Name]>[0],
  ) => Promise<Awaited<ReturnType<Theirs[Name]>>>;
  /** Calls one whose answer is of no interest. */
  readonly notify: <Name extends keyof Theirs & string>(
    name: Name,
    input: Parameters<Theirs[Name]>[0],
  ) => void;
  /** Hands a connection over, which this process keeps as well; calls back when it is on its way, or cannot be. */
  readonly hand: (socket: Socket, done: (error: Error | null) => void) => void;
}

interface Question {
  readonly ask: string;
  readonly input: unknown;
  /** Absent where nobody waits for an answer. */
  readonly id?: number;
}

interface RpcReply {
  readonly answers: number;
  readonly value?: unknown;
  readonly failure?: string;
}

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: Error) => void;
}

/** Joins two processes: from now on the other end may call `ours`; `take` is handed the connections that it hands over. */
export function createLink<Ours extends RpcHandlers<Ours>, Theirs extends RpcHandlers<Theirs>>(
  channel: Channel,
  ours: Ours,
  take: (socket: Socket) => void = (socket) => socket.destroy(),
): RpcChannel<Theirs> {
  const waiting = new Map<number, Waiting>();
  let latest = 0;
  let isGone = false;
  const send = (message: object, handle?: Socket, done: (error: Error | null) => void = ignore): void => {
    if (isGone || !channel.send) done(gone());
    else channel.send(message, handle, { keepOpen: true }, done);
  };
  const serve = async ({ ask, input, id }: Question): Promise<void> => {
    try {
      const value = await ours[ask as keyof Ours](input as never);
      if (id !== undefined) send({ answers: id, value });
    } catch (error) {
      if (id !== undefined) send({ answers: id, failure: error instanceof Error ? error.message : 'failed' });
    }
  };
  const settle = ({ answers, value, failure }: RpcReply): void => {
    const asked = waiting.get(answers);
    waiting.delete(answers);
    if (failure === undefined) asked?.resolve(value);
    else asked?.reject(new Error(failure));
  };
  channel.on('message', (message, handle) => {
    if (handle) take(handle);
    else if ('answers' in (message as object)) settle(message as RpcReply);
    else void serve(message as Question);
  });
  channel.once('disconnect', () => {
    isGone = true;
    for (const { reject } of waiting.values()) reject(gone());
    waiting.clear();
  });
  return {
    ask: (name, input) =>
      new Promise((resolve, reject) => {
        const id = (latest += 1);
        waiting.set(id, { resolve: resolve as Waiting['resolve'], reject });
        send({ ask: name, input, id }, undefined, (error) => {
          if (error) settle({ answers: id, failure: error.message });
        });
      }),
    notify: (name, input) => {
      send({ ask: name, input });
    },
    hand: (socket, done) => {
      send({}, socket, done);
    },
  };
}

function ignore(): void {
  // Who waits for an answer learns from the end of the channel.
}

function gone(): Error {
  return new Error('the other process is gone');
}
