import type { Call, Operation } from '../../core/operation.js';
import { describeIdentity, type Principal } from '../../core/principal.js';
import { Problem, withExtras } from '../../core/problem.js';
import { fillPath, type FormBinding, formBindings, queriedAdapter } from '../../form-model/form-binding.js';
import { isListedValue } from '../../form-model/listed-values.js';
import { isJsonObject } from '../../json/json-object.js';
import { pointerTo, valueAt } from '../../json/pointer.js';
import type { FromSchema } from '../../settings/from-schema.js';
import { ADAPTER_CALL_PROBLEMS } from '../lib/adapter-problems.js';
import type { ChoicesQuery, TasksDeps } from './deps.js';
import { invalidMember, requireAccess, taskNotFound } from './task-reply.js';
import { type Task, isRequester } from './task.js';

const choicesRequestSchema = {
  title: 'Choices of a field',
  type: 'object',
  required: ['field'],
  additionalProperties: false,
  properties: {
    field: {
      type: 'string',
      maxLength: 1024,
      description: 'Pointer of the bound field, with `*` for an index: /site, /links/*/port',
    },
    values: {
      type: 'object',
      maxProperties: 32,
      additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
      description: 'Values of the fields on which the query depends, by the pointer of their placeholder',
    },
  },
} as const;

type ChoicesBody = FromSchema<typeof choicesRequestSchema>;

const choicesReplySchema = {
  title: 'Choices',
  type: 'object',
  required: ['choices', 'truncated'],
  properties: {
    choices: {
      type: 'array',
      items: {
        type: 'object',
        required: ['value', 'label'],
        properties: {
          value: { type: ['string', 'number', 'boolean'] },
          label: { type: 'string' },
        },
      },
    },
    truncated: { type: 'boolean', description: 'True if the orchestrator has more choices' },
  },
} as const;

/**
 * Returns the choices of a bound field, under the grant of the form's author. Sends the query that the task
 * contains and nothing else; only the values of other fields come from the caller.
 */
export const getTaskChoices: Operation<TasksDeps, ChoicesBody> = {
  id: 'getTaskChoices',
  summary: 'Get the choices of a field of a task from an orchestrator.',
  description:
    "Sends the query of the field's binding under the grant of the form's author, or with your roles if there is no grant. Returns only values and labels, at most 2,000.",
  problems: [
    'task_not_found',
    'task_finished',
    'binding_not_granted',
    'too_many_requests',
    ...ADAPTER_CALL_PROBLEMS,
  ],
  method: 'POST',
  path: '/tasks/:id/choices',
  roles: ['admin', 'engineering'],
  body: choicesRequestSchema,
  reply: choicesReplySchema,
  audited: true,
  target: ({ body: { field } }) => field,
  async handle(call, deps) {
    const task = await openTaskOf(call, deps);
    const binding = formBindings(task.bindingSchema).find(({ path }) => path === call.body.field);
    if (!binding) throw invalidMember('/field', 'must be the pointer of a field with a binding');
    const sender = senderOf(task, call, deps);
    const query = { ...queryOf(binding, call.body.values ?? {}, task.schema), sender };
    const outcome = sentBy(query);
    try {
      const reply = await deps.queryChoices(query, call);
      return { body: choicesIn(reply, binding), outcome: `200 ${outcome}` };
    } catch (error) {
      throw error instanceof Problem ? withExtras(error, { outcome: `${error.code} ${outcome}` }) : error;
    }
  },
};

/** Returns the task of a call. Throws `task_not_found` and `task_finished`. */
async function openTaskOf({ params: { id = '' }, principal }: Call, { tasks }: TasksDeps): Promise<Task> {
  const task = await tasks.find(id);
  if (!task) throw taskNotFound(id);
  if (requireAccess(task, principal).status === 'open') return task;
  throw new Problem('task_finished', 'The task is finished, and needs no choices.');
}

