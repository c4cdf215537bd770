import { pointerTokens } from '../../core/pointer.js';
import type { FormatMode } from '../../core/schema-engine.js';
import { isJsonObject, memberOf } from '../../core/json-object.js';
import { CompileFault } from './documents/compile-fault.js';
import type { DocumentRegistry } from './documents/registry.js';
import { placeBelow, pointerOfPlace } from './documents/location.js';
import { resolveUri } from './documents/uri.js';
import type { Builder, Check, Pattern, Rule, SchemaNode } from './model.js';
import { PatternRefused, toLinearSyntax } from './patterns/ecma-pattern.js';
import { RE2JS } from 're2js';

/** State of one compilation. */
interface CompileContext {
  readonly library: DocumentRegistry;
  readonly formats: FormatMode;
  /**
   * Nodes that are still to be compiled. A list replaces recursion, so that no schema is nested too deeply.
   */
  readonly waiting: SchemaNode[];
  readonly patterns: Map<string, Pattern>;
  /** Anchors that dynamic references refer to. */
  readonly expected: Set<string>;
  readonly faults: CompileFault[];
}

/** Maximum number of reported faults. */
const MOST_FAULTS = 100;

/** Compiles a schema and everything that it refers to. Returns the faults; empty if there are no faults. */
export function compileNodes(
  root: SchemaNode,
  library: DocumentRegistry,
  formats: FormatMode,
): readonly CompileFault[] {
  const workshop: CompileContext = {
    library,
    formats,
    waiting: [root],
    patterns: new Map(),
    expected: new Set(),
    faults: [],
  };
  do {
    for (let node = workshop.waiting.pop(); node; node = workshop.waiting.pop()) compileNode(node, workshop);
    workshop.waiting.push(...expectedNodes(workshop));
  } while (workshop.waiting.length > 0);
  return workshop.faults;
}

/** Returns the nodes that dynamic references may find in any resource and that are not compiled yet. */
function expectedNodes({ expected, library }: CompileContext): readonly SchemaNode[] {
  if (expected.size === 0) return [];
  return library
    .resources()
    .flatMap(({ dynamicAnchors }) => [...dynamicAnchors])
    .flatMap(([anchor, node]) => (expected.has(anchor) && !node.checks ? [node] : []));
}

function compileNode(node: SchemaNode, workshop: CompileContext): void {
  if (node.checks || workshop.faults.length >= MOST_FAULTS) return;
  const { schema } = node;
  if (isJsonObject(schema)) {
    const rules = rulesOf(node);
    const builder = builderOf(node, workshop);
    // A node with an `unevaluated` keyword tracks which parts of the value other keywords evaluate.
    node.tracks = TRACKING.some(
      (keyword) => Object.hasOwn(schema, keyword) && node.resource.dialect.rules.has(keyword),
    );
    node.checks = rules.flatMap((rule) => rule(schema, builder) ?? []);
  } else {
    node.checks = schema === false ? [refuse(node)] : [];
  }
}

const TRACKING = ['unevaluatedItems', 'unevaluatedProperties'];

function refuse(node: SchemaNode): Check {
  return (_value, run) => run.fail({ node, keyword: 'false schema' }, () => 'must NOT be there');
}

/**
 * Returns the rules of a schema's keywords without duplicates. Rules that depend on the evaluated parts come
 * last.
 */
function rulesOf({ schema, resource: { dialect } }: SchemaNode): readonly Rule[] {
  const object = schema as Readonly<Record<string, unknown>>;
  const keywords =
    dialect.refStandsAlone && typeof memberOf(object, '$ref') === 'string' ? ['$ref'] : Object.keys(object);
  const rules = new Set<Rule>();
  const last: Rule[] = [];
  for (const keyword of keywords) {
    const rule = dialect.rules.get(keyword);
    if (!rule) continue;
    if (TRACKING.includes(keyword)) last.push(rule);
    else rules.add(rule);
  }
  return [...rules, ...last];
}

function builderOf(node: SchemaNode, workshop: CompileContext): Builder {
  const { library, waiting } = workshop;
  const { resource, place } = node;
  const placed = (tokens: readonly (string | number)[]) => pointerOfPlace(placeBelow(place, tokens));
  const wanted = (found: SchemaNode): SchemaNode => {
    if (!found.checks) waiting.push(found);
    return found;
  };
  return {
    formats: resource.dialect.assertsFormat ? 'assert' : workshop.formats,
    site: (keyword) => ({ node, keyword }),
    node: (schema, ...tokens) => wanted(library.nodeOf(schema, placeBelow(place, tokens), resource)),
    refer(keyword, reference) {
      const found = findReference(node, reference, library);
      if (found) return wanted(found);
      const message = `refers to ${JSON.stringify(reference.slice(0, 200))}, which is not in the schema; nothing is fetched`;
      workshop.faults.push(new CompileFault(placed([keyword]), message));
      return undefined;
    },
    expect: (anchor) => void workshop.expected.add(anchor),
    pattern(source, ...tokens) {
      try {
        return patternOf(source, workshop);
      } catch (error) {
        if (!(error instanceof PatternRefused)) throw error;
        workshop.faults.push(new CompileFault(placed(tokens), error.message));
        return undefined;
      }
    },
  };
}

function patternOf(source: string, { patterns }: CompileContext): Pattern {
  const known = patterns.get(source);
  if (known) return known;
  const pattern = compilePattern(source);
  patterns.set(source, pattern);
  return pattern;
}

function findReference(
  { resource }: SchemaNode,
  reference: string,
  library: DocumentRegistry,
): SchemaNode | undefined {
  const { uri, fragment } = resolveUri(resource.uri, reference);
  // The own resource comes first, because another resource may have the same name.
  const target = uri === resource.uri ? resource : library.resource(uri, resource.dialect);
  if (!target?.root) return undefined;
  if (fragment === '') return target.root;
  if (!fragment.startsWith('/')) return target.anchors.get(fragment);
  return library.descend(target.root, pointerTokens(fragment));
}

/** Compiles an ECMA-262 pattern that is matched in linear time. Throws a {@link PatternRefused}. */
export function compilePattern(source: string): Pattern {
  const translated = toLinearSyntax(source);
  try {
    const compiled = RE2JS.compile(translated);
    return { test: (text) => compiled.test(text), size: compiled.programSize() };
  } catch (cause) {
    const why =
      cause instanceof Error ? cause.message.replace(/^error parsing regexp: /, '') : 'it cannot be read';
    throw new PatternRefused(source, `is no pattern that can be matched in linear time (${why})`);
  }
}
