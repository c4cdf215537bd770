import type { Operation } from '../../core/operation.js';
import { Problem } from '../../core/problem.js';
import type { FromSchema } from '../../settings/from-schema.js';
import { changeNote, commentMember } from '../lib/change-terms.js';
import { doneSchema } from '../lib/management-schemas.js';
import type { AdaptersDeps } from './deps.js';
import { changeOverrides, type Lifecycle, setDesiredState, stateRequest } from './lifecycle.js';
import { requireAdapter, statusNoteOf } from './require-adapter.js';

/** Lifecycle of all adapters, both those from files and registered adapters. */
export const adapterLifecycle: Lifecycle<AdaptersDeps> = {
  kind: 'adapter',
  noun: 'Adapter',
  problems: ['adapter_not_found', 'adapter_in_file', 'not_taken_up'],
  find: ({ adapters }, name) => requireAdapter(adapters, name),
  noteOf: ({ adapters }, name) => statusNoteOf(adapters, name),
  requireStartable({ adapters }, name) {
    const { document, file } = requireAdapter(adapters, name);
    if (document.properties.properties['enabled'] !== false) return;
    const source = file === undefined ? 'its properties' : `the file ${file}`;
    throw new Problem('adapter_in_file', `"enabled: false" in ${source} keeps the adapter "${name}" stopped`);
  },
};

/** Maximum duration of a suspension with an end, in seconds: 30 days. */
const MAX_SUSPENSION_SECONDS = 30 * 86_400;

/** Request body of a suspension; an absent body is `pause`. */
const suspensionSchema = {
  title: 'Suspension',
  type: 'object',
  additionalProperties: false,
  properties: {
    mode: {
      enum: ['pause', 'error'],
      description:
        'pause, the default: calls wait as long as the queue of the adapter allows; error: calls fail with status 503',
    },
    seconds: {
      type: ['integer', 'null'],
      minimum: 1,
      maximum: MAX_SUSPENSION_SECONDS,
      description: 'Time until the adapter resumes by itself; absent: until it is started',
    },
    ...commentMember,
  },
} as const;

export const suspendAdapter: Operation<AdaptersDeps, FromSchema<typeof suspensionSchema> | undefined> = {
  id: 'suspendAdapter',
  summary: 'Suspend the calls to an adapter, which stays connected; starting the adapter resumes them.',
  description:
    'Lets the calls to an adapter wait, or refuses them, while the adapter stays connected. `startAdapter` ends the suspension; with `seconds`, it ends by itself, also after a restart of the server.',
  problems: ['adapter_not_found', 'not_taken_up'],
  method: 'PUT',
  path: '/:name/suspend',
  roles: ['admin'],
  body: suspensionSchema,
  bodyOptional: true,
  reply: doneSchema('Suspended adapter'),
  audited: true,
  async handle(call, deps) {
    const { name = '' } = call.params;
    const { mode, seconds, ...terms } = call.body ?? {};
    const wanted = mode === 'error' ? 'refusing' : 'paused';
    const note = changeNote(call, terms, deps.now());
    const until = seconds ? Math.floor(deps.now()) + seconds * 1000 : undefined;
    const change = await changeOverrides(
      {
        lifecycle: adapterLifecycle,
        name,
        next: (overrides) => setDesiredState(overrides, wanted, stateRequest(note, until)),
        act: () => ({ entry: { action: wanted === 'paused' ? 'paused' : 'blocked', until }, note }),
      },
      deps,
    );
    const effect = wanted === 'paused' ? 'its calls wait' : 'its calls are refused';
    const end = until === undefined ? '' : ` until ${new Date(until).toISOString()}`;
    return { body: { status: 'OK', message: `Successfully suspended ${name}: ${effect}${end}.` }, change };
  },
};
