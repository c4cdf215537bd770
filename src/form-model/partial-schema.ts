import { isJsonObject, type JsonObject, memberOf } from '../json/json-object.js';
import { pointerTo, pointerTokens } from '../json/pointer.js';
import { isDefinition, type IndexedSubtree, type SchemaIndex } from './schema-index.js';
import { type SchemaSubtree, type SchemaWithUi, withoutMembers, withSubtrees } from './schema-subtrees.js';

interface SubtreeSelection {
  /** Pointers of subtrees that are returned in any case. */
  readonly starts: readonly string[];
  /** Pointers of subtrees below that are returned before others. */
  readonly isWanted?: (pointer: string) => boolean;
  /** True returns only the wanted subtrees. */
  readonly isWantedOnly?: boolean;
  /** Number of characters after which no subtree is added, except for the wanted ones unless only those are returned. */
  readonly characters: number;
}

export interface SelectedSubtrees {
  /** Containers come before what they contain. */
  readonly subtrees: readonly SchemaSubtree[];
  /** True if there are further wanted subtrees. */
  readonly isTruncated: boolean;
}

/** Returns the initial part of a schema: the subtrees in which the data has values, and the nearest others. */
export function partialSchema(
  index: SchemaIndex,
  documents: readonly unknown[],
  characters: number,
): SchemaWithUi {
  const filled = new Set<string>();
  for (const document of documents) markFilled(index, document, filled);
  const isWanted = (pointer: string) => filled.has(pointer);
  const [root, ...others] = selectSubtrees(index, { starts: [''], isWanted, characters }).subtrees;
  return withSubtrees({ schema: root?.schema ?? {}, uiSchema: root?.uiSchema ?? {} }, others);
}

/** Returns subtrees with everything that they need: definitions that cannot be left out, and placeholders of others. */
export function selectSubtrees(index: SchemaIndex, selection: SubtreeSelection): SelectedSubtrees {
  return new Selection(index, selection).run();
}

class Selection {
  readonly #index: SchemaIndex;
  readonly #selection: SubtreeSelection;
  readonly #chosen = new Map<string, IndexedSubtree>();
  readonly #wanted: string[] = [];
  readonly #others: string[] = [];
  #characters: number;

  constructor(index: SchemaIndex, selection: SubtreeSelection) {
    this.#index = index;
    this.#selection = selection;
    this.#characters = selection.characters;
  }

