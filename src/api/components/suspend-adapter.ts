import type { Operation } from '../../core/operation.js';
import { doneSchema } from '../../core/management-reply.js';
import { adapterLife } from './adapter-lifecycle.js';
import type { AdaptersDeps } from './deps.js';
import { overridesFor } from './lifecycle.js';

/** With `pause`, calls wait as long as the adapter's queue allows; with `error`, calls are refused. */
interface SuspendBody {
  readonly mode?: 'pause' | 'error';
}

/** Suspends the calls of an adapter, which stays connected; `startAdapter` resumes them. */
export const suspendAdapter: Operation<AdaptersDeps, SuspendBody | undefined> = {
  id: 'suspendAdapter',
  summary: 'Suspend the calls to an adapter, which stays connected; starting the adapter resumes them.',
  method: 'PUT',
  path: '/:name/suspend',
  roles: ['admin'],
  body: {
    title: 'Suspension',
    type: 'object',
    additionalProperties: false,
    properties: {
      mode: {
        enum: ['pause', 'error'],
        default: 'pause',
        description: 'pause: calls wait as long as the queue of the adapter lets them; error: calls get 503',
      },
    },
  },
  bodyOptional: true,
  reply: doneSchema('Suspended adapter'),
  audited: true,
  async handle({ params, body }, deps) {
    const { name = '' } = params;
    const wanted = body?.mode === 'error' ? 'refusing' : 'paused';
    const change = await overridesFor(
      { life: adapterLife, name, next: (overrides) => ({ ...overrides, wanted }) },
      deps,
    );
    const how = wanted === 'paused' ? 'its calls wait' : 'its calls are refused';
    return { body: { status: 'OK', message: `Successfully suspended ${name}: ${how}.` }, change };
  },
};
