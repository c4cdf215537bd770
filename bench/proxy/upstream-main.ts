import { createServer, type ServerResponse } from 'node:http';
import { HANG, REPLIES, SLOW_MS } from './profiles.js';

// The upstream if nginx is not installed; in any case the upstream of slow requests, which also reports its
// pending requests.
const port = Number(process.argv[2]);
const bodies = new Map(Object.entries(REPLIES).map(([path, { body }]) => [path, Buffer.from(body)]));
let opened = 0;
let hanging = 0;

function answer(res: ServerResponse, path: string): void {
  const body = bodies.get(path) ?? Buffer.alloc(0);
  const headers = { 'content-type': 'application/json', 'content-length': body.length };
  res.writeHead(REPLIES[path]?.status ?? 404, headers).end(body);
}

function hang(res: ServerResponse): void {
  hanging += 1;
  const timer = setTimeout(() => res.end(), HANG.ms);
  res.on('close', () => {
    hanging -= 1;
    clearTimeout(timer);
  });
}

const server = createServer((req, res) => {
  const path = req.url ?? '';
  req.resume();
  if (path === '/status') res.end(JSON.stringify({ opened, hanging }));
  else if (path === HANG.path) hang(res);
  else if (path === '/slow') setTimeout(answer, SLOW_MS, res, path);
  else answer(res, path);
});
server.keepAliveTimeout = 600_000;
server.on('connection', () => (opened += 1));
server.listen(port, '127.0.0.1');
