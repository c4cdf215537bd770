import { pointerTo } from '../../../core/pointer.js';
import type { SchemaError } from '../../../core/schema-engine.js';
import { isJsonObject, memberOf } from '../../../core/json-object.js';
import { type Resource, type Run, type SchemaNode, type Seen, type ErrorSource } from '../model.js';
import { pointerOfPlace } from '../documents/location.js';
import { EvaluatedParts } from './seen.js';

/** Reason why a run ends early. */
export type Stop = 'fuel' | 'depth' | 'errors';

/** Thrown inside a run, and never leaves it. */
export class Stopped extends Error {
  readonly why: Stop;

  constructor(why: Stop) {
    super(why);
    this.why = why;
  }
}

/** Limits of one run. */
export interface RunLimits {
  /** Maximum number of steps. */
  readonly fuel: number;
  /** Maximum nesting of applied schemas. */
  readonly depth: number;
  /** Maximum number of errors; one more ends the run. */
  readonly errors: number;
}

/** Applies compiled schemas to one value. Tracks the place, the fuel and the errors. */
export class ValidationRun implements Run {
  readonly errors: SchemaError[] = [];
  readonly #limits: RunLimits;
  readonly #focus: readonly string[];
  readonly #path: (string | number)[] = [];
  /** Resources that the run is in, the outermost first. */
  readonly #scope: Resource[] = [];
  #fuel: number;
  #depth = 0;
  #probes = 0;

  /** Creates a run. With a focus, the run only records errors at, below and about that value. */
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

  apply(node: SchemaNode, value: unknown, seen: Seen | undefined): boolean {
    const checks = node.checks ?? [];
    this.spend(1 + checks.length);
    const entered = this.#enter(node.resource);
    const own = node.tracks ? new EvaluatedParts() : seen;
    let valid = true;
    for (const check of checks) {
      if (check(value, this, own)) continue;
      valid = false;
      if (this.#probes > 0) break;
    }
    if (entered) this.#scope.pop();
    this.#depth -= 1;
    if (valid && own && seen && own !== seen) seen.add(own);
    return valid;
  }

  /** Enters one level. Returns true if it is in another resource than the previous level. */
  #enter(resource: Resource): boolean {
    if (++this.#depth > this.#limits.depth) throw new Stopped('depth');
    if (this.#scope.at(-1) === resource) return false;
    this.#scope.push(resource);
    return true;
  }

  below(node: SchemaNode, value: unknown, key: string | number): boolean {
    if (this.isAboveFocus() && this.#focus[this.#path.length] !== String(key)) return true;
    this.#path.push(key);
    const valid = this.apply(node, value, undefined);
    this.#path.pop();
    return valid;
  }

  probe(node: SchemaNode, value: unknown, seen: Seen | undefined): boolean {
    this.#probes += 1;
    const valid = this.apply(node, value, seen);
    this.#probes -= 1;
    return valid;
  }

  probeBelow(node: SchemaNode, value: unknown, key: string | number): boolean {
    this.#probes += 1;
    const valid = this.below(node, value, key);
    this.#probes -= 1;
    return valid;
  }

  outermost(anchor: string): SchemaNode | undefined {
    this.spend(this.#scope.length);
    return this.#scope.find(({ dynamicAnchors }) => dynamicAnchors.has(anchor))?.dynamicAnchors.get(anchor);
  }

  isProbing(): boolean {
    return this.#probes > 0;
  }

  isAboveFocus(): boolean {
    return this.#probes === 0 && this.#path.length < this.#focus.length;
  }

  fail(site: ErrorSource, message: () => string, about?: string): false {
    if (this.#probes > 0 || !this.#concerns(about)) return false;
    if (this.errors.length >= this.#limits.errors) throw new Stopped('errors');
    const title = titleOf(site.node.schema, about);
    this.errors.push({
      instancePath: this.#path.reduce<string>(pointerTo, ''),
      keyword: site.keyword,
      schemaPath: pointerTo(pointerOfPlace(site.node.place), site.keyword),
      message: message(),
      ...(about !== undefined && { about }),
      ...(title !== undefined && { title }),
    });
    return false;
  }

  /**
   * Returns true if an error matters. An error of an outer value matters if it is about the member in focus.
   */
  #concerns(about: string | undefined): boolean {
    if (!this.isAboveFocus()) return true;
    return this.#path.length === this.#focus.length - 1 && about === this.#focus.at(-1);
  }
}

/** Returns the title of the schema that failed or, for a missing member, the title of that member. */
function titleOf(schema: unknown, about: string | undefined): string | undefined {
  if (!isJsonObject(schema)) return undefined;
  const properties = memberOf(schema, 'properties');
  const member = about !== undefined && isJsonObject(properties) ? memberOf(properties, about) : undefined;
  const title = memberOf(isJsonObject(member) ? member : schema, 'title');
  return typeof title === 'string' && title !== '' ? title : undefined;
}
