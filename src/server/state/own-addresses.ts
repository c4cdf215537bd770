import type { OwnAddress } from '../../core/egress.js';
import type { IssuerSettings, Settings } from '../../settings/settings.js';

/**
 * Returns the services in the settings that this server itself uses, and its public address. Outbound calls
 * must not reach them. The listener follows when it listens, because its port may be chosen then.
 */
export function ownAddressesOf(settings: Settings): readonly OwnAddress[] {
  const { server, vault, storage, auth, tracing, log } = settings;
  return [
    ...services('this server', [server.publicUrl]),
    ...services('Vault', [...(vault?.address ?? []), vault?.proxy]),
    ...(storage.url.startsWith('sqlite:') ? [] : databasesAt(storage.url)),
    ...auth.issuers.flatMap(issuerServices),
    ...services('the receiver of traces', [tracing.otlpEndpoint]),
    ...services('the syslog receiver', [log.syslog?.url]),
  ];
}

/** Standard ports by URL scheme. */
const STANDARD_PORTS: Readonly<Record<string, number>> = {
  'http:': 80,
  'https:': 443,
  'udp:': 514,
  'tcp:': 514,
  'tls:': 6514,
};

function services(name: string, urls: readonly (string | null | undefined)[]): readonly OwnAddress[] {
  return urls.flatMap((text) => {
    const url = URL.canParse(text ?? '') ? new URL(text ?? '') : undefined;
    if (!url || url.hostname === '') return [];
    return [{ name, host: hostOf(url), port: Number(url.port) || (STANDARD_PORTS[url.protocol] ?? 0) }];
  });
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '').toLowerCase();
}

/** Returns the issuer, whose addresses often belong to a provider with many sites. */
function issuerServices({ issuer, jwksUri, discovery }: IssuerSettings): readonly OwnAddress[] {
  const found = services('a token issuer of this server', [jwksUri, discovery && issuer]);
  return found.map((service) => ({ ...service, isShared: true }));
}

/** Returns the databases of a postgres URL, which may name several hosts (libpq). */
function databasesAt(text: string): readonly OwnAddress[] {
  const [, before = '', hosts = '', after = ''] =
    /^([a-z]+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(text) ?? [];
  return hosts.split(',').map((host) => databaseAt(new URL(before + host + after)));
}

/** Returns the database of a postgres URL with one host, whose parameters may name another host and port. */
function databaseAt(url: URL): OwnAddress {
  const host = url.searchParams.get('host') ?? hostOf(url);
  const port = url.searchParams.get('port') ?? url.port;
  return {
    name: 'the database',
    host: host === '' ? 'localhost' : host.toLowerCase(),
    port: Number(port) || 5432,
  };
}
