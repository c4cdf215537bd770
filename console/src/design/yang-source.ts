import { isJsonObject, ownMember } from '../../../src/json/json-object.js';

/** A module of which a schema describes the data. */
interface SourceModule {
  readonly name: string;
  /** Absent for a module without a revision. */
  readonly revision?: string;
}

/** What a schema was converted from (`x-yang` at its root). */
interface YangSource {
  readonly modules: readonly SourceModule[];
  /** True for the data of several modules in one document. */
  readonly isDatastore: boolean;
  /** True if the schema also has state data. */
  readonly hasState: boolean;
  /** The document of the module, such as `rpc:NAME/input`; undefined for its data. */
  readonly target: string | undefined;
  /** The first node of the document; undefined for the whole document. */
  readonly path: string | undefined;
  /** SHA-256 of the texts and the options, in hexadecimal; undefined for a schema of an earlier version. */
  readonly model: string | undefined;
}

/** Returns what a schema was converted from; undefined if it was not converted from YANG. */
export function yangSourceOf(schema: unknown): YangSource | undefined {
  const yang = ownMember(schema, 'x-yang');
  if (!isJsonObject(yang)) return undefined;
  const several = yang['modules'];
  const named: readonly unknown[] = Array.isArray(several) ? several : [yang];
  return {
    modules: named.flatMap(moduleOf),
    isDatastore: yang['kind'] === 'datastore',
    hasState: yang['content'] === 'all',
    target: textAt(yang, 'target'),
    path: textAt(yang, 'path'),
    model: textAt(yang, 'model'),
  };
}

function moduleOf(written: unknown): readonly SourceModule[] {
  const [name, revision] = [textAt(written, 'module'), textAt(written, 'revision')];
  if (name === undefined) return [];
  return [{ name, ...(revision !== undefined && { revision }) }];
}

function textAt(value: unknown, name: string): string | undefined {
  const text = ownMember(value, name);
  return typeof text === 'string' ? text : undefined;
}
