import { registerHostModules } from './host-modules.js';

// For `node --import`: worker threads of plugins begin with this module (`workerExecArgv`).
registerHostModules();
