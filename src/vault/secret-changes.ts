import { createHmac, randomBytes } from 'node:crypto';
import type { Scheduler } from '../core/lib/clock.js';
import type { Log } from '../core/log.js';
import type { JsonObject } from '../core/json-object.js';
import { extractField } from './extract-field.js';
import type { Reference } from './reference.js';
import { failureOf } from './vault-error.js';

// Of this process alone, so that a fingerprint says nothing to anybody who sees it.
const KEY = randomBytes(32);

/**
 * Stands for the values that references take out of a secret, and for nothing else in it: equal values, equal
 * fingerprints (HMAC-SHA256). A reference that gets no value counts by the code of its failure.
 */
export function fingerprintOf(fields: JsonObject, references: readonly Reference[]): string {
  const taken = references.map((reference) => [
    reference.field,
    reference.encoding,
    taking(fields, reference),
  ]);
  return createHmac('sha256', KEY).update(JSON.stringify(taken)).digest('base64');
}

function taking(fields: JsonObject, reference: Reference): unknown {
  try {
    return { value: extractField(fields, reference) };
  } catch (error) {
    return failureOf(error).code;
  }
}

/** Tells who is concerned by changes, those of a short while together. */
export interface ChangeNotifier {
  add(owner: string): void;
  onChange(listener: ChangeListener): void;
  close(): void;
}

/** Called with the owners whose values changed. */
export type ChangeListener = (owners: ReadonlySet<string>) => void;

/** Changes that belong together, for example of a user name and a key, come within this. */
const COLLECT_MS = 2000;

/** Collects for two seconds. A listener that throws disturbs no other. */
export function createChangeNotifier(scheduler: Pick<Scheduler, 'after'>, log: Log): ChangeNotifier {
  const listeners: ChangeListener[] = [];
  let collected = new Set<string>();
  let cancel: (() => void) | undefined;
  const tell = (): void => {
    const owners = collected;
    [collected, cancel] = [new Set(), undefined];
    for (const listener of listeners) {
      try {
        listener(owners);
      } catch (error) {
        log.error('change of secrets not taken up', {
          error: error instanceof Error ? error.name : 'unknown',
        });
      }
    }
  };
  return {
    add: (owner) => {
      collected.add(owner);
      cancel ??= scheduler.after(COLLECT_MS, tell);
    },
    onChange: (listener) => {
      listeners.push(listener);
    },
    close: () => cancel?.(),
  };
}
