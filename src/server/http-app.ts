import type { RequestListener } from 'node:http';
import { fileURLToPath } from 'node:url';
import { asSettings } from '../config/settings-schema.js';
import type { AdmitCall } from '../core/limits.js';
import type { OpenApplications } from '../features/index.js';
import { createExchangeMessage } from '../features/mcp/exchange-message.js';
import { createMcpHandler, type McpHandlerDeps } from '../features/mcp/mcp-handler.js';
import { type ApiDeps, bindOperations } from '../features/operations.js';
import { createApprovals } from '../features/tasks/approvals.js';
import { createApp } from '../http/express-app.js';
import { createLoadShedder, type LoadShedder } from '../http/overload/load-shedder.js';
import type { ProxyHandler } from '../http/proxy-handler.js';
import { createGuideFiles, createStaticFiles } from '../http/static-files.js';
import { createRefuse } from '../http/write-response.js';
import { compileSchema } from '../json-schema/compile.js';
import type { Scheduler } from '../lib/clock.js';
import { VERSION } from '../lib/version.js';
import type { Settings } from '../settings/settings.js';
import { createCallRoutes, type PipelineInput } from './call-routes.js';
import type { Telemetry } from './open-telemetry.js';

/** Folder of the console's pages, which the build puts beside the compiled sources. */
export const PAGES = fileURLToPath(new URL('../../ui', import.meta.url));

/** Folder of the documentation site, which the build puts below `docs`. */
const GUIDE = fileURLToPath(new URL('../../../docs/.site', import.meta.url));

/** Folders of built pages that replace those of the product. */
export interface PageFolders {
  /** Folder of the console. */
  readonly pageFolder?: string;
  /** Folder of the documentation site. */
  readonly guideFolder?: string;
}

interface HttpAppInput extends PageFolders, Pick<PipelineInput, 'current' | 'audit' | 'clock'> {
  readonly settings: Settings;
  /** The log, the tracer, and the redactor of failure texts. */
  readonly telemetry: Telemetry;
  /** Counts calls for the limits of callers. */
  readonly limits: { readonly admit: AdmitCall };
  readonly applications: OpenApplications;
}

/** The HTTP application: request handler and load shedding. */
export interface HttpApp {
  readonly handler: RequestListener;
  readonly shed: LoadShedder;
  readonly mayUpgrade: ProxyHandler['isFor'];
  /** Authorizes the callers of all open streams again, after a revocation of tokens. */
  readonly checkStreams: () => void;
  /** Closes event streams, which would otherwise delay the shutdown. */
  readonly close: () => void;
}

/** Creates the HTTP application: first the fast routes, then streams of `/proxy`, then Express for all other requests. */
export function createHttpApp(input: HttpAppInput): HttpApp {
  const { settings, applications, telemetry, current, audit, clock } = input;
  const { pageFolder = PAGES, guideFolder = GUIDE } = input;
  const { measure, overload, close, deps } = applications;
  const bodies = bodyLimitsOf(settings.server);
  const operations = bindOperations(deps);
  const routes = createCallRoutes({
    current,
    audit,
    clock,
    log: telemetry.log,
    tracer: telemetry.tracer,
    redact: telemetry.redactor.redact,
    operations,
    access: deps.orchestrator,
    measure,
    admit: input.limits.admit,
    ...bodies,
    yangBytes: settings.forms.yang.maxBytes,
    listLimit: settings.lists.defaultLimit,
  });
  const { pipelineDeps, headerAuthentication, serve, fast, proxy, checkStreams } = routes;
  const mcp = settings.mcp.enabled
    ? createMcpHandler({
        ...pipelineDeps,
        authenticate: headerAuthentication,
        operations,
        compile: compileSchema,
        ...bodies,
        settings: settings.mcp,
        site: mcpSite(current),
        exchange: createExchangeMessage(VERSION, telemetry.log),
        ...mcpServices(deps, clock),
      })
    : undefined;
  const express = createdAtFirstRequest(() =>
    createApp({
      operations,
      serve,
      refuse: createRefuse(pipelineDeps),
      ...(settings.console.enabled && {
        console: createStaticFiles(pageFolder),
        guide: createGuideFiles(guideFolder),
      }),
    }),
  );
  return {
    handler(req, res) {
      if (fast({ req, res })) return;
      if (proxy.isFor(req)) void proxy.serve({ req, res });
      else if (mcp?.isFor(req)) void mcp.serve({ req, res });
      else express(req, res);
    },
    shed: createLoadShedder(pipelineDeps, overload, operations),
    mayUpgrade: proxy.isFor,
    checkStreams,
    close,
  };
}

function bodyLimitsOf({ limits: { bodyBytes, bodyValues } }: HttpAppInput['settings']['server']) {
  return { bodyBytes, bodyValues };
}

/** Returns a listener that its first request creates. Calls do not need Express, whose routes take a while to prepare. */
function createdAtFirstRequest(create: () => RequestListener): RequestListener {
  let listener: RequestListener | undefined;
  return (req, res) => {
    listener ??= create();
    listener(req, res);
  };
}

/** Returns what tools for agents need of tasks and adapters. */
function mcpServices({ tasks, adapters }: ApiDeps, clock: Scheduler) {
  return {
    approvals: createApprovals(tasks),
    requireCallAccess: tasks.requireCallAccess,
    bindCall: adapters.bindCall,
    methods: { ...adapters, clock },
  };
}

/** Returns the names of the server, and the issuers, as the current configuration has them. */
function mcpSite(current: HttpAppInput['current']): McpHandlerDeps['site'] {
  return () => {
    const { server, auth, mcp } = asSettings(current.current().desired.main.written.value);
    const { publicUrl, cors } = server;
    return { publicUrl, hosts: mcp.hosts, origins: cors.origins, issuers: auth.issuers };
  };
}
