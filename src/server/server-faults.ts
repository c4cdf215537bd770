import type { LocatedFault } from '../core/fault.js';
import { createTrustedProxies } from '../http/client-address.js';
import type { ServerSettings, CorsSettings } from '../settings/settings.js';

/** Returns the faults of the settings about proxies in front of the server, relative to the main file. */
export function proxyFaults({
  trustedProxies = [],
  proxyProtocol = null,
}: Partial<Pick<ServerSettings, 'trustedProxies' | 'proxyProtocol'>>): readonly LocatedFault[] {
  const faults = trustedProxies.flatMap((entry, index) =>
    entryFaults(entry, `/server/trustedProxies/${index}`),
  );
  if (proxyProtocol === null || trustedProxies.length > 0) return faults;
  return [
    {
      pointer: '/server/proxyProtocol',
      code: 'proxy',
      message: 'has no effect: PROXY headers are read only from server.trustedProxies, which is empty',
      fix: 'Name the addresses of the load balancers in server.trustedProxies.',
    },
  ];
}

function entryFaults(entry: string, pointer: string): readonly LocatedFault[] {
  try {
    createTrustedProxies([entry]);
    return [];
  } catch {
    return [
      {
        pointer,
        code: 'proxy',
        message: 'is not an IP address or a network',
        fix: 'Write an address such as 10.1.2.3 or 2001:db8::1, or a network such as 10.1.0.0/16 or 2001:db8::/48.',
      },
    ];
  }
}

/** Returns the faults of `server.cors`, relative to the main file: origins that no browser sends. */
export function corsFaults({ origins = [] }: Partial<CorsSettings> = {}): readonly LocatedFault[] {
  return origins.flatMap((entry, index) => {
    const sent = URL.canParse(entry) ? new URL(entry).origin : undefined;
    if (sent === entry) return [];
    return [
      {
        pointer: `/server/cors/origins/${index}`,
        code: 'cors',
        message: `matches no page: browsers ${sent === undefined ? 'send no such origin' : `send ${sent}`}`,
        fix: `Write ${sent ?? 'an origin such as https://portal.example'}.`,
      },
    ];
  });
}
