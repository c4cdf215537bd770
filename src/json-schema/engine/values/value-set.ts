import { isEqual } from './equality.js';
import { hashOf } from './hash.js';
import type { Meter } from './cost-budget.js';

/** A set of values of JSON that takes the same time however many there are. */
export class ValueSet {
  readonly #scalars = new Set<unknown>();
  readonly #compounds = new Map<number, unknown[]>();

  /** Adds a value; false when an equal one is there already. */
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
