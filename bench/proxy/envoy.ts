import { createPublicKey } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ContenderOptions, TOKENS } from './contender.js';
import { commandOf, type InstalledProgram } from './installed.js';
import { CPU, launch, type Program } from './program.js';

/** Envoy, as its releases and packages name it. */
export const ENVOY: InstalledProgram = { variable: 'ENVOY_BINARY', command: 'envoy', version: '--version' };

/** What Envoy does beside the check of token and role, and forwarding. */
interface EnvoyWork {
  /** Lua script that translates. */
  readonly script?: string;
  readonly writesLog: boolean;
}

/** Starts Envoy with one worker thread. */
export function startEnvoy(place: ContenderOptions, work: EnvoyWork): Promise<Program> {
  const config = join(place.folder, 'envoy.json');
  writeFileSync(config, JSON.stringify(configuration(place, work)));
  return launch({
    command: commandOf(ENVOY),
    args: ['-c', config, '--concurrency', '1', '--disable-hot-restart', '--log-level', 'warn'],
    cpu: CPU.contender,
    port: place.port,
    log: join(place.folder, 'output.log'),
  });
}

/** Returns an extension with its configuration in the form of the API. */
function extension(name: string, type: string, config: object): object {
  return { name, typed_config: { '@type': `type.googleapis.com/envoy.extensions.${type}`, ...config } };
}

function configuration(place: ContenderOptions, work: EnvoyWork): object {
  const manager = extension(
    'envoy.filters.network.http_connection_manager',
    'filters.network.http_connection_manager.v3.HttpConnectionManager',
    {
      stat_prefix: 'callers',
      http_filters: filters(place, work),
      route_config: { virtual_hosts: [{ name: 'all', domains: ['*'], routes: [route] }] },
      ...(work.writesLog && { access_log: [accessLog(join(place.folder, 'access.log'))] }),
    },
  );
  return {
    static_resources: {
      listeners: [{ address: addressOf(place.port), filter_chains: [{ filters: [manager] }] }],
      clusters: [cluster(place.upstreamPort)],
    },
  };
}

const route = { match: { prefix: '/' }, route: { cluster: 'upstream', timeout: '60s' } };

/** A refusal of the first two filters passes the response part of the third, which must not translate it. */
function filters({ publicKeyFile }: ContenderOptions, { script }: EnvoyWork): readonly object[] {
  const translate = script !== undefined && {
    default_source_code: { filename: script },
    clear_route_cache: false,
  };
  return [
    extension('envoy.filters.http.jwt_authn', 'filters.http.jwt_authn.v3.JwtAuthentication', {
      providers: { idp: tokenProvider(publicKeyFile) },
      rules: [{ match: { prefix: '/' }, requires: { provider_name: 'idp' } }],
    }),
    extension('envoy.filters.http.rbac', 'filters.http.rbac.v3.RBAC', {
      rules: {
        action: 'ALLOW',
        policies: { callers: { permissions: [{ any: true }], principals: [hasRole] } },
      },
    }),
    ...(translate ? [extension('envoy.filters.http.lua', 'filters.http.lua.v3.Lua', translate)] : []),
    extension('envoy.filters.http.router', 'filters.http.router.v3.Router', {}),
  ];
}

function tokenProvider(publicKeyFile: string): object {
  const key = createPublicKey(readFileSync(publicKeyFile)).export({ format: 'jwk' });
  return {
    issuer: TOKENS.issuer,
    audiences: [TOKENS.audience],
    local_jwks: { inline_string: JSON.stringify({ keys: [{ ...key, alg: 'RS256', use: 'sig' }] }) },
    jwt_cache_config: { jwt_cache_size: 1000 },
    payload_in_metadata: 'payload',
  };
}

const hasRole = {
  sourced_metadata: {
    metadata_matcher: {
      filter: 'envoy.filters.http.jwt_authn',
      path: [{ key: 'payload' }, { key: 'roles' }],
      value: { list_match: { one_of: { string_match: { exact: TOKENS.role } } } },
    },
  },
};

function accessLog(path: string): object {
  return extension('envoy.access_loggers.file', 'access_loggers.file.v3.FileAccessLog', {
    path,
    log_format: {
      json_format: {
        timestamp: '%START_TIME%',
        requestId: '%REQ(X-REQUEST-ID)%',
        method: '%REQ(:METHOD)%',
        path: '%REQ(X-ENVOY-ORIGINAL-PATH?:PATH)%',
        status: '%RESPONSE_CODE%',
        durationMs: '%DURATION%',
        caller: '%DYNAMIC_METADATA(envoy.filters.http.jwt_authn:payload:sub)%',
      },
    },
  });
}

function cluster(port: number): object {
  const endpoint = { address: addressOf(port) };
  return {
    name: 'upstream',
    connect_timeout: '5s',
    load_assignment: { cluster_name: 'upstream', endpoints: [{ lb_endpoints: [{ endpoint }] }] },
  };
}

function addressOf(port: number): object {
  return { socket_address: { address: '127.0.0.1', port_value: port } };
}
