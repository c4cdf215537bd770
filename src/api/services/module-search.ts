import type { RestCall, UpstreamReply } from '../../core/adapter.js';
import { abortSignalOf } from '../../core/cancel-signal.js';
import { checkAccess } from '../../core/access.js';
import type { Scheduler } from '../../core/lib/clock.js';
import { Problem } from '../../core/problem.js';
import type { YangOrigin } from '../../core/yang.js';
import {
  headingOf,
  type ModuleName,
  nameOf,
  type ServerModules,
  serverModules,
  type SourceText,
} from '../../yang/index.js';
import { executeCall, type OrchestratorManagerDeps } from '../orchestrator/execute-call.js';
import type { TextCache } from './text-cache.js';

/** Dependencies of a search: access to orchestrators, the cache and the limits. */
export interface SearchDeps extends OrchestratorManagerDeps {
  readonly scheduler: Scheduler;
  /** Texts of earlier searches. */
  readonly cache: TextCache;
  readonly limits: SearchLimits;
}

/** Limits of one search on an orchestrator. */
export interface SearchLimits {
  readonly modules: number;
  /** Maximum size of all texts together. */
  readonly bytes: number;
  readonly milliseconds: number;
}

/** Maximum number of concurrent requests. */
const MAX_CONCURRENT_REQUESTS = 4;

/** Resources of RFC 8525, and of RFC 7895 for older servers. */
const LIBRARY_RESOURCES = ['yang-library', 'modules-state'] as const;

const YANG_JSON_MEDIA_TYPES = 'application/yang-data+json, application/json;q=0.9';
const YANG_MEDIA_TYPES = 'application/yang, text/plain;q=0.9, */*;q=0.1';

/** Modules that a server lists, or the status of its reply if it lists no modules. */
type ModuleIndex = { readonly modules: ServerModules } | { readonly status: number };

/** Error for a module that cannot be fetched; the message is the reason. */
class ModuleUnavailableError extends Error {}

/**
 * Searches the YANG library of one orchestrator for modules on behalf of one caller. The time limit starts
 * with the construction.
 */
export class ModuleSearch {
  readonly #origin: YangOrigin;
  readonly #deps: SearchDeps;
  readonly #timeout = new AbortController();
  readonly #signal: AbortSignal;
  readonly #stopTimer: () => void;
  readonly #reasons = new Map<string, string>();
  readonly #found: string[] = [];
  #library: Promise<ModuleIndex> | undefined;
  #requestedModules = 0;
  #fetchedBytes = 0;

