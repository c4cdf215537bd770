import { type FaultList, InvalidYang } from '../diagnostic.js';
import { argumentOf, type Statement } from '../syntax/statement.js';
import type { Names } from './yang-module.js';

/**
 * Checks extension statements of a module (RFC 7950 6.3.1 and 7.19): their prefix, definition and argument, and their parent
 * if the extension limits it.
 */
export function checkExtensions(statements: readonly Statement[], names: Names, faults: FaultList): void {
  for (const statement of statements.filter((one) => !isOfMissing(one, names)))
    faults.catching(() => {
      checkExtension(statement, names);
    });
}

/** Returns true for an extension of a missing module, which a lenient compilation ignores. */
function isOfMissing(statement: Statement, names: Names): boolean {
  return names.missingModule(statement, statement.keyword.split(':', 1)[0] ?? '') !== undefined;
}

function checkExtension(statement: Statement, names: Names): void {
  const { keyword, hasArgument } = statement;
  const [prefix = '', name = ''] = keyword.split(':');
  const module = names.moduleOf(statement, prefix);
  if (!module)
    throw invalid(statement, '6.3.1', `"${keyword}": the prefix "${prefix}" refers to no imported module`);
  const extension = module.definitions.extension.get(name);
  if (!extension)
    throw invalid(statement, '6.3.1', `the module "${module.name}" defines no extension "${name}"`);
  const argument = argumentOf(extension, 'argument');
  if (argument === undefined && hasArgument)
    throw invalid(statement, '7.19', `"${keyword}" takes no argument`);
  if (argument !== undefined && !hasArgument)
    throw invalid(statement, '7.19', `"${keyword}" needs an argument, its ${argument}`);
  if (module.name === 'ietf-yang-schema-mount' && name === 'mount-point') checkMountPoint(statement);
}

function checkMountPoint(statement: Statement): void {
  const parentKeyword = statement.parent?.keyword ?? '';
  if (parentKeyword !== 'container' && parentKeyword !== 'list')
    throw new InvalidYang(
      statement,
      'RFC 8528 3.1',
      `a mount point is not allowed inside a ${parentKeyword}`,
    );
}

function invalid(at: Statement, section: string, message: string): InvalidYang {
  return new InvalidYang(at, `RFC 7950 ${section}`, message);
}
