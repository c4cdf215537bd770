import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { callUrl, type CallResult } from '../../test/support/call.js';
import { openTokenSigner } from '../../test/support/token-issuer.js';

/** Time limit in milliseconds; only a server that never answers reaches it. */
const TIMEOUT_MS = 20_000;

/** Stored data, as a restart without faults returns it. */
export interface Kept {
  /** Descriptions of forms by their names. */
  readonly forms: ReadonlyMap<string, string>;
  readonly profiles: ReadonlySet<string>;
  readonly tasks: ReadonlySet<string>;
  /** Of records in the audit trail. */
  readonly requestIds: ReadonlySet<string>;
}

/** A change, its reply, and the state that an acknowledged change must have. */
export interface Promised {
  readonly what: string;
  readonly isAcknowledged: boolean;
  /** Fault of the reply itself. */
  readonly wrong?: string;
  readonly requestId: string;
  readonly isThere: (kept: Kept) => boolean;
}

/** A token of the built-in issuer whose key is in the folder. */
export async function issueToken(folder: string): Promise<string> {
  const issueToken = await openTokenSigner(join(folder, 'key.pem'));
  return issueToken({ subject: 'ada', roles: ['admin'] });
}

/** Creates, changes and deletes a form, opens a task and adds a profile, continuing after each failure. */
export async function change(url: string, token: string): Promise<readonly Promised[]> {
  const promised: Promised[] = [];
  const send = async (what: string, sent: Sent, isThere: Promised['isThere']): Promise<string> => {
    const reply = await ask(url, token, sent);
    const { id, ...answer } = judge(reply);
    promised.push({ what, isThere, ...answer });
    return id;
  };
  const form = (name: string): Sent => ({
    method: 'POST',
    path: '/json-forms/forms',
    body: { name, struct: {} },
  });
  const has =
    (name: string) =>
    ({ forms }: Kept) =>
      forms.has(name);

  await send('a form', form('made'), has('made'));
  const changed = await send('a form to change', form('changed'), has('changed'));
  const options = { description: 'new' };
  await send(
    'a form that was changed',
    { method: 'PUT', path: `/json-forms/forms/${changed}`, body: { options } },
    ({ forms }) => forms.get('changed') === 'new',
  );
  // Only the reply to the deletion decides whether the form exists.
  const deleted = await send('a form to delete', form('deleted'), () => true);
  await send(
    'a form that was deleted',
    { method: 'DELETE', path: '/json-forms/forms', body: { ids: [deleted] } },
    ({ forms }) => deleted === '' || !forms.has('deleted'),
  );
  let task = '';
  task = await send(
    'a task',
    { method: 'POST', path: '/json-forms/task/RenderJsonSchema', body: { jsonSchema: true } },
    ({ tasks }) => tasks.has(task),
  );
  await send(
    'a profile',
    { method: 'POST', path: '/profiles', body: { properties: { id: 'night' } } },
    ({ profiles }) => profiles.has('night'),
  );
  return [...promised, await changeAgain(url, token)];
}

/** Creates one more form, with retries: a store must work again after a failure. */
async function changeAgain(url: string, token: string): Promise<Promised> {
  const end = performance.now() + TIMEOUT_MS;
  for (let attempt = 1; ; attempt += 1) {
    const name = `later ${attempt}`;
    const body = { name, struct: {} };
    const reply = await ask(url, token, { method: 'POST', path: '/json-forms/forms', body });
    const answer = judge(reply);
    const isThere = ({ forms }: Kept): boolean => forms.has(name);
    if (answer.isAcknowledged) return { what: 'a later form', isThere, ...answer };
    if (performance.now() > end)
      return { what: 'a later form', isThere, ...answer, wrong: `never made: ${reply?.text ?? ''}` };
    await pause(100);
  }
}

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body: object;
}

/** Sends a request over a new connection; returns undefined if the connection is cut. */
function ask(url: string, token: string, { path, ...sent }: Sent): Promise<CallResult | undefined> {
  const headers = { connection: 'close' };
  return callUrl(`${url}${path}`, { ...sent, token, headers }).catch(() => undefined);
}

/** Members of the replies that identify the created object. */
interface Made {
  readonly id?: string;
  readonly doc?: { readonly id: string };
}

function judge(reply: CallResult | undefined): Omit<Promised, 'what' | 'isThere'> & { readonly id: string } {
  if (!reply) return { id: '', isAcknowledged: false, requestId: '' };
  const { status, headers, json, text } = reply;
  const made = (json ?? {}) as Made;
  // A failure of the machine must not be reported as `internal`, which is for bugs.
  const isBug = status === 500 || json === undefined;
  return {
    id: made.doc?.id ?? made.id ?? '',
    isAcknowledged: status < 300,
    ...(isBug && { wrong: `${status} ${text.slice(0, 200)}` }),
    requestId: String(headers['x-request-id']),
  };
}
