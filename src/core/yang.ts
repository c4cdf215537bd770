import { ownMember } from '../json/json-object.js';

/** Reference from a JSON Schema to the compiled YANG model that it was written from (`x-yang` at its root). */
export interface YangModelReference {
  /** SHA-256 of the texts and options of the model, in hexadecimal. */
  readonly digest: string;
  /** Modules whose document the schema describes. */
  readonly modules: readonly string[];
  readonly content: 'config' | 'all';
  readonly target?: string;
  readonly path?: string;
}

/** Texts and options of a YANG model, from which it can be compiled again. */
export interface YangModelArchive {
  readonly digest: string;
  /** Compressed JSON in base64. */
  readonly archive: string;
}

const DIGEST_PATTERN = /^[0-9a-f]{64}$/;

/** Returns the model that a schema refers to; undefined for a schema that refers to none. */
export function yangModelOf(schema: unknown): YangModelReference | undefined {
  const yang = ownMember(schema, 'x-yang');
  const [digest, content, target, path] = ['model', 'content', 'target', 'path'].map((name) =>
    ownMember(yang, name),
  );
  const modules = modulesOf(yang);
  if (typeof digest !== 'string' || !DIGEST_PATTERN.test(digest) || modules.length === 0) return undefined;
  return {
    digest,
    modules,
    content: content === 'all' ? 'all' : 'config',
    ...(typeof target === 'string' && { target }),
    ...(typeof path === 'string' && { path }),
  };
}

/** Returns the name of the module of a schema, or the names of the modules of the schema of a datastore. */
function modulesOf(yang: unknown): readonly string[] {
  const several = ownMember(yang, 'modules');
  const named: readonly unknown[] = Array.isArray(several) ? several : [yang];
  return named.map((one) => ownMember(one, 'module')).filter((name) => typeof name === 'string');
}
