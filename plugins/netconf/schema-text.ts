import { headingOf } from '../../src/yang/modules/library.js';

/** Text of a module or submodule in UTF-8, and the names of those that it imports or includes. */
export interface SchemaText {
  readonly text: Uint8Array<SharedArrayBuffer>;
  readonly imports: readonly string[];
}

/** Maximum number of imports of one module; those of public modules have at most 200. */
const MAX_IMPORTS = 300;
const IMPORT = /(?:^|[\s;{}])(?:import|include)\s+["']?([A-Za-z_][\w.-]{0,254})/g;

/** Returns the description of a text; undefined if it is no module or submodule of that name. */
export function schemaTextOf(text: string, name: string): SchemaText | undefined {
  if (headingOf(text)?.name !== name) return undefined;
  const imports = new Set<string>();
  for (const [, imported = ''] of text.matchAll(IMPORT)) {
    if (imports.size === MAX_IMPORTS) break;
    imports.add(imported);
  }
  const encoded = new TextEncoder().encode(text);
  const shared = new Uint8Array(new SharedArrayBuffer(encoded.length));
  shared.set(encoded);
  return { text: shared, imports: [...imports] };
}
