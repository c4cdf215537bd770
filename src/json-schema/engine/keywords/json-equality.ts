import { isJsonObject } from '../../../json/json-object.js';
import { isJsonNumber } from './read-keyword.js';

/** Returns true if two JSON values are equal. The order of members does not matter, and `1` equals `1.0`. */
export function isEqual(left: unknown, right: unknown, meter: Meter): boolean {
  meter.spend(1);
  if (left === right) return true;
  if (Array.isArray(left)) return Array.isArray(right) && haveEqualItems(left, right, meter);
  if (!isJsonObject(left) || !isJsonObject(right)) return false;
  const names = Object.keys(left);
  meter.spend(names.length >> 3);
  if (names.length !== Object.keys(right).length) return false;
  const deeper = meter.deeper();
  return names.every((name) => Object.hasOwn(right, name) && isEqual(left[name], right[name], deeper));
}

function haveEqualItems(left: readonly unknown[], right: readonly unknown[], meter: Meter): boolean {
  if (left.length !== right.length) return false;
  const deeper = meter.deeper();
  return left.every((item, index) => isEqual(item, right[index], deeper));
}

/** Meter of a walk through a value. It limits the cost and the depth of the walk. */
export interface Meter {
  readonly spend: (steps: number) => void;
  /** Returns the meter for the next level. */
  readonly deeper: () => Meter;
}

/** Maximum nesting of a compared value. */
const MAX_COMPARED_DEPTH = 500;

/** Creates a meter that passes its steps to `spend`, which throws when the fuel is used up. */
export function meterOf(spend: (steps: number) => void, depth = 0): Meter {
  return {
    spend,
    deeper() {
      // The fuel of a limited run is always smaller, so the run ends here.
      if (depth >= MAX_COMPARED_DEPTH) spend(Number.MAX_SAFE_INTEGER);
      return meterOf(spend, depth + 1);
    },
  };
}

/** Hash set of JSON values. The time of a lookup does not depend on the number of values. */
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
    const bucket = this.#compounds.get(hash);
    if (bucket) bucket.push(value);
    else this.#compounds.set(hash, [value]);
    return true;
  }

  has(value: unknown, meter: Meter): boolean {
    meter.spend(1);
    if (!isCompound(value)) return this.#scalars.has(value);
    if (this.#compounds.size === 0) return false;
    const bucket = this.#compounds.get(hashOf(value, meter)) ?? [];
    return bucket.some((candidate) => isEqual(candidate, value, meter));
  }
}

function isCompound(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/** Returns a 32-bit hash of a value. Equal JSON values have the same hash. */
function hashOf(value: unknown, meter: Meter): number {
  meter.spend(1);
  if (typeof value === 'string') return hashOfText(value, 17, meter);
  if (Array.isArray(value)) return hashOfItems(value, meter);
  if (isJsonObject(value)) return hashOfMembers(value, meter);
  return isJsonNumber(value) ? hashOfText(String(value === 0 ? 0 : value), 29, meter) : hashOfScalar(value);
}

function hashOfScalar(value: unknown): number {
  if (value === null) return 11;
  return value === true ? 7 : 5;
}

function hashOfText(text: string, seed: number, meter: Meter): number {
  meter.spend(text.length >> 4);
  let hash = seed;
  for (let at = 0; at < text.length; at++) hash = mixHash(hash, text.charCodeAt(at));
  return hash;
}

function hashOfItems(items: readonly unknown[], meter: Meter): number {
  const deeper = meter.deeper();
  return items.reduce<number>((hash, item) => mixHash(hash, hashOf(item, deeper)), 31);
}

/** Returns the hash of an object, a sum that does not depend on the order of the members. */
function hashOfMembers(object: Readonly<Record<string, unknown>>, meter: Meter): number {
  const deeper = meter.deeper();
  let sum = 37;
  for (const name of Object.keys(object))
    sum = (sum + mixHash(hashOfText(name, 41, meter), hashOf(object[name], deeper))) | 0;
  return sum;
}

function mixHash(hash: number, next: number): number {
  const product = Math.imul(hash ^ next, 0x9e3779b1);
  return product ^ (product >>> 15);
}
