// A form of JSON Forms. `show` renders a form, and `shown` has its data and errors.
import { JsonForms } from '@jsonforms/react';
import { Component, createElement } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';

class ErrorBoundary extends Component {
  state = {};

  static getDerivedStateFromError(error) {
    return { error };
  }

  render() {
    return this.state.error ? `threw ${String(this.state.error)}` : this.props.children;
  }
}

let root;

/** Makes the functions of the page, for renderers and cells. */
export function openPage(renderers, cells) {
  window.show = ({ schema, uiSchema }, data) => {
    root?.unmount();
    root = createRoot(document.getElementById('root'));
    window.shown = {};
    const form = createElement(JsonForms, {
      schema,
      ...(uiSchema && { uischema: uiSchema }),
      data: data ?? {},
      renderers,
      cells,
      onChange: (event) => (window.shown = { data: event.data, errors: event.errors }),
    });
    flushSync(() => root.render(createElement(ErrorBoundary, null, form)));
  };
}
