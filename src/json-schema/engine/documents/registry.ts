import type { SchemaRegistry } from '../../../core/schema-engine.js';
import { isJsonObject, type JsonObject, memberOf } from '../../../core/json-object.js';
import { chosenDialect, DRAFT_URIS, publishedDialect } from '../dialects/dialects.js';
import { METASCHEMAS } from '../metaschemas/documents.js';
import type { Dialect, SchemaLocation, Resource, SchemaNode } from '../model.js';
import { textIn } from '../keywords/read-keyword.js';
import { CompileFault } from './compile-fault.js';
import { placeBelow, pointerOfPlace } from './location.js';
import { resolveUri } from './uri.js';

/** A schema inside another, with the tokens that lead to it. */
interface Subschema {
  readonly schema: unknown;
  readonly tokens: readonly (string | number)[];
}

type Shape = 'one' | 'several' | 'named';

/**
 * Keywords of all drafts whose value is a schema, a list of schemas, or schemas by name. All other values are
 * data.
 */
const SHAPES = new Map<string, readonly Shape[]>([
  ...['additionalItems', 'additionalProperties', 'contains', 'contentSchema', 'else', 'if', 'not'].map(one),
  ...['propertyNames', 'then', 'unevaluatedItems', 'unevaluatedProperties'].map(one),
  ...['$defs', 'definitions', 'dependencies', 'dependentSchemas', 'patternProperties', 'properties'].map(
    (keyword) => [keyword, ['named']] as const,
  ),
  ...['allOf', 'anyOf', 'oneOf', 'prefixItems'].map((keyword) => [keyword, ['several']] as const),
  ['items', ['one', 'several']],
]);

function one(keyword: string): readonly [string, readonly Shape[]] {
  return [keyword, ['one']];
}

/** Returns the schemas directly inside a schema that are objects. */
function subschemasOf(schema: JsonObject): readonly Subschema[] {
  const found: Subschema[] = [];
  for (const keyword of Object.keys(schema)) {
    const shapes = SHAPES.get(keyword);
    if (shapes) collect({ schema: schema[keyword], tokens: [keyword] }, shapes, found);
  }
  return found;
}

function collect({ schema, tokens }: Subschema, shapes: readonly Shape[], found: Subschema[]): void {
  if (Array.isArray(schema)) {
    if (!shapes.includes('several')) return;
    for (const [index, item] of (schema as unknown[]).entries())
      if (isJsonObject(item)) found.push({ schema: item, tokens: [...tokens, index] });
  } else if (isJsonObject(schema)) {
    if (shapes.includes('one')) found.push({ schema, tokens });
    if (!shapes.includes('named')) return;
    for (const name of Object.keys(schema))
      if (isJsonObject(schema[name])) found.push({ schema: schema[name], tokens: [...tokens, name] });
  }
}

/** Maximum number of schemas in all documents that one schema refers to, itself included. */
const MOST_SCHEMAS = 500_000;

/** Schema to visit, and the resource around it. */
interface DocumentVisit {
  readonly schema: unknown;
  readonly place: SchemaLocation;
  readonly around: Resource;
}

/**
 * Schemas of one compilation. Reads each document on first reference, and creates a node for each schema in
 * it.
 */
export class DocumentRegistry {
  readonly #registry: ReadonlyMap<string, unknown>;
  readonly #resources = new Map<string, Resource>();
  readonly #nodes = new Map<unknown, SchemaNode>();
  readonly #loaded = new Set<string>();

