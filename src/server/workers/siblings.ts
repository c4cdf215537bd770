import type { Socket } from 'node:net';
import type { SiblingStore } from '../../core/cluster-events.js';
import type { LogFields } from '../../core/log.js';
import type { Metric } from '../../core/metric.js';
import type { ToldTask } from '../../core/task.js';
import type { AskSiblings, SiblingQuestion } from '../../features/console/siblings.js';
import type { SharedChange, StarterRpc, WorkerPlace } from './protocol.js';
import type { RpcChannel } from './rpc.js';
import { createWorkerRegistry } from './worker-registry.js';

/** What the other processes of a server ask of its applications. */
export interface SiblingRequests {
  /** Answers from what this process has in memory. */
  readonly answer: (question: SiblingQuestion) => unknown;
  /** Sends a change of a task by another process to the listeners of this process. */
  readonly showTask: (task: ToldTask) => void;
}

/** How the starter controls the server in a worker. */
export interface WorkerControls extends Pick<SiblingRequests, 'answer'> {
  /** Serves a connection that the starter has accepted. */
  readonly take: (socket: Socket) => void;
  /** Notes the URL of the listener. `isStart` is true when the whole server starts. */
  readonly listens: (url: string, isStart: boolean) => void;
  readonly applyChange: (change: SharedChange) => Promise<void>;
  /** Returns the metrics of this process alone. */
  readonly metrics: () => Promise<readonly Metric[]>;
  /** Reports from now on that the server stops, and ends each connection with its next response. */
  readonly announceStop: () => void;
  /** Ends the connections gracefully. Resolves when every connection has ended or its time limit has passed. */
  readonly retire: () => Promise<void>;
  /** Refuses new requests. Resolves when the running requests are answered. */
  readonly closeListener: () => Promise<void>;
}

/** The processes of this server, as one of them sees them. */
export interface Siblings {
  readonly processes: number;
  /** Fields of every log line. */
  readonly fields: LogFields;
  /** Number of the audit file of this process. */
  readonly chain: number;
  /** Key of pending sign-ins if the configuration has none; absent: a key of this process. */
  readonly signInKey?: Buffer;
  /** Absent if this process is alone. */
  readonly store?: SiblingStore;
  /** Locks a data file for the whole server. Rejects if another server uses it. Absent if this process is alone. */
  readonly lockFile?: (path: string) => Promise<void>;
  /** Sends a change to the other processes. Resolves when all have applied it, and never rejects. */
  readonly tell: (change: SharedChange) => Promise<void>;
  /** Asks the other processes; those that do not answer in time are left out. */
  readonly ask: AskSiblings;
  /** Returns the metrics of the whole server, from the function for those of this process. */
  readonly allMetrics: (own: () => Promise<readonly Metric[]>) => Promise<readonly Metric[]>;
  /** Receives the controls when the server runs. */
  readonly control: (controls: WorkerControls) => void;
}

/** The siblings of a process that serves alone. */
export const ALONE: Siblings = {
  processes: 1,
  fields: {},
  chain: 0,
  tell: () => Promise.resolve(),
  ask: () => Promise.resolve([]),
  allMetrics: async (own) => [...(await own()), ...createWorkerRegistry(0).metrics()],
  control: () => undefined,
};

/** The siblings of a worker, with what the program of the worker needs. */
export interface OpenSiblings extends Siblings {
  /** Passes on a text of another process. */
  readonly receive: (text: string) => void;
  /** Returns the controls of the server. Throws before it runs. */
  readonly controls: () => WorkerControls;
}

/** Creates the siblings of a worker, which it reaches through the starter. */
export function createSiblings(
  { worker, chain, processes, signInKey }: WorkerPlace,
  starter: RpcChannel<StarterRpc>,
): OpenSiblings {
  let receive: (text: string) => void = () => undefined;
  let current: WorkerControls | undefined;
  return {
    processes,
    fields: { worker, pid: process.pid },
    chain,
    signInKey: Buffer.from(signInKey, 'base64'),
    store: {
      takeTurn: () => starter.ask('takeTurn', null),
      endTurn() {
        starter.notify('endTurn', null);
      },
      send: (texts) => starter.ask('sendToAll', texts),
      count: () => starter.ask('countWorkers', null),
      onReceive(listener) {
        receive = listener;
      },
    },
    lockFile: (path) => starter.ask('lockFile', path),
    // The starter replaces a worker that does not apply the change; it fails only if it has ended.
    tell: (change) => starter.ask('tellOthers', change).catch(() => undefined),
    ask: (question) => starter.ask('askOthers', question).catch(() => []),
    allMetrics: () => starter.ask('readAllMetrics', null),
    control(controls) {
      current = controls;
    },
    receive: (text) => {
      receive(text);
    },
    controls() {
      if (!current) throw new Error('the server does not run');
      return current;
    },
  };
}
