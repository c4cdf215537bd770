import type { SchemaRegistry } from '../../../core/schema-engine.js';
import { isJsonObject, type JsonObject, memberOf } from '../../../json/json-object.js';
import { customDialect, DRAFT_URIS, METASCHEMAS, publishedDialect } from '../dialects.js';
import { textIn } from '../keywords/read-keyword.js';
import type { Dialect, Resource, SchemaNode } from '../model.js';
import { CompileFault, locationBelow, pointerOfLocation, type SchemaLocation } from './schema-location.js';
import { resolveUri } from './uri.js';

/** Subschema, with the reference tokens from its parent schema. */
interface Subschema {
  readonly schema: unknown;
  readonly tokens: readonly (string | number)[];
}

/** Form of a keyword's value: a schema, a list of schemas, or a map of schemas by name. */
type SchemaShape = 'schema' | 'list' | 'map';

/**
 * Keywords of all drafts whose value is a schema, a list of schemas, or schemas by name. Every other keyword
 * has data as its value.
 */
const SCHEMA_KEYWORDS = new Map<string, readonly SchemaShape[]>([
  ...['additionalItems', 'additionalProperties', 'contains', 'contentSchema', 'else', 'if', 'not'].map(
    asSingleSchema,
  ),
  ...['propertyNames', 'then', 'unevaluatedItems', 'unevaluatedProperties'].map(asSingleSchema),
  ...['$defs', 'definitions', 'dependencies', 'dependentSchemas', 'patternProperties', 'properties'].map(
    (keyword) => [keyword, ['map']] as const,
  ),
  ...['allOf', 'anyOf', 'oneOf', 'prefixItems'].map((keyword) => [keyword, ['list']] as const),
  ['items', ['schema', 'list']],
]);

function asSingleSchema(keyword: string): readonly [string, readonly SchemaShape[]] {
  return [keyword, ['schema']];
}

/** Returns the direct subschemas of a schema. Boolean subschemas are omitted. */
function subschemasOf(schema: JsonObject): readonly Subschema[] {
  const found: Subschema[] = [];
  for (const keyword of Object.keys(schema)) {
    const shapes = SCHEMA_KEYWORDS.get(keyword);
    if (shapes) collect({ schema: schema[keyword], tokens: [keyword] }, shapes, found);
  }
  return found;
}

function collect({ schema, tokens }: Subschema, shapes: readonly SchemaShape[], found: Subschema[]): void {
  if (Array.isArray(schema)) {
    if (!shapes.includes('list')) return;
    for (const [index, item] of (schema as unknown[]).entries())
      if (isJsonObject(item)) found.push({ schema: item, tokens: [...tokens, index] });
  } else if (isJsonObject(schema)) {
    if (shapes.includes('schema')) found.push({ schema, tokens });
    if (!shapes.includes('map')) return;
    for (const name of Object.keys(schema))
      if (isJsonObject(schema[name])) found.push({ schema: schema[name], tokens: [...tokens, name] });
  }
}

/** Maximum number of schemas in one compilation: the given schema and all documents that it refers to. */
const MAX_SCHEMAS = 500_000;

/** Schema to visit, with the schema resource that contains it. */
interface DocumentVisit {
  readonly schema: unknown;
  readonly location: SchemaLocation;
  readonly enclosing: Resource;
}

/**
 * Schema documents of one compilation. A document is read on first reference, and each schema in the document
 * becomes a node.
 */
export class DocumentRegistry {
  readonly #registry: ReadonlyMap<string, unknown>;
  readonly #spend: (steps: number) => void;
  readonly #resources = new Map<string, Resource>();
  readonly #nodes = new Map<unknown, SchemaNode>();
  readonly #loaded = new Set<string>();

