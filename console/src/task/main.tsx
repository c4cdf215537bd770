import { createRoot } from 'react-dom/client';
import '../style/tokens.css';
import '../style/controls.css';
import '../form/view/form.css';
import './task.css';
import { Guard } from '../guard/guard.js';
import { startTexts } from '../text/start-texts.js';
import { PageCrashed } from './task-failure.js';
import { obtain, readRequest, TaskPage } from './task-page.js';

const dark = window.matchMedia('(prefers-color-scheme: dark)');
const applyTheme = () => {
  document.documentElement.dataset['theme'] = dark.matches ? 'dark' : 'light';
};
applyTheme();
dark.addEventListener('change', applyTheme);

const request = readRequest();
// The task and the texts come at the same time. A new task waits for a confirmation.
const early = request.requested?.kind === 'task' ? obtain(request.requested) : undefined;
early?.catch(() => undefined);
await startTexts();
const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <Guard fallback={(error) => <PageCrashed error={error} />}>
      <TaskPage request={request} early={early} />
    </Guard>,
  );