  constructor(registry: SchemaRegistry) {
    this.#registry = new Map(
      Object.entries(registry).map(([uri, schema]) => [uri.replace(/#$/, ''), schema]),
    );
  }

  /** Reads a document and returns its root. Throws a {@link CompileFault}. */
  add(schema: unknown, document: string, fallback: Dialect): SchemaNode {
    const place: SchemaLocation = { document, parent: undefined, token: '' };
    const dialect = this.#dialectOf(schema, place) ?? fallback;
    const resource = this.#newResource(document, dialect);
    const root = this.#index({ schema, place, around: resource });
    resource.root ??= root;
    return root;
  }

  /** Returns the resource with a URI. Reads it from the registry on first use. */
  resource(uri: string, fallback: Dialect): Resource | undefined {
    const known = this.#resources.get(uri);
    if (known) return known;
    if (this.#load(uri, fallback)) return this.#resources.get(uri);
    // The resource may be inside a document that has not been read yet.
    for (const name of this.#registry.keys()) this.#load(name, fallback);
    return this.#resources.get(uri);
  }

  /** Returns all resources that have been read. */
  resources(): readonly Resource[] {
    return [...new Set(this.#resources.values())];
  }

  /**
   * Returns the node of a schema. Creates the node of a schema at a place where no keyword expects a schema.
   */
  nodeOf(schema: unknown, place: SchemaLocation, around: Resource): SchemaNode {
    if (!isJsonObject(schema)) return newNode({ schema, place, around });
    return this.#nodes.get(schema) ?? this.#index({ schema, place, around });
  }

  /** Returns the node at a JSON pointer below another node; undefined if it does not exist. */
  descend(from: SchemaNode, tokens: readonly string[]): SchemaNode | undefined {
    let { schema, place, resource } = from;
    for (const token of tokens) {
      if (typeof schema !== 'object' || schema === null || !Object.hasOwn(schema, token)) return undefined;
      schema = (schema as JsonObject)[token];
      place = placeBelow(place, [token]);
      resource = this.#nodes.get(schema)?.resource ?? resource;
    }
    if (!isJsonObject(schema) && typeof schema !== 'boolean') return undefined;
    return this.nodeOf(schema, place, resource);
  }

  /** Returns the dialect that a `$schema` names. Throws a {@link CompileFault} if it is unknown. */
  dialect(uri: string, place: SchemaLocation): Dialect {
    const at = pointerOfPlace(placeBelow(place, ['$schema']));
    const seen = new Set<string>();
    for (let next = uri; !seen.has(next);) {
      seen.add(next);
      const published = publishedDialect(next);
      if (published) return published;
      const metaschema = this.#registry.get(next.replace(/#$/, ''));
      if (!isJsonObject(metaschema)) break;
      const chosen = chosenDialect(uri, metaschema);
      if (typeof chosen === 'string')
        throw new CompileFault(at, `needs the vocabulary ${chosen}, which is not known here`);
      if (chosen) return chosen;
      next = textIn(metaschema, '$schema') ?? uri;
    }
    throw new CompileFault(at, `must be one of ${DRAFT_URIS.join(', ')}`);
  }

  #load(uri: string, fallback: Dialect): boolean {
    const schema = METASCHEMAS.get(uri) ?? this.#registry.get(uri);
    if (schema === undefined || this.#loaded.has(uri)) return false;
    this.#loaded.add(uri);
    this.add(schema, uri, fallback);
    return true;
  }

  #dialectOf(schema: unknown, place: SchemaLocation): Dialect | undefined {
    const uri = isJsonObject(schema) ? memberOf(schema, '$schema') : undefined;
    return typeof uri === 'string' ? this.dialect(uri, place) : undefined;
  }

  #newResource(uri: string, dialect: Dialect): Resource {
    const resource: Resource = {
      uri,
      dialect,
      root: undefined,
      anchors: new Map(),
      dynamicAnchors: new Map(),
    };
    // The first resource keeps its name, so that no later schema can replace it.
    if (!this.#resources.has(uri)) this.#resources.set(uri, resource);
    return resource;
  }

  /**
   * Creates a node for every schema of a tree. Does not recurse, because the depth of a tree is not limited.
   */
  #index(start: DocumentVisit): SchemaNode {
    const first = this.#visit(start);
    const waiting: SchemaNode[] = [first];
    for (let node = waiting.pop(); node; node = waiting.pop()) {
      if (!isJsonObject(node.schema)) continue;
      const { place, resource } = node;
      for (const { schema, tokens } of subschemasOf(node.schema))
        if (!this.#nodes.has(schema))
          waiting.push(this.#visit({ schema, place: placeBelow(place, tokens), around: resource }));
    }
    return first;
  }

  #visit({ schema, place, around }: DocumentVisit): SchemaNode {
    if (!isJsonObject(schema)) return newNode({ schema, place, around });
    const resource = this.#resourceOf(schema, place, around);
    const node = newNode({ schema, place, around: resource });
    resource.root ??= node;
    this.#nodes.set(schema, node);
    if (this.#nodes.size > MOST_SCHEMAS)
      throw new CompileFault(pointerOfPlace(place), `is one of more than ${MOST_SCHEMAS} schemas`);
    nameAnchors(node);
    return node;
  }

  /** Returns the resource that a schema starts, or the resource around it. */
  #resourceOf(schema: JsonObject, place: SchemaLocation, around: Resource): Resource {
    const own =
      Object.hasOwn(schema, '$schema') && place.parent ? this.#embeddedDialect(schema, place) : undefined;
    const dialect = own ?? around.dialect;
    const id = idOf(schema, dialect);
    if (id === undefined) return around;
    const { uri } = resolveUri(around.uri, id);
    // A document whose root has its own URI is available under both URIs.
    if (!place.parent && around.root === undefined) {
      const renamed = this.#newResource(uri, around.dialect);
      if (this.#resources.get(around.uri) === around) this.#resources.set(around.uri, renamed);
      return renamed;
    }
    return this.#newResource(uri, dialect);
  }

  #embeddedDialect(schema: JsonObject, place: SchemaLocation): Dialect | undefined {
    const isResource = typeof schema['$id'] === 'string' || typeof schema['id'] === 'string';
    return isResource ? this.#dialectOf(schema, place) : undefined;
  }
}

function newNode({ schema, place, around }: DocumentVisit): SchemaNode {
  return { schema, place, resource: around, checks: undefined, tracks: false };
}

/** Returns the URI that a schema declares for itself; undefined if it declares no URI, or only an anchor. */
function idOf(schema: JsonObject, { idKeyword, refStandsAlone }: Dialect): string | undefined {
  const id = memberOf(schema, idKeyword);
  if (typeof id !== 'string' || (refStandsAlone && typeof memberOf(schema, '$ref') === 'string'))
    return undefined;
  return id.startsWith('#') ? undefined : id;
}

/** Registers the names that a schema has inside its resource. */
function nameAnchors(node: SchemaNode): void {
  const { schema, resource } = node;
  if (!isJsonObject(schema)) return;
  const { dialect, anchors, dynamicAnchors } = resource;
  if (dialect.refStandsAlone) {
    const id = typeof memberOf(schema, '$ref') === 'string' ? undefined : memberOf(schema, dialect.idKeyword);
    const anchor = typeof id === 'string' ? /#(.+)$/s.exec(id)?.[1] : undefined;
    if (anchor !== undefined) anchors.set(anchor, node);
    return;
  }
  const [anchor, dynamic] = [memberOf(schema, '$anchor'), memberOf(schema, '$dynamicAnchor')];
  if (typeof anchor === 'string') anchors.set(anchor, node);
  if (typeof dynamic === 'string') {
    anchors.set(dynamic, node);
    dynamicAnchors.set(dynamic, node);
  }
  if (memberOf(schema, '$recursiveAnchor') === true && resource.root === node) dynamicAnchors.set('', node);
}
