import { isEqual } from './equality.js';
import type { Meter } from './cost-budget.js';
import { isJsonObject } from '../../../core/json-object.js';

/** Set of JSON values with a lookup time that does not depend on their number. */
export class ValueSet {
  readonly #scalars = new Set<unknown>();
  readonly #compounds = new Map<number, unknown[]>();

  /** Adds a value. Returns false if the set already contains an equal value. */
  add(value: unknown, meter: Meter): boolean {
    if (this.has(value, meter)) return false;
    if (!isCompound(value)) {
      this.#scalars.add(value);
      return true;
    }
    const hash = hashOf(value, meter);
    const alike = this.#compounds.get(hash);
    if (alike) alike.push(value);
    else this.#compounds.set(hash, [value]);
    return true;
  }

  has(value: unknown, meter: Meter): boolean {
    meter.spend(1);
    if (!isCompound(value)) return this.#scalars.has(value);
    if (this.#compounds.size === 0) return false;
    const alike = this.#compounds.get(hashOf(value, meter)) ?? [];
    return alike.some((one) => isEqual(one, value, meter));
  }
}

function isCompound(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/**
 * Returns a 32-bit hash of a value. Equal JSON values have the same hash, regardless of the order of members.
 */
export function hashOf(value: unknown, meter: Meter): number {
  meter.spend(1);
  if (typeof value === 'string') return hashText(value, 17, meter);
  if (Array.isArray(value)) return hashItems(value, meter);
  if (isJsonObject(value)) return hashMembers(value, meter);
  return typeof value === 'number' ? hashText(String(value === 0 ? 0 : value), 29, meter) : scalar(value);
}

function scalar(value: unknown): number {
  if (value === null) return 11;
  return value === true ? 7 : 5;
}

function hashText(text: string, seed: number, meter: Meter): number {
  meter.spend(text.length >> 4);
  let hash = seed;
  for (let at = 0; at < text.length; at++) hash = mixed(hash, text.charCodeAt(at));
  return hash;
}

function hashItems(items: readonly unknown[], meter: Meter): number {
  const deeper = meter.deeper();
  return items.reduce<number>((hash, item) => mixed(hash, hashOf(item, deeper)), 31);
}

/** Returns the hash of an object. It is a sum, so that the order of the members does not matter. */
function hashMembers(object: Readonly<Record<string, unknown>>, meter: Meter): number {
  const deeper = meter.deeper();
  let sum = 37;
  for (const name of Object.keys(object))
    sum = (sum + mixed(hashText(name, 41, meter), hashOf(object[name], deeper))) | 0;
  return sum;
}

function mixed(hash: number, next: number): number {
  const product = Math.imul(hash ^ next, 0x9e3779b1);
  return product ^ (product >>> 15);
}
