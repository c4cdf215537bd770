import { InvalidYang } from '../diagnostic.js';
import type { Statement } from '../syntax/statement.js';
import type { YangType } from '../types/yang-type.js';
import type { SchemaTrees } from './build-tree.js';
import type { Linker } from './linker.js';
import { dataChildren, dataParent, type SchemaNode } from './schema-node.js';
import { stepFrom, stepsIn } from './schema-path.js';

/** Path of a leafref (RFC 7950 9.9.2), without its predicates. */
interface LeafrefPath {
  /** Path inside `deref()`, if the path begins with it. */
  readonly deref: LeafrefPath | undefined;
  readonly absolute: boolean;
  /** Number of `..` at the start of the path. */
  readonly ups: number;
  /** Names with their prefixes. */
  readonly steps: readonly string[];
}

const NAME = /[A-Za-z_][A-Za-z0-9_.-]*(?::[A-Za-z_][A-Za-z0-9_.-]*)?/y;
const PREDICATE =
  /\s*\[\s*[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?\s*=\s*(?:(?:current\s*\(\s*\)|deref\s*\([^()]*\))(?:\s*\/\s*(?:\.\.|[A-Za-z_][\w.:-]*))+|"[^"]*"|'[^']*')\s*\]\s*/y;

/** Maximum nesting of `deref()`. */
const DEPTH = 20;

/** Parses the path of a leafref. */
function readLeafrefPath(statement: Statement): LeafrefPath {
  const reader = new PathReader(statement);
  const path = reader.path();
  if (!reader.ended) throw reader.broken();
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
    const deref = this.#match(/deref\s*\(\s*/y) !== undefined ? this.#inner() : undefined;
    if (deref && !this.#slash()) throw this.broken();
    const absolute = !deref && this.#slash();
    let ups = 0;
    while (!absolute && this.#match(/\.\./y) !== undefined) {
      ups += 1;
      if (!this.#slash()) return { deref, absolute, ups, steps: [] };
    }
    return { deref, absolute, ups, steps: this.#steps() };
  }

  broken(): InvalidYang {
    const rest = this.#text.slice(this.#at, this.#at + 20);
    const what = rest === '' ? 'it ends too early' : `${JSON.stringify(rest)} is not expected`;
    return new InvalidYang(this.#statement, 'RFC 7950 9.9.2', `path "${this.#text.slice(0, 200)}": ${what}`);
  }

  #inner(): LeafrefPath {
    this.#depth += 1;
    if (this.#depth > DEPTH) throw this.broken();
    const path = this.path();
    if (this.#match(/\s*\)\s*/y) === undefined) throw this.broken();
    return path;
  }

  #steps(): readonly string[] {
    const steps: string[] = [];
    do {
      const name = this.#match(NAME);
      if (name === undefined) throw this.broken();
      steps.push(name);
      while (this.#match(PREDICATE) !== undefined);
    } while (this.#slash());
    return steps;
  }

  #slash(): boolean {
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

/** Finds the leaf that a leafref refers to. Starts at the node that has the leafref after expansion. */
export class Leafrefs {
  readonly #linker: Linker;
  readonly #trees: SchemaTrees;
  readonly #paths = new Map<Statement, LeafrefPath>();
  readonly #children = new Map<SchemaNode, ReadonlyMap<string, readonly SchemaNode[]>>();

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
   * Returns the data nodes with a name below a node. They are indexed, because a container may have thousands
   * of children.
   */
  #named(node: SchemaNode, name: string): readonly SchemaNode[] {
    const known = this.#children.get(node);
    if (known) return known.get(name) ?? [];
    const names = new Map<string, SchemaNode[]>();
    this.#children.set(node, names);
    for (const child of dataChildren(node.children)) {
      const same = names.get(child.name);
      if (same) same.push(child);
      else names.set(child.name, [child]);
    }
    return names.get(name) ?? [];
  }

  #pathOf(statement: Statement): LeafrefPath {
    let path = this.#paths.get(statement);
    if (!path) this.#paths.set(statement, (path = readLeafrefPath(statement)));
    return path;
  }

  /** Returns the target of the leafref that a path leads to. */
  #dereference(path: LeafrefPath, from: SchemaNode, at: Statement): SchemaNode | undefined {
    const referring = this.#follow(path, from, at);
    if (!referring) return undefined;
    const type = this.#linker.types.resolve(typeStatement(referring, at));
    if (type.base !== 'leafref') throw new InvalidYang(at, 'RFC 7950 10.3.1', 'deref() needs a leafref');
    return this.targetOf(referring, type);
  }

  #follow(path: LeafrefPath, from: SchemaNode, at: Statement): SchemaNode | undefined {
    let node: SchemaNode | undefined = path.deref ? this.#dereference(path.deref, from, at) : from;
    for (let up = 0; up < path.ups; up += 1) {
      if (!node) return undefined;
      node = dataParent(node);
    }
    const steps = stepsIn(path.steps, { at, names: this.#linker.names, own: from.module });
    const [first] = steps;
    if (path.absolute && first) node = structureAround(from) ?? this.#trees.rootOf(first.module);
    for (const step of steps) node = node && stepFrom(this.#named(node, step.name), step);
    return node;
  }
}

/** Returns the structure that contains a node. Paths inside a structure begin there (RFC 8791 section 2). */
function structureAround(node: SchemaNode): SchemaNode | undefined {
  let at = node.parent;
  while (at && (at.kind !== 'structure' || !at.parent)) at = at.parent;
  return at;
}

function typeStatement(node: SchemaNode, at: Statement): Statement {
  const type = node.properties.find(({ keyword }) => keyword === 'type');
  if (!type) throw new InvalidYang(at, 'RFC 7950 9.9.2', `"${node.name}" is no leaf`);
  return type;
}
