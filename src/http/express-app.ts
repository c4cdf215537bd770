import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import express, { type Application, type NextFunction, type Request, type Response } from 'express';
import type { BoundOperation } from '../core/operation.js';
import { Problem } from '../core/problem.js';
import type { RoutedExchange, Serve } from './pipeline.js';
import { normaliseTarget, queryOf } from './target.js';
import type { Refuse } from './write-response.js';
import type { StaticFiles } from './static-files.js';

interface AppOptions {
  readonly operations: readonly BoundOperation[];
  readonly serve: Serve;
  /** Answers requests that no operation serves. */
  readonly refuse: Refuse;
  /** The web console below `/ui`; absent if it is not served. */
  readonly site?: StaticFiles;
}

/** An Express application as a Node listener; `done` is called for requests that no route handled. */
type RouteRequest = (req: IncomingMessage, res: ServerResponse, done: (error: unknown) => void) => void;

/**
 * Creates the listener for all operations: Express finds the operation, `serve` does the rest. Other requests
 * are refused with a problem document: 404, 405 with Allow, 414, or 400 for an unreadable target.
 */
export function createApp({ operations, serve, refuse, site }: AppOptions): RequestListener {
  const app = express();
  app.disable('x-powered-by').disable('etag').enable('case sensitive routing').set('query parser', false);
  const routes = routesOf(operations);
  for (const route of routes) mount(app, route, serve);
  if (site) app.use('/ui', site);
  rejectUnroutedRequests(app, routes, refuse);
  const route = app as unknown as RouteRequest;
  return (req, res) => {
    try {
      req.url = normaliseTarget(req.url ?? '');
    } catch (error) {
      void refuse({ req, res }, error);
      return;
    }
    route(req, res, (error) => void refuse({ req, res }, error));
  };
}

function mount(app: Application, { path, operation }: Route, serve: Serve): void {
  const verb = operation.row.method.toLowerCase() as 'get' | 'post' | 'put' | 'delete';
  app[verb](path, (req: Request, res: Response, next: NextFunction) => {
    // Express routes HEAD to GET handlers. GET operations with side effects exist for old clients, but HEAD
    // must be safe.
    if (req.method !== 'HEAD' || !operation.row.audited) return serve(operation, routed(req, res));
    next();
    return undefined;
  });
}

function routed(req: Request, res: Response): RoutedExchange {
  const params = Object.entries(req.params).map(([name, value]) => [name, String(value)] as const);
  return { req, res, params: Object.fromEntries(params), query: queryOf(req.url) };
}

/** Registers the fallback after all operations: 405 if the path matches an operation, 404 otherwise. */
function rejectUnroutedRequests(app: Application, routes: readonly Route[], refuse: Refuse): void {
  const matched = new WeakMap<IncomingMessage, Route[]>();
  for (const route of routes)
    app.all(route.path, (req: Request, _res: Response, next: NextFunction) => {
      matched.set(req, [...(matched.get(req) ?? []), route]);
      next();
    });
  app.use((req: Request, res: Response) => refuse({ req, res }, unserved(matched.get(req))));
}

function unserved(routes: readonly Route[] | undefined): Problem {
  if (!routes) return new Problem('not_found', 'There is nothing at this path.');
  const allow = allowedMethods(routes);
  return new Problem('method_not_allowed', `This path answers ${allow}.`, { headers: { allow } });
}

/** One operation at one of its paths. */
export interface Route {
  /** With `:name` for parameters. */
  readonly path: string;
  readonly operation: BoundOperation;
}

/**
 * Returns every operation at every path, literal segments before parameters, so that `/forms/import` is found
 * before `/forms/:id`. Throws if two operations claim the same method and path, which is a bug in their
 * definitions.
 */
export function routesOf(operations: readonly BoundOperation[]): readonly Route[] {
  const routes = operations.flatMap((operation) => operation.paths.map((path) => ({ path, operation })));
  const claims = new Map<string, string>();
  for (const { path, operation } of routes) {
    const claim = `${operation.row.method} ${path.replaceAll(/:[^/]+/g, ':name')}`;
    const first = claims.get(claim);
    if (first !== undefined) throw new Error(`${first} and ${operation.name} both answer ${claim}`);
    claims.set(claim, operation.name);
  }
  return routes.sort((one, other) => compareText(sortKey(one.path), sortKey(other.path)));
}

/** Returns the methods of a path in the format of the Allow header (RFC 9110 section 10.2.1). */
export function allowedMethods(routes: readonly Route[]): string {
  const methods = routes.map(({ operation }) => operation.row.method);
  const isRead = routes.some(({ operation: { row } }) => row.method === 'GET' && !row.audited);
  const all = isRead ? [...methods, 'HEAD'] : methods;
  return [...new Set(all)].sort(compareText).join(', ');
}

/** Returns a sort key that places a parameter after every literal segment. */
function sortKey(path: string): string {
  return path.replaceAll(/:[^/]+/g, '\u{10ffff}');
}

function compareText(one: string, other: string): number {
  return Number(one > other) - Number(one < other);
}
