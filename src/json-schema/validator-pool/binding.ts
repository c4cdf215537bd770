import { isJsonObject, type JsonObject } from '../../core/json-object.js';
import { schemaProblem } from './schema-problem.js';

/** Where a field's options come from, in the words of a page that asks for them. */
export interface Binding {
  readonly method?: unknown;
  /** Address of the link that was chosen, behind the base address. */
  readonly href?: string;
  readonly targetMediaType?: unknown;
  readonly variables?: unknown;
  /** Pointer into the field's schema at which the answer is put, for example `/enum`. */
  readonly target?: unknown;
  /** Pointers into the answer: where the values stand, and their labels. */
  readonly source?: unknown;
}

/** Reads one member of a `bindingSchema` (wire 4.1). Throws `invalid_request`. */
export function bindingOf(field: unknown, pointer: string): Binding {
  if (!isJsonObject(field))
    throw schemaProblem('invalid_request', [{ pointer, message: 'must be an object' }]);
  const hyperSchema = isJsonObject(field['binding:hyperSchema']) ? field['binding:hyperSchema'] : {};
  const link = chosenLink(hyperSchema, field['binding:link']);
  const base = typeof hyperSchema['base'] === 'string' ? hyperSchema['base'] : '';
  const parts = {
    method: field['binding:method'],
    href: typeof link['href'] === 'string' ? base + link['href'] : undefined,
    targetMediaType: link['targetMediaType'],
    variables: link['variables'],
    target: field['binding:target'],
    source: field['binding:source'],
  };
  return Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined));
}

/** The link of the relation that the binding names, else the first. */
function chosenLink(hyperSchema: JsonObject, relation: unknown): JsonObject {
  const links = Array.isArray(hyperSchema['links']) ? hyperSchema['links'].filter(isJsonObject) : [];
  return links.find(({ rel }) => rel === relation) ?? links[0] ?? {};
}
