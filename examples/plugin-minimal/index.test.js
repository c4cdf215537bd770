import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runAdapterContract } from 'gatehouse-plugin-kit/contract';
import { plugin } from './index.js';

runAdapterContract(plugin, {
  folder: fileURLToPath(new URL('.', import.meta.url)),
  options: {},
  badOptions: [{ unknown: true }],
  runner: { describe, it },
});
