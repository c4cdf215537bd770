import { valueAt } from '../../core/pointer.js';
import { placesIn } from './pointers.js';
import { schemaProblem } from './schema-problem.js';

/** What a reference of a document refers to; `pointer` is where it stands. Throws `schema_invalid`. */
export type Resolve = (reference: string, pointer: string) => unknown;

/** Makes a resolver for references inside one schema: JSON pointers, anchors, and both behind the schema's own URI. */
export function createResolver(schema: unknown): Resolve {
  const anchors = new Map<string, unknown>();
  for (const { name, value, pointer } of placesIn(schema)) {
    const anchor = anchorOf(name, value);
    if (anchor !== undefined)
      anchors.set(anchor, valueAt(schema, pointer.slice(0, pointer.lastIndexOf('/'))));
  }
  return (reference, pointer) => {
    const [uri, fragment] = split(reference);
    const root = uri === '' || uri === ownUri(schema) ? schema : anchors.get(uri);
    const target = fragment === '' || fragment.startsWith('/') ? valueAt(root, decode(fragment)) : anchors.get(`#${fragment}`); // prettier-ignore
    if (target !== undefined) return target;
    const message = `refers to "${reference.slice(0, 200)}", which is not in the schema; nothing is fetched`;
    throw schemaProblem('schema_invalid', [{ pointer, message }]);
  };
}

function split(reference: string): readonly [string, string] {
  const hash = reference.indexOf('#');
  return hash < 0 ? [reference, ''] : [reference.slice(0, hash), reference.slice(hash + 1)];
}

/** A name that references may use: `$id` and `id` as they are written, `$anchor` behind a `#`. */
function anchorOf(name: string, value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (name === '$anchor') return `#${value}`;
  return name === '$id' || name === 'id' ? value : undefined;
}

function ownUri(schema: unknown): unknown {
  const id = valueAt(schema, '/$id') ?? valueAt(schema, '/id');
  return typeof id === 'string' ? split(id)[0] : undefined;
}

function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
