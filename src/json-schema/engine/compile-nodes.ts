import type { FormatMode } from '../../core/schema-engine.js';
import { isJsonObject, memberOf } from '../../json/json-object.js';
import { pointerTokens } from '../../json/pointer.js';
import type { DocumentRegistry } from './documents/registry.js';
import { CompileFault, locationBelow, pointerOfLocation } from './documents/schema-location.js';
import { resolveUri } from './documents/uri.js';
import { compileLinearPattern, UnsupportedPattern } from './ecma-pattern.js';
import type { Builder, Check, Pattern, Rule, SchemaNode } from './model.js';
import { compileSimplePattern } from './simple-pattern.js';

interface CompileSettings {
  readonly formats: FormatMode;
  /** Called with the steps before each part of the work. */
  readonly spend: (steps: number) => void;
}

interface CompileContext extends CompileSettings {
  readonly documents: DocumentRegistry;
  /**
   * Nodes that are not compiled yet. A queue replaces recursion, so that deep nesting cannot overflow the
   * stack.
   */
  readonly queue: SchemaNode[];
  readonly patterns: Map<string, Pattern>;
  /** Dynamic anchors that a `$dynamicRef` or `$recursiveRef` may resolve to. */
  readonly dynamicAnchors: Set<string>;
  /** Schemas that each compiled schema applies to the same value. */
  readonly applied: Map<SchemaNode, AppliedSchema[]>;
  readonly faults: CompileFault[];
}

/** Maximum number of reported faults of one schema. */
const MAX_FAULTS = 100;

/**
 * Compiles a schema and every schema that it refers to. Returns the faults; an empty list for a valid schema.
 */
export function compileNodes(
  root: SchemaNode,
  documents: DocumentRegistry,
  settings: CompileSettings,
): readonly CompileFault[] {
  const context: CompileContext = {
    ...settings,
    documents,
    queue: [root],
    patterns: new Map(),
    dynamicAnchors: new Set(),
    applied: new Map(),
    faults: [],
  };
  do {
    for (let node = context.queue.pop(); node; node = context.queue.pop()) compileNode(node, context);
    context.queue.push(...dynamicAnchorNodes(context));
  } while (context.queue.length > 0);
  return [...context.faults, ...endlessReferences(context.applied, MAX_FAULTS).map(endlessFault)];
}

function endlessFault(pointer: string): CompileFault {
  const message = 'leads back to itself for the same value, so that its validation would never end';
  return new CompileFault(pointer, message);
}

/** Returns the nodes with a requested dynamic anchor, in any resource, that are not compiled yet. */
function dynamicAnchorNodes({ dynamicAnchors, documents, spend }: CompileContext): readonly SchemaNode[] {
  if (dynamicAnchors.size === 0) return [];
  const resources = documents.resources();
  spend(resources.length);
  return resources
    .flatMap((resource) => [...resource.dynamicAnchors])
    .flatMap(([anchor, node]) => (dynamicAnchors.has(anchor) && !node.checks ? [node] : []));
}

function compileNode(node: SchemaNode, context: CompileContext): void {
  if (node.checks || context.faults.length >= MAX_FAULTS) return;
  const { schema } = node;
  if (isJsonObject(schema)) {
    const rules = rulesFor(node);
    context.spend(1 + rules.length);
    const builder = builderFor(node, context);
    // An `unevaluated` keyword needs the members and items that the other keywords of its schema evaluate.
    node.tracksEvaluated = UNEVALUATED_KEYWORDS.some(
      (keyword) => Object.hasOwn(schema, keyword) && node.resource.dialect.rules.has(keyword),
    );
    // Merging what branches have evaluated is not counted.
    if (node.tracksEvaluated) context.spend(Infinity);
    node.checks = rules.flatMap((rule) => rule(schema, builder) ?? []);
  } else {
    context.spend(1);
    node.checks = schema === false ? [rejectAll(node)] : [];
  }
}

const UNEVALUATED_KEYWORDS = ['unevaluatedItems', 'unevaluatedProperties'];

function rejectAll(node: SchemaNode): Check {
  return (_value, run) => run.fail({ node, keyword: 'false schema' }, () => 'must NOT be there');
}

/**
 * Returns the rules of a schema's keywords without duplicates. The `unevaluated` rules come last, because
 * they depend on the result of the other rules.
 */
