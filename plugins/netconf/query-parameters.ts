import type { FieldTree, NodeSelection } from '../../src/yang/encoding/node-selection.js';
import type { InsertParameters } from './plan.js';
import { refused, type RestconfFault } from './replies.js';

/** Query parameters of a GET (RFC 8040 section 4.8). */
export interface QueryParameters {
  readonly content: 'all' | 'config' | 'nonconfig';
  readonly selection: NodeSelection;
  readonly withDefaults: string | undefined;
}

const CONTENTS = ['all', 'config', 'nonconfig'] as const;
const DEFAULTS = new Set(['report-all', 'trim', 'explicit', 'report-all-tagged']);
/** Maximum number of names in `fields`, and maximum nesting of its parentheses. */
const MAX_FIELDS = 1000;
const MAX_NESTING = 50;
const MAX_DEPTH = 65_535;

/** Reads the query of a GET. Throws RestconfFault for an unknown parameter or value. */
export function readQueryParameters(query: string): QueryParameters {
  const known = parametersOf(query, ['content', 'depth', 'fields', 'with-defaults']);
  const name = known.get('content') ?? 'all';
  const content = CONTENTS.find((one) => one === name);
  if (!content) throw invalid('content', name);
  const withDefaults = known.get('with-defaults');
  if (withDefaults !== undefined && !DEFAULTS.has(withDefaults)) throw invalid('with-defaults', withDefaults);
  const depth = depthOf(known.get('depth'));
  const fields = known.get('fields');
  return {
    content,
    withDefaults,
    selection: {
      ...(depth !== undefined && { depth }),
      ...(fields !== undefined && { fields: readFields(fields) }),
      ...(content === 'nonconfig' && { isStateOnly: true }),
    },
  };
}

function depthOf(text = 'unbounded'): number | undefined {
  if (text === 'unbounded') return undefined;
  const depth = /^[1-9][0-9]{0,4}$/.test(text) ? Number(text) : Infinity;
  if (depth > MAX_DEPTH) throw invalid('depth', text);
  return depth;
}

/**
 * Reads the query of a POST or PUT of data, which may say where the entry of a list belongs. Throws RestconfFault for other parameters
 * and values.
 */
export function readInsertParameters(query: string): InsertParameters | undefined {
  const known = parametersOf(query, ['insert', 'point']);
  const insert = known.get('insert');
  const point = known.get('point');
  const isBeside = insert === 'before' || insert === 'after';
  if (isBeside && point !== undefined) return { insert, point };
  if (isBeside) throw refused(400, 'invalid-value', `"insert=${insert}" needs the query parameter "point"`);
  if (point !== undefined)
    throw refused(
      400,
      'invalid-value',
      'the query parameter "point" needs "insert=before" or "insert=after"',
    );
  if (insert === undefined || insert === 'first' || insert === 'last') return insert && { insert };
  throw invalid('insert', insert);
}

/** Throws RestconfFault if a query has parameters. */
export function requireNoParameters(query: string): void {
  parametersOf(query, []);
}

/** Returns the parameters of a query. Throws RestconfFault for one that is not allowed, or given twice. */
export function parametersOf(query: string, allowed: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query.replaceAll('+', '%2B'))) {
    if (!allowed.includes(name) || found.has(name))
      throw refused(
        400,
        'invalid-value',
        `the query parameter "${name}" is not supported here, or given twice`,
      );
    found.set(name, value);
  }
  return found;
}

function invalid(name: string, value: string): RestconfFault {
  return refused(400, 'invalid-value', `the query parameter "${name}" has no value "${value.slice(0, 50)}"`);
}

type MutableTree = Map<string, MutableTree>;

/** Parses `fields`, such as `a;b/c(d;e)` (RFC 8040 section 4.8.3). */
function readFields(text: string): FieldTree {
  return new FieldReader(text).read();
}

class FieldReader {
  readonly #text: string;
  readonly #tree: MutableTree = new Map();
  readonly #outer: MutableTree[] = [];
  #at = this.#tree;
  /** Node of the last name; absent where a name must follow. */
  #last: MutableTree | undefined;
  #count = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): FieldTree {
    let isInPath = false;
    for (const [token] of this.#text.matchAll(/[A-Za-z_][\w.:-]*|[^]/g)) {
      const last = this.#last;
      if (/^[A-Za-z_]/.test(token)) this.#name(token, isInPath);
      else if (!last || isInPath) throw this.#invalid();
      else this.#punctuation(token, last);
      isInPath = token === '/';
    }
    if (this.#outer.length > 0 || !this.#last || isInPath) throw this.#invalid();
    return this.#tree;
  }

  #name(name: string, isInPath: boolean): void {
    if (this.#last && !isInPath) throw this.#invalid();
    this.#last = this.#child(this.#last ?? this.#at, name);
  }

  #punctuation(token: string, last: MutableTree): void {
    if (token === '/') return;
    if (token === ';') this.#last = undefined;
    else if (token === '(' && this.#outer.length < MAX_NESTING) {
      this.#outer.push(this.#at);
      this.#at = last;
      this.#last = undefined;
    } else if (token === ')' && this.#outer.length > 0) {
      this.#last = this.#at;
      this.#at = this.#outer.pop() ?? this.#tree;
    } else throw this.#invalid();
  }

  #child(tree: MutableTree, name: string): MutableTree {
    if ((this.#count += 1) > MAX_FIELDS) throw this.#invalid();
    const known = tree.get(name);
    if (known) return known;
    const child: MutableTree = new Map();
    tree.set(name, child);
    return child;
  }

  #invalid(): RestconfFault {
    return invalid('fields', this.#text);
  }
}
