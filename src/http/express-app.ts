import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import express, { type Application, type NextFunction, type Request, type Response } from 'express';
import type { BoundOperation } from '../core/operation.js';
import { Problem } from '../core/problem.js';
import { didYouMean } from '../lib/closest-name.js';
import type { RoutedExchange, Serve } from './pipeline.js';
import type { StaticFiles } from './static-files.js';
import { normalizeTarget, queryOf } from './target.js';
import type { Refuse } from './write-response.js';

/** Path of the documentation site, as `site/src/finish.ts` builds it. */
const GUIDE_PATH = '/docs/guide';

interface AppOptions {
  readonly operations: readonly BoundOperation[];
  readonly serve: Serve;
  /** Responds to requests that no operation serves. */
  readonly refuse: Refuse;
  /** The web console below `/ui`; absent if the server does not serve the console. */
  readonly console?: StaticFiles;
  /** The documentation below `/docs/guide`; absent if the server does not serve pages. */
  readonly guide?: StaticFiles;
}

/** An Express application as a Node listener. It calls `done` for a request that no route handled. */
type ExpressListener = (req: IncomingMessage, res: ServerResponse, done: (error: unknown) => void) => void;

/**
 * Creates the listener for all operations. Express finds the operation, and `serve` runs the pipeline. The
 * listener refuses other requests with a problem document: 404, 405 with Allow, 414, or 400 for a malformed
 * target.
 */
export function createApp({ operations, serve, refuse, console, guide }: AppOptions): RequestListener {
  const app = express();
  app.disable('x-powered-by').disable('etag').enable('case sensitive routing').set('query parser', false);
  const routes = routesOf(operations);
  for (const route of routes) mountRoute(app, route, serve);
  if (console) {
    app.use('/ui', console);
    app.get('/', sendBrowserToConsole);
  }
  if (guide) {
    app.get(GUIDE_PATH, addSlash);
    app.use(GUIDE_PATH, guide);
  }
  rejectUnroutedRequests(app, routes, refuse);
  const routeRequest = app as unknown as ExpressListener;
  return (req, res) => {
    try {
      req.url = normalizeTarget(req.url ?? '');
    } catch (error) {
      void refuse({ req, res }, error);
      return;
    }
    routeRequest(req, res, (error) => void refuse({ req, res }, error));
  };
}

/** Redirects `/docs/guide` to the home page of the documentation, whose scripts expect the slash. */
function addSlash(req: Request, res: Response, next: NextFunction): void {
  if (req.path === GUIDE_PATH) res.redirect(308, `${GUIDE_PATH}/`);
  else next();
}

/** Redirects a browser from `/` to the console. Other clients receive the 404 of a path without an operation. */
function sendBrowserToConsole(req: Request, res: Response, next: NextFunction): void {
  if (req.headers.accept?.includes('text/html') === true) res.redirect(303, '/ui/');
  else next();
}

function mountRoute(app: Application, { path, operation }: Route, serve: Serve): void {
  const verb = operation.row.method.toLowerCase() as 'get' | 'post' | 'put' | 'delete';
  app[verb](path, (req: Request, res: Response, next: NextFunction) => {
    // Express routes HEAD to GET handlers. Some GET operations for old clients have side effects, and HEAD
    // must not have any.
    if (req.method !== 'HEAD' || !operation.row.audited) return serve(operation, routedExchange(req, res));
    next();
    return undefined;
  });
}

function routedExchange(req: Request, res: Response): RoutedExchange {
  const params = Object.entries(req.params).map(([name, value]) => [name, String(value)] as const);
  return { req, res, params: Object.fromEntries(params), query: queryOf(req.url) };
}

/** Registers the fallback of the application: 405 if the path matches an operation, 404 otherwise. */
function rejectUnroutedRequests(app: Application, routes: readonly Route[], refuse: Refuse): void {
  const matched = new WeakMap<IncomingMessage, Route[]>();
  // Not `app.all`, which adds a layer for each of 35 methods.
  for (const route of routes)
    app.route(route.path).all((req: Request, _res: Response, next: NextFunction) => {
      matched.set(req, [...(matched.get(req) ?? []), route]);
      next();
    });
  app.use((req: Request, res: Response) => {
    const matching = matched.get(req);
    return refuse({ req, res }, matching ? wrongMethod(matching) : unknownPath(req.path, routes));
  });
}

/** Returns the Problem of a path without an operation, with the most similar path that has one. */
function unknownPath(path: string, routes: readonly Route[]): Problem {
  const suggestion = didYouMean(path, [...new Set(routes.map((route) => withParameters(route.path, path)))]);
  return new Problem('not_found', `No operation has this path${suggestion === '' ? '.' : suggestion}`);
}

/** Returns the path of a route with the segments of a request in place of its parameters. */
function withParameters(routePath: string, path: string): string {
  const sent = path.split('/');
  return routePath
    .split('/')
    .map((segment, at) => (segment.startsWith(':') ? (sent[at] ?? segment) : segment))
    .join('/');
}

function wrongMethod(routes: readonly Route[]): Problem {
  const allow = allowedMethods(routes);
  return new Problem('method_not_allowed', `This path accepts ${allow}.`, { headers: { allow } });
}

/** One operation at one of its paths. */
interface Route {
  /** With `:name` for parameters. */
  readonly path: string;
  readonly operation: BoundOperation;
}

/**
 * Returns every operation at each of its paths. Literal segments precede parameters, so that Express finds
 * `/forms/import` before `/forms/:id`. Throws an Error if two operations have the same method and path, which
 * is a bug in their definitions.
 */
export function routesOf(operations: readonly BoundOperation[]): readonly Route[] {
  const routes = operations.flatMap((operation) => operation.paths.map((path) => ({ path, operation })));
  const operationByClaim = new Map<string, string>();
  for (const { path, operation } of routes) {
    const claim = `${operation.row.method} ${path.replaceAll(/:[^/]+/g, ':name')}`;
    const claimedBy = operationByClaim.get(claim);
    if (claimedBy !== undefined) throw new Error(`${claimedBy} and ${operation.name} both serve ${claim}`);
    operationByClaim.set(claim, operation.name);
  }
  return routes.sort((left, right) => compareText(sortKey(left.path), sortKey(right.path)));
}

/** Returns the value of the Allow header for the routes of one path (RFC 9110 section 10.2.1). */
export function allowedMethods(routes: readonly Route[]): string {
  const methods = routes.map(({ operation }) => operation.row.method);
  const isRead = routes.some(({ operation: { row } }) => row.method === 'GET' && !row.audited);
  const all = isRead ? [...methods, 'HEAD'] : methods;
  return [...new Set(all)].sort(compareText).join(', ');
}

/** Returns a sort key that orders a parameter after every literal segment. */
function sortKey(path: string): string {
  return path.replaceAll(/:[^/]+/g, '\u{10ffff}');
}

function compareText(left: string, right: string): number {
  return Number(left > right) - Number(left < right);
}
