import type { SchemaNode } from './model.js';

/** A schema that another schema applies to the same value, whatever the value is. */
export interface AppliedSchema {
  readonly target: SchemaNode;
  /** Pointer to the `$ref` that applies it; undefined for another keyword, such as `allOf`. */
  readonly reference: string | undefined;
}

/** The schemas that each schema applies to the same value. */
type AppliedSchemas = ReadonlyMap<SchemaNode, readonly AppliedSchema[]>;

/** Returns true for reference tokens below a schema whose schema there is applied to the same value, whatever the value is. */
export function isAlwaysApplied([keyword, index]: readonly (string | number)[]): boolean {
  if (keyword === 'anyOf' || keyword === 'oneOf') return index === 0;
  return keyword === 'allOf' || keyword === 'if' || keyword === 'not';
}

/** Schema on the path of the search, and the index of the next schema that it applies. */
interface PathStep {
  readonly node: SchemaNode;
  next: number;
}

/**
 * Returns the pointer to a `$ref` of each cycle of schemas that apply one another to the same value, at most `limit`. Their validation
 * would never end (JSON Schema 2020-12 core, section 9.4.1). A stack replaces recursion, so that long chains cannot overflow it.
 */
export function endlessReferences(applied: AppliedSchemas, limit: number): readonly string[] {
  const found = new Set<string>();
  const done = new Set<SchemaNode>();
  for (const start of applied.keys()) {
    const path: PathStep[] = done.has(start) ? [] : [{ node: start, next: 0 }];
    const places = new Map([[start, 0]]);
    for (let step = path.at(-1); step && found.size < limit; step = path.at(-1)) {
      const next = applied.get(step.node)?.[step.next];
      step.next += 1;
      if (!next) {
        path.pop();
        places.delete(step.node);
        done.add(step.node);
        continue;
      }
      const from = places.get(next.target);
      if (from !== undefined) found.add(referenceOn(path.slice(from), applied));
      else if (!done.has(next.target)) {
        places.set(next.target, path.length);
        path.push({ node: next.target, next: 0 });
      }
    }
  }
  return [...found];
}

/** Returns the pointer to the first `$ref` of a cycle. Every cycle has one, because all other schemas lie deeper in the document. */
function referenceOn(cycle: readonly PathStep[], applied: AppliedSchemas): string {
  const references = cycle.map(({ node, next }) => applied.get(node)?.[next - 1]?.reference);
  return references.find((reference) => reference !== undefined) ?? '';
}
