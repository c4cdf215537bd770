import type { AdapterMethod } from '../../src/core/adapter-method.js';
import type { AdapterContext } from '../../src/core/adapter.js';
import { Problem } from '../../src/core/problem.js';
import { createSerialQueue } from '../../src/lib/serial-queue.js';
import { untilAborted } from '../../src/lib/timeout.js';
import type { ModelBytes } from '../../src/yang/encoding/model-bytes.js';
import type { InstanceJob, InstanceResult } from '../../src/yang/instance-thread.js';
import { InstanceWorkers } from '../../src/yang/instance-workers.js';
import { loadModel } from './load-model.js';
import type { NetconfOptions } from './options.js';
import { rpcMethods } from './rpc-methods.js';
import { createSchemaTexts, type SchemaTexts } from './schema-texts.js';
import type { Session } from './session.js';

/** Compiled modules of one server. */
export interface ModelHolder {
  /**
   * Returns the model for a session, which reads with it from now on. Loads the modules if the server announces others than before.
   */
  modelFor(session: Session, signal: AbortSignal): Promise<ModelBytes>;
  /** Returns the methods that the rpcs of the loaded modules are; none before the first load. */
  methods(): readonly AdapterMethod[];
  /** Ends a compilation. */
  close(): void;
}

/** Threads of all adapters of the process. None runs while nothing is compiled. */
const THREADS = new InstanceWorkers();

/** Limits of the models. */
interface ModelLimits {
  /** Maximum size of a model. */
  readonly maxModelBytes: number;
  /** Texts of the server, with the memory for them; absent: the memory of this process. */
  readonly texts?: SchemaTexts;
}

/** Creates a holder without a model. A load that fails keeps the texts that it has fetched for the next one. */
export function createModelHolder(
  { modules: wanted, schemaFolder: folder }: Pick<NetconfOptions, 'modules' | 'schemaFolder'>,
  { name, log, starts }: Pick<AdapterContext, 'log' | 'name' | 'starts'>,
  { maxModelBytes, texts = createSchemaTexts(name) }: ModelLimits,
): ModelHolder {
  const runInTurn = createSerialQueue();
  const closing = new AbortController();
  const compile = createSharedCompile(name, closing.signal);
  const choice = { ...(wanted && { wanted }), ...(folder !== undefined && { folder }) };
  let loaded:
    | { readonly model: ModelBytes; readonly digest: string; readonly methods: readonly AdapterMethod[] }
    | undefined;

  async function load(session: Session, signal: AbortSignal): Promise<ModelBytes> {
    const { digest } = session.capabilities;
    if (loaded?.digest === digest) return loaded.model;
    const releaseSlot = await starts.takeSlot(signal);
    try {
      const { model, rpcs } = await loadModel({
        session,
        log,
        signal,
        texts,
        maxModelBytes,
        compile: (job) => untilAborted(compile.start(job, digest), signal),
        ...choice,
      });
      loaded = { model, digest, methods: rpcMethods(rpcs) };
      compile.forget();
      texts.clear();
      return model;
    } catch (error) {
      // The next load would fail with these texts again.
      if (error instanceof Problem && error.code === 'adapter_unavailable') texts.clear();
      throw error;
    } finally {
      releaseSlot();
    }
  }

  return {
    async modelFor(session, signal) {
      const isKnown = loaded?.digest === session.capabilities.digest;
      const model = loaded && isKnown ? loaded.model : await runInTurn({}, () => load(session, signal));
      session.useModel(model);
      return model;
    },
    methods: () => loaded?.methods ?? [],
    close() {
      texts.clear();
      closing.abort(new Problem('adapter_unavailable', 'the adapter was stopped'));
    },
  };
}

/** Creates the compilation that several loads wait for: it goes on when its caller leaves, and the next start waits for its result. */
function createSharedCompile(owner: string, signal: AbortSignal) {
  let running: { readonly result: Promise<InstanceResult>; readonly digest: string } | undefined;
  return {
    start(job: InstanceJob, digest: string): Promise<InstanceResult> {
      if (running?.digest === digest) return running.result;
      const started = { digest, result: THREADS.compile(job, owner, signal) };
      running = started;
      started.result.then(undefined, () => {
        if (running === started) running = undefined;
      });
      return started.result;
    },
    forget(): void {
      running = undefined;
    },
  };
}
