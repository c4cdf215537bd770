import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { outdatedProposal, requireSameBinding } from '../../adapters/call-binding.js';
import type { CallBinding } from '../../core/adapter-method.js';
import { callerName } from '../../core/principal.js';
import { Problem } from '../../core/problem.js';
import { canonicalJson } from '../../json/canonical-json.js';
import { type JsonObject, ownMember, isJsonObject } from '../../json/json-object.js';
import { jsonText } from '../../json/write-json.js';
import type { Approvals, OpenProposal, ProposalState, ProposedCall } from './approval.js';
import type { TasksDeps } from './deps.js';
import { openTask } from './open-task.js';
import { invalidMember } from './task-reply.js';
import { type Task, taskUrl, type Question } from './task.js';
import { validateTaskData } from './validate-data.js';

/** Time in which a proposal can be approved and carried out, in milliseconds. */
const PROPOSAL_MS = 86_400_000;

const VIEW = 'RenderJsonSchema';

/** Maximum length of the title of a proposal, in characters. */
const MAX_TITLE = 200;

/**
 * Creates the approvals. Each proposal is a task that shows the call, which its proposer may not approve. The sealed text
 * names the task and the expiry; its HMAC is over the caller, the operation, the arguments, the binding and the expiry, with a key
 * that only the stored task has.
 */
export function createApprovals(deps: TasksDeps): Approvals {
  return {
    propose: (proposed) => propose(proposed, deps),
    redeem: (proposed, approval) => redeem(proposed, approval, deps),
  };
}

async function propose(proposed: ProposedCall, deps: TasksDeps): Promise<OpenProposal> {
  const { call, roles, operation, title = operation, through, binding } = proposed;
  const key = randomBytes(32).toString('base64url');
  const expires = deps.now() + PROPOSAL_MS;
  const request = {
    ...(await questionOf(proposed, deps)),
    view: VIEW,
    title: escapedJson(`Approve ${title}`).slice(0, MAX_TITLE),
    proposal: { key, call: through, binding, usedAt: null },
  } as const;
  const options = {
    roles: typeof roles === 'string' ? null : roles,
    excludeRequester: true,
    due: new Date(expires).toISOString(),
  };
  const { outcome: taskId = '' } = await openTask(
    request,
    { ...call, query: new URLSearchParams(), body: options },
    deps,
  );
  const approval = [taskId, expires, seal(proposed, { key, binding, expires })].join('.');
  return { status: 'open', taskId, path: taskUrl({ id: taskId, view: VIEW }), approval };
}

/**
 * Returns the form of the task: texts that cannot be edited, and the arguments as a form if they can be shown so. An approval of
 * other texts is not accepted.
 */
async function questionOf(proposed: ProposedCall, deps: TasksDeps) {
  const texts = textsOf(proposed);
  const isPlain = texts.formData.arguments === jsonText(proposed.sent, 2);
  return isPlain ? withForm(texts, proposed, deps) : texts;
}

function textsOf({ operation, summary, sent, call }: ProposedCall) {
  const { principal } = call;
  const formData = {
    operation: escapedJson(`${operation}: ${summary}`),
    proposer: principal ? callerName(principal) : '',
    ...summaryOf(sent),
    arguments: shownJson(sent),
  };
  const titles = Object.keys(formData) as (keyof typeof TITLES)[];
  const fixed = (title: string) => ({ type: 'string', title, readOnly: true });
  const area = { 'ui:widget': 'textarea', 'ui:options': { rows: formData.arguments.split('\n').length } };
  return {
    schema: {
      type: 'object',
      additionalProperties: false,
      required: titles,
      properties: Object.fromEntries(titles.map((name) => [name, fixed(TITLES[name])])),
    },
    uiSchema: { operation: { 'ui:widget': 'textarea', 'ui:options': { rows: 2 } }, arguments: area },
    bindingSchema: {},
    bindingGrant: null,
    validationSchema: {},
    formData,
    warnings: [],
  };
}

