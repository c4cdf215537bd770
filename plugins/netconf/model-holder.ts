import type { AdapterContext } from '../../src/core/adapter.js';
import { createSerialQueue } from '../../src/core/lib/serial-queue.js';
import { untilAborted } from '../../src/core/lib/timeout.js';
import { Problem } from '../../src/core/problem.js';
import type { InstanceModel } from '../../src/yang/encoding/instance-model.js';
import type { InstanceJob, InstanceResult } from '../../src/yang/instance-thread.js';
import { InstanceWorkers } from '../../src/yang/instance-workers.js';
import { loadModel } from './load-model.js';
import type { NetconfOptions } from './options.js';
import type { Session } from './session.js';

/** Compiled modules of one server. */
export interface ModelHolder {
  /** The model of the latest session; absent before the first. */
  readonly current: () => InstanceModel | undefined;
  /** Returns the model for a session. Loads the modules if the server announces others than before. */
  modelFor(session: Session, signal: AbortSignal): Promise<InstanceModel>;
  /** Ends a compilation. */
  close(): void;
}

/** Threads of all adapters of the process. None runs while nothing is compiled. */
const THREADS = new InstanceWorkers();

/** Creates a holder without a model. It fetches the text of a module once. */
export function createModelHolder(
  { modules: wanted, schemaFolder: folder }: Pick<NetconfOptions, 'modules' | 'schemaFolder'>,
  { name, log, starts }: Pick<AdapterContext, 'log' | 'name' | 'starts'>,
): ModelHolder {
  const runInTurn = createSerialQueue();
  const texts = new Map<string, string>();
  const closing = new AbortController();
  const choice = { ...(wanted && { wanted }), ...(folder !== undefined && { folder }) };
  let loaded: { readonly model: InstanceModel; readonly digest: string } | undefined;
  let running: { readonly result: Promise<InstanceResult>; readonly digest: string } | undefined;

  /** A compilation goes on when its caller leaves: the next start waits for the same result. */
  function compile(job: InstanceJob, digest: string): Promise<InstanceResult> {
    if (running?.digest === digest) return running.result;
    const started = { digest, result: THREADS.compile(job, name, closing.signal) };
    running = started;
    const forget = (): void => {
      if (running === started) running = undefined;
    };
    started.result.then(undefined, forget);
    return started.result;
  }

  async function load(session: Session, signal: AbortSignal): Promise<InstanceModel> {
    const { digest } = session.capabilities;
    if (loaded?.digest === digest) return loaded.model;
    const releaseSlot = await starts.takeSlot(signal);
    try {
      const model = await loadModel({
        session,
        log,
        signal,
        texts,
        compile: (job) => untilAborted(compile(job, digest), signal),
        ...choice,
      });
      loaded = { model, digest };
      running = undefined;
      return model;
    } finally {
      releaseSlot();
    }
  }

  return {
    current: () => loaded?.model,
    modelFor: (session, signal) =>
      loaded?.digest === session.capabilities.digest
        ? Promise.resolve(loaded.model)
        : runInTurn({}, () => load(session, signal)),
    close() {
      closing.abort(new Problem('adapter_unavailable', 'the adapter was stopped'));
    },
  };
}