function rulesFor({ schema, resource: { dialect } }: SchemaNode): readonly Rule[] {
  const object = schema as Readonly<Record<string, unknown>>;
  const keywords =
    dialect.ignoresRefSiblings && typeof memberOf(object, '$ref') === 'string'
      ? ['$ref']
      : Object.keys(object);
  const rules = new Set<Rule>();
  const unevaluatedRules: Rule[] = [];
  for (const keyword of keywords) {
    const rule = dialect.rules.get(keyword);
    if (!rule) continue;
    if (UNEVALUATED_KEYWORDS.includes(keyword)) unevaluatedRules.push(rule);
    else rules.add(rule);
  }
  return [...rules, ...unevaluatedRules];
}

function builderFor(node: SchemaNode, context: CompileContext): Builder {
  const { documents, queue } = context;
  const { resource, location } = node;
  const pointerTo = (tokens: readonly (string | number)[]) =>
    pointerOfLocation(locationBelow(location, tokens));
  const enqueue = (found: SchemaNode): SchemaNode => {
    if (!found.checks) queue.push(found);
    return found;
  };
  const noteApplied = (target: SchemaNode, reference?: string): SchemaNode => {
    const others = context.applied.get(node);
    if (others) others.push({ target, reference });
    else context.applied.set(node, [{ target, reference }]);
    return target;
  };
  return {
    spend: context.spend,
    formats: resource.dialect.assertsFormat ? 'assert' : context.formats,
    errorSource: (keyword) => ({ node, keyword }),
    node(schema, ...tokens) {
      const found = enqueue(documents.nodeOf(schema, locationBelow(location, tokens), resource));
      return isAlwaysApplied(tokens) ? noteApplied(found) : found;
    },
    resolveReference(keyword, reference) {
      context.spend(1 + Math.floor((resource.uri.length + reference.length) / 16));
      const found = findReference(node, reference, documents);
      // What a dynamic reference applies depends on the schemas around it.
      if (found && keyword === '$ref') noteApplied(found, pointerTo([keyword]));
      if (found) return enqueue(found);
      const message = `refers to ${JSON.stringify(reference.slice(0, 200))}, which is not in the schema; nothing is fetched`;
      context.faults.push(new CompileFault(pointerTo([keyword]), message));
      return undefined;
    },
    compileDynamicAnchor: (anchor) => void context.dynamicAnchors.add(anchor),
    pattern(regex, ...tokens) {
      try {
        return cachedPattern(regex, context);
      } catch (error) {
        if (!(error instanceof UnsupportedPattern)) throw error;
        context.faults.push(new CompileFault(pointerTo(tokens), error.message));
        return undefined;
      }
    },
  };
}

/** Steps of a simple pattern, which has at most 100 characters. */
const SIMPLE_PATTERN_STEPS = 40;

function cachedPattern(regex: string, { patterns, spend }: CompileContext): Pattern {
  const known = patterns.get(regex);
  if (known) return known;
  spend(SIMPLE_PATTERN_STEPS);
  const simple = compileSimplePattern(regex);
  // RE2 takes unknown time to compile a pattern, and up to 8 MB to match it.
  if (!simple) spend(Infinity);
  const pattern = simple ?? compileLinearPattern(regex);
  patterns.set(regex, pattern);
  return pattern;
}

function findReference(
  { resource }: SchemaNode,
  reference: string,
  documents: DocumentRegistry,
): SchemaNode | undefined {
  const { uri, fragment } = resolveUri(resource.uri, reference);
  // The resource of the schema has priority, because another resource may have the same URI.
  const target = uri === resource.uri ? resource : documents.resource(uri, resource.dialect);
  if (!target?.root) return undefined;
  if (fragment === '') return target.root;
  if (!fragment.startsWith('/')) return target.anchors.get(fragment);
  return documents.descend(target.root, pointerTokens(fragment));
}

/** A schema that another schema applies to the same value, whatever the value is. */
interface AppliedSchema {
  readonly target: SchemaNode;
  /** Pointer to the `$ref` that applies it; undefined for another keyword, such as `allOf`. */
  readonly reference: string | undefined;
}

/** The schemas that each schema applies to the same value. */
type AppliedSchemas = ReadonlyMap<SchemaNode, readonly AppliedSchema[]>;

/** Returns true for reference tokens below a schema whose schema there is applied to the same value, whatever the value is. */
function isAlwaysApplied([keyword, index]: readonly (string | number)[]): boolean {
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
function endlessReferences(applied: AppliedSchemas, limit: number): readonly string[] {
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
