import type { FaultList } from '../diagnostic.js';
import type { Statement } from '../syntax/statement.js';
import { BASE_TYPES } from '../types/yang-type.js';
import type { YangModule } from './yang-module.js';

/** Fills the tables of a module's top-level definitions, and refuses names that are defined twice. */
export function collectDefinitions(module: YangModule, faults: FaultList): void {
  const { definitions } = module;
  const put = <T>(table: Map<string, T>, statement: Statement, value: T) => {
    const { keyword, argument } = statement;
    if (table.has(argument)) faults.add(statement, 'RFC 7950 6.2.1', `a second ${keyword} "${argument}"`);
    else table.set(argument, value);
  };
  for (const { root } of module.units)
    for (const statement of root.children) {
      if (statement.keyword === 'identity')
        put(definitions.identity, statement, {
          name: statement.argument,
          module,
          statement,
          bases: [],
          derived: [],
          enabled: true,
        });
      else if (isPlain(statement.keyword)) put(definitions[statement.keyword], statement, statement);
    }
}

type Plain = 'typedef' | 'grouping' | 'feature' | 'extension';

function isPlain(keyword: string): keyword is Plain {
  return keyword === 'typedef' || keyword === 'grouping' || keyword === 'feature' || keyword === 'extension';
}

/**
 * Refuses typedefs and groupings whose name is already defined in the same scope or further out (RFC 7950
 * 5.5).
 */
export function checkScopes(module: YangModule, faults: FaultList): void {
  for (const typedef of module.definitions.typedef.values())
    if (BUILT_IN.has(typedef.argument))
      faults.add(typedef, 'RFC 7950 7.3', `"${typedef.argument}" is a built-in type`);
  for (const kind of ['typedef', 'grouping'] as const) {
    const top = new Set(module.definitions[kind].keys());
    const inner = module.units.flatMap(({ root }) => root.children);
    for (const statement of inner) checkScope(statement, { kind, outer: top, faults });
  }
}

interface ScopeCheck {
  readonly kind: 'typedef' | 'grouping';
  /** Names that are defined further out. */
  readonly outer: ReadonlySet<string>;
  readonly faults: FaultList;
}

function checkScope(statement: Statement, { kind, outer, faults }: ScopeCheck): void {
  const here = statement.children.filter(({ keyword }) => keyword === kind);
  const names = here.length > 0 ? new Set(outer) : outer;
  for (const definition of here) {
    const { argument } = definition;
    if (names.has(argument) || (kind === 'typedef' && BUILT_IN.has(argument)))
      faults.add(definition, 'RFC 7950 5.5', `the name "${argument}" is taken already`);
    (names as Set<string>).add(argument);
  }
  for (const child of statement.children)
    if (child.children.length > 0) checkScope(child, { kind, outer: names, faults });
}

const BUILT_IN: ReadonlySet<string> = new Set(BASE_TYPES);