/** Returns the query of a binding. Throws `invalid_request` for a value that does not fit into its path. */
function queryOf(
  binding: FormBinding,
  values: Readonly<Record<string, unknown>>,
  schema: unknown,
): Omit<ChoicesQuery, 'sender'> {
  const adapterId = queriedAdapter(binding);
  const params = isJsonObject(binding.variables) ? binding.variables['params'] : undefined;
  const { path, accept } = isJsonObject(params) ? params : {};
  if (adapterId === undefined || typeof path !== 'string' || typeof accept !== 'string')
    throw invalidMember('/field', 'has a binding that is no query through an adapter');
  const filled = fillPath(path, values, (pointer, value) => isListedValue(schema, pointer, value));
  if ('path' in filled) return { adapterId, params: { path: filled.path, accept } };
  if ('unusable' in filled) throw invalidMember('/field', filled.unusable);
  throw invalidMember(pointerTo('/values', filled.pointer), filled.message);
}

/**
 * Returns who sends the query: the author of the grant. Without a grant it is the caller, for a saved form and for a task
 * of the caller: another person's task must not send queries of that person with the caller's roles. Throws
 * `binding_not_granted`.
 */
function senderOf(task: Task, { principal }: Call, { grants }: TasksDeps): Principal {
  if (task.bindingGrant) return grants.authorOf(task.bindingGrant);
  const isTrusted = task.view === 'ShowJsonForm' || isRequester(task, principal);
  if (principal && isTrusted && grants.grantOf(principal)) return principal;
  throw new Problem(
    'binding_not_granted',
    'Nobody who may send queries through adapters has saved the bindings of this form, and you may not send them yourself.',
  );
}

/** Returns the query and its sender for the audit record, without the parameters of the path. */
function sentBy({ adapterId, params, sender }: ChoicesQuery): string {
  return `${adapterId} GET ${params.path.replace(/[?#].*$/s, '')} as ${describeIdentity(sender)}`;
}

/** A value that a bound field may have, and its text for people. */
interface Choice {
  readonly value: string | number | bigint | boolean;
  readonly label: string;
}

interface Choices {
  readonly choices: readonly Choice[];
  /** True if the reply has more. */
  readonly truncated: boolean;
}

/** Maximum number of choices of a field. */
const MAX_CHOICES = 2000;

/** Maximum length of a value and of a label, in characters. A longer value is no choice; a longer label is cut. */
const MAX_TEXT_LENGTH = 512;

/**
 * Returns the choices that the source of a binding selects in the reply to its query: scalars, or the value and
 * the label of objects. Leaves out everything else, so that nobody sees more of the reply.
 */
export function choicesIn(
  reply: unknown,
  { source, target }: Pick<FormBinding, 'source' | 'target'>,
): Choices {
  const found = valueAt(reply, source.values);
  const entries = typeof found === 'object' && found !== null ? Object.values(found) : [found];
  const wanted = target === '/default' ? entries.slice(0, 1) : entries;
  const choices = wanted.slice(0, MAX_CHOICES).flatMap((entry) => choiceOf(entry, source) ?? []);
  return { choices, truncated: wanted.length > MAX_CHOICES };
}

function choiceOf(entry: unknown, source: FormBinding['source']): Choice | undefined {
  const isObject = typeof entry === 'object' && entry !== null;
  const value = isObject ? valueAt(entry, source.value) : entry;
  if (!isScalar(value)) return undefined;
  const label = isObject ? valueAt(entry, source.label) : value;
  const isText = typeof label === 'string' || isScalar(label);
  return { value, label: String(isText ? label : value).slice(0, MAX_TEXT_LENGTH) };
}

/** Returns true for a value that a field can have. A whole number beyond 2^53 that is no `bigint` may have lost digits: false. */
function isScalar(value: unknown): value is Choice['value'] {
  if (typeof value === 'string') return value.length <= MAX_TEXT_LENGTH;
  if (typeof value === 'number') return !Number.isInteger(value) || Number.isSafeInteger(value);
  return typeof value === 'boolean' || typeof value === 'bigint';
}
