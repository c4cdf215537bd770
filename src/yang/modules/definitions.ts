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

/** Statements inside of the statements of a module, which are found in one pass. */
interface NestedStatements {
  /** Typedefs and groupings that are not at the top level. */
  readonly definitions: readonly Statement[];
  readonly extensions: readonly Statement[];
}

/** Returns the typedefs, the groupings and the extension statements inside of the statements of a module, in their order. */
export function nestedStatements(module: YangModule): NestedStatements {
  const definitions: Statement[] = [];
  const extensions: Statement[] = [];
  const visit = (statement: Statement): void => {
    for (const child of statement.children) {
      if (isScoped(child)) definitions.push(child);
      else if (child.keyword.includes(':')) extensions.push(child);
      if (child.children.length > 0) visit(child);
    }
  };
  for (const { root } of module.units) visit(root);
  return { definitions: definitions.filter(({ parent }) => parent?.parent !== undefined), extensions };
}

function isScoped({ keyword }: Statement): boolean {
  return keyword === 'typedef' || keyword === 'grouping';
}

/**
 * Adds a fault for each typedef or grouping whose name is already defined in the same or an enclosing scope
 * (RFC 7950 5.5). `nested` are those that are not at the top level.
 */
export function checkScopes(module: YangModule, nested: readonly Statement[], faults: FaultList): void {
  for (const typedef of module.definitions.typedef.values())
    if (BUILT_IN_TYPES.has(typedef.argument))
      faults.add(typedef, 'RFC 7950 7.3', `"${typedef.argument}" is a built-in type`);
  const scopes = new Map<Statement, Map<string, Statement>>();
  const repeated = nested.filter((definition) => !addToScope(definition, scopes));
  const shadowing = nested.filter((definition) => isDefinedAround(definition, module, scopes));
  for (const definition of new Set([...repeated, ...shadowing]))
    faults.add(definition, 'RFC 7950 5.5', `the name "${definition.argument}" is already defined`);
}

/** Adds a definition to those of its parent. Returns false if the parent has one with the name. */
function addToScope(definition: Statement, scopes: Map<Statement, Map<string, Statement>>): boolean {
  const { parent = definition } = definition;
  const scope = scopes.get(parent) ?? new Map<string, Statement>();
  scopes.set(parent, scope);
  const key = scopedName(definition);
  if (scope.has(key)) return false;
  scope.set(key, definition);
  return true;
}

/** Returns true if the name of a definition belongs to a built-in type, or to a definition around its parent. */
function isDefinedAround(
  definition: Statement,
  module: YangModule,
  scopes: ReadonlyMap<Statement, ReadonlyMap<string, Statement>>,
): boolean {
  const { argument, keyword } = definition;
  if (keyword === 'typedef' && BUILT_IN_TYPES.has(argument)) return true;
  if (module.definitions[keyword === 'typedef' ? 'typedef' : 'grouping'].has(argument)) return true;
  const key = scopedName(definition);
  for (let scope = definition.parent?.parent; scope; scope = scope.parent)
    if (scopes.get(scope)?.has(key)) return true;
  return false;
}

function scopedName({ keyword, argument }: Statement): string {
  return `${keyword} ${argument}`;
}

const BUILT_IN_TYPES: ReadonlySet<string> = new Set(BASE_TYPES);
