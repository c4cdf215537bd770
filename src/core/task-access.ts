import type { Principal } from './principal.js';
import type { Task, TaskHead, TaskPerson } from './task.js';

/** Reader key of a task that every admitted caller may read. */
export const ANY_READER = '*';

const personKey = (issuer: string, subject: string): string => JSON.stringify(['person', issuer, subject]);
const roleKey = (role: string): string => JSON.stringify(['role', role]);

/** Identity of the requester of a task. The same subject of two issuers is two people. */
export function requesterKeyOf({ createdBy, createdByIssuer }: TaskHead): string {
  return personKey(createdByIssuer, createdBy);
}

/** Returns the keys of a task's readers: its requester, its assignee and its roles. */
export function readerKeysOf(task: TaskHead): readonly string[] {
  const { assignee, roles } = task;
  return [
    requesterKeyOf(task),
    ...(assignee === null ? [] : [assigneeKeyOf(assignee)]),
    ...(roles === null ? [ANY_READER] : roles.map(roleKey)),
  ];
}

/** Returns the key of the person or role that is asked. */
export function assigneeKeyOf(assignee: NonNullable<TaskHead['assignee']>): string {
  return 'role' in assignee ? roleKey(assignee.role) : personKey(assignee.issuer, assignee.subject);
}

/**
 * Returns the keys of a caller, who may read the tasks with one of these keys; undefined for an admin, who may
 * read every task.
 */
export function callerReaderKeys(principal: Principal | undefined): readonly string[] | undefined {
  if (!principal) return [ANY_READER];
  if (principal.roles.includes('admin')) return undefined;
  const { person, roles } = taskPersonOf(principal);
  return [ANY_READER, person, ...roles];
}

/** Returns the keys of a caller, by which a list finds the caller's own tasks. */
export function taskPersonOf({ issuer, subject, roles }: Principal): TaskPerson {
  return { person: personKey(issuer, subject), roles: roles.map(roleKey) };
}

/** Returns true if the caller may read the task and act on it. */
export function mayAccessTask(task: TaskHead, principal: Principal | undefined): boolean {
  const keys = callerReaderKeys(principal);
  return keys === undefined || readerKeysOf(task).some((key) => keys.includes(key));
}

/** Returns true if the caller opened the task. */
export function isRequester(task: Task, principal: Principal | undefined): boolean {
  return principal !== undefined && personKey(principal.issuer, principal.subject) === requesterKeyOf(task);
}
