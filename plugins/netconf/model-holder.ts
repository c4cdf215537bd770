import type { AdapterContext } from '../../src/core/adapter.js';
import { createSerialQueue } from '../../src/core/lib/serial-queue.js';
import type { InstanceModel } from '../../src/yang/encoding/instance-model.js';
import { loadModel } from './load-model.js';
import type { NetconfOptions } from './options.js';
import type { Session } from './session.js';

/** Compiled modules of one server. */
export interface ModelHolder {
  /** The model of the latest session; absent before the first. */
  readonly current: () => InstanceModel | undefined;
  /** Returns the model for a session. Loads the modules if the server announces others than before. */
  modelFor(session: Session, signal: AbortSignal): Promise<InstanceModel>;
}

/** Creates a holder without a model. It fetches the text of a module once. */
export function createModelHolder(
  { modules: wanted, schemaFolder: folder }: Pick<NetconfOptions, 'modules' | 'schemaFolder'>,
  { log, starts }: Pick<AdapterContext, 'log' | 'starts'>,
): ModelHolder {
  const runInTurn = createSerialQueue();
  const texts = new Map<string, string>();
  const choice = { ...(wanted && { wanted }), ...(folder !== undefined && { folder }) };
  let loaded: { readonly model: InstanceModel; readonly digest: string } | undefined;

  async function load(session: Session, signal: AbortSignal): Promise<InstanceModel> {
    const { digest } = session.capabilities;
    if (loaded?.digest === digest) return loaded.model;
    const releaseSlot = await starts.takeSlot(signal);
    try {
      const model = await loadModel({ session, log, signal, texts, ...choice });
      loaded = { model, digest };
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
  };
}
