import { createServer } from 'node:http';
import { callUrl } from '../support/call.js';
import { listenOnLoopback } from '../support/loopback.js';

// A suite whose server returns an undocumented reply; it is not part of the real suite.
describe('a suite', () => {
  it('requests the readiness of a server and ignores the reply', async () => {
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'x-request-id': '1',
      'cache-control': 'no-store',
    };
    const server = createServer((_request, response) => response.writeHead(200, headers).end('{"host":1}'));
    const { host, close } = await listenOnLoopback(server);
    await callUrl(`http://${host}/readyz`, { method: 'GET' });
    await close();
  });
});
