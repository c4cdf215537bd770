import type { Socket } from 'node:net';
import type { Scheduler } from '../../lib/clock.js';

/** Connections that wait until a worker serves. */
export interface Waiting {
  readonly add: (socket: Socket) => void;
  /** Returns the connections in their order, which no longer wait. */
  readonly take: () => readonly Socket[];
  readonly close: () => void;
}

/** Maximum time that a connection waits, in milliseconds: a client that has left is not noticed earlier. */
const MAX_WAIT_MS = 30_000;

interface WaitingSocket {
  readonly socket: Socket;
  readonly endsAt: number;
}

/** Creates the list, empty. It closes connections beyond `most`, and those that have waited for 30 seconds. */
export function createWaiting(most: number, scheduler: Scheduler): Waiting {
  /** The earliest first. */
  let list: WaitingSocket[] = [];
  let cancel: (() => void) | undefined;
  const arm = (): void => {
    cancel?.();
    const [first] = list;
    cancel = first && scheduler.after(first.endsAt - scheduler.now(), endDue);
  };
  const endDue = (): void => {
    const now = scheduler.now();
    for (const { socket, endsAt } of list) if (endsAt <= now) socket.destroy();
    list = list.filter(({ endsAt }) => endsAt > now);
    arm();
  };
  const takeAll = (): readonly Socket[] => {
    const sockets = list.map(({ socket }) => socket);
    list = [];
    arm();
    return sockets;
  };
  return {
    add(socket) {
      if (socket.destroyed) return;
      if (list.length >= most) {
        socket.destroy();
        return;
      }
      list.push({ socket, endsAt: scheduler.now() + MAX_WAIT_MS });
      if (list.length === 1) arm();
    },
    take: () => takeAll().filter(({ destroyed }) => !destroyed),
    close() {
      for (const socket of takeAll()) socket.destroy();
    },
  };
}
