import { Problem } from '../../src/core/problem.js';
import { oneLine } from '../../src/lib/one-line.js';
import type { XmlOutput } from '../../src/yang/encoding/write-xml.js';
import type { Confirmation } from './confirmation.js';
import { RpcFailed } from './messages.js';
import type { CallContext } from './server.js';

/** What an operation needs: the session, the end of the call, and the log for warnings. */
export type OperationContext = Pick<CallContext, 'session' | 'signal' | 'log'>;

/** State of the device after an operation that the server does not confirm. */
export interface Unconfirmed {
  /** End of the sentence that reports it. */
  readonly text: string;
  /** True if the operation may have made the change, so that a missing reply must be reported with this text as well. */
  readonly mayBeDone: boolean;
}

/** Operation that has no output. */
interface ConfirmedOperation {
  readonly operation: XmlOutput;
  readonly unconfirmed: Unconfirmed;
}

/**
 * Sends an operation that has no output, and requires the confirmation of the server. Returns its warnings. Throws RpcFailed for a
 * reply with errors, and a Problem that reports the state of the device for a reply without a confirmation.
 */
export async function runConfirmed(
  { session, signal, log }: OperationContext,
  { operation, unconfirmed }: ConfirmedOperation,
): Promise<readonly string[]> {
  let confirmation: Confirmation;
  try {
    confirmation = await session.rpc(operation, signal);
  } catch (error) {
    if (error instanceof RpcFailed || !unconfirmed.mayBeDone) throw error;
    const code = error instanceof Problem ? error.code : 'upstream_unreachable';
    const lack = UNREADABLE.has(code)
      ? `the answer of the server to the ${operation.name} could not be read`
      : `the server did not answer the ${operation.name}`;
    throw new Problem(code, `${lack}: ${unconfirmed.text}`, { cause: error });
  }
  requireConfirmation(confirmation, { name: operation.name, unconfirmed });
  logWarnings(confirmation, operation.name, log);
  return confirmation.warnings;
}

/** Codes for an answer that arrived, but is invalid or exceeds a limit. */
const UNREADABLE: ReadonlySet<string> = new Set([
  'upstream_bad_reply',
  'upstream_too_large',
  'upstream_busy',
  'overloaded',
]);

/** Throws a Problem for a reply without errors that does not confirm the operation either. */
export function requireConfirmation(
  { difference }: Confirmation,
  { name, unconfirmed }: { readonly name: string; readonly unconfirmed: Unconfirmed },
): void {
  if (difference === undefined) return;
  throw new Problem(
    'upstream_bad_reply',
    `the server did not confirm the ${name}, because its reply ${difference}: ${unconfirmed.text}`,
  );
}

/** Maximum length of the warnings in a log line, in characters. */
const MAX_LOGGED_LENGTH = 1000;

/** Logs the warnings of a successful operation. */
export function logWarnings({ warnings }: Confirmation, operation: string, log: CallContext['log']): void {
  if (warnings.length === 0) return;
  const text = oneLine(warnings.join('; '), MAX_LOGGED_LENGTH);
  log.info('the server confirms an operation with warnings', { operation, warnings: text });
}
