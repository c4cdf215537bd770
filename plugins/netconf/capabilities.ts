import { createHash } from 'node:crypto';

/** Module in the capabilities of a server (RFC 6020 section 5.6.4). */
export interface AnnouncedModule {
  readonly name: string;
  readonly namespace: string;
  readonly revision: string | undefined;
  readonly features: ReadonlySet<string>;
  /** Names of the modules that deviate from this one. */
  readonly deviations: readonly string[];
}

/** Optional behavior of NETCONF (RFC 6241 section 8) that the plugin uses. */
type CapabilityName =
  | 'candidate'
  | 'confirmed-commit'
  | 'notification'
  | 'startup'
  | 'validate'
  | 'with-defaults'
  | 'writable-running'
  | 'xpath'
  | 'yang-library';

/** What the hello of a server says. */
export interface Capabilities {
  /** True for base:1.1, with which both sides use chunked framing. */
  readonly isVersion11: boolean;
  readonly modules: readonly AnnouncedModule[];
  /** Text that is equal for equal capabilities. */
  readonly digest: string;
  has(name: CapabilityName): boolean;
  /** Returns a parameter of a capability, such as `basic-mode` of `with-defaults`. */
  parameter(name: CapabilityName, parameter: string): string | undefined;
}

/** Both forms of base:1.0. Old releases of Junos and NX-OS send the second one alone. */
const BASES_1_0 = ['urn:ietf:params:netconf:base:1.0', 'urn:ietf:params:xml:ns:netconf:base:1.0'];
export const BASE_1_1 = 'urn:ietf:params:netconf:base:1.1';
const CAPABILITY = /^urn:ietf:params:(?:xml:ns:)?netconf:capability:([a-z-]+):[0-9.]+(?:\?(.*))?$/;
/** Names that servers misspell: Cisco IOS. */
const MISSPELLED: Readonly<Record<string, string>> = { 'writeable-running': 'writable-running' };
const YANG_NAME = /^[A-Za-z_][A-Za-z0-9_.-]*$/;

/** Reads the capabilities of a hello. Ignores those that it does not know. */
export function readCapabilities(uris: readonly string[]): Capabilities {
  const known = new Map<string, URLSearchParams>();
  for (const uri of uris) {
    const [, written = '', query] = CAPABILITY.exec(uri) ?? [];
    const name = MISSPELLED[written] ?? written;
    if (!known.has(name)) known.set(name, new URLSearchParams(query ?? ''));
  }
  return {
    isVersion11: uris.includes(BASE_1_1),
    modules: uris.flatMap(moduleOf),
    digest: createHash('sha256')
      .update([...uris].sort().join('\n'))
      .digest('base64'),
    has: (name) => known.has(name),
    parameter: (name, parameter) => known.get(name)?.get(parameter) ?? undefined,
  };
}

/** Returns true if a hello names a version of NETCONF that is spoken here. */
export function hasBase(uris: readonly string[]): boolean {
  return [...BASES_1_0, BASE_1_1].some((base) => uris.includes(base));
}

function moduleOf(uri: string): readonly AnnouncedModule[] {
  const start = uri.indexOf('?');
  if (start < 0) return [];
  const parameters = new URLSearchParams(uri.slice(start + 1));
  const name = parameters.get('module') ?? '';
  if (!YANG_NAME.test(name)) return [];
  const words = (parameter: string) =>
    (parameters.get(parameter) ?? '').split(',').filter((word) => word !== '');
  const revision = parameters.get('revision') ?? '';
  return [
    {
      name,
      namespace: uri.slice(0, start),
      revision: revision === '' ? undefined : revision,
      features: new Set(words('features')),
      deviations: words('deviations').filter((word) => YANG_NAME.test(word)),
    },
  ];
}
