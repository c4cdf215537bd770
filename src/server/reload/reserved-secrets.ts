import type { Fault } from '../../core/fault.js';
import { pointerTokens, valueAt } from '../../core/pointer.js';
import type { Reference } from '../../vault/reference.js';
import { secretPath } from '../../vault/secret-path.js';
import { type ConfigSection, locateFault } from './config-section.js';

/** The main file, as far as it matters here. */
export interface Reserving extends Pick<ConfigSection, 'references'> {
  readonly written: Pick<ConfigSection['written'], 'value'>;
}

/**
 * Faults for references of a registered adapter to what the main file refers to, such as the key that tokens are checked
 * with: whoever may use the API chooses where an adapter sends its secrets.
 */
export function reservedSecrets({ written, references }: ConfigSection, main: Reserving): readonly Fault[] {
  const mount = valueAt(main.written.value, '/vault/mount');
  const placeOf = ({ reference }: ConfigSection['references'][number]): FieldAddress => ({
    path: secretPath({ ...reference, version: null }, typeof mount === 'string' ? mount : 'secret').key,
    field: fieldOf(reference),
  });
  const reserved = main.references.map(placeOf);
  return references
    .filter((placed) => reserved.some((one) => meet(one, placeOf(placed))))
    .map(({ pointer }) => locateFault(written, { pointer, ...RESERVED }));
}

/** Where a reference leads, whichever version and encoding it asks for. */
interface FieldAddress {
  readonly path: string;
  /** Null: the only one that there is. */
  readonly field: string | null;
}

function meet(one: FieldAddress, other: FieldAddress): boolean {
  if (one.path !== other.path) return false;
  return one.field === null || other.field === null || one.field === other.field;
}

/** A pointer leads into a field. */
function fieldOf({ field }: Reference): string | null {
  return field?.startsWith('/') ? (pointerTokens(field)[0] ?? field) : field;
}

const RESERVED = {
  code: 'reserved_secret',
  message: 'refers to a secret of the main file, which is not for adapters that are registered',
  fix: 'Give the adapter a secret of its own.',
};