/** Titles of the texts, in the order in which the page shows them. */
const TITLES = {
  operation: 'Operation',
  proposer: 'Asked with the token of',
  adapter: 'Adapter',
  method: 'Method of the adapter',
  request: 'Method and path',
  size: 'Size of the body',
  arguments: 'Arguments',
};

/** Returns the adapter, the request and the size of its body, as far as the arguments name them: a person reads them before all arguments. */
function summaryOf(sent: JsonObject): Partial<Record<'adapter' | 'method' | 'request' | 'size', string>> {
  const { adapterId, body, method: called } = sent;
  const [method, path] = ['method', 'path'].map((name) => ownMember(sent['params'], name));
  return {
    ...(typeof adapterId === 'string' && { adapter: escapedJson(adapterId) }),
    ...(typeof called === 'string' && { method: escapedJson(called) }),
    ...(typeof path === 'string' && {
      request: escapedJson(`${typeof method === 'string' ? method.toUpperCase() : 'POST'} ${path}`),
    }),
    ...(body !== undefined && { size: `${Buffer.byteLength(jsonText(body))} bytes` }),
  };
}

/** Characters that a page does not show or shows as a plain space, or that change the direction of the text around them. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cf}\u2800]|(?![ \n])[\p{Cc}\p{Z}]/gu;

/** Maximum length of the arguments that a person can be asked to read, in characters. */
const MAX_SHOWN_LENGTH = 65_536;

/** Returns JSON in which every character can be seen. Throws `body_too_large` for more than a person can read. */
function shownJson(value: JsonObject): string {
  const text = jsonText(value, 2);
  requireReadable(text.length);
  return escapedJson(text);
}

/** Returns a text in which every character can be seen. Throws `body_too_large` as soon as it is too long. */
function escapedJson(text: string): string {
  let { length } = text;
  return text.replaceAll(UNSEEN, (character) => {
    const escaped = escapeAt(character, 0) + (character.length > 1 ? escapeAt(character, 1) : '');
    requireReadable((length += escaped.length - character.length));
    return escaped;
  });
}

function requireReadable(length: number): void {
  if (length <= MAX_SHOWN_LENGTH) return;
  const detail = `The arguments of a call that a person approves may have ${MAX_SHOWN_LENGTH} characters of indented JSON, and these have ${length} or more.`;
  throw new Problem('body_too_large', detail, { advice: 'Send the change in several smaller calls.' });
}

/** Returns the escape of one code unit in JSON (RFC 8259 section 7). */
function escapeAt(text: string, at: number): string {
  return `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`;
}

async function redeem(proposed: ProposedCall, approval: string, deps: TasksDeps): Promise<ProposalState> {
  const task = await sealedTask(proposed, approval, deps);
  const { id: taskId, outcome } = task;
  if (!outcome) return { status: 'open', taskId, path: taskUrl(task), approval };
  if (outcome.status === 'rejected') return { status: 'rejected', taskId, reason: outcome.reason };
  if (canonicalJson(outcome.export) !== canonicalJson(task.formData))
    throw invalidApproval('is not an approval of this call: the approved texts are not those of the task');
  requireApproverAccess(task, proposed, deps);
  const used = new Date(deps.now()).toISOString();
  // The change runs in a transaction, so that of two requests only one gets the approval.
  await deps.tasks.update(taskId, (stored) => markUsed(stored, used), deps.taskLimits());
  return { status: 'approved', taskId };
}

/** Throws `proposal_outdated` if the approver, with the roles at the approval, may not send the call by the current rules. */
function requireApproverAccess(
  { id, outcome, proposal }: Task,
  { through }: ProposedCall,
  deps: TasksDeps,
): void {
  const { by: subject = '', byIssuer: issuer = '' } = outcome ?? {};
  try {
    deps.requireCallAccess(through, { subject, issuer, roles: proposal?.approverRoles ?? [], expiresAt: 0 });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw outdatedProposal(`The person who approved the task "${id}" may not send the call any more.`, error);
  }
}

/**
 * Returns the task of a sealed text. Throws `invalid_request` if the seal is not for this call, or has expired, and `proposal_outdated`
 * if the adapter or the method has changed.
 */
