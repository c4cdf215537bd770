import type { Socket } from 'node:net';

/** Functions that one end of a channel provides to the other. Each has one JSON value as input and returns another. */
type RpcHandlers<T> = { readonly [Name in keyof T]: (input: never) => unknown };

/** One end of the IPC channel between a process and its child, as in Node.js. */
interface Channel {
  readonly connected: boolean;
  send?(
    message: object,
    handle: Socket | undefined,
    options: { readonly keepOpen: boolean },
    done: (error: Error | null) => void,
  ): unknown;
  on(event: 'message', listener: (message: unknown, handle: Socket | undefined) => void): unknown;
  once(event: 'disconnect' | 'close', listener: () => void): unknown;
}

/** A channel to the functions of the other end. */
export interface RpcChannel<Theirs extends RpcHandlers<Theirs>> {
  /** Calls a function. Rejects with its message if it throws, and if the other process has ended. */
  readonly ask: <Name extends keyof Theirs & string>(
    name: Name,
    input: Parameters<Theirs[Name]>[0],
  ) => Promise<Awaited<ReturnType<Theirs[Name]>>>;
  /** Calls a function without waiting for a reply. */
  readonly notify: <Name extends keyof Theirs & string>(
    name: Name,
    input: Parameters<Theirs[Name]>[0],
  ) => void;
  /** Sends a connection, which also stays open in this process. Calls `done` when it was sent or cannot be sent. */
  readonly sendSocket: (socket: Socket, done: (error: Error | null) => void) => void;
}

interface RpcRequest {
  readonly ask: string;
  readonly input: unknown;
  /** Absent if the caller waits for no reply. */
  readonly id?: number;
}

interface RpcReply {
  readonly answers: number;
  readonly value?: unknown;
  readonly failure?: string;
}

interface PendingReply {
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: Error) => void;
}

/**
 * Connects two processes. From now on the other end can call `handlers`. `acceptSocket` receives the connections that it
 * sends.
 */
export function createLink<Ours extends RpcHandlers<Ours>, Theirs extends RpcHandlers<Theirs>>(
  channel: Channel,
  handlers: Ours,
  acceptSocket: (socket: Socket) => void = (socket) => socket.destroy(),
): RpcChannel<Theirs> {
  const pendingReplies = new Map<number, PendingReply>();
  let lastId = 0;
  const send = (message: object, handle?: Socket, done: (error: Error | null) => void = ignore): void => {
    if (!channel.connected || !channel.send) done(processEndedError());
    else channel.send(message, handle, { keepOpen: true }, done);
  };
  const serve = async ({ ask, input, id }: RpcRequest): Promise<void> => {
    try {
      const value = await handlers[ask as keyof Ours](input as never);
      if (id !== undefined) send({ answers: id, value });
    } catch (error) {
      if (id !== undefined) send({ answers: id, failure: error instanceof Error ? error.message : 'failed' });
    }
  };
  const settle = ({ answers, value, failure }: RpcReply): void => {
    const pending = pendingReplies.get(answers);
    pendingReplies.delete(answers);
    if (failure === undefined) pending?.resolve(value);
    else pending?.reject(new Error(failure));
  };
  channel.on('message', (message, handle) => {
    if (handle) acceptSocket(handle);
    else if ('answers' in (message as object)) settle(message as RpcReply);
    else void serve(message as RpcRequest);
  });
  const rejectAll = (): void => {
    for (const { reject } of pendingReplies.values()) reject(processEndedError());
    pendingReplies.clear();
  };
  channel.once('disconnect', rejectAll);
  // A process that ends before it accepts a connection causes no `disconnect`: Node.js waits for its acknowledgement.
  channel.once('close', rejectAll);
  return {
    ask: (name, input) =>
      new Promise((resolve, reject) => {
        const id = (lastId += 1);
        pendingReplies.set(id, { resolve: resolve as PendingReply['resolve'], reject });
        send({ ask: name, input, id }, undefined, (error) => {
          if (error) settle({ answers: id, failure: error.message });
        });
      }),
    notify: (name, input) => {
      send({ ask: name, input });
    },
    sendSocket: (socket, done) => {
      send({}, socket, done);
    },
  };
}

function ignore(): void {
  // The end of the channel rejects the pending requests.
}

function processEndedError(): Error {
  return new Error('the other process has ended');
}
