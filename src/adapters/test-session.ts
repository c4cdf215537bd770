import { type Adapter, headerOf, type UpstreamReply } from '../core/adapter.js';
import {
  asSentence,
  type ConnectionStep,
  hasFailed,
  runStep,
  skippedStep,
  StepFailure,
  type StepFinding,
} from '../core/connection-test.js';
import { Problem, refusedCredentials } from '../core/problem.js';
import type { SessionProof } from '../core/snapshot.js';
import type { Upstream } from '../core/upstream.js';
import type { Scheduler } from '../lib/clock.js';
import type { AdapterSettings } from '../settings/adapter.js';
import { runWithin } from './run-within.js';

/** What a trial of a session needs. */
interface TriedSession {
  readonly settings: AdapterSettings;
  readonly adapter: Adapter;
  /** The upstream of the host, below the plugin's own transport. */
  readonly upstream: Upstream;
  /** The upstream that calls of the adapter use. */
  readonly transport: Upstream;
  readonly signal: AbortSignal;
}

/** An adapter that was created only for a test. */
interface SessionTerms extends TriedSession {
  readonly scheduler: Scheduler;
}

/** Time limit of the login, and of the first read, in milliseconds. */
const STEP_MS = 15_000;

/**
 * Tests the login of an adapter, and its first read: the start of its plugin, and then its health path. Fixed credentials are
 * tested by the first read, because they need no login.
 */
export async function testSession(terms: SessionTerms): Promise<readonly ConnectionStep[]> {
  const { settings, adapter, upstream, scheduler, signal } = terms;
  if (adapter.send) {
    const read = await runStep('read', scheduler, () => within(signal, () => readWithPlugin(terms)));
    return [skippedStep('login', 'The plugin of this adapter logs in by itself.'), read];
  }
  const { login } = upstream;
  if (login) {
    const made = await runStep('login', scheduler, async () => {
      await within(signal, (own) => login(own));
      return { message: 'Logged in.' };
    });
    return hasFailed([made]) ? [made] : [made, await readStep(terms)];
  }
  const read = await readStep(terms);
  return settings.auth.type === 'none'
    ? [skippedStep('login', 'This adapter has no authentication.'), read]
    : fixedCredentialSteps(read);
}

/**
 * Tries the credentials of a running adapter: its login, and its first read; for a plugin with its own transport, what that
 * reports. Throws `upstream_auth` if they were refused, and another error if that is unknown.
 */
async function trySession(terms: TriedSession): Promise<void> {
  const { settings, adapter, upstream, transport, signal } = terms;
  await within(signal, async (own) => {
    if (adapter.send) {
      await transport.probe?.(own);
      return;
    }
    await upstream.login?.(own);
    const { status } = await firstReply(terms, own);
    const { path } = settings.health;
    const detail = `answered ${path ?? '/'} with status ${status}`;
    // Without a health path, a 403 may only mean that the root is not readable.
    if (status === 401 || status === 407 || (status === 403 && path !== null))
      throw new Problem('upstream_auth', refusedCredentials(detail));
    if (status >= 500) throw new Problem('upstream_failed', `the orchestrator ${detail}`);
  });
}

/** Tries the credentials of a running adapter once. `onRefusal` gets the Problem of a refusal. Does not reject. */
export async function proveSession(
  terms: TriedSession,
  onRefusal: (problem: Problem) => void = () => undefined,
): Promise<SessionProof> {
  try {
    await trySession(terms);
    return { verdict: 'accepted' };
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'the test failed';
    if (!(error instanceof Problem) || error.code !== 'upstream_auth') return { verdict: 'failed', reason };
    onRefusal(error);
    return { verdict: 'refused', reason };
  }
}

/** Words of a read whose credentials were refused. */
const REFUSED = 'The orchestrator refused the credentials';

/** Words of a refused read without credentials. */
export const WANTS_CREDENTIALS = 'The orchestrator asks for credentials, and the adapter has none';

/** Derives the login step of fixed credentials from the first read. */
function fixedCredentialSteps(read: ConnectionStep): readonly ConnectionStep[] {
  if (read.verdict === 'failed')
    return read.message.startsWith(REFUSED)
      ? [{ ...read, step: 'login' }]
      : [skippedStep('login', 'Not known: the credentials are sent with each request.'), read];
  const accepted = { step: 'login', verdict: 'ok', ms: null, fix: null } as const;
  return [{ ...accepted, message: 'The credentials were sent, and not refused.' }, read];
}

