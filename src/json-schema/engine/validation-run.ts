import type { SchemaError } from '../../core/schema-engine.js';
import { isJsonObject, memberOf } from '../../json/json-object.js';
import { pointerTo } from '../../json/pointer.js';
import { pointerOfLocation } from './documents/schema-location.js';
import type { ErrorSource, Resource, Run, SchemaNode, Evaluated } from './model.js';

/** Limit that ends a run early. */
export type StopReason = 'fuel' | 'depth' | 'errors';

/** Thrown inside a run when a limit is exceeded. Callers of the engine never receive this error. */
export class Stopped extends Error {
  readonly reason: StopReason;

  constructor(reason: StopReason) {
    super(reason);
    this.reason = reason;
  }
}

export interface RunLimits {
  /** Maximum number of steps. */
  readonly fuel: number;
  /** Maximum nesting of applied schemas. */
  readonly depth: number;
  /** Maximum number of recorded errors. A further error ends the run. */
  readonly errors: number;
}

/** Applies compiled schemas to one value. Tracks the instance location, the fuel and the errors. */
export class ValidationRun implements Run {
  readonly errors: SchemaError[] = [];
  readonly #limits: RunLimits;
  readonly #focus: readonly string[];
  readonly #path: (string | number)[] = [];
  /** Dynamic scope: the schema resources that the run has entered, the outermost first. */
  readonly #scope: Resource[] = [];
  #fuel: number;
  #depth = 0;
  #probes = 0;

  /** Creates a run. With a focus, the run only records errors at, below and about that instance location. */
  constructor(limits: RunLimits, focus: readonly string[] = []) {
    this.#limits = limits;
    this.#focus = focus;
    this.#fuel = limits.fuel;
  }

  /** Number of steps taken so far. */
  get spent(): number {
    return this.#limits.fuel - Math.max(this.#fuel, 0);
  }

  spend(steps: number): void {
    this.#fuel -= steps;
    if (this.#fuel < 0) throw new Stopped('fuel');
  }

  apply(node: SchemaNode, value: unknown, evaluated: Evaluated | undefined): boolean {
    const checks = node.checks ?? [];
    this.spend(1 + checks.length);
    const entered = this.#enter(node.resource);
    const collected = node.tracksEvaluated ? new EvaluatedParts() : evaluated;
    let valid = true;
    for (const check of checks) {
      if (check(value, this, collected)) continue;
      valid = false;
      if (this.#probes > 0) break;
    }
    if (entered) this.#scope.pop();
    this.#depth -= 1;
    if (valid && collected && evaluated && collected !== evaluated) evaluated.addAll(collected);
    return valid;
  }

  /** Enters the schema one level deeper. Returns true if the schema belongs to another resource. */
  #enter(resource: Resource): boolean {
    if (++this.#depth > this.#limits.depth) throw new Stopped('depth');
    if (this.#scope.at(-1) === resource) return false;
    this.#scope.push(resource);
    return true;
  }

  applyBelow(node: SchemaNode, value: unknown, key: string | number): boolean {
    if (this.isAboveFocus() && this.#focus[this.#path.length] !== String(key)) return true;
    this.#path.push(key);
    const valid = this.apply(node, value, undefined);
    this.#path.pop();
    return valid;
  }

  probe(node: SchemaNode, value: unknown, evaluated: Evaluated | undefined): boolean {
    this.#probes += 1;
    const valid = this.apply(node, value, evaluated);
    this.#probes -= 1;
    return valid;
  }

  probeBelow(node: SchemaNode, value: unknown, key: string | number): boolean {
    this.#probes += 1;
    const valid = this.applyBelow(node, value, key);
    this.#probes -= 1;
    return valid;
  }

  resolveDynamicAnchor(anchor: string): SchemaNode | undefined {
    this.spend(this.#scope.length);
    return this.#scope.find(({ dynamicAnchors }) => dynamicAnchors.has(anchor))?.dynamicAnchors.get(anchor);
  }

  isProbing(): boolean {
    return this.#probes > 0;
  }

  isAboveFocus(): boolean {
    return this.#probes === 0 && this.#path.length < this.#focus.length;
  }

  fail(source: ErrorSource, message: () => string, about?: string): false {
    if (this.#probes > 0 || !this.#isInFocus(about)) return false;
    if (this.errors.length >= this.#limits.errors) throw new Stopped('errors');
    const title = titleOf(source.node.schema, about);
    this.errors.push({
      instancePath: this.#path.reduce<string>(pointerTo, ''),
      keyword: source.keyword,
      schemaPath: pointerTo(pointerOfLocation(source.node.location), source.keyword),
      message: message(),
      ...(about !== undefined && { about }),
      ...(title !== undefined && { title }),
    });
    return false;
  }

  /**
   * Returns true if an error is recorded. An error of an enclosing value is recorded only if it is about the
   * member in focus.
   */
  #isInFocus(about: string | undefined): boolean {
    if (!this.isAboveFocus()) return true;
    return this.#path.length === this.#focus.length - 1 && about === this.#focus.at(-1);
  }
}

/** Returns the title of the failed schema or, for a missing member, the title of that member. */
function titleOf(schema: unknown, about: string | undefined): string | undefined {
  if (!isJsonObject(schema)) return undefined;
  const properties = memberOf(schema, 'properties');
  const member = about !== undefined && isJsonObject(properties) ? memberOf(properties, about) : undefined;
  const title = memberOf(isJsonObject(member) ? member : schema, 'title');
  return typeof title === 'string' && title !== '' ? title : undefined;
}

/** Evaluated parts of one value: members by name, items by index. */
class EvaluatedParts implements Evaluated {
  #names: Set<string> | undefined;
  #items: Set<number> | undefined;
  #hasAllNames = false;
  /** Every item before this index is evaluated. */
  #evaluatedEnd = 0;

  addName(name: string): void {
    if (!this.#hasAllNames) (this.#names ??= new Set()).add(name);
  }

  addAllNames(): void {
    this.#hasAllNames = true;
    this.#names = undefined;
  }

  addItem(index: number): void {
    if (index >= this.#evaluatedEnd) (this.#items ??= new Set()).add(index);
  }

  addItemsBefore(end: number): void {
    this.#evaluatedEnd = Math.max(this.#evaluatedEnd, end);
  }

  readonly hasName = (name: string): boolean => this.#hasAllNames || this.#names?.has(name) === true;

  readonly hasItem = (index: number): boolean =>
    index < this.#evaluatedEnd || this.#items?.has(index) === true;

  readonly branch = (): EvaluatedParts => new EvaluatedParts();

  addAll(other: Evaluated): void {
    if (!(other instanceof EvaluatedParts)) return;
    if (other.#hasAllNames) this.addAllNames();
    for (const name of other.#names ?? []) this.addName(name);
    this.addItemsBefore(other.#evaluatedEnd);
    for (const index of other.#items ?? []) this.addItem(index);
  }
}
