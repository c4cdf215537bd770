import type { Seen } from '../model.js';

/** Evaluated parts of one value: members by name, items by index. */
export class EvaluatedParts implements Seen {
  #names: Set<string> | undefined;
  #items: Set<number> | undefined;
  #everyName = false;
  /** All items before this index are evaluated. */
  #end = 0;

  name(name: string): void {
    if (!this.#everyName) (this.#names ??= new Set()).add(name);
  }

  allNames(): void {
    this.#everyName = true;
    this.#names = undefined;
  }

  item(index: number): void {
    if (index >= this.#end) (this.#items ??= new Set()).add(index);
  }

  itemsUpTo(end: number): void {
    this.#end = Math.max(this.#end, end);
  }

  readonly hasName = (name: string): boolean => this.#everyName || this.#names?.has(name) === true;

  readonly hasItem = (index: number): boolean => index < this.#end || this.#items?.has(index) === true;

  readonly branch = (): EvaluatedParts => new EvaluatedParts();

  add(other: Seen): void {
    if (!(other instanceof EvaluatedParts)) return;
    if (other.#everyName) this.allNames();
    for (const name of other.#names ?? []) this.name(name);
    this.itemsUpTo(other.#end);
    for (const index of other.#items ?? []) this.item(index);
  }
}
