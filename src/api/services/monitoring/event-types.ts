import type { AnsweredRequest } from '../../../core/metric.js';
import type { EventType } from '../../../core/monitoring.js';
import { describeOperations } from '../../index.js';

/** What the operations of an application change, by its name in the configuration. */
const CHANGED: Readonly<Record<string, EventType>> = {
  adapters: 'adapters',
  applications: 'adapters',
  profiles: 'profiles',
  'json-forms': 'forms',
  tasks: 'tasks',
  platform: 'secrets',
};

const NOTHING: readonly EventType[] = [];

/** Tells what an answered request has changed; nothing for most. Reading changes nothing, but calls of old operations are counted. */
export function createTopicsOf(): (
  answered: Pick<AnsweredRequest, 'operation' | 'status'>,
) => readonly EventType[] {
  const written = new Map<string, readonly EventType[]>();
  const old = new Map<string, readonly EventType[]>();
  for (const { name, row } of describeOperations()) {
    const topic = CHANGED[name.split('.', 1)[0] ?? ''];
    if (topic && row.audited && row.method !== 'GET') written.set(name, [topic]);
    if (row.deprecation) old.set(name, ['deprecations']);
  }
  return ({ operation, status }) =>
    old.get(operation) ?? (status < 400 ? written.get(operation) : undefined) ?? NOTHING;
}
