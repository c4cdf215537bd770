import type { AdapterSettings } from '../core/adapter-settings.js';
import { type Breaker, type BreakerDeps, createBreaker } from './policy/breaker.js';
import { type BaseUrl, parseBaseUrl } from './target.js';

/** One base URL, and how it fares. */
export interface Endpoint {
  /** As the URL standard writes it. */
  readonly url: string;
  readonly base: BaseUrl;
  /** True for the first of an adapter. */
  readonly isFirst: boolean;
  readonly breaker: Breaker;
  /** Calls that are on their way to it. */
  inFlight: number;
}

/** The base URLs of an adapter, in the order of the configuration. */
export type Endpoints = readonly [Endpoint, ...Endpoint[]];

type EndpointSettings = Pick<AdapterSettings, 'baseUrl' | 'baseUrls'>;

/** Reads the base URLs of an adapter. Throws a `TypeError` for one that is none. */
export function createEndpoints(
  settings: EndpointSettings & Pick<AdapterSettings, 'breaker'>,
  deps: BreakerDeps,
): Endpoints {
  const [first, ...others] = writtenBaseUrls(settings).map(({ text }, at): Endpoint => {
    const base = parseBaseUrl(text);
    const breaker = createBreaker(settings.breaker, deps);
    return { url: base.origin + base.path, base, isFirst: at === 0, breaker, inFlight: 0 };
  });
  if (!first) throw new TypeError('there is no base URL');
  return [first, ...others];
}

/** A base URL as written, and its place in the adapter's settings. */
export interface WrittenBaseUrl {
  readonly pointer: string;
  readonly text: string;
}

/** The base URLs as they stand in the settings. */
export function writtenBaseUrls({ baseUrl, baseUrls }: EndpointSettings): readonly WrittenBaseUrl[] {
  if (baseUrls) return baseUrls.map((text, at) => ({ pointer: `/baseUrls/${at}`, text }));
  return [{ pointer: '/baseUrl', text: baseUrl ?? '' }];
}
