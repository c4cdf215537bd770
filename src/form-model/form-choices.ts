import { valueAt } from '../json/pointer.js';
import type { FormBinding } from './form-binding.js';

/** A value that a bound field may have, and its text for people. */
interface Choice {
  readonly value: string | number | bigint | boolean;
  readonly label: string;
}

interface Choices {
  readonly choices: readonly Choice[];
  /** True if the reply has more. */
  readonly truncated: boolean;
}

/** Maximum number of choices of a field. */
const MAX_CHOICES = 2000;

/** Maximum length of a value and of a label, in characters. A longer value is no choice; a longer label is cut. */
const MAX_TEXT_LENGTH = 512;

/**
 * Returns the choices that the source of a binding selects in the reply to its query: scalars, or the value and
 * the label of objects. Leaves out everything else, so that nobody sees more of the reply.
 */
export function choicesIn(
  reply: unknown,
  { source, target }: Pick<FormBinding, 'source' | 'target'>,
): Choices {
  const found = valueAt(reply, source.values);
  const entries = typeof found === 'object' && found !== null ? Object.values(found) : [found];
  const wanted = target === '/default' ? entries.slice(0, 1) : entries;
  const choices = wanted.slice(0, MAX_CHOICES).flatMap((entry) => choiceOf(entry, source) ?? []);
  return { choices, truncated: wanted.length > MAX_CHOICES };
}

function choiceOf(entry: unknown, source: FormBinding['source']): Choice | undefined {
  const isObject = typeof entry === 'object' && entry !== null;
  const value = isObject ? valueAt(entry, source.value) : entry;
  if (!isScalar(value)) return undefined;
  const label = isObject ? valueAt(entry, source.label) : value;
  const isText = typeof label === 'string' || isScalar(label);
  return { value, label: String(isText ? label : value).slice(0, MAX_TEXT_LENGTH) };
}

/** Returns true for a value that a field can have. A whole number beyond 2^53 that is no `bigint` may have lost digits: false. */
function isScalar(value: unknown): value is Choice['value'] {
  if (typeof value === 'string') return value.length <= MAX_TEXT_LENGTH;
  if (typeof value === 'number') return !Number.isInteger(value) || Number.isSafeInteger(value);
  return typeof value === 'boolean' || typeof value === 'bigint';
}
