import { openReadyOrchestrator } from './ready-orchestrator.js';

// An orchestrator in a process of its own, which the work of a flood does not delay. Sends its URL to its parent, and ends with it.
const { url } = await openReadyOrchestrator();
process.on('disconnect', () => process.exit(0));
process.send?.(url);
