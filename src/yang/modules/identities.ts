import { InvalidYang, type FaultList } from '../diagnostic.js';
import { childrenOf, type Statement } from '../syntax/statement.js';
import type { Features } from './features.js';
import type { Identity, Names, YangModule } from './yang-module.js';

/** Dependencies of {@link linkIdentities}. */
interface IdentityContext {
  readonly names: Names;
  readonly features: Features;
  readonly faults: FaultList;
}

/** Links every identity with its bases, across all modules. Adds a fault for each identity in a cycle. */
export function linkIdentities(modules: readonly YangModule[], context: IdentityContext): void {
  const identities = modules.flatMap(({ definitions }) => [...definitions.identity.values()]);
  for (const identity of identities) {
    context.faults.catching(() => {
      identity.enabled = context.features.allow(identity.statement);
    });
    context.faults.forUnused(() => {
      for (const base of childrenOf(identity.statement, 'base'))
        context.faults.catching(() => {
          const found = identityNamed(base, base.argument, context.names);
          identity.bases.push(found);
          found.derived.push(identity);
        });
    });
  }
  for (const identity of identitiesInCycles(identities))
    context.faults.add(
      identity.statement,
      'RFC 7950 7.18.2',
      `the identity "${identity.name}" is derived from itself`,
    );
}

/**
 * Returns the identities in cycles and those derived from them. Repeatedly removes the identities whose bases
 * are all removed; the identities that remain depend on a cycle.
 */
function identitiesInCycles(identities: readonly Identity[]): ReadonlySet<Identity> {
  const unresolvedBases = new Map(identities.map((identity) => [identity, identity.bases.length]));
  const resolved = identities.filter(({ bases }) => bases.length === 0);
  for (let next = resolved.pop(); next; next = resolved.pop()) {
    unresolvedBases.delete(next);
    for (const derived of next.derived) {
      const remaining = (unresolvedBases.get(derived) ?? 0) - 1;
      unresolvedBases.set(derived, remaining);
      if (remaining === 0) resolved.push(derived);
    }
  }
  return new Set(unresolvedBases.keys());
}

/** Returns the identities that the `base` substatements of a statement name. */
export function basesOf(statement: Statement, names: Names): readonly Identity[] {
  return childrenOf(statement, 'base').map((base) => identityNamed(base, base.argument, names));
}

/** Returns the identity that a name refers to in the text of a statement. */
function identityNamed(at: Statement, name: string, names: Names): Identity {
  const { module, local } = names.resolve(at, name);
  const identity = module.definitions.identity.get(local);
  if (!identity) throw new InvalidYang(at, 'RFC 7950 7.18.2', `there is no identity "${name}"`);
  names.requireVisible(at, identity.statement);
  return identity;
}

/**
 * Returns all identities that are derived from an identity, directly or indirectly. Includes the identity
 * itself only if it is in a cycle.
 */
export function derivedFrom(base: Identity): ReadonlySet<Identity> {
  const found = new Set<Identity>();
  const queue = [...base.derived];
  for (let next = queue.pop(); next; next = queue.pop())
    if (!found.has(next)) {
      found.add(next);
      queue.push(...next.derived);
    }
  return found;
}
