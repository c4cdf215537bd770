import type { Identity, YangModule } from '../modules/yang-module.js';
import { argumentOf } from '../syntax/statement.js';
import { valuesOfIdentityref } from '../types/value-check.js';
import type { YangType } from '../types/yang-type.js';
import { unwrapText } from './annotations.js';
import type { Schema } from './definitions.js';
import type { Dialect } from './dialect.js';

/**
 * Returns the schema of an identityref (RFC 7951 6.8), which lists each identity once, with the name of its module.
 * `then` accepts the other form, a name without a module for an identity of the module of the leaf. JSON Forms does not
 * apply `if`, so its schema has only the list.
 */
export function identitySchema(type: YangType, leafModule: YangModule, dialect: Dialect): Schema {
  const identities = [...valuesOfIdentityref(type)];
  // An empty list is not a valid schema, so `not` expresses that no value is accepted.
  if (identities.length === 0) return { type: 'string', not: {}, 'x-hint': noIdentity(type) };
  const listed = dialect === 'plain' ? plainList(identities) : listOfConstants(identities);
  const base = { type: 'string', 'x-yang-identities': leafModule.name };
  const ownNames = identities.filter(({ module }) => module === leafModule).map(({ name }) => name);
  if (ownNames.length === 0 || dialect === 'jsonforms') return { ...base, ...listed };
  return { ...base, if: { type: 'string', pattern: '^[^:]*$' }, then: { enum: ownNames }, else: listed };
}

function noIdentity({ bases = [] }: YangType): string {
  const names = bases.map(qualifiedNameOf).join(' and ');
  return `has no valid value, because no identity derived from ${names} is known; convert the module together with those that define such identities`;
}

function qualifiedNameOf({ module, name }: Identity): string {
  return `${module.name}:${name}`;
}

function descriptionOf({ statement }: Identity): { readonly description?: string } {
  const description = argumentOf(statement, 'description');
  return description === undefined ? {} : { description: unwrapText(description) };
}

/** Returns an `enum`, for which validators have a short message. */
function plainList(identities: readonly Identity[]): Schema {
  const described = identities.map((identity) => ({
    name: qualifiedNameOf(identity),
    ...descriptionOf(identity),
  }));
  return {
    enum: identities.map(qualifiedNameOf),
    ...(described.some((one) => 'description' in one) && { 'x-yang-identityref': described }),
  };
}

/** Returns constants with titles and descriptions, which form libraries show. */
function listOfConstants(identities: readonly Identity[]): Schema {
  const nameCounts = new Map<string, number>();
  for (const { name } of identities) nameCounts.set(name, (nameCounts.get(name) ?? 0) + 1);
  return {
    oneOf: identities.map((identity) => ({
      const: qualifiedNameOf(identity),
      title: nameCounts.get(identity.name) === 1 ? identity.name : qualifiedNameOf(identity),
      ...descriptionOf(identity),
    })),
  };
}
