import { InvalidYang } from '../diagnostic.js';
import type { Names } from '../modules/yang-module.js';
import { argumentOf, type Statement } from '../syntax/statement.js';
import { propertyOf, type SchemaNode, STATUSES, type Status } from './schema-node.js';

/**
 * Gives a node its parent's status if it has no status. A written status must not be closer to "current" than
 * the parent's.
 */
export function inheritStatus(node: SchemaNode): void {
  const outer = node.parent ? later(node.parent.status, node.status) : node.status;
  const written = node.parent && propertyOf(node, 'status');
  const own = (written?.argument ?? outer) as Status;
  node.status = later(outer, own);
  if (written && node.status !== own)
    throw new InvalidYang(written, 'RFC 7950 7.21.2', `"${own}" cannot stand inside what is ${outer}`);
}

/** Returns the one of two statuses that is closer to the end of life. */
export function later(one: Status, other: Status): Status {
  return STATUSES.indexOf(one) > STATUSES.indexOf(other) ? one : other;
}

/** Refuses a current definition that uses an older definition of the same module (RFC 7950 7.21.2). */
export function checkStatusOf(user: Statement, definition: Statement, names: Names): void {
  if (names.unitOf(user).module !== names.unitOf(definition).module) return;
  checkStatus(statusOf(user), statusOf(definition), user);
}

/** Refuses a reference from one status to a later status. */
export function checkStatus(own: Status, other: Status, at: Statement): void {
  if (later(own, other) !== own)
    throw new InvalidYang(
      at,
      'RFC 7950 7.21.2',
      `what is ${own} cannot refer to what is ${other} ("${at.argument}")`,
    );
}

/** Returns the latest status that is written for a statement or for the statements around it. */
function statusOf(statement: Statement): Status {
  let status: Status = 'current';
  for (let at: Statement | undefined = statement; at; at = at.parent)
    status = later(status, (argumentOf(at, 'status') ?? 'current') as Status);
  return status;
}
