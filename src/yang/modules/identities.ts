import { InvalidYang, type FaultList } from '../diagnostic.js';
import { childrenOf, type Statement } from '../syntax/statement.js';
import type { Features } from './features.js';
import type { Identity, Names, YangModule } from './yang-module.js';

/** Dependencies of {@link linkIdentities}. */
export interface IdentityContext {
  readonly names: Names;
  readonly features: Features;
  readonly faults: FaultList;
}

/** Connects every identity with its bases, over all modules. Refuses cycles. */
export function linkIdentities(modules: readonly YangModule[], context: IdentityContext): void {
  const identities = modules.flatMap(({ definitions }) => [...definitions.identity.values()]);
  for (const identity of identities) {
    context.faults.catching(() => {
      identity.enabled = context.features.allow(identity.statement);
      for (const base of basesOf(identity.statement, context.names)) {
        identity.bases.push(base);
        base.derived.push(identity);
      }
    });
  }
  for (const identity of circular(identities))
    context.faults.add(
      identity.statement,
      'RFC 7950 7.18.2',
      `the identity "${identity.name}" is derived from itself`,
    );
}

/**
 * Returns the identities in cycles: those that remain after identities whose bases are all settled are
 * removed repeatedly.
 */
function circular(identities: readonly Identity[]): ReadonlySet<Identity> {
  const open = new Map(identities.map((identity) => [identity, identity.bases.length]));
  const settled = identities.filter(({ bases }) => bases.length === 0);
  for (let next = settled.pop(); next; next = settled.pop()) {
    open.delete(next);
    for (const derived of next.derived) {
      const left = (open.get(derived) ?? 0) - 1;
      open.set(derived, left);
      if (left === 0) settled.push(derived);
    }
  }
  return new Set(open.keys());
}

/** Returns the identities that the `base` statements inside a statement name. */
export function basesOf(statement: Statement, names: Names): readonly Identity[] {
  return childrenOf(statement, 'base').map((base) => identityNamed(base, base.argument, names));
}

/** Returns the identity that a name refers to at its place. */
function identityNamed(at: Statement, name: string, names: Names): Identity {
  const { module, local } = names.resolve(at, name);
  const identity = module.definitions.identity.get(local);
  if (!identity) throw new InvalidYang(at, 'RFC 7950 7.18.2', `there is no identity "${name}"`);
  return identity;
}

/**
 * Returns all identities derived from an identity, directly or indirectly. Includes the identity itself only
 * in a cycle.
 */
export function derivedFrom(base: Identity): ReadonlySet<Identity> {
  const found = new Set<Identity>();
  const waiting = [...base.derived];
  for (let next = waiting.pop(); next; next = waiting.pop())
    if (!found.has(next)) {
      found.add(next);
      waiting.push(...next.derived);
    }
  return found;
}
