import { pointerTo, pointerTokens, stringsOf, type LocatedString } from '../core/pointer.js';
import {
  encryptedFault,
  isEncrypted,
  parseReference,
  type LexicalFault,
  type Reference,
} from './reference.js';

/** A reference and its pointer (RFC 6901). */
export interface LocatedReference {
  readonly pointer: string;
  readonly reference: Reference;
}

export interface LocatedLexicalFault extends LexicalFault {
  readonly pointer: string;
}

/** References, escaped literals and faults of a document. */
export interface Findings {
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
  const references: LocatedReference[] = [];
  const literals: LocatedString[] = [];
  const faults = [...encryptedNames(value, pointer)];
  for (const placed of stringsOf(value, pointer)) {
    if (pointerTokens(placed.pointer).some(isEncrypted)) continue;
    const parsed = parseReference(placed.text);
    if (parsed.kind === 'reference')
      references.push({ pointer: placed.pointer, reference: parsed.reference });
    else if (parsed.kind === 'fault') faults.push(locateFault(placed.pointer, parsed));
    else if (parsed.text !== placed.text) literals.push({ pointer: placed.pointer, text: parsed.text });
  }
  return { references, literals, faults };
}

function encryptedNames(value: unknown, pointer: string): readonly LocatedLexicalFault[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    isEncrypted(name)
      ? [locateFault(pointer, encryptedFault(name))]
      : encryptedNames(member, pointerTo(pointer, name)),
  );
}

function locateFault(pointer: string, { code, message, fix }: LexicalFault): LocatedLexicalFault {
  return { pointer, code, message, fix };
}
