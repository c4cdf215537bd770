import { isDeepStrictEqual } from 'node:util';
import { OVERLAID_BLOCKS, validateOverlay } from '../../config/overlay-schema.js';
import { isJsonObject } from '../../core/json-object.js';
import type { Fault, LocatedFault } from '../../core/fault.js';
import type { NamedRecord } from '../../core/platform-state.js';
import { valueAt } from '../../core/pointer.js';
import type { CompileSchema } from '../../core/schema.js';
import { findReferences } from '../../vault/find-references.js';
import type { Desired } from './desired-state.js';
import { type ConfigSection, locateFault } from './config-section.js';
import { withoutCiphertext } from './without-ciphertext.js';

/** The main file with the blocks of the active profile over it. What a profile says in place of a reference counts. */
export function overlay(main: ConfigSection, profile: NamedRecord | undefined): ConfigSection {
  const { value: before } = main.written;
  if (!profile || !isJsonObject(before)) return main;
  const blocks = Object.entries(blocksOf(profile.document)).map(([key, own]) => {
    const under = before[key];
    return [key, isJsonObject(own) ? { ...(isJsonObject(under) && under), ...own } : under] as const;
  });
  const value = { ...before, ...Object.fromEntries(blocks) };
  const isKept = (pointer: string): boolean => valueAt(value, pointer) === valueAt(before, pointer);
  return {
    ...main,
    references: main.references.filter(({ pointer }) => isKept(pointer)),
    literals: new Map([...main.literals].filter(([pointer]) => isKept(pointer))),
    written: { ...main.written, value },
  };
}

/** What is wrong with the blocks of a profile. */
export function overlayFaults(
  { name, document }: Pick<NamedRecord, 'name' | 'document'>,
  compile: CompileSchema,
): readonly Fault[] {
  const blocks = blocksOf(document);
  const { violations } = validateOverlay(structuredClone(blocks), compile);
  const { references, literals, faults } = findReferences(blocks);
  const secret = [...references, ...literals, ...faults];
  return withoutCiphertext([
    ...violations.map(({ pointer, message }) => profileFault(name, { pointer, code: 'schema', message })),
    ...secret.map(({ pointer }) => profileFault(name, { pointer, code: 'reference', message: PLAIN })),
  ]);
}

/** Nobody would put anything in their place, and their text must never be taken for a value. */
const PLAIN = 'refers to a secret, or looks like it, which a profile cannot';

/** A fault of the main file with its profile: in the profile where that says what is wrong, else in the file. */
export function overlaidFault({ files, main, state }: Desired, fault: LocatedFault): Fault {
  const ownOf = ({ written }: ConfigSection): unknown => valueAt(written.value, fault.pointer);
  if (!state.profile || isDeepStrictEqual(ownOf(main), ownOf(files.main)))
    return locateFault(main.written, fault);
  return profileFault(state.profile.name, fault);
}

function profileFault(name: string, what: Pick<Fault, 'pointer' | 'code' | 'message'>): Fault {
  return {
    ...what,
    file: `profile "${name}"`,
    line: 0,
    column: 0,
    fix: 'Correct the profile, or make none active: gatehouse profile --none.',
  };
}

function blocksOf(document: NamedRecord['document']): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    OVERLAID_BLOCKS.flatMap((key) => (key in document ? [[key, document[key]]] : [])),
  );
}
