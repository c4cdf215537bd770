import { subscribe } from 'node:diagnostics_channel';
import { openSync } from 'node:fs';

// Loaded before gatehouse: each connection leaves a file open behind it.
subscribe('net.server.socket', () => {
  try {
    openSync('/dev/null', 'r');
  } catch {
    // There is room for no more.
  }
});
