import { InvalidYang, type FaultList } from '../diagnostic.js';
import type { Names } from '../modules/names.js';
import type { YangModule } from '../modules/yang-module.js';
import type { Statement } from '../syntax/statement.js';
import { expandChildren, type CompileEnvironment } from './expand.js';
import type { Linker } from './linker.js';
import { addNode } from './schema-node.js';

/** Extensions that define documents outside the data: RFC 8040 section 8 and RFC 8791. */
const STRUCTURES: Readonly<Record<string, string>> = {
  'yang-data': 'ietf-restconf',
  structure: 'ietf-yang-structure-ext',
};

/** Returns true for `sx:augment-structure`, which adds to a structure as `augment` adds to data. */
export function isStructureAugment(statement: Statement, names: Names): boolean {
  return isExtension(statement, names, ['ietf-yang-structure-ext', 'augment-structure']);
}

/** Refuses extension statements at places where the RFC that defines them does not allow them. */
export function checkExtensions(module: YangModule, names: Names, faults: FaultList): void {
  const visit = (statement: Statement): void => {
    if (statement.keyword.includes(':'))
      faults.catching(() => {
        checkMountPoint(statement, names);
      });
    statement.children.forEach(visit);
  };
  for (const { root } of module.units) visit(root);
}

function checkMountPoint(statement: Statement, names: Names): void {
  if (!isExtension(statement, names, ['ietf-yang-schema-mount', 'mount-point'])) return;
  const outer = statement.parent?.keyword ?? '';
  if (outer !== 'container' && outer !== 'list')
    throw new InvalidYang(statement, 'RFC 8528 3.1', `a mount point cannot stand inside a ${outer}`);
}

function isExtension(statement: Statement, names: Names, [module, name]: readonly [string, string]): boolean {
  const [prefix = '', local] = statement.keyword.split(':');
  return local === name && names.moduleOf(statement, prefix)?.name === module;
}

/** Returns true for `rc:yang-data` or `sx:structure`, regardless of their prefixes. */
export function isStructure(statement: Statement, names: Names): boolean {
  const [prefix = '', local] = statement.keyword.split(':');
  if (local === undefined || !Object.hasOwn(STRUCTURES, local)) return false;
  return names.moduleOf(statement, prefix)?.name === STRUCTURES[local];
}

/** Creates a separate tree for the content of a structure statement. */
export function expandStructure(statement: Statement, ground: CompileEnvironment, linker: Linker): void {
  linker.faults.catching(() => {
    const { parent, module, depth } = ground;
    linker.budget.takeNode(depth, statement);
    const start = {
      kind: 'structure',
      name: statement.argument,
      module,
      statement,
      parent,
      properties: [],
    } as const;
    const node = addNode(start);
    expandChildren(statement, { ...ground, parent: node, depth: depth + 1 }, linker);
    if (statement.keyword.endsWith(':yang-data') && node.children.length !== 1)
      throw new InvalidYang(statement, 'RFC 8040 8', 'yang-data holds exactly one container');
  });
}