  constructor(origin: YangOrigin, deps: SearchDeps) {
    this.#origin = origin;
    this.#deps = deps;
    this.#signal = AbortSignal.any([abortSignalOf(origin.signal), this.#timeout.signal]);
    const { milliseconds } = deps.limits;
    this.#stopTimer = deps.scheduler.after(milliseconds, () => {
      const detail = `finding modules on "${origin.adapterId}" takes longer than ${milliseconds} ms`;
      this.#timeout.abort(new Problem('upstream_timeout', detail));
    });
  }

  /**
   * Returns the texts of the modules that the orchestrator has. Throws a Problem if the library cannot be
   * requested; {@link reasonFor} returns the failures that concern a single module.
   */
  async fetch(wanted: readonly ModuleName[]): Promise<readonly SourceText[]> {
    await this.#readLibraryOnce();
    const texts: SourceText[] = [];
    for (let at = 0; at < wanted.length; at += MAX_CONCURRENT_REQUESTS)
      texts.push(
        ...(
          await Promise.all(
            wanted.slice(at, at + MAX_CONCURRENT_REQUESTS).map((module) => this.#tryFetchText(module)),
          )
        ).flat(),
      );
    return texts;
  }

  /** Returns why a module was not found; undefined if the module was found or never searched for. */
  reasonFor(module: ModuleName): string | undefined {
    return this.#reasons.get(nameOf(module));
  }

  /** `name@revision` of every text that was found. */
  get found(): readonly string[] {
    return this.#found;
  }

  get isAborted(): boolean {
    return this.#signal.aborted;
  }

  close(): void {
    this.#stopTimer();
  }

  get #quotedAdapterId(): string {
    return `"${this.#origin.adapterId}"`;
  }

  async #tryFetchText(wanted: ModuleName): Promise<readonly SourceText[]> {
    try {
      return [await this.#moduleText(wanted)];
    } catch (error) {
      const concernsModule = error instanceof ModuleUnavailableError || error instanceof Problem;
      if (!concernsModule || this.#origin.signal.aborted) throw error;
      this.#reasons.set(nameOf(wanted), error.message);
      return [];
    }
  }

  async #moduleText(wanted: ModuleName): Promise<SourceText> {
    const library = await this.#readLibraryOnce();
    if ('status' in library)
      throw new ModuleUnavailableError(
        `${this.#quotedAdapterId} answers ${library.status} for its YANG library`,
      );
    const listed = library.modules.find(wanted.name, wanted.revision);
    if (!listed) throw new ModuleUnavailableError(`${this.#quotedAdapterId} does not list it`);
    const path = await this.#pathOf(listed.urls);
    const { cache } = this.#deps;
    const key = JSON.stringify([this.#origin.adapterId, nameOf(listed), path]);
    const text = cache.get(key) ?? (await this.#fetchText(path, wanted));
    // Only a module with a revision is known to be immutable.
    if (listed.revision !== undefined) cache.put(key, text);
    this.#found.push(nameOf(listed));
    return { file: `${nameOf(listed)} of ${this.#origin.adapterId}`, text };
  }

  #readLibraryOnce(): Promise<ModuleIndex> {
    return (this.#library ??= this.#readLibrary());
  }

  async #readLibrary(): Promise<ModuleIndex> {
    let status = 404;
    for (const resource of LIBRARY_RESOURCES) {
      const reply = await this.#request(
        `/restconf/data/ietf-yang-library:${resource}`,
        YANG_JSON_MEDIA_TYPES,
      );
      if (reply.status === 200) return { modules: serverModules(jsonBodyOf(reply)) };
      status = reply.status;
      // Servers answer an unknown resource with either of these statuses.
      if (status !== 404 && status !== 400) break;
    }
    return { status };
  }

  /**
   * Returns the path of a module below the adapter's base URL. Also checks the access rules, because a cached
   * text may have been fetched for another caller.
   */
  async #pathOf(urls: readonly string[]): Promise<string> {
    const { adapterId, principal } = this.#origin;
    const { baseUrls, access } = await this.#deps.leaseAdapter(adapterId, this.#signal, async (instance) => {
      const { upstream } = await instance.ready();
      return { baseUrls: upstream.status?.().baseUrls ?? [], access: upstream.access ?? [] };
    });
    const bases = baseUrls.map(({ url }) => url);
    const [path] = urls.flatMap((url) => pathBelow(url, bases) ?? []);
    const [first] = urls;
    if (first === undefined)
      throw new ModuleUnavailableError(`${this.#quotedAdapterId} lists it without a URL`);
    if (path === undefined)
      throw new ModuleUnavailableError(
        `${this.#quotedAdapterId} lists it at ${first.slice(0, 200)}, which is not below the adapter's base URL`,
      );
    checkAccess(access, { method: 'GET', path }, principal);
    return path;
  }

  async #fetchText(path: string, wanted: ModuleName): Promise<string> {
    const { limits } = this.#deps;
    this.#requestedModules += 1;
    if (this.#requestedModules > limits.modules)
      throw new ModuleUnavailableError(
        `${this.#quotedAdapterId} already received ${limits.modules} requests for modules`,
      );
    const { status, body } = await this.#request(path, YANG_MEDIA_TYPES);
    if (status !== 200)
      throw new ModuleUnavailableError(`${this.#quotedAdapterId} answers ${status} at ${path}`);
    this.#fetchedBytes += body.length;
    if (this.#fetchedBytes > limits.bytes)
      throw new ModuleUnavailableError(
        `the modules of ${this.#quotedAdapterId} are more than ${limits.bytes} bytes together`,
      );
    const text = utf8Of(body);
    if (text === undefined || !isTextOf(text, wanted))
      throw new ModuleUnavailableError(
        `the reply of ${this.#quotedAdapterId} at ${path} is not ${nameOf(wanted)}`,
      );
    return text;
  }

  async #request(path: string, accept: string): Promise<UpstreamReply> {
    const { adapterId, principal, signal } = this.#origin;
    const call: RestCall = { kind: 'query', method: 'GET', path, accept };
    try {
      const request = { call, signal: this.#signal, ...(principal && { principal }) };
      return (await executeCall(adapterId, request, this.#deps)).last;
    } catch (error) {
      if (this.#timeout.signal.aborted && !signal.aborted) throw this.#timeout.signal.reason;
      throw error;
    }
  }
}

/** Returns true for the text of this module, and of this revision if the name contains a revision. */
function isTextOf(text: string, { name, revision }: ModuleName): boolean {
  const heading = headingOf(text);
  return heading?.name === name && (revision === undefined || heading.revision === revision);
}

function jsonBodyOf({ body }: UpstreamReply): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

function utf8Of(body: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return undefined;
  }
}

/**
 * Returns the path of a URL below the first base URL that contains it; undefined if no base URL contains it.
 * A URL that starts with `/` is a path on the host of a base URL. Dot segments are resolved before the
 * comparison.
 */
export function pathBelow(url: string, baseUrls: readonly string[]): string | undefined {
  if (!/^(?:https?:\/\/|\/(?!\/))/i.test(url)) return undefined;
  for (const base of baseUrls) {
    if (!URL.canParse(url, base)) continue;
    const target = new URL(url, base);
    target.hash = '';
    const path = target.href.startsWith(`${base}/`) ? target.href.slice(base.length) : undefined;
    // Two leading slashes would start a host name.
    if (path !== undefined && !path.startsWith('//')) return path;
  }
  return undefined;
}
