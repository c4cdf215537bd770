import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import express, { type Application, type NextFunction, type Request, type Response } from 'express';
import type { BoundOperation } from '../core/operation.js';
import { Problem } from '../core/problem.js';
import type { RoutedExchange, Serve } from './pipeline.js';
import { queryOf } from './query.js';
import type { Refuse } from './write-response.js';
import type { StaticFiles } from './static-files.js';
import { normaliseTarget } from './target.js';

export interface AppOptions {
  readonly operations: readonly BoundOperation[];
  readonly serve: Serve;
  /** Answers what no operation serves. */
  readonly refuse: Refuse;
  /** The pages for people, below `/ui`; absent where there are none. */
  readonly site?: StaticFiles;
}

/** An Express application as Node sees it; the last function learns what no route handled. */
type RouteRequest = (req: IncomingMessage, res: ServerResponse, done: (error: unknown) => void) => void;

/**
 * Makes the door that all operations stand behind: Express finds the row, `serve` does the rest. What is no operation
 * is refused as a problem document: 404, 405 with Allow, 414, and 400 for a target that cannot be read.
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
    // Express takes HEAD for GET. A GET that changes something is there for old clients, and HEAD promises not to.
    if (req.method !== 'HEAD' || !operation.row.audited) return serve(operation, routed(req, res));
    next();
    return undefined;
  });
}

function routed(req: Request, res: Response): RoutedExchange {
  const params = Object.entries(req.params).map(([name, value]) => [name, String(value)] as const);
  return { req, res, params: Object.fromEntries(params), query: queryOf(req.url) };
}

/** Behind all rows: a path that some pattern matches was asked with the wrong method; the others do not exist. */
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
 * Every operation at every path, literal segments before parameters, so that `/forms/import` is found before `/forms/:id`.
 * Throws when two operations claim the same method and path, which is a bug of the rows.
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

/** Methods that a path answers, as the Allow header lists them (RFC 9110 section 10.2.1). */
export function allowedMethods(routes: readonly Route[]): string {
  const methods = routes.map(({ operation }) => operation.row.method);
  const isRead = routes.some(({ operation: { row } }) => row.method === 'GET' && !row.audited);
  const all = isRead ? [...methods, 'HEAD'] : methods;
  return [...new Set(all)].sort(compareText).join(', ');
}

/** A parameter sorts behind every literal segment in its place. */
function sortKey(path: string): string {
  return path.replaceAll(/:[^/]+/g, '\u{10ffff}');
}

function compareText(one: string, other: string): number {
  return Number(one > other) - Number(one < other);
}
