import { isJsonObject } from '../../../core/json-object.js';
import type { Meter } from './cost-budget.js';

/**
 * Returns true if two JSON values are equal. The order of members does not matter; `1` and `1.0` are one
 * number.
 */
export function isEqual(one: unknown, other: unknown, meter: Meter): boolean {
  meter.spend(1);
  if (one === other) return true;
  if (Array.isArray(one)) return Array.isArray(other) && haveEqualItems(one, other, meter);
  if (!isJsonObject(one) || !isJsonObject(other)) return false;
  const names = Object.keys(one);
  if (names.length !== Object.keys(other).length) return false;
  const deeper = meter.deeper();
  return names.every((name) => Object.hasOwn(other, name) && isEqual(one[name], other[name], deeper));
}

function haveEqualItems(one: readonly unknown[], other: readonly unknown[], meter: Meter): boolean {
  if (one.length !== other.length) return false;
  const deeper = meter.deeper();
  return one.every((item, index) => isEqual(item, other[index], deeper));
}
