import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startTestServer } from '../support/test-server.js';

describe('the start with server.publicUrl', () => {
  it('prints the address of the console there (bug: sign-in always failed at the printed address)', async () => {
    const server = await startTestServer({
      folder: temporaryFolder().path,
      arrange(folder) {
        const path = join(folder, 'gatehouse.yaml');
        const text = readFileSync(path, 'utf8');
        const line = 'server: { listen: "127.0.0.1:0", publicUrl: "https://gateway.example" }';
        writeFileSync(path, text.replace(/^server: .*$/m, line));
      },
    });
    const messages = server.logLines.join('');
    await server.close();
    assert.match(messages, /open the console in a browser: https:\/\/gateway\.example\/ui\//);
  });
});
