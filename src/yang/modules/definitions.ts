import type { FaultList } from '../diagnostic.js';
import type { Statement } from '../syntax/statement.js';
import { BASE_TYPES } from '../types/yang-type.js';
import type { YangModule } from './yang-module.js';

/** Collects the top-level definitions of a module. Adds a fault for a name that is defined twice. */
export function collectDefinitions(module: YangModule, faults: FaultList): void {
  const { definitions } = module;
  const define = <T>(table: Map<string, T>, statement: Statement, value: T) => {
    const { keyword, argument } = statement;
    if (table.has(argument)) faults.add(statement, 'RFC 7950 6.2.1', `a second ${keyword} "${argument}"`);
    else table.set(argument, value);
  };
  for (const { root } of module.units)
    for (const statement of root.children) {
      if (statement.keyword === 'identity')
        define(definitions.identity, statement, {
          name: statement.argument,
          module,
          statement,
          bases: [],
          derived: [],
          enabled: true,
        });
      else if (isDefinitionKeyword(statement.keyword))
        define(definitions[statement.keyword], statement, statement);
    }
}

type DefinitionKeyword = 'typedef' | 'grouping' | 'feature' | 'extension';

function isDefinitionKeyword(keyword: string): keyword is DefinitionKeyword {
  return keyword === 'typedef' || keyword === 'grouping' || keyword === 'feature' || keyword === 'extension';
}

/**
 * Adds a fault for each typedef or grouping whose name is already defined in the same or an enclosing scope
 * (RFC 7950 5.5).
 */
export function checkScopes(module: YangModule, faults: FaultList): void {
  for (const typedef of module.definitions.typedef.values())
    if (BUILT_IN_TYPES.has(typedef.argument))
      faults.add(typedef, 'RFC 7950 7.3', `"${typedef.argument}" is a built-in type`);
  for (const kind of ['typedef', 'grouping'] as const) {
    const topLevelNames = new Set(module.definitions[kind].keys());
    const statements = module.units.flatMap(({ root }) => root.children);
    for (const statement of statements) checkScope(statement, { kind, outerNames: topLevelNames, faults });
  }
}

interface ScopeCheck {
  readonly kind: 'typedef' | 'grouping';
  /** Names that are defined in enclosing scopes. */
  readonly outerNames: ReadonlySet<string>;
  readonly faults: FaultList;
}

function checkScope(statement: Statement, { kind, outerNames, faults }: ScopeCheck): void {
  const local = statement.children.filter(({ keyword }) => keyword === kind);
  const names = local.length > 0 ? new Set(outerNames) : outerNames;
  for (const definition of local) {
    const { argument } = definition;
    if (names.has(argument) || (kind === 'typedef' && BUILT_IN_TYPES.has(argument)))
      faults.add(definition, 'RFC 7950 5.5', `the name "${argument}" is already defined`);
    (names as Set<string>).add(argument);
  }
  for (const child of statement.children)
    if (child.children.length > 0) checkScope(child, { kind, outerNames: names, faults });
}

const BUILT_IN_TYPES: ReadonlySet<string> = new Set(BASE_TYPES);
