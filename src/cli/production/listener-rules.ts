import { isLoopbackHost } from '../../lib/loopback.js';
import type { Settings } from '../../settings/settings.js';
import { at, entries, isPlainHttp, type ProductionRule } from './rule.js';

const listensForOthers = ({ server }: Settings): boolean =>
  !isLoopbackHost(server.listen.replace(/:\d+$/, ''));

/** The rules for the section `server`. */
export const LISTENER_RULES: readonly ProductionRule<Settings>[] = [
  {
    setting: 'server.tls',
    message: 'is missing, so tokens and passwords of other machines arrive in plain text',
    fix: 'Set certFile and keyFile; or listen on 127.0.0.1, or name the proxy that ends TLS in server.trustedProxies.',
    isFault: true,
    broken: (settings) =>
      at(
        '/server/tls',
        !settings.server.tls && listensForOthers(settings) && settings.server.trustedProxies.length === 0,
      ),
  },
  {
    setting: 'server.publicUrl',
    message:
      'is missing or http, so that sign-ins and links of notifications lead to another or an unprotected address',
    fix: 'Set the https origin at which browsers reach the server, for example https://gateway.example.',
    isFault: false,
    broken: (settings) =>
      at('/server/publicUrl', settings.server.publicUrl === null || isPlainHttp(settings.server.publicUrl)),
  },
  {
    setting: 'server.trustedProxies',
    message:
      'is empty although the server listens on loopback, so the log, the audit trail and the limits see the address of the proxy',
    fix: 'Name the addresses of the proxy in front, for example [127.0.0.1].',
    isFault: false,
    broken: (settings) =>
      at(
        '/server/trustedProxies',
        settings.server.trustedProxies.length === 0 && !listensForOthers(settings),
      ),
  },
  {
    setting: 'server.cors.origins',
    message:
      'is an http origin: whoever is on the path to its pages can call the server with the tokens of their users',
    fix: 'Serve these pages by https, and name the https origin.',
    isFault: false,
    broken: ({ server }) =>
      entries(server.cors.origins, (index) => `/server/cors/origins/${index}`, isPlainHttp),
  },
  {
    setting: 'server.lameDuckSeconds',
    message: 'is 0, so a load balancer still sends calls to a server that stops',
    fix: 'Set it to the time that the load balancer needs to see /readyz fail twice, for example 5.',
    isFault: false,
    broken: ({ server }) => at('/server/lameDuckSeconds', server.lameDuckSeconds === 0),
  },
  {
    setting: 'server.watchdogSeconds',
    message: 'is 0, so a plugin in an endless loop stops the server for good',
    fix: 'Remove the setting, or set the CPU seconds after which the process ends and restarts.',
    isFault: false,
    broken: ({ server }) => at('/server/watchdogSeconds', server.watchdogSeconds === 0),
  },
  {
    setting: 'server.overload',
    message: 'is null, so an overload makes every call slow instead of a few fail',
    fix: 'Remove the setting to use the defaults.',
    isFault: false,
    broken: ({ server }) => at('/server/overload', server.overload === null),
  },
];