async function sealedTask(proposed: ProposedCall, approval: string, deps: TasksDeps): Promise<Task> {
  const [id = '', expiry = '', ...rest] = approval.split('.');
  // Whatever follows the seal is compared too.
  const mac = rest.join('.');
  const task = await deps.tasks.find(id);
  const { key, binding } = task?.proposal ?? {};
  const expires = Number(expiry);
  if (!task || key === undefined || !binding || !isEqual(mac, seal(proposed, { key, binding, expires })))
    throw invalidApproval(
      'is not an approval of this call: it belongs to other arguments, or to another caller',
    );
  if (expires < deps.now()) throw invalidApproval('has expired');
  requireSameBinding(binding, proposed.binding, proposed.through.adapterId);
  return task;
}

/** Returns the task with its approval marked as used. Throws `task_finished` if it was used before. */
function markUsed(task: Task, usedAt: string): Task {
  const { proposal } = task;
  if (proposal?.usedAt !== null)
    throw new Problem('task_finished', `The approval was used at ${proposal?.usedAt ?? 'another time'}.`, {
      advice: 'Check the effect of the first call. To repeat it, call the tool again without an approval.',
    });
  return { ...task, proposal: { ...proposal, usedAt } };
}

interface SealTerms {
  readonly key: string;
  /** The binding at the proposal. */
  readonly binding: CallBinding;
  readonly expires: number;
}

function seal(
  { operation, sent, call: { principal } }: ProposedCall,
  { key, binding: { adapter, method }, expires }: SealTerms,
): string {
  const { issuer = '', subject = '' } = principal ?? {};
  const hash = createHash('sha256').update(canonicalJson(sent)).digest('base64url');
  const sealed = JSON.stringify([issuer, subject, operation, hash, adapter, method ?? null, expires]);
  return createHmac('sha256', key).update(sealed).digest('base64url');
}

function isEqual(sent: string, expected: string): boolean {
  const [a, b] = [Buffer.from(sent), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function invalidApproval(message: string): Problem {
  return invalidMember('/approval', message);
}

/** Member of the data of a proposal that has the arguments as a form. */
const FORM = 'form';

/** Characters that change the direction of the text around them. */
const REVERSING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

interface Texts extends Omit<Question, 'dialect' | 'returnTo'> {
  readonly formData: object;
  readonly schema: { readonly properties: object };
  readonly uiSchema: object;
}

/**
 * Returns the question with the arguments as a form that cannot be edited, above their JSON. Returns it unchanged if the form could
 * show something else than the arguments, or if its schema cannot be applied or does not admit them.
 */
async function withForm<T extends Texts>(
  texts: T,
  { form, call }: ProposedCall,
  { validator }: TasksDeps,
): Promise<T> {
  if (!form) return texts;
  const { schema: input, data } = form;
  if (REVERSING.test(jsonText(input))) return texts;
  const { $schema, ...schema } = input;
  const { arguments: json, ...above } = texts.schema.properties as Readonly<Record<string, object>>;
  const asForm = { ...(within(schema, `#/properties/${FORM}`) as object), readOnly: true };
  const properties = { ...above, [FORM]: { ...asForm, title: 'Arguments as a form' }, arguments: json };
  const filled = {
    ...texts,
    schema: { ...texts.schema, ...($schema !== undefined && { $schema }), properties },
    uiSchema: { ...texts.uiSchema, [FORM]: { 'ui:readonly': true } },
    formData: { ...texts.formData, [FORM]: data },
  };
  const isValid = await validateTaskData({ ...filled, view: 'RenderJsonSchema' }, { validator }, call).then(
    ({ valid }) => valid,
    () => false,
  );
  return isValid ? filled : texts;
}

/** Returns a schema whose references to its own places are correct at another place of a document. */
function within(schema: unknown, place: string): unknown {
  if (Array.isArray(schema)) return schema.map((item) => within(item, place));
  if (!isJsonObject(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) =>
      (key === '$ref' || key === '$dynamicRef') && typeof value === 'string' && /^#(?:\/|$)/.test(value)
        ? [key, place + value.slice(1)]
        : [key, within(value, place)],
    ),
  );
}
