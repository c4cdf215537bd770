import { CERTIFICATE_ISSUER } from '../core/certificate.js';
import type { LocatedFault } from '../core/fault.js';
import { LOCAL_ISSUER } from '../core/principal.js';
import type { IssuerSettings } from '../settings/settings.js';
import { discoveryUrl, keyUrl } from './fetch-keys.js';
import { type Algorithm, algorithmKind, ALGORITHMS, isAlgorithm } from './keys.js';

const RESERVED_NAMES: ReadonlyMap<string, string> = new Map([
  [LOCAL_ISSUER, 'is the name of the built-in issuer'],
  [CERTIFICATE_ISSUER, 'is the name for callers with a client certificate'],
]);

/** Returns the faults of issuers that share an `iss`, or that use a name of this server. */
export function nameFaults(settings: readonly IssuerSettings[]): readonly LocatedFault[] {
  const names = settings.map(({ issuer }) => issuer);
  const faultOf = (name: string, at: number): string | undefined => {
    const isRepeated = names.indexOf(name) < at;
    return RESERVED_NAMES.get(name) ?? (isRepeated ? 'is the name of another issuer above' : undefined);
  };
  return names.flatMap((name, at) => {
    const message = faultOf(name, at);
    if (message === undefined) return [];
    const fix = 'Configure every issuer once, with the iss of its tokens.';
    return [{ pointer: `/${at}/issuer`, code: 'auth_issuer', message, fix }];
  });
}

/**
 * Returns the known algorithms of an issuer, and the faults of algorithms that are unknown or do not fit its
 * kind of key.
 */
export function algorithmFaults(
  settings: IssuerSettings,
  pointer: string,
): { readonly algorithms: readonly Algorithm[]; readonly faults: readonly LocatedFault[] } {
  const algorithms = settings.algorithms.filter(isAlgorithm);
  const code = 'auth_algorithm';
  const fix = `Name one or more of ${algorithmsFor(settings).join(', ')}.`;
  if (settings.algorithms.length === 0)
    return { algorithms, faults: [{ pointer: `${pointer}/algorithms`, code, message: 'is empty', fix }] };
  const faults = settings.algorithms.flatMap((name, at) => {
    const message = algorithmFault(name, settings);
    return message === undefined ? [] : [{ pointer: `${pointer}/algorithms/${at}`, code, message, fix }];
  });
  return { algorithms, faults };
}

function algorithmsFor(settings: IssuerSettings): readonly string[] {
  return Object.keys(ALGORITHMS).filter((name) => algorithmFault(name, settings) === undefined);
}

// A public key that is used as HMAC secret permits forgery, so an issuer has either public keys or a secret.
function algorithmFault(name: string, { secret }: IssuerSettings): string | undefined {
  if (!isAlgorithm(name)) return 'is not an accepted algorithm';
  const needsSecret = algorithmKind(name).family === 'secret';
  if (needsSecret && !secret) return 'needs a secret, but this issuer has public keys';
  return !needsSecret && secret ? 'needs a public key, but this issuer has a secret' : undefined;
}

/** Returns the faults of the URL from which the server fetches an issuer's keys. */
export function locationFaults(settings: IssuerSettings, pointer: string): LocatedFault[] {
  const { issuer, jwksUri, discovery } = settings;
  const code = 'auth_address';
  if (jwksUri !== undefined && !keyUrl(jwksUri)) {
    const fix = 'Give an https address without credentials in it; http is for this machine only.';
    return [
      {
        pointer: `${pointer}/jwksUri`,
        code,
        message: 'is not an https address, or contains credentials',
        fix,
      },
    ];
  }
  if (jwksUri !== undefined || (discovery && discoveryUrl(issuer) !== undefined)) return [];
  if (discovery) {
    const fix = 'Give an issuer that is an https address, or its jwksUri instead of discovery.';
    return [
      { pointer: `${pointer}/discovery`, code, message: 'needs an issuer that is an https address', fix },
    ];
  }
  const fix = 'Set one of discovery, jwksUri, publicKeyFile and secret.';
  return [{ pointer, code: 'auth_key', message: 'has no keys', fix }];
}

/** Returns the faults that prevent sign-in at issuers with `signIn` or `cli`. */
export function signInFaults(
  settings: readonly IssuerSettings[],
  publicUrl: string | null,
): readonly LocatedFault[] {
  const code = 'auth_sign_in';
  return settings.flatMap(({ signIn, cli, discovery }, at): readonly LocatedFault[] => {
    const pointer = `/${at}/signIn`;
    if (!discovery) {
      const message = 'needs an issuer with discovery';
      const fix = 'Set discovery: true instead of jwksUri, publicKeyFile or secret.';
      return [...(signIn ? [pointer] : []), ...(cli ? [`/${at}/cli`] : [])].map((key) => ({
        pointer: key,
        code,
        message,
        fix,
      }));
    }
    if (!signIn) return [];
    const fix = 'Set server.publicUrl to the origin that people type, for example https://gateway.example.';
    return publicUrl === null ? [{ pointer, code, message: 'needs server.publicUrl', fix }] : [];
  });
}

/** Returns the faults that prevent introspection at issuers with `introspection`. */
export function introspectionFaults(settings: readonly IssuerSettings[]): readonly LocatedFault[] {
  return settings.flatMap(({ introspection, discovery }, at) => {
    if (!introspection || discovery) return [];
    const fix = 'Set discovery: true instead of jwksUri, publicKeyFile or secret.';
    return [
      {
        pointer: `/${at}/introspection`,
        code: 'auth_introspection',
        message: 'needs an issuer with discovery',
        fix,
      },
    ];
  });
}
