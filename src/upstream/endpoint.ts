import { type Log, silentLog } from '../core/log.js';
import type { AdapterSettings } from '../settings/adapter.js';
import { type Breaker, type BreakerDeps, createBreaker } from './policy/breaker.js';
import { type BaseUrl, parseBaseUrl } from './target.js';

/** A base URL and its current state. */
export interface Endpoint {
  /** Serialized according to the URL standard. */
  readonly url: string;
  readonly base: BaseUrl;
  /** True for the first base URL of an adapter. */
  readonly isFirst: boolean;
  readonly breaker: Breaker;
  /** Number of calls in flight to this base URL. */
  inFlight: number;
}

/** The base URLs of an adapter, in the order of the configuration. */
export type Endpoints = readonly [Endpoint, ...Endpoint[]];

type EndpointSettings = Pick<AdapterSettings, 'baseUrl' | 'baseUrls'>;

/** Creates the endpoints for an adapter's base URLs. Throws a `TypeError` for an invalid base URL. */
export function createEndpoints(
  settings: EndpointSettings & Pick<AdapterSettings, 'breaker'>,
  deps: Omit<BreakerDeps, 'onChange'>,
  log: Log = silentLog,
): Endpoints {
  const [first, ...others] = writtenBaseUrls(settings).map(({ text }, at): Endpoint => {
    const base = parseBaseUrl(text);
    const url = base.origin + base.path;
    const onChange: BreakerDeps['onChange'] = (state, failures) => {
      log.debug(`circuit breaker ${state === 'half-open' ? 'tests the orchestrator' : state}`, {
        url,
        failures,
      });
    };
    const breaker = createBreaker(settings.breaker, { ...deps, onChange });
    return { url, base, isFirst: at === 0, breaker, inFlight: 0 };
  });
  if (!first) throw new TypeError('there is no base URL');
  return [first, ...others];
}

/** A base URL as written, and its location in the adapter's settings. */
export interface WrittenBaseUrl {
  readonly pointer: string;
  readonly text: string;
}

/** Returns the base URLs as written in the settings. */
export function writtenBaseUrls({ baseUrl, baseUrls }: EndpointSettings): readonly WrittenBaseUrl[] {
  if (baseUrls) return baseUrls.map((text, at) => ({ pointer: `/baseUrls/${at}`, text }));
  return [{ pointer: '/baseUrl', text: baseUrl ?? '' }];
}
