// A small orchestrator for the examples: it lists devices, and requires a token that a login returns. It uses no packages.
//
//   PORT=8080 node server.js
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';

const { PORT = '8080', HOST = '127.0.0.1', USERNAME = 'gatehouse', PASSWORD_FILE } = process.env;

const devices = [
  { name: 'edge-1', site: 'Bern' },
  { name: 'edge-2', site: 'Oslo' },
];
const tokens = new Set();
const counts = { logins: 0, calls: 0 };

/** Reads the password for each login, because it may change. Without a file, the password is that of the examples. */
function password() {
  return PASSWORD_FILE === undefined ? 'example-password' : readFileSync(PASSWORD_FILE, 'utf8').trim();
}

const routes = {
  'POST /api/login': async (request) => {
    const given = await json(request);
    if (given.username !== USERNAME || given.password !== password())
      return [401, { error: 'wrong password' }];
    counts.logins += 1;
    const token = randomBytes(16).toString('hex');
    tokens.add(token);
    return [200, { token }];
  },
  // Ends all sessions, as a restart of an orchestrator does.
  'DELETE /api/sessions': () => {
    tokens.clear();
    return [200, {}];
  },
  'GET /api/counts': () => [200, counts],
  'GET /api/devices': (request) => withToken(request, () => [200, { data: devices }]),
  'POST /api/devices': (request) =>
    withToken(request, async () => {
      const device = await json(request);
      if (typeof device.name !== 'string') return [422, { error: 'a device has a name' }];
      devices.push(device);
      return [201, { data: device }, { location: `/api/devices/${encodeURIComponent(device.name)}` }];
    }),
};

function withToken(request, reply) {
  if (!tokens.has(request.headers['x-auth-token'])) return [401, { error: 'log in first' }];
  counts.calls += 1;
  return reply();
}

const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url, 'http://localhost');
  const route = routes[`${request.method} ${pathname}`] ?? (() => [404, { error: 'no such path' }]);
  const [status, body, headers = {}] = await route(request);
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
});
server.listen(Number(PORT), HOST, () => {
  process.stdout.write(`listens on http://${HOST}:${server.address().port}\n`);
});
process.once('SIGTERM', () => server.close(() => process.exit(0)));
