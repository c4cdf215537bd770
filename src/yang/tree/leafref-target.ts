import { InvalidYang } from '../diagnostic.js';
import type { Statement } from '../syntax/statement.js';
import type { YangType } from '../types/yang-type.js';
import type { SchemaTrees } from './build-tree.js';
import type { Linker } from './linker.js';
import { dataChildren, dataParent, type SchemaNode } from './schema-node.js';
import { stepFrom, stepsIn } from './schema-path.js';

/** Parsed path of a leafref (RFC 7950 9.9.2), without its predicates. */
interface LeafrefPath {
  /** Argument of `deref()`, if the path begins with `deref()`. */
  readonly deref: LeafrefPath | undefined;
  readonly absolute: boolean;
  /** Number of `..` at the start of the path. */
  readonly ups: number;
  /** Node names, with prefixes as written. */
  readonly steps: readonly string[];
}

const NODE_NAME = /[A-Za-z_][A-Za-z0-9_.-]*(?::[A-Za-z_][A-Za-z0-9_.-]*)?/y;
const PATH_PREDICATE =
  /\s*\[\s*[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?\s*=\s*(?:(?:current\s*\(\s*\)|deref\s*\([^()]*\))(?:\s*\/\s*(?:\.\.|[A-Za-z_][\w.:-]*))+|"[^"]*"|'[^']*')\s*\]\s*/y;

/** Maximum nesting of `deref()`. */
const MAX_DEREF_DEPTH = 20;

/** Parses the path of a leafref. */
function readLeafrefPath(statement: Statement): LeafrefPath {
  const reader = new PathReader(statement);
  const path = reader.path();
  if (!reader.ended) throw reader.unexpected();
  return path;
}

class PathReader {
  readonly #statement: Statement;
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(statement: Statement) {
    this.#statement = statement;
    this.#text = statement.argument.trim();
  }

  get ended(): boolean {
    return this.#at >= this.#text.length;
  }

  path(): LeafrefPath {
    const deref = this.#match(/deref\s*\(\s*/y) !== undefined ? this.#derefPath() : undefined;
    if (deref && !this.#takeSlash()) throw this.unexpected();
    const absolute = !deref && this.#takeSlash();
    let ups = 0;
    while (!absolute && this.#match(/\.\./y) !== undefined) {
      ups += 1;
      if (!this.#takeSlash()) return { deref, absolute, ups, steps: [] };
    }
    return { deref, absolute, ups, steps: this.#steps() };
  }

  unexpected(): InvalidYang {
    const rest = this.#text.slice(this.#at, this.#at + 20);
    const message = rest === '' ? 'it ends too early' : `${JSON.stringify(rest)} is not expected`;
    return new InvalidYang(
      this.#statement,
      'RFC 7950 9.9.2',
      `path "${this.#text.slice(0, 200)}": ${message}`,
    );
  }

  #derefPath(): LeafrefPath {
    this.#depth += 1;
    if (this.#depth > MAX_DEREF_DEPTH) throw this.unexpected();
    const path = this.path();
    if (this.#match(/\s*\)\s*/y) === undefined) throw this.unexpected();
    return path;
  }

  #steps(): readonly string[] {
    const steps: string[] = [];
    do {
      const name = this.#match(NODE_NAME);
      if (name === undefined) throw this.unexpected();
      steps.push(name);
      while (this.#match(PATH_PREDICATE) !== undefined);
    } while (this.#takeSlash());
    return steps;
  }

  #takeSlash(): boolean {
    return this.#match(/\s*\/\s*/y) !== undefined;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (!found) return undefined;
    this.#at = pattern.lastIndex;
    return found[0];
  }
}

/** Finds the targets of leafrefs in the expanded schema trees. */
export class Leafrefs {
  readonly #linker: Linker;
  readonly #trees: SchemaTrees;
  readonly #parsedPaths = new Map<Statement, LeafrefPath>();
  readonly #childIndexes = new Map<SchemaNode, ReadonlyMap<string, readonly SchemaNode[]>>();

  constructor(linker: Linker, trees: SchemaTrees) {
    this.#linker = linker;
    this.#trees = trees;
  }

  /** Returns the target of a leafref. Throws InvalidYang if the path does not lead to a leaf. */
  targetOf(node: SchemaNode, type: YangType): SchemaNode {
    const statement = type.path;
    if (!statement) throw new InvalidYang(type.statement, 'RFC 7950 9.9.2', 'the leafref has no path');
    const known = node.targets?.get(type);
    if (known) return known;
    const target = this.#follow(this.#pathOf(statement), node, statement);
    if (!target)
      throw new InvalidYang(
        statement,
        'RFC 7950 9.9.2',
        `path "${statement.argument}": there is no such node`,
      );
    if (target.kind !== 'leaf' && target.kind !== 'leaf-list')
      throw new InvalidYang(
        statement,
        'RFC 7950 9.9.2',
        `path "${statement.argument}" leads to a ${target.kind}, not to a leaf`,
      );
    (node.targets ??= new Map()).set(type, target);
    return target;
  }

  /**
   * Returns the child data nodes of a node with a name. Uses an index of the children, because a container
   * may have thousands of them.
   */
  #childrenNamed(node: SchemaNode, name: string): readonly SchemaNode[] {
    const known = this.#childIndexes.get(node);
    if (known) return known.get(name) ?? [];
    const names = new Map<string, SchemaNode[]>();
    this.#childIndexes.set(node, names);
    for (const child of dataChildren(node.children)) {
      const siblings = names.get(child.name);
      if (siblings) siblings.push(child);
      else names.set(child.name, [child]);
    }
    return names.get(name) ?? [];
  }

  #pathOf(statement: Statement): LeafrefPath {
    let path = this.#parsedPaths.get(statement);
    if (!path) this.#parsedPaths.set(statement, (path = readLeafrefPath(statement)));
    return path;
  }

  /** Returns the target of the leafref node that the path inside `deref()` leads to. */
  #dereference(path: LeafrefPath, from: SchemaNode, at: Statement): SchemaNode | undefined {
    const referring = this.#follow(path, from, at);
    if (!referring) return undefined;
    const type = this.#linker.types.resolve(typeStatement(referring, at));
    if (type.base !== 'leafref') throw new InvalidYang(at, 'RFC 7950 10.3.1', 'deref() needs a leafref');
    return this.targetOf(referring, type);
  }

  #follow(path: LeafrefPath, from: SchemaNode, at: Statement): SchemaNode | undefined {
    let node: SchemaNode | undefined = path.deref ? this.#dereference(path.deref, from, at) : from;
    for (let level = 0; level < path.ups; level += 1) {
      if (!node) return undefined;
      node = dataParent(node);
    }
    const steps = stepsIn(path.steps, { at, names: this.#linker.names, defaultModule: from.module });
    const [first] = steps;
    if (path.absolute && first) node = structureAround(from) ?? this.#trees.rootOf(first.module);
    for (const step of steps) node = node && stepFrom(this.#childrenNamed(node, step.name), step);
    return node;
  }
}

/** Returns the structure that contains a node, the root of its absolute paths (RFC 8791 section 2). */
function structureAround(node: SchemaNode): SchemaNode | undefined {
  let at = node.parent;
  while (at && (at.kind !== 'structure' || !at.parent)) at = at.parent;
  return at;
}

function typeStatement(node: SchemaNode, at: Statement): Statement {
  const type = node.properties.find(({ keyword }) => keyword === 'type');
  if (!type) throw new InvalidYang(at, 'RFC 7950 9.9.2', `"${node.name}" is not a leaf`);
  return type;
}
