import type { XmlOutput } from '../../src/yang/encoding/write-xml.js';
import { type OperationContext, runConfirmed, type Unconfirmed } from './confirmed.js';
import { NETCONF, RpcFailed } from './messages.js';
import { sourceElement } from './read-data.js';
import { refused } from './replies.js';
import type { CallContext } from './server.js';

/** Datastore that is being changed. */
interface DatastoreEdit {
  readonly datastore: 'candidate' | 'running';
  /** Sends `edit-config` with elements at the top of the datastore. */
  config(elements: readonly XmlOutput[], defaultOperation: 'merge' | 'replace' | 'none'): Promise<void>;
}

/** Time between two attempts to get a lock, in milliseconds. */
const LOCK_PAUSE_MS = 250;

/** Result of a change, and the warnings of the operations that made it. */
interface Changed<T> {
  readonly result: T;
  readonly warnings: readonly string[];
}

/**
 * Makes a change: locks the datastore, runs the work, validates and commits a candidate, copies running to startup where the server
 * has one, and unlocks. Each of these operations must be confirmed by the server. After a failure, a candidate is as it was. A change
 * whose commit is not confirmed is reported as unknown, and is never repeated.
 */
export async function changeDatastore<T>(
  context: CallContext,
  work: (edit: DatastoreEdit) => Promise<T>,
): Promise<Changed<T>> {
  const { session } = context;
  const datastore = targetOf(context);
  const isLocked = await lock(context, datastore);
  const warnings: string[] = [];
  const run = operationsOf(context, warnings);
  try {
    const result = await work({
      datastore,
      config: (elements, defaultOperation) =>
        run('edit-config', datastore === 'candidate' ? NOT_COMMITTED : UNKNOWN, [
          targetElement(datastore),
          { namespace: NETCONF, name: 'default-operation', content: defaultOperation },
          { namespace: NETCONF, name: 'config', content: elements },
        ]),
    });
    if (datastore === 'candidate') await commit(context, run);
    if (session.capabilities.has('startup'))
      await run('copy-config', NOT_IN_STARTUP, [targetElement('startup'), sourceElement('running')]);
    if (isLocked) await releaseLock(context, datastore);
    return { result, warnings };
  } catch (error) {
    await takeBack(context, datastore, isLocked);
    throw error;
  }
}

const UNKNOWN: Unconfirmed = {
  text: 'whether the change is made is unknown. Read the data before you repeat the change.',
  mayBeDone: true,
};
const NOT_IN_STARTUP: Unconfirmed = {
  text: 'the change is made in running, but may be missing in startup. Read the data before you repeat the change.',
  mayBeDone: true,
};
const NOT_COMMITTED: Unconfirmed = { text: 'the change was not committed.', mayBeDone: false };
const UNCHANGED: Unconfirmed = { text: 'nothing was changed.', mayBeDone: false };

/** Sends an operation of NETCONF that must be confirmed. */
type RunOperation = (name: string, unconfirmed: Unconfirmed, content?: readonly XmlOutput[]) => Promise<void>;

/** Returns the function that sends operations. It adds their warnings to a list. */
function operationsOf(context: OperationContext, warnings: string[] = []): RunOperation {
  return async (name, unconfirmed, content = []) => {
    const operation = { namespace: NETCONF, name, content };
    warnings.push(...(await runConfirmed(context, { operation, unconfirmed })));
  };
}

function targetOf({ session: { capabilities }, settings: { target } }: CallContext): 'candidate' | 'running' {
  const hasCandidate = capabilities.has('candidate');
  const hasRunning = capabilities.has('writable-running');
  if (target !== 'running' && hasCandidate) return 'candidate';
  if (target !== 'candidate' && hasRunning) return 'running';
  throw refused(
    501,
    'operation-not-supported',
    `the server offers no change of ${target === 'auto' ? 'candidate or running' : target}`,
  );
}

function targetElement(datastore: string): XmlOutput {
  return { namespace: NETCONF, name: 'target', content: [{ namespace: NETCONF, name: datastore }] };
}

/** Locks a datastore. Returns false for a running datastore that the server cannot lock. */
async function lock(context: CallContext, datastore: 'candidate' | 'running'): Promise<boolean> {
  const {
    signal,
    settings: { lockMs, pause },
  } = context;
  const run = operationsOf(context);
  for (let waitedMs = 0; ; waitedMs += LOCK_PAUSE_MS) {
    try {
      await run('lock', UNCHANGED, [targetElement(datastore)]);
      return true;
    } catch (error) {
      const tag = error instanceof RpcFailed ? error.errors[0].tag : '';
      if (tag === 'operation-not-supported' && datastore === 'running') return false;
      if ((tag !== 'lock-denied' && tag !== 'in-use') || waitedMs >= lockMs) throw error;
    }
    await pause(LOCK_PAUSE_MS, signal);
  }
}

/** Namespaces of the modules of netconfd (yuma123), whose candidate loses its changes when it is validated before a commit. */
const YUMA = 'http://netconfcentral.org/ns/';

/** Returns true if the candidate is validated before the commit, which validates it as well (RFC 6241 section 8.3.4.1). */
function mustValidate({ session: { capabilities }, settings: { validates } }: CallContext): boolean {
  const isYuma = capabilities.modules.some(({ namespace }) => namespace.startsWith(YUMA));
  return validates && !isYuma && capabilities.has('validate');
}

async function commit(context: CallContext, run: RunOperation): Promise<void> {
  const {
    session: { capabilities },
    settings: { confirmSeconds },
  } = context;
  if (mustValidate(context)) await run('validate', NOT_COMMITTED, [sourceElement('candidate')]);
  const isConfirmed = confirmSeconds > 0 && capabilities.has('confirmed-commit');
  const confirmed: readonly XmlOutput[] = [
    { namespace: NETCONF, name: 'confirmed' },
    { namespace: NETCONF, name: 'confirm-timeout', content: String(confirmSeconds) },
  ];
  await run('commit', UNKNOWN, isConfirmed ? confirmed : []);
  if (isConfirmed) await run('commit', UNKNOWN);
}

/** Unlocks after a change that is made. A failure does not make the change undone: the end of the session unlocks then. */
async function releaseLock(context: CallContext, datastore: 'candidate' | 'running'): Promise<void> {
  const { session, log } = context;
  try {
    await operationsOf(context)('unlock', UNCHANGED, [targetElement(datastore)]);
  } catch (error) {
    log.warn('a datastore could not be unlocked after a change; closing its session', { error });
    session.close();
  }
}

/**
 * Discards the changes of a candidate and unlocks. Where that fails, the end of the session does both (RFC 6241 section 7.5). It has
 * no signal of the caller, who may have left.
 */
async function takeBack(
  { session, log }: CallContext,
  datastore: 'candidate' | 'running',
  isLocked: boolean,
): Promise<void> {
  if (!session.isOpen()) return;
  const signal = AbortSignal.timeout(TAKE_BACK_MS);
  const run = operationsOf({ session, log, signal });
  try {
    if (datastore === 'candidate') await run('discard-changes', UNCHANGED);
    if (isLocked) await run('unlock', UNCHANGED, [targetElement(datastore)]);
  } catch (error) {
    log.debug('a change could not be taken back; closing its session', { error });
    session.close();
  }
}

/** Maximum time to take a change back, in milliseconds. */
const TAKE_BACK_MS = 10_000;
