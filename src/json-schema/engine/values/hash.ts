import { isJsonObject } from '../../../core/json-object.js';
import type { Meter } from './cost-budget.js';

/** A 32-bit number that equal values of JSON have in common, in whatever order their members stand. */
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

/** A sum, so that the order of the members does not matter. */
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