function readStep({ scheduler, signal, ...terms }: SessionTerms): Promise<ConnectionStep> {
  return runStep('read', scheduler, () =>
    within(signal, async (own) => {
      try {
        await terms.adapter.start?.(own);
        return readFinding(await firstReply(terms, own), terms.settings);
      } catch (error) {
        throw error instanceof Problem && error.code === 'upstream_auth'
          ? refusal(error.message, terms.settings)
          : error;
      }
    }),
  );
}

function firstReply(
  { settings, adapter, transport }: Omit<SessionTerms, 'scheduler' | 'signal' | 'upstream'>,
  signal: AbortSignal,
): Promise<UpstreamReply> {
  const headers = { accept: '*/*', ...adapter.fixedHeaders?.() };
  return transport.send({ method: 'GET', path: settings.health.path ?? '/', headers }, signal);
}

/** Judges the reply of the first read, as the health probe would, and warns of replies that it accepts. */
function readFinding(reply: UpstreamReply, settings: AdapterSettings): StepFinding {
  const { status } = reply;
  const path = settings.health.path ?? '/';
  const answer = `The orchestrator answered ${path} with status ${status}`;
  if (status === 401 || status === 403) throw refusal(`it answered ${path} with status ${status}`, settings);
  if (status >= 500)
    throw new StepFailure({ message: `${answer}.`, fix: 'Look into the log of the orchestrator.' });
  if (status === 400 && settings.baseUrl?.startsWith('http://'))
    return {
      verdict: 'warning',
      message: `${answer}, as servers do that expect TLS on this port.`,
      fix: 'Write https:// in baseUrl if the orchestrator has TLS.',
    };
  if (settings.health.path === null)
    return {
      message: `${answer}.`,
      fix: 'Set a health path, so that this test and the health probes read data.',
    };
  return healthFinding(reply, answer);
}

/** Judges the reply of a health path. */
function healthFinding({ status, headers }: UpstreamReply, answer: string): StepFinding {
  if (status >= 400)
    return {
      verdict: 'warning',
      message: `${answer}.`,
      fix: 'Check the health path, and the rights of the user.',
    };
  if (status < 300 && /^text\/html\b/i.test(headerOf(headers, 'content-type') ?? ''))
    return {
      verdict: 'warning',
      message: `${answer}, and sent a web page instead of data.`,
      fix: 'It may be a login page. Check the base URL, the type of authentication and the health path.',
    };
  return { message: `${answer}.` };
}

function refusal(reason: string, { auth }: Pick<AdapterSettings, 'auth'>): StepFailure {
  const words = reason.replace(/^credentials refused: (?:the orchestrator )?/, '');
  return auth.type === 'none'
    ? new StepFailure({
        message: asSentence(`${WANTS_CREDENTIALS}: ${words}`),
        fix: 'Add "auth" to the adapter, for example { type: basic, username: USER, password: REFERENCE }.',
      })
    : new StepFailure({
        message: asSentence(`${REFUSED}: ${words}`),
        fix: 'Check the user and the secret, and that the account is not locked.',
      });
}

/** Starts an adapter with its own transport, and asks the transport for its connection. */
async function readWithPlugin({ adapter, transport, signal }: SessionTerms): Promise<StepFinding> {
  await adapter.start?.(signal);
  if (!transport.probe) return { message: 'The plugin started. It does not tell whether it is connected.' };
  await transport.probe(signal);
  return { message: 'The plugin started, and reports no failure of its connection.' };
}

/** Runs work of a plugin, or of a login, within the time limit. Errors that are no Problems can contain anything. */
async function within<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  try {
    return await runWithin(work, {
      ms: STEP_MS,
      timeoutMessage: `there was no complete answer within ${STEP_MS / 1000} seconds`,
      signal,
      abortProblem: () => new Problem('caller_gone', 'the caller left before the test ended'),
    });
  } catch (error) {
    if (error instanceof Problem || error instanceof StepFailure) throw error;
    throw new StepFailure({
      message: 'The plugin failed. The log of the server has the error.',
      fix: 'Compare the options with the README of the plugin.',
    });
  }
}
