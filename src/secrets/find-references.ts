import type { JsonObject } from '../json/json-object.js';
import { type LocatedString, pointerTo } from '../json/pointer.js';
import {
  encryptedFault,
  isEncrypted,
  type LexicalFault,
  parseReference,
  type Reference,
} from './reference.js';

/** A reference and its pointer (RFC 6901). */
export interface LocatedReference {
  readonly pointer: string;
  readonly reference: Reference;
}

interface LocatedLexicalFault extends LexicalFault {
  readonly pointer: string;
}

/** References, escaped literals and faults of a document. */
interface Findings {
  readonly references: readonly LocatedReference[];
  /** Escaped strings (`$$VAULT_...`) with the text that replaces them. */
  readonly literals: readonly LocatedString[];
  /** All faults, so that one run reports everything. */
  readonly faults: readonly LocatedLexicalFault[];
}

/**
 * Finds the references in a document of plain JSON values. Member names are not references. A member name
 * that is an encrypted value is reported at its object, because a pointer to the member would print the
 * value.
 */
export function findReferences(value: unknown, pointer = ''): Findings {
  const search = new Search(pointer);
  search.visit(value);
  const { references, literals, nameFaults, textFaults } = search;
  return { references, literals, faults: [...nameFaults, ...textFaults] };
}

/** Visits the members of a document. Most have nothing to report, so their pointers are not composed. */
class Search {
  readonly references: LocatedReference[] = [];
  readonly literals: LocatedString[] = [];
  readonly nameFaults: LocatedLexicalFault[] = [];
  readonly textFaults: LocatedLexicalFault[] = [];
  readonly #start: string;
  /** Names of the members that lead to the current value. */
  readonly #path: string[] = [];

  constructor(start: string) {
    this.#start = start;
  }

  visit(value: unknown): void {
    if (typeof value === 'string') this.#visitText(value);
    else if (typeof value === 'object' && value !== null)
      for (const name of Object.keys(value)) this.#visitMember(name, (value as JsonObject)[name]);
  }

  #visitMember(name: string, member: unknown): void {
    if (isEncrypted(name)) {
      this.nameFaults.push(this.#locate(encryptedFault(name)));
      return;
    }
    this.#path.push(name);
    this.visit(member);
    this.#path.pop();
  }

  #visitText(text: string): void {
    const parsed = parseReference(text);
    if (parsed.kind === 'reference')
      this.references.push({ pointer: this.#pointer(), reference: parsed.reference });
    else if (parsed.kind === 'fault') this.textFaults.push(this.#locate(parsed));
    else if (parsed.text !== text) this.literals.push({ pointer: this.#pointer(), text: parsed.text });
  }

  #locate({ code, message, fix }: LexicalFault): LocatedLexicalFault {
    return { pointer: this.#pointer(), code, message, fix };
  }

  #pointer(): string {
    return this.#path.reduce(pointerTo, this.#start);
  }
}
