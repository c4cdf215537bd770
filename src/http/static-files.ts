import { readFileSync, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import sirv from 'sirv';
import { Problem } from '../core/problem.js';
import { PAGE_HEADERS, PAGE_TYPE } from './html.js';
import { DEFAULT_STALL_LIMITS, type StallLimits } from './request-context.js';

/** Serves a request, or calls `next`. A missing file is not an error: `next` then has no argument. */
export type StaticFiles = (
  req: IncomingMessage,
  res: ServerResponse,
  next: (error?: unknown) => void,
) => void;

type StaticFilesOptions = Pick<StallLimits, 'stallMs'>;

/** How a folder of built pages is served. */
interface Site {
  readonly folder: string;
  /** Detail of the 404 if the pages are not built. */
  readonly notBuilt: string;
  /** Creates the handler of the paths outside `assets/`. */
  readonly createPages: () => StaticFiles;
}

const SIRV_OPTIONS = { etag: true, brotli: true, gzip: true, setHeaders };

/**
 * Creates a handler for the built pages of the console. Names of files in `assets/` contain a hash, so browsers
 * cache these files permanently. Every other path returns the single page, which routes by its URL, also if the
 * last segment has a dot: `/adapters/nso1.example.com`. The handler lists the files at the first
 * request after they were built, and again after they were replaced. It closes the connection of a client that reads nothing
 * for `stallMs` milliseconds.
 */
export function createStaticFiles(
  folder: string,
  options: StaticFilesOptions = DEFAULT_STALL_LIMITS,
): StaticFiles {
  return serveSite(
    {
      folder,
      notBuilt: "The pages are not built. Run 'npm run build' in the checkout, or install the package.",
      // Without `ignores`, sirv answers a path with a dot as a missing file.
      createPages: () => sirv(folder, { ...SIRV_OPTIONS, single: true, ignores: false }),
    },
    options,
  );
}

/**
 * Creates a handler for the built documentation site, with the caching of the console. Each page has a file:
 * `/how-to/install` returns `how-to/install.html`. Every other path returns the page `404.html` with status 404.
 */
export function createGuideFiles(folder: string): StaticFiles {
  return serveSite(
    {
      folder,
      notBuilt:
        "The documentation is not built. Run 'npm run site' in the checkout; before 'npm pack', it adds the documentation to the package.",
      createPages() {
        const pages = sirv(folder, SIRV_OPTIONS);
        const missing = readFileSync(join(folder, '404.html'));
        return (req, res) => {
          pages(req, res, () => {
            sendMissing(res, missing);
          });
        };
      },
    },
    DEFAULT_STALL_LIMITS,
  );
}

function serveSite({ folder, notBuilt, createPages }: Site, { stallMs }: StaticFilesOptions): StaticFiles {
  let files:
    | { readonly state: string; readonly assets: StaticFiles; readonly pages: StaticFiles }
    | undefined;
  return (req, res, next) => {
    // The pages may be built, or replaced by those of another version, while the server runs.
    const state = stateOfPages(folder);
    if (state === undefined) files = undefined;
    else if (files?.state !== state)
      files = { state, assets: sirv(folder, SIRV_OPTIONS), pages: createPages() };
    if (!files) {
      next(new Problem('not_found', notBuilt));
      return;
    }
    if (req.method === 'GET' || req.method === 'HEAD') {
      // Node closes the connection of a client that reads nothing for this time.
      res.setTimeout(stallMs);
      // sirv leaves the file open when the client disconnects, and the response open when the file cannot be read.
      res.on('unpipe', (file: Readable) => file.destroy());
      res.on('pipe', (file: Readable) => file.once('error', () => res.destroy()));
      // sirv answers many ranges with other bytes. A server may ignore ranges (RFC 9110 section 14.2).
      delete req.headers.range;
      const isAsset = req.url?.startsWith('/assets/') === true;
      files[isAsset ? 'assets' : 'pages'](req, res, next);
    } else
      next(
        new Problem('method_not_allowed', 'A page is read with GET.', { headers: { allow: 'GET, HEAD' } }),
      );
  };
}

/** Returns a text that is another one after the pages were replaced; undefined without pages. */
function stateOfPages(folder: string): string | undefined {
  const [index, assets] = ['index.html', 'assets'].map((name) =>
    statSync(join(folder, name), { throwIfNoEntry: false }),
  );
  return index && `${index.ino} ${index.size} ${index.mtimeMs} ${assets?.mtimeMs ?? ''}`;
}

/** Sends the page for a path without a page. Node leaves out the body for HEAD. */
function sendMissing(res: ServerResponse, page: Buffer): void {
  setHeaders(res, '/404.html');
  res.writeHead(404, { 'content-type': PAGE_TYPE, 'content-length': page.length });
  res.end(page);
}

function setHeaders(res: ServerResponse, path: string): void {
  const isHashed = path.startsWith('/assets/');
  res.setHeader('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
  for (const [name, value] of Object.entries(PAGE_HEADERS)) res.setHeader(name, value);
}
