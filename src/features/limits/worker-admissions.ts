import type {
  AdmitCall,
  LimitDecision,
  LimitedAdmission,
  LimitedCall,
  LimitSettings,
} from '../../core/limits.js';
import { CurrentLimits } from './limit-matcher.js';

/** A call of a worker that the main process counts. */
interface WorkerCall extends LimitedCall {
  /** Number of the call in its worker. */
  readonly id: number;
}

/** Functions that a worker calls in the main process, which counts the calls of all workers. */
export interface AdmissionRpc {
  /** Counts a call; null if no limit applies. */
  readonly admitCall: (call: WorkerCall) => Promise<LimitDecision | null>;
  /** Ends calls that `admitCall` has admitted as running. */
  readonly endCalls: (ids: readonly number[]) => void;
}

/** The calls of one worker in the main process. */
export interface WorkerAdmissions extends AdmissionRpc {
  /** Ends all calls of a worker that has ended. */
  readonly close: () => void;
}

/** Creates the functions that count the calls of one worker. */
export function createWorkerAdmissions(admit: AdmitCall): WorkerAdmissions {
  const running = new Map<number, () => void>();
  let isClosed = false;
  return {
    async admitCall({ id, ...call }) {
      const admission = await admit(call);
      if (!admission) return null;
      const { end, ...decision } = admission;
      if (!decision.isRunning || isClosed) end();
      else running.set(id, end);
      return decision;
    },
    endCalls(ids) {
      for (const id of ids) {
        running.get(id)?.();
        running.delete(id);
      }
    },
    close() {
      isClosed = true;
      for (const end of running.values()) end();
      running.clear();
    },
  };
}

/** Functions of the main process, as a worker calls them. */
interface AdmissionChannel {
  readonly ask: (name: 'admitCall', call: WorkerCall) => Promise<LimitDecision | null>;
  readonly notify: (name: 'endCalls', ids: readonly number[]) => void;
}

/**
 * Creates the function with which a worker has its calls counted. A call without a limit costs no message. A call is admitted
 * if the main process does not answer, because the worker then ends as well.
 */
export function createRemoteAdmission(settings: () => LimitSettings, main: AdmissionChannel): AdmitCall {
  const limits = new CurrentLimits(settings, (limit) => limit);
  let lastId = 0;
  const ask = async (call: LimitedCall): Promise<LimitedAdmission | undefined> => {
    const id = (lastId += 1);
    const decision = await main.ask('admitCall', { ...call, id }).catch(() => null);
    if (!decision) return undefined;
    let isEnded = !decision.isRunning;
    return {
      ...decision,
      end() {
        if (isEnded) return;
        isEnded = true;
        main.notify('endCalls', [id]);
      },
    };
  };
  return (call) => (limits.of(call) ? ask(call) : undefined);
}
