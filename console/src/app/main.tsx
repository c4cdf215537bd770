import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '../style/tokens.css';
import '../style/controls.css';
import '../style/console.css';
import '../style/print.css';
import { guardHistory } from '../kit/leaving.js';
import { startTexts } from '../text/start-texts.js';
import { Console } from './console.js';
import { followTheme } from './user-menu.js';

followTheme();
guardHistory();
await startTexts();
const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <Console />
    </StrictMode>,
  );
