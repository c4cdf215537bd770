import { workerData } from 'node:worker_threads';
import { compilePattern, UnsupportedPattern } from '../../src/json-schema/engine/ecma-pattern.js';
import { BoundedMap } from '../../src/lib/bounded-map.js';
import { errorMessage } from '../../src/lib/error-message.js';
import { serveThread } from '../../src/lib/thread-pool.js';
import { EncodingFault, type InstanceModel } from '../../src/yang/encoding/instance-model.js';
import { type ModelBytes, modelOfBytes } from '../../src/yang/encoding/model-bytes.js';
import { planCall } from './plan-call.js';
import { readMessage } from './read-message.js';
import { RestconfFault } from './replies.js';
import { faultOf } from './rpc-errors.js';
import { subscriptionOperation } from './subscribe.js';
import type { Outcome, TaskResults, ThreadResult, ThreadTask } from './thread-tasks.js';

// Reads messages and plans calls for all adapters of the process, one task at a time. Keeps the models that it has prepared.

/** Settings of a thread. */
export interface ReaderThreadData {
  /** Maximum total size of the models in memory, as bytes of {@link ModelBytes}. A larger model is in memory alone. */
  readonly modelBytes: number;
}

const { modelBytes } = workerData as ReaderThreadData;
const models = new BoundedMap<string, InstanceModel>({ maxEntries: 256, maxWeight: modelBytes });

function modelOf(reference: ModelBytes): InstanceModel {
  const known = models.get(reference.digest);
  if (known) return known;
  const model = modelOfBytes(reference, linearPattern);
  models.set(reference.digest, model, Math.min(reference.bytes.length, modelBytes));
  return model;
}

/** Compiles a pattern for matching in linear time. A pattern that has no such form accepts everything. */
function linearPattern(source: string): { test(text: string): boolean } {
  try {
    return compilePattern(source);
  } catch (error) {
    if (error instanceof UnsupportedPattern) return { test: () => true };
    throw error;
  }
}

function runTask(task: ThreadTask): TaskResults[keyof TaskResults] {
  switch (task.do) {
    case 'read':
      return readMessage(task, task.model && modelOf(task.model));
    case 'plan':
      return outcomeOf(() => planCall(task.request, modelOf(task.model)));
    case 'subscribe':
      return outcomeOf(() => subscriptionOperation(task, modelOf(task.model)));
  }
}

/** Returns the result of work on a request, or the answer that refuses it. */
function outcomeOf<T>(work: () => T): Outcome<T> {
  try {
    return { value: work() };
  } catch (error) {
    if (!(error instanceof RestconfFault) && !(error instanceof EncodingFault)) throw error;
    const { status, errors } = faultOf(error);
    return { fault: { status, errors } };
  }
}

/** Returns the buffer of a reply, which is handed over instead of copied. */
function buffersIn(result: TaskResults[keyof TaskResults]): readonly ArrayBuffer[] {
  const outcome = 'outcome' in result ? result.outcome : undefined;
  const value: unknown = outcome && 'value' in outcome ? outcome.value : undefined;
  const hasBody = typeof value === 'object' && value !== null && 'body' in value;
  return hasBody && value.body instanceof Uint8Array ? [value.body.buffer as ArrayBuffer] : [];
}

serveThread(
  (task: ThreadTask): ThreadResult => {
    try {
      const result = runTask(task);
      return { result, buffers: buffersIn(result) };
    } catch (error) {
      return {
        internalError: error instanceof Error ? (error.stack ?? '') : errorMessage(error),
        buffers: [],
      };
    }
  },
  ({ buffers }) => buffers,
);
