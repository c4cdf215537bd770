import type { Written } from '../../config/check-written.js';
import { type Fault, faultAt, type LocatedFault } from '../../core/fault.js';
import type { Validator } from '../../core/schema.js';
import { findReferences, type LocatedReference } from '../../vault/find-references.js';

/** A piece of the configuration as written: the main file, or one adapter. Pointers count from its value. */
export interface ConfigSection {
  /** The adapterId; empty for the main file. Goes before the pointers wherever several pieces are spoken of. */
  readonly name: string;
  readonly written: Written;
  readonly references: readonly LocatedReference[];
  readonly validate: Validator;
  /** Escaped texts by pointer, such as `$$ENC...`, as the literals that they stand for. */
  readonly literals: ReadonlyMap<string, string>;
}

/** Finds the references of a piece; `$ENC` values and malformed references are faults. */
export function toConfigSection(
  name: string,
  written: Written,
  validate: Validator,
): { piece: ConfigSection; faults: readonly Fault[] } {
  const { references, literals, faults } = findReferences(written.value);
  return {
    piece: {
      name,
      written,
      validate,
      references,
      literals: new Map(literals.map(({ pointer, text }) => [pointer, text])),
    },
    faults: faults.map((fault) => locateFault(written, fault)),
  };
}

/** A fault at a pointer into a piece, with its place in the file. */
export function locateFault(written: Written, { pointer, code, message, fix }: LocatedFault): Fault {
  return faultAt(written.document, written.at + pointer, { code, message, fix });
}
