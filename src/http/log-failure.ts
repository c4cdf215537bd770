import type { Log } from '../core/log.js';
import { operatorAdvice, type Problem } from '../core/problem.js';

/**
 * Logs an internal error, an error of a plugin, or the cause of another problem with a status of 500 or above, with the
 * next step for the operator if the problem has one. `fields` describe the request.
 */
export function logFailure(log: Log, fields: Readonly<Record<string, unknown>>, problem: Problem): void {
  const { code, status, message, extras } = problem;
  const fix = operatorAdvice(problem);
  const { cause } = extras;
  const details = {
    ...fields,
    code,
    ...(fix !== undefined && { fix }),
    ...(cause !== undefined && { error: cause }),
  };
  if (code === 'internal') log.error('internal error', details);
  else if (code === 'plugin_failed') log.error('plugin failed', { ...details, reason: message });
  else if (status >= 500 && cause !== undefined) log.warn('request failed', details);
}
