import { checkAccess } from '../../core/access-decision.js';
import type { AdapterPolicy } from '../../core/access-policy.js';
import type { RestCall, UpstreamReply } from '../../core/adapter.js';
import { Problem } from '../../core/problem.js';
import { boundedMemory, REPLY_MEMORIES, type ReplyMemory } from '../../core/reply-memory.js';
import type { BoundedMap } from '../../lib/bounded-map.js';
import { abortSignalOf } from '../../lib/cancel-signal.js';
import type { Scheduler } from '../../lib/clock.js';
import { nameOf } from '../../yang/diagnostic.js';
import type { ModuleName, ServerModule, ServerModules, SourceText } from '../../yang/index.js';
import { serverModules } from '../../yang/server-modules.js';
import { executeCall, type OrchestratorManagerDeps } from '../orchestrator/execute-call.js';
import { type ModulePaths, modulePaths, pathOnAdapter } from './module-paths.js';
import { getSchemaInput, isTextOf, jsonBodyOf, schemaIn, utf8Of } from './module-text.js';
import type { YangOrigin } from './yang.js';

/** Dependencies of a search: access to orchestrators, the cache and the limits. */
export interface SearchDeps extends OrchestratorManagerDeps {
  readonly scheduler: Scheduler;
  readonly cache: BoundedMap<string, string>;
  readonly limits: SearchLimits;
}

export interface SearchLimits {
  readonly modules: number;
  /** Maximum size of all texts together. */
  readonly bytes: number;
  readonly milliseconds: number;
}

/** Operation whose roles and access rules decide about a search. */
const OPERATION = 'orchestrator-manager.restQuery' as const;

/** Maximum number of concurrent requests. */
const MAX_CONCURRENT_REQUESTS = 4;

/** Statuses for a list that a server does not have, or that has no modules. OpenDaylight answers 409 for a mounted device. */
const NOT_THERE: ReadonlySet<number> = new Set([200, 204, 400, 404, 409]);

const YANG_JSON_MEDIA_TYPES = 'application/yang-data+json, application/json;q=0.9';
const YANG_MEDIA_TYPES = 'application/yang, text/plain;q=0.9, */*;q=0.1';

/** Modules that a server lists, or the reason why it lists none. */
type ModuleIndex = { readonly modules: ServerModules } | { readonly reason: string };

/** Error for a module that cannot be fetched; the message is the reason. */
class ModuleUnavailableError extends Error {}

/** Error for a module that would exceed a limit of the search. */
class SearchLimitError extends ModuleUnavailableError {}

interface TextRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
}

/**
 * Searches the YANG library of one orchestrator for modules on behalf of one caller. The time limit starts
 * with the construction.
 */
export class ModuleSearch {
  readonly #origin: YangOrigin;
  readonly #paths: ModulePaths;
  readonly #deps: SearchDeps;
  readonly #timeout = new AbortController();
  readonly #signal: AbortSignal;
  readonly #stopTimer: () => void;
  /** Memory of all texts until the search is closed, also of those that arrive. */
  readonly #memory: ReplyMemory;
  readonly #reasons = new Map<string, string>();
  readonly #found: string[] = [];
  #library: Promise<ModuleIndex> | undefined;
  #requestedModules = 0;
  #fetchedBytes = 0;

  constructor(origin: YangOrigin, deps: SearchDeps) {
    this.#origin = origin;
    this.#paths = modulePaths(origin.mount);
    this.#deps = deps;
    this.#signal = AbortSignal.any([abortSignalOf(origin.signal), this.#timeout.signal]);
    const { milliseconds, bytes } = deps.limits;
    const memory = (deps.replyMemories ?? REPLY_MEMORIES).open(origin.adapterId);
    this.#memory = boundedMemory(memory, bytes, () => new Problem('upstream_too_large', this.#tooManyBytes));
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
    this.#memory.release();
  }

