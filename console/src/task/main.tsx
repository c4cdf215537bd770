import { createRoot } from 'react-dom/client';
import '../style/tokens.css';
import '../form/view/form.css';
import './task.css';
import { problemOf } from '../api/problem.js';
import { Guard } from '../guard/guard.js';
import { startTexts } from '../text/start-texts.js';
import { ProblemNotice } from './task-notices.js';
import { TaskPage } from './task-page.js';

const dark = window.matchMedia('(prefers-color-scheme: dark)');
const applyTheme = () => {
  document.documentElement.dataset['theme'] = dark.matches ? 'dark' : 'light';
};
applyTheme();
dark.addEventListener('change', applyTheme);

await startTexts();
const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <Guard fallback={(error) => <ProblemNotice problem={problemOf(error)} />}>
      <TaskPage />
    </Guard>,
  );
