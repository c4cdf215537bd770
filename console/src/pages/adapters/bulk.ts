import type { ApiRequest } from '../../api/api-request.js';
import {
  type ActionTarget,
  type AdapterAction,
  actionsOf,
  isTestable,
  levelRequest,
  type LevelTerms,
  requestOf,
  testRequest,
} from './actions.js';

/** An action on several adapters. */
export const BULK_ACTS = ['start', 'stop', 'restart', 'pause', 'block', 'resume', 'level', 'test'] as const;
export type BulkAct = (typeof BULK_ACTS)[number];

/** Id of the operation that each action calls. */
export const OPERATION_OF: Readonly<Record<BulkAct, string>> = {
  start: 'startAdapter',
  stop: 'stopAdapter',
  restart: 'restartAdapter',
  pause: 'suspendAdapter',
  block: 'suspendAdapter',
  resume: 'startAdapter',
  level: 'updateAdapterLogging',
  test: 'testAdapter',
};

/** Returns true for an action that can begin later and have an end. */
export function canEnd(act: BulkAct): boolean {
  return act === 'pause' || act === 'block';
}

/** Returns true if the action changes something in the present state of the adapter. */
export function isApplicable(act: BulkAct, adapter: ActionTarget): boolean {
  if (act === 'level') return true;
  return act === 'test' ? isTestable(adapter) : actionOf(act, adapter) !== undefined;
}

function actionOf(act: BulkAct, adapter: ActionTarget): AdapterAction | undefined {
  return actionsOf(adapter).find(({ key }) => key === act);
}

/** Returns the request of an action on an adapter to which it applies. */
export function bulkRequest(act: BulkAct, adapter: ActionTarget, terms: LevelTerms): ApiRequest {
  const { name } = adapter;
  if (act === 'test') return testRequest(name);
  if (act === 'level') return levelRequest(name, terms);
  const action = actionOf(act, adapter);
  if (!action) throw new Error(`"${act}" does not apply to the adapter "${name}"`);
  return requestOf(action, terms);
}

/** Result of an action on one adapter; `message` says why it failed, or what the server adds to a success. */
export interface BulkResult {
  readonly name: string;
  readonly isDone: boolean;
  readonly message: string;
}
