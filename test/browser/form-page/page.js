// A page with only a form. `?sample=NAME` selects the form, `?view=table` its view; tests and benchmarks use `window.form`.
import { createElement, useState } from 'react';
import { createRoot } from 'react-dom/client';
import '../../../console/src/style/tokens.css';
import '../../../console/src/style/controls.css';
import './page.css';
import form from '../../../console/messages/en/form.json';
import {
  checkAll,
  checkAt,
  documentText,
  openForm,
  readJson,
  rowsOf,
  withServerErrors,
} from '../../../console/src/form/model/index.ts';
import { FormView } from '../../../console/src/form/view/form-view.tsx';
import { setMessages } from '../../../console/src/text/text.ts';

setMessages({ form });
const wanted = new URLSearchParams(location.search);
const sample = wanted.get('sample');
const dark = matchMedia('(prefers-color-scheme: dark)');
const applyTheme = () => {
  document.documentElement.dataset.theme = dark.matches ? 'dark' : 'light';
};
applyTheme();
dark.addEventListener('change', applyTheme);

const answer = async (path) => {
  const response = await fetch(path);
  return response.ok ? response.text() : undefined;
};
const [schema, data, ui, binding] = await Promise.all(
  ['json', 'd1.json', 'ui.json', 'binding.json'].map((kind) => answer(`/samples/${sample}.${kind}`)),
);
window.form = { sent: undefined, text: () => '', options: ['eth0', 'eth1', 'lo0'] };

const began = performance.now();
const source = { schema: JSON.parse(schema), ...(data !== undefined && { data: readJson(data) }) };
if (ui !== undefined) source.uiSchema = JSON.parse(ui);
if (binding !== undefined) source.bindingSchema = JSON.parse(binding);
const language = wanted.get('language');
const opened = openForm(source, {
  readOnly: wanted.has('readOnly'),
  ...(language && { computes: true, language }),
});
const first = wanted.has('checked') ? checkAll(opened) : opened;

const timed = (work) =>
  Array.from({ length: 20 }, () => {
    const from = performance.now();
    work();
    return performance.now() - from;
  });

const resolveBinding = (asked) =>
  asked.href.endsWith('/none')
    ? Promise.reject(new Error('nobody answers'))
    : Promise.resolve(window.form.options);

function Page() {
  const [state, setState] = useState(first);
  window.form.state = state;
  window.form.text = () => documentText(state);
  window.form.measure = {
    leaf: () => {
      const { pointer } = rowsOf(state).rows.find(({ kind, filled }) => kind === 'leaf' && filled);
      return timed(() => checkAt(state, pointer));
    },
    whole: () => timed(() => checkAll(state)),
    /** Gives every hundredth leaf an error, so that tests can jump to errors. */
    spoil: () => {
      const leaves = rowsOf(state).rows.filter(({ kind }, at) => kind === 'leaf' && at % 100 === 0);
      setState(
        withServerErrors(
          state,
          leaves.map(({ pointer }) => ({ pointer, message: 'is refused' })),
        ),
      );
    },
  };
  return createElement(FormView, {
    state,
    onChange: setState,
    ...(wanted.get('view') && { view: wanted.get('view') }),
    title: 'A form',
    facts: [['Version', '1']],
    resolveBinding,
    onSubmit: (sent) => {
      window.form.sent = documentText(sent);
    },
  });
}

createRoot(document.getElementById('root')).render(createElement(Page));
const look = () => {
  if (document.querySelector('.gf-row, .gf-field, .gf-section, .gf-empty, [role=radiogroup]') === null)
    requestAnimationFrame(look);
  // The change is on the screen after the next frame.
  else
    requestAnimationFrame(() =>
      setTimeout(() => {
        document.documentElement.dataset.openedIn = String(performance.now() - began);
      }),
    );
};
look();
