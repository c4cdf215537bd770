import { type FaultList, InvalidYang } from '../diagnostic.js';
import type { Names, YangModule } from '../modules/yang-module.js';
import { argumentOf, type Statement } from '../syntax/statement.js';
import { propertyOf, type SchemaNode, STATUSES, type Status } from './schema-node.js';

/**
 * Sets the status of a node, which inherits the status of its parent. Warns if the status statement of the node is closer
 * to `current` than the status of the parent, because RFC 7950 7.21.2 forbids that for references only.
 */
export function inheritStatus(node: SchemaNode, faults: FaultList): void {
  const parentStatus = node.parent ? laterStatus(node.parent.status, node.status) : node.status;
  const statusStatement = node.parent && propertyOf(node, 'status');
  const ownStatus = (statusStatement?.argument ?? parentStatus) as Status;
  node.status = laterStatus(parentStatus, ownStatus);
  if (statusStatement && node.status !== ownStatus)
    faults.warn(
      statusStatement,
      'RFC 7950 7.21.2',
      `the status "${ownStatus}" has no effect inside a statement that is ${parentStatus}`,
    );
}

/** Warns of each identity whose base has a later status (RFC 7950 7.21.2), which no data depends on. */
export function checkIdentityStatuses(modules: readonly YangModule[], names: Names, faults: FaultList): void {
  for (const identity of modules.flatMap(({ definitions }) => [...definitions.identity.values()]))
    for (const base of identity.bases)
      faults.warning(() => {
        checkStatusOf(identity.statement, base.statement, names);
      });
}

/** Returns the later of two statuses; `obsolete` is the latest. */
export function laterStatus(status: Status, otherStatus: Status): Status {
  if (status === otherStatus) return status;
  return STATUSES.indexOf(status) > STATUSES.indexOf(otherStatus) ? status : otherStatus;
}

/**
 * Throws InvalidYang if a statement uses a definition of its module with a later status (RFC 7950 7.21.2).
 */
export function checkStatusOf(user: Statement, definition: Statement, names: Names): void {
  if (names.unitOf(user).module !== names.unitOf(definition).module) return;
  checkStatus(statusOf(user), statusOf(definition), user);
}

/**
 * Throws InvalidYang if the status of a referenced definition is later than that of the referring definition.
 */
export function checkStatus(ownStatus: Status, otherStatus: Status, at: Statement): void {
  if (laterStatus(ownStatus, otherStatus) !== ownStatus)
    throw new InvalidYang(
      at,
      'RFC 7950 7.21.2',
      `a definition that is ${ownStatus} cannot refer to a definition that is ${otherStatus} ("${at.argument}")`,
    );
}

/** Returns the latest status in a statement and its ancestors. The module itself has no status, and many children. */
function statusOf(statement: Statement): Status {
  let status: Status = 'current';
  for (let at = statement; at.parent; at = at.parent)
    status = laterStatus(status, (argumentOf(at, 'status') ?? 'current') as Status);
  return status;
}