  run(): SelectedSubtrees {
    const { starts, isWantedOnly = false } = this.#selection;
    for (const pointer of starts) this.#take(pointer);
    let at = 0;
    for (; at < this.#wanted.length && (!isWantedOnly || this.#characters > 0); at += 1)
      this.#take(this.#wanted[at] ?? '');
    const isTruncated = this.#wanted.slice(at).some((pointer) => !this.#chosen.has(pointer));
    // Breadth first: what is near to the start is opened first.
    for (let next = 0; next < this.#others.length && this.#characters > 0; next += 1)
      this.#take(this.#others[next] ?? '');
    return { subtrees: [...this.#chosen.values(), ...this.#leftOut()].map(shown), isTruncated };
  }

  #take(pointer: string): void {
    if (this.#chosen.has(pointer) || !this.#index.schemaAt(pointer)) return;
    const subtree = this.#index.subtree(pointer);
    this.#chosen.set(pointer, subtree);
    this.#characters -= subtree.length;
    for (const reference of subtree.references)
      if (this.#index.isDivided(reference)) this.#enqueue(reference);
      else this.#take(reference);
    for (const inner of subtree.below) this.#enqueue(inner);
  }

  #enqueue(pointer: string): void {
    const { isWanted, isWantedOnly } = this.#selection;
    if (isWanted?.(pointer) === true) this.#wanted.push(pointer);
    else if (isWantedOnly !== true) this.#others.push(pointer);
  }

  /** Returns the definitions that the chosen subtrees refer to, and that are left out. */
  #leftOut(): readonly SchemaSubtree[] {
    const missing = new Set<string>();
    for (const { references } of this.#chosen.values())
      for (const reference of references) if (!this.#chosen.has(reference)) missing.add(reference);
    return [...missing].flatMap((pointer) => {
      const schema = this.#index.schemaAt(pointer);
      return schema ? [{ pointer, schema: withoutMembers(schema) }] : [];
    });
  }
}

function shown({ pointer, schema, uiSchema }: SchemaSubtree): SchemaSubtree {
  return { pointer, schema, ...(uiSchema && { uiSchema }) };
}

/** Maximum number of references from one location to the next. */
const MAX_REFERENCES = 32;

/** Adds the pointers of the subtrees in which a document has values. */
function markFilled(index: SchemaIndex, document: unknown, filled: Set<string>): void {
  const mark = (pointer: string, schema: JsonObject, value: unknown): void => {
    if (index.isDivided(pointer)) filled.add(pointer);
    const { items, properties } = schema;
    if (Array.isArray(value)) {
      if (isJsonObject(items)) for (const entry of value) follow(pointerTo(pointer, 'items'), items, entry);
      return;
    }
    if (!isJsonObject(value) || !isJsonObject(properties)) return;
    const inside = pointerTo(pointer, 'properties');
    for (const [name, member] of Object.entries(value)) {
      const inner = memberOf(properties, name);
      if (isJsonObject(inner)) follow(pointerTo(inside, name), inner, member);
    }
  };
  const follow = (pointer: string, schema: JsonObject, value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    let [at, found]: [string, JsonObject | undefined] = [pointer, schema];
    for (let step = 0; found && step < MAX_REFERENCES; step += 1) {
      mark(at, found, value);
      const target = found['$ref'];
      at = typeof target === 'string' ? target.slice(1) : '';
      found = isDefinition(at) ? index.schemaAt(at) : undefined;
    }
  };
  const root = index.schemaAt('');
  if (root) follow('', root, document);
}

/** A test of names, titles and descriptions. */
type TextTest = (texts: readonly string[]) => boolean;

/**
 * Returns the subtrees that contain a member whose name, title or description matches, with the containers around
 * them, up to a number of characters.
 */
export function matchingSubtrees(index: SchemaIndex, test: TextTest, characters: number): SelectedSubtrees {
  const search = new SubtreeSearch(index, test);
  return selectSubtrees(index, {
    starts: [''],
    isWanted: (pointer) => search.matches(pointer),
    isWantedOnly: true,
    characters,
  });
}

/** Finds out which subtrees contain a match, each once. */
class SubtreeSearch {
  readonly #index: SchemaIndex;
  readonly #test: TextTest;
  readonly #results = new Map<string, boolean>();

  constructor(index: SchemaIndex, test: TextTest) {
    this.#index = index;
    this.#test = test;
  }

  matches(pointer: string, schema = this.#index.schemaAt(pointer)): boolean {
    const known = this.#results.get(pointer);
    if (known !== undefined) return known;
    // A subtree that refers to itself matches only if its other parts do.
    this.#results.set(pointer, false);
    const isMatch = schema !== undefined && this.#matchesInside(pointer, schema);
    this.#results.set(pointer, isMatch);
    return isMatch;
  }

  #matchesInside(pointer: string, schema: JsonObject): boolean {
    const { properties, items, $ref } = schema;
    if (isJsonObject(properties)) {
      const inside = pointerTo(pointer, 'properties');
      for (const name in properties) {
        const member = properties[name];
        if (this.#test(textsOf(name, member))) return true;
        if (isJsonObject(member) && this.#matchesBelow(pointerTo(inside, name), member)) return true;
      }
    }
    if (isJsonObject(items) && this.#matchesBelow(pointerTo(pointer, 'items'), items)) return true;
    return typeof $ref === 'string' && isDefinition($ref.slice(1)) && this.matches($ref.slice(1));
  }

  #matchesBelow(pointer: string, schema: JsonObject): boolean {
    return isJsonObject(schema['properties'])
      ? this.matches(pointer, schema)
      : this.#matchesInside(pointer, schema);
  }
}

function textsOf(name: string, schema: unknown): readonly string[] {
  const { title, description } = isJsonObject(schema) ? schema : {};
  return [name, title, description].filter((text) => typeof text === 'string');
}

/**
 * Returns the test of a search: each word, case-insensitive, in one of the texts. Of a path, the last name counts.
 */
export function textTestOf(search: string): TextTest {
  const patterns = search
    .split(/\s+/)
    .map((word) => (word.includes('/') ? (pointerTokens(word).findLast((name) => name !== '') ?? '') : word))
    .filter((word) => word !== '')
    .map(wordPattern);
  return (texts) =>
    patterns.length > 0 && patterns.every((pattern) => texts.some((text) => pattern.test(text)));
}

/**
 * Returns a case-insensitive pattern for a word of a search, so that no text is copied in lower case. Only syntax characters
 * are escaped: with the flag `u`, an escaped hyphen is an error.
 */
export function wordPattern(word: string): RegExp {
  return new RegExp(word.replaceAll(/[$()*+./?[\\\]^{|}]/g, '\\$&'), 'iu');
}