  /** Creates a registry. Calls `spend` with the steps before it reads a schema. */
  constructor(registry: SchemaRegistry, spend: (steps: number) => void) {
    this.#spend = spend;
    this.#registry = new Map(
      Object.entries(registry).map(([uri, schema]) => [uri.replace(/#$/, ''), schema]),
    );
  }

  /** Adds a document and returns its root. Throws a {@link CompileFault}. */
  add(schema: unknown, document: string, defaultDialect: Dialect): SchemaNode {
    const location: SchemaLocation = { document, parent: undefined, token: '' };
    const dialect = this.#dialectOf(schema, location) ?? defaultDialect;
    const resource = this.#newResource(document, dialect);
    const root = this.#index({ schema, location, enclosing: resource });
    resource.root ??= root;
    return root;
  }

  /** Returns the schema resource with a URI. Reads the resource from the registry on first use. */
  resource(uri: string, defaultDialect: Dialect): Resource | undefined {
    const known = this.#resources.get(uri);
    if (known) return known;
    if (this.#load(uri, defaultDialect)) return this.#resources.get(uri);
    // The resource may be embedded in a document that has not been read yet.
    for (const name of this.#registry.keys()) this.#load(name, defaultDialect);
    return this.#resources.get(uri);
  }

  /** Returns all schema resources that have been read. */
  resources(): readonly Resource[] {
    return [...new Set(this.#resources.values())];
  }

  /**
   * Returns the node of a schema. Creates the node if the schema is at a location where no keyword expects a
   * schema.
   */
  nodeOf(schema: unknown, location: SchemaLocation, enclosing: Resource): SchemaNode {
    if (!isJsonObject(schema)) return newNode({ schema, location, enclosing });
    return this.#nodes.get(schema) ?? this.#index({ schema, location, enclosing });
  }

  /** Returns the node at a JSON pointer below another node; undefined if the pointer leads to no schema. */
  descend(from: SchemaNode, tokens: readonly string[]): SchemaNode | undefined {
    let { schema, location, resource } = from;
    for (const token of tokens) {
      if (typeof schema !== 'object' || schema === null || !Object.hasOwn(schema, token)) return undefined;
      schema = (schema as JsonObject)[token];
      location = locationBelow(location, [token]);
      resource = this.#nodes.get(schema)?.resource ?? resource;
    }
    if (!isJsonObject(schema) && typeof schema !== 'boolean') return undefined;
    return this.nodeOf(schema, location, resource);
  }

  /** Returns the dialect that a `$schema` names. Throws a {@link CompileFault} if the dialect is unknown. */
  dialect(uri: string, location: SchemaLocation): Dialect {
    const at = pointerOfLocation(locationBelow(location, ['$schema']));
    const visited = new Set<string>();
    for (let next = uri; !visited.has(next);) {
      visited.add(next);
      const published = publishedDialect(next);
      if (published) return published;
      const metaschema = this.#registry.get(next.replace(/#$/, ''));
      if (!isJsonObject(metaschema)) break;
      const custom = customDialect(uri, metaschema);
      if (typeof custom === 'string')
        throw new CompileFault(at, `needs the vocabulary ${custom}, which is not known here`);
      if (custom) return custom;
      next = textIn(metaschema, '$schema') ?? uri;
    }
    throw new CompileFault(at, `must be one of ${DRAFT_URIS.join(', ')}`);
  }

  #load(uri: string, defaultDialect: Dialect): boolean {
    const schema = METASCHEMAS.get(uri) ?? this.#registry.get(uri);
    if (schema === undefined || this.#loaded.has(uri)) return false;
    this.#loaded.add(uri);
    this.add(schema, uri, defaultDialect);
    return true;
  }

  #dialectOf(schema: unknown, location: SchemaLocation): Dialect | undefined {
    const uri = isJsonObject(schema) ? memberOf(schema, '$schema') : undefined;
    return typeof uri === 'string' ? this.dialect(uri, location) : undefined;
  }

  #newResource(uri: string, dialect: Dialect): Resource {
    const resource: Resource = {
      uri,
      dialect,
      root: undefined,
      anchors: new Map(),
      dynamicAnchors: new Map(),
    };
    // The first resource keeps its URI, so that no later schema can replace the resource.
    if (!this.#resources.has(uri)) this.#resources.set(uri, resource);
    return resource;
  }

  /**
   * Creates a node for every schema in a tree. Uses a queue instead of recursion, because the depth of a tree
   * is not limited.
   */
  #index(start: DocumentVisit): SchemaNode {
    const first = this.#visit(start);
    const queue: SchemaNode[] = [first];
    for (let node = queue.pop(); node; node = queue.pop()) {
      if (!isJsonObject(node.schema)) continue;
      const { location, resource } = node;
      for (const { schema, tokens } of subschemasOf(node.schema))
        if (!this.#nodes.has(schema))
          queue.push(this.#visit({ schema, location: locationBelow(location, tokens), enclosing: resource }));
    }
    return first;
  }

  #visit({ schema, location, enclosing }: DocumentVisit): SchemaNode {
    this.#spend(1);
    if (!isJsonObject(schema)) return newNode({ schema, location, enclosing });
    const resource = this.#resourceOf(schema, location, enclosing);
    const node = newNode({ schema, location, enclosing: resource });
    resource.root ??= node;
    this.#nodes.set(schema, node);
    if (this.#nodes.size > MAX_SCHEMAS)
      throw new CompileFault(pointerOfLocation(location), `is one of more than ${MAX_SCHEMAS} schemas`);
    registerAnchors(node);
    return node;
  }

  /** Returns the schema resource that begins at a schema, or the enclosing resource. */
  #resourceOf(schema: JsonObject, location: SchemaLocation, enclosing: Resource): Resource {
    const embeddedDialect =
      Object.hasOwn(schema, '$schema') && location.parent
        ? this.#dialectOfEmbedded(schema, location)
        : undefined;
    const dialect = embeddedDialect ?? enclosing.dialect;
    const id = idOf(schema, dialect);
    if (id === undefined) return enclosing;
    const { uri } = resolveUri(enclosing.uri, id);
    // A document whose root declares a URI is available under that URI and under its retrieval URI.
    if (!location.parent && enclosing.root === undefined) {
      const renamed = this.#newResource(uri, enclosing.dialect);
      if (this.#resources.get(enclosing.uri) === enclosing) this.#resources.set(enclosing.uri, renamed);
      return renamed;
    }
    return this.#newResource(uri, dialect);
  }

  #dialectOfEmbedded(schema: JsonObject, location: SchemaLocation): Dialect | undefined {
    const isResource = typeof schema['$id'] === 'string' || typeof schema['id'] === 'string';
    return isResource ? this.#dialectOf(schema, location) : undefined;
  }
}

function newNode({ schema, location, enclosing }: DocumentVisit): SchemaNode {
  return { schema, location, resource: enclosing, checks: undefined, tracksEvaluated: false };
}

/** Returns the URI that a schema declares; undefined if the schema declares no URI, or only an anchor. */
function idOf(schema: JsonObject, { idKeyword, ignoresRefSiblings }: Dialect): string | undefined {
  const id = memberOf(schema, idKeyword);
  if (typeof id !== 'string' || (ignoresRefSiblings && typeof memberOf(schema, '$ref') === 'string'))
    return undefined;
  return id.startsWith('#') ? undefined : id;
}

/** Registers the anchors that a schema declares in its resource. */
function registerAnchors(node: SchemaNode): void {
  const { schema, resource } = node;
  if (!isJsonObject(schema)) return;
  const { dialect, anchors, dynamicAnchors } = resource;
  if (dialect.ignoresRefSiblings) {
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
