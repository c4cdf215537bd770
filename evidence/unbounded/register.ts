import { register } from 'node:module';

// Runs before gatehouse (`node --import`): takes bounds away for `--sabotage`.
register('./redirect.js', import.meta.url);
