import type { AdapterPlugin, OutboundRequest, RestCall } from '../../src/core/adapter.js';
import { systemScheduler } from '../../src/lib/clock.js';
import { openThread } from './adapter-thread.js';
import { replyOf } from './generic-reply.js';
import { genericRequest } from './generic-request.js';
import { createMask, revealed, secretsIn } from './mask.js';
import { resultOf } from './method-result.js';
import { positionalRequest, readMethods } from './methods.js';
import { type CommunityOptions, completeSchema, optionsSchema } from './options.js';
import { createProcessMemory } from './process-memory.js';
import { createSupervisor } from './supervisor.js';

/** Maximum size of a reply, in bytes, for a host that says none. */
const DEFAULT_REPLY_BYTES = 16 * 1024 * 1024;

/** Memory of this process, in which each instance has a worker. */
const processMemory = createProcessMemory();

/** Runs an unmodified adapter of the public community catalog, each instance in its own worker. */
export const plugin: AdapterPlugin<CommunityOptions> = {
  type: 'itential-adapter',
  apiVersion: 1,
  summary: 'Community adapters on @itentialopensource/adapter-utils, unmodified, each in its own worker.',
  options: optionsSchema,
  optionsFor: ({ folder }) => completeSchema(folder),
  create(options, { name, log, starts, replyBytes = DEFAULT_REPLY_BYTES }) {
    const { folder, home = folder, memoryMb, logLevel, properties } = options;
    const encodes = properties['encode_pathvars'] !== false;
    const mask = createMask(secretsIn(properties));
    const { start, stop, thread, connection } = createSupervisor({
      scheduler: systemScheduler,
      starts,
      log,
      spawn(listener) {
        const job = { id: name, folder, home, logLevel, properties: withRawReplies(properties) };
        return openThread({
          job,
          memoryMb,
          replyBytes,
          processMemory,
          scheduler: systemScheduler,
          mask,
          listener,
        });
      },
    });
    return {
      translate: (call) => [forwardRequest(call)],
      send: async (request, signal) => replyOf(await thread().call(genericRequest(request, encodes), signal)),
      start,
      stop,
      connection,
      methods: () => readMethods(folder),
      async callMethod(call, signal) {
        const request = positionalRequest(call, await readMethods(folder));
        return resultOf(await thread().call(request, signal));
      },
    };
  },
};

/**
 * Returns the properties for the worker, with secrets in plaintext. The option `return_raw` makes the library return the text of
 * each reply as well, because its parsed replies have lost the last digits of long numbers.
 */
function withRawReplies(properties: CommunityOptions['properties']): unknown {
  const { request } = properties;
  return revealed({ ...properties, request: { ...(request as object | undefined), return_raw: true } });
}

function forwardRequest({
  method,
  path,
  accept,
  contentType = 'application/json',
  body,
}: RestCall): OutboundRequest {
  if (!body) return { method, path, headers: { accept } };
  return { method, path, headers: { accept, 'content-type': contentType }, body };
}
