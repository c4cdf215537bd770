import { InvalidYang } from '../diagnostic.js';
import type { Features } from '../modules/features.js';
import { argumentOf, type Statement } from '../syntax/statement.js';
import type { NamedValue } from './yang-type.js';

/** Differences between enums and bits. */
interface Numbering {
  /** Substatement that gives the number. */
  readonly keyword: 'value' | 'position';
  readonly most: bigint;
}

const NUMBERING: Readonly<Record<string, Numbering>> = {
  enum: { keyword: 'value', most: 2147483647n },
  bit: { keyword: 'position', most: 4294967295n },
};

/**
 * Numbers enums or bits (RFC 7950 9.6.4.2 and 9.7.4.2). Without an explicit number, each is one above the
 * highest.
 */
export function numberValues(statements: readonly Statement[], features: Features): readonly NamedValue[] {
  const taken = new Map<string | bigint, string>();
  let next = 0n;
  return statements.map((statement) => {
    const { keyword, most } = numberingOf(statement);
    const written = argumentOf(statement, keyword);
    const value = written === undefined ? next : BigInt(written);
    if (value > most) throw broken(statement, `needs a ${keyword}: the highest number is taken already`);
    if (taken.has(statement.argument)) throw broken(statement, 'stands here twice');
    const other = taken.get(value);
    if (other !== undefined) throw broken(statement, `has the ${keyword} ${value} of "${other}"`);
    taken.set(statement.argument, statement.argument).set(value, statement.argument);
    if (value >= next) next = value + 1n;
    return { name: statement.argument, value, statement, enabled: features.allow(statement) };
  });
}

/**
 * Returns the enums or bits of a type that a derived type names again (RFC 7950 9.6.3). Their numbers stay.
 */
export function restrictValues(
  statements: readonly Statement[],
  before: readonly NamedValue[],
  features: Features,
): readonly NamedValue[] {
  const names = new Map(before.map((value) => [value.name, value]));
  const taken = new Set<string>();
  return statements.map((statement) => {
    const value = names.get(statement.argument);
    if (!value) throw broken(statement, 'is not among those of the type that is restricted');
    if (taken.has(value.name)) throw broken(statement, 'stands here twice');
    taken.add(value.name);
    const { keyword } = numberingOf(statement);
    const written = argumentOf(statement, keyword);
    if (written !== undefined && BigInt(written) !== value.value)
      throw broken(statement, `has the ${keyword} ${value.value} already, which must not change`);
    return { ...value, statement, enabled: value.enabled && features.allow(statement) };
  });
}

function numberingOf(statement: Statement): Numbering {
  return NUMBERING[statement.keyword] ?? { keyword: 'value', most: 0n };
}

function broken(statement: Statement, what: string): InvalidYang {
  const section = statement.keyword === 'bit' ? '9.7.4' : '9.6.4';
  return new InvalidYang(
    statement,
    `RFC 7950 ${section}`,
    `the ${statement.keyword} "${statement.argument}" ${what}`,
  );
}