  get #tooManyBytes(): string {
    return `the modules of ${this.#quotedAdapterId} are more than ${this.#deps.limits.bytes} bytes together`;
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
    if ('reason' in library) throw new ModuleUnavailableError(`${this.#quotedAdapterId} ${library.reason}`);
    const listed = library.modules.find(wanted.name, wanted.revision);
    if (!listed) throw new ModuleUnavailableError(`${this.#quotedAdapterId} does not list it`);
    const text = await this.#firstText(listed, wanted);
    this.#found.push(nameOf(listed));
    return { file: `${nameOf(listed)} of ${this.#origin.adapterId}`, text };
  }

  /** Returns the text from the first place that has it. Throws the reasons of all places. */
  async #firstText(listed: ServerModule, wanted: ModuleName): Promise<string> {
    const reasons: string[] = [];
    const { requests, policy } = await this.#requestsFor(listed, reasons);
    for (const request of requests)
      try {
        return await this.#cachedText(request, { listed, wanted, policy });
      } catch (error) {
        const mayGoOn = error instanceof ModuleUnavailableError || error instanceof Problem;
        if (!mayGoOn || error instanceof SearchLimitError || this.isAborted) throw error;
        reasons.push(error.message);
      }
    throw new ModuleUnavailableError(reasons.join('; '));
  }

  /**
   * Returns a cached text, or fetches it. Also checks the access rules, because a cached text may have been fetched for
   * another caller.
   */
  async #cachedText(
    request: TextRequest,
    { listed, wanted, policy }: { listed: ServerModule; wanted: ModuleName; policy: AdapterPolicy },
  ): Promise<string> {
    const { adapterId, principal } = this.#origin;
    checkAccess(policy, { operation: OPERATION, ...request }, principal);
    const { cache } = this.#deps;
    const key = JSON.stringify([adapterId, nameOf(listed), request.path]);
    const text = cache.get(key) ?? (await this.#fetchText(request, wanted, listed));
    // Only a module with a revision is known to be immutable.
    if (listed.revision !== undefined) cache.set(key, text, text.length);
    return text;
  }

  #readLibraryOnce(): Promise<ModuleIndex> {
    return (this.#library ??= this.#readLibrary());
  }

  async #readLibrary(): Promise<ModuleIndex> {
    let status = 404;
    for (const [at, path] of this.#paths.lists.entries()) {
      // The access rules may admit only the first list, which the server does not have.
      const reply = await this.#request({ method: 'GET', path }, YANG_JSON_MEDIA_TYPES).catch(
        (error: unknown) => {
          if (at > 0 && error instanceof Problem && error.code === 'adapter_forbidden') return undefined;
          throw error;
        },
      );
      if (!reply) break;
      const modules = reply.status === 200 ? serverModules(jsonBodyOf(reply)) : undefined;
      if (modules && modules.count > 0) return { modules };
      status = reply.status;
      if (!NOT_THERE.has(status)) break;
    }
    return {
      reason: status === 200 ? 'lists no modules' : `answers ${status} for its YANG library${this.#hint}`,
    };
  }

  get #hint(): string {
    if (this.#origin.mount !== undefined) return ` below ${this.#origin.mount}`;
    return '; name its data resource in "mount" if it is not /restconf/data';
  }

  /** Returns the requests for a text in order, and the access rules of the adapter. Adds the reason why there is no path. */
  async #requestsFor({ urls }: ServerModule, reasons: string[]) {
    const { adapterId, mount } = this.#origin;
    const { baseUrls, policy } = await this.#deps.leaseAdapter(
      adapterId,
      // The library was read before, by the rules; each text is checked when its path is known.
      { signal: this.#signal, check: () => undefined },
      async (instance, rules) => {
        const { upstream } = await instance.ready();
        return { baseUrls: upstream.status?.().baseUrls ?? [], policy: rules };
      },
    );
    const bases = baseUrls.map(({ url }) => url);
    const [path] = urls.flatMap((url) => pathOnAdapter(url, bases) ?? []);
    const [first] = urls;
    if (path === undefined)
      reasons.push(
        first === undefined
          ? `${this.#quotedAdapterId} lists it without a URL`
          : `${this.#quotedAdapterId} lists it at ${first.slice(0, 200)}, which is no HTTP URL`,
      );
    const location: TextRequest[] = path === undefined ? [] : [{ method: 'GET', path }];
    const operation: TextRequest = { method: 'POST', path: this.#paths.getSchema };
    // A URL in the library of a mounted device leads to the device, not to the orchestrator.
    const requests = mount === undefined ? [...location, operation] : [operation, ...location];
    return { requests, policy };
  }

  async #fetchText(request: TextRequest, wanted: ModuleName, listed: ServerModule): Promise<string> {
    const { limits } = this.#deps;
    this.#requestedModules += 1;
    if (this.#requestedModules > limits.modules)
      throw new SearchLimitError(
        `${this.#quotedAdapterId} already received ${limits.modules} requests for modules`,
      );
    const reply = await this.#request(request, YANG_MEDIA_TYPES, listed);
    const { path } = request;
    if (reply.status !== 200)
      throw new ModuleUnavailableError(`${this.#quotedAdapterId} answers ${reply.status} at ${path}`);
    this.#fetchedBytes += reply.body.length;
    if (this.#fetchedBytes > limits.bytes) throw new SearchLimitError(this.#tooManyBytes);
    const text = request.method === 'GET' ? utf8Of(reply.body) : schemaIn(jsonBodyOf(reply));
    if (text === undefined || !isTextOf(text, wanted))
      throw new ModuleUnavailableError(
        `the reply of ${this.#quotedAdapterId} at ${path} is not ${nameOf(wanted)}`,
      );
    return text;
  }

  /** Sends a request; a POST is the operation get-schema for the module. */
  async #request(request: TextRequest, accept: string, module?: ServerModule): Promise<UpstreamReply> {
    const { adapterId, principal, signal } = this.#origin;
    const { method, path } = request;
    const call: RestCall =
      method === 'GET' || !module
        ? { kind: 'query', method: 'GET', path, accept }
        : {
            kind: 'action',
            method,
            path,
            accept: YANG_JSON_MEDIA_TYPES,
            contentType: 'application/yang-data+json',
            body: getSchemaInput(module),
          };
    try {
      const memory = this.#memory;
      const sent = { operation: OPERATION, adapterId, call, signal: this.#signal, principal, memory };
      return await executeCall(sent, this.#deps, ({ last }) => last);
    } catch (error) {
      if (this.#timeout.signal.aborted && !signal.aborted) throw this.#timeout.signal.reason;
      throw error;
    }
  }
}
