import { Problem } from '../../src/core/problem.js';
import type { XmlOutput } from '../../src/yang/encoding/write-xml.js';
import { NETCONF, RpcFailed } from './messages.js';
import { sourceElement } from './read-data.js';
import { refused } from './replies.js';
import type { CallContext } from './server.js';

/** Datastore that is being changed. */
export interface DatastoreEdit {
  readonly datastore: 'candidate' | 'running';
  /** Sends `edit-config` with elements at the top of the datastore. */
  config(elements: readonly XmlOutput[], defaultOperation: 'merge' | 'replace' | 'none'): Promise<void>;
}

/** Time between two attempts to get a lock, in milliseconds. */
const LOCK_PAUSE_MS = 250;

/**
 * Makes a change: locks the datastore, runs the work, validates and commits a candidate, copies running to startup where the server
 * has one, and unlocks. After a failure, a candidate is as it was. A change whose commit has no reply is reported as unknown, and is
 * never repeated.
 */
export async function changeDatastore<T>(
  context: CallContext,
  work: (edit: DatastoreEdit) => Promise<T>,
): Promise<T> {
  const { session, signal } = context;
  const datastore = targetOf(context);
  const isLocked = await lock(context, datastore);
  const rpc = async (name: string, content: readonly XmlOutput[] = []): Promise<void> => {
    await session.rpc({ namespace: NETCONF, name, content }, signal);
  };
  try {
    const result = await work({
      datastore,
      config: (elements, defaultOperation) =>
        rpc('edit-config', [
          targetElement(datastore),
          { namespace: NETCONF, name: 'default-operation', content: defaultOperation },
          { namespace: NETCONF, name: 'config', content: elements },
        ]),
    });
    if (datastore === 'candidate') await commit(context, rpc);
    if (session.capabilities.has('startup'))
      await rpc('copy-config', [targetElement('startup'), sourceElement('running')]);
    if (isLocked) await rpc('unlock', [targetElement(datastore)]);
    return result;
  } catch (error) {
    await takeBack(context, datastore, isLocked);
    throw error;
  }
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
async function lock(
  { session, signal, settings: { lockMs, pause } }: CallContext,
  datastore: 'candidate' | 'running',
): Promise<boolean> {
  for (let waitedMs = 0; ; waitedMs += LOCK_PAUSE_MS) {
    try {
      await session.rpc({ namespace: NETCONF, name: 'lock', content: [targetElement(datastore)] }, signal);
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

type SendOperation = (name: string, content?: readonly XmlOutput[]) => Promise<void>;

async function commit(context: CallContext, rpc: SendOperation): Promise<void> {
  const {
    session: { capabilities },
    settings: { confirmSeconds },
  } = context;
  if (mustValidate(context)) await rpc('validate', [sourceElement('candidate')]);
  const isConfirmed = confirmSeconds > 0 && capabilities.has('confirmed-commit');
  const confirmed: readonly XmlOutput[] = [
    { namespace: NETCONF, name: 'confirmed' },
    { namespace: NETCONF, name: 'confirm-timeout', content: String(confirmSeconds) },
  ];
  try {
    await rpc('commit', isConfirmed ? confirmed : []);
    if (isConfirmed) await rpc('commit');
  } catch (error) {
    if (error instanceof RpcFailed) throw error;
    throw new Problem(
      error instanceof Problem ? error.code : 'upstream_unreachable',
      'the server did not answer the commit: whether the change is made is unknown. Read the data before you repeat the change.',
      { cause: error },
    );
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
  try {
    if (datastore === 'candidate') await session.rpc({ namespace: NETCONF, name: 'discard-changes' }, signal);
    if (isLocked)
      await session.rpc({ namespace: NETCONF, name: 'unlock', content: [targetElement(datastore)] }, signal);
  } catch (error) {
    log.debug('a change could not be taken back; closing its session', { error });
    session.close();
  }
}

/** Maximum time to take a change back, in milliseconds. */
const TAKE_BACK_MS = 10_000;
