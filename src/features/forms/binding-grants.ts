import type { Logins } from '../../core/login.js';
import { callerName, LOCAL_ISSUER, type Principal } from '../../core/principal.js';
import { Problem } from '../../core/problem.js';
import type { Clock } from '../../lib/clock.js';
import type { BindingGrant, BindingGrants } from './form-store.js';

interface BindingGrantsInput {
  /** Throws `forbidden` if the caller may not query adapters. */
  readonly requireQueryRole: (principal: Principal | undefined) => void;
  /** Returns the accounts of the current configuration. */
  readonly logins: () => Pick<Logins, 'rolesOf'>;
  readonly clock: Clock;
}

/** Creates the grants of bindings, which the current roles of `orchestrator-manager.restQuery` decide. */
export function createBindingGrants({ requireQueryRole, logins, clock }: BindingGrantsInput): BindingGrants {
  const mayQuery = (principal: Principal | undefined): boolean => {
    try {
      requireQueryRole(principal);
      return true;
    } catch (error) {
      if (error instanceof Problem) return false;
      throw error;
    }
  };
  const currentRoles = ({ by, isAccount, roles }: BindingGrant): readonly string[] =>
    isAccount ? (logins().rolesOf(by) ?? []) : roles;
  return {
    grantOf(principal) {
      if (!principal || !mayQuery(principal)) return null;
      const { subject: by, issuer: byIssuer, roles } = principal;
      const isAccount = byIssuer === LOCAL_ISSUER && logins().rolesOf(by) !== undefined;
      const at = new Date(clock.now()).toISOString();
      return { by, byIssuer, byName: callerName(principal), at, roles, ...(isAccount && { isAccount }) };
    },
    authorOf(grant) {
      const { by: subject, byIssuer: issuer, byName: name } = grant;
      // A query takes no longer than a minute; the expiry is only for logs.
      const expiresAt = Math.ceil(clock.now() / 1000) + 60;
      const author: Principal = {
        subject,
        issuer,
        ...(name !== subject && { name }),
        roles: currentRoles(grant),
        expiresAt,
      };
      if (mayQuery(author)) return author;
      throw new Problem(
        'binding_not_granted',
        `${name} granted the queries of this form, and may no longer send queries through adapters.`,
      );
    },
  };
}
