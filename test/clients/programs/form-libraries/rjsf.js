// A page with a form of react-jsonschema-form 5 or 6. `show` renders a form, and `shown` reports what it contains.
import Form from '@rjsf/core';
import validator from '@rjsf/validator-ajv8';
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

window.show = ({ schema, uiSchema }, formData) => {
  root?.unmount();
  root = createRoot(document.getElementById('root'));
  window.shown = {};
  const form = createElement(Form, {
    schema,
    uiSchema,
    formData,
    validator,
    // Does not create optional containers, which may have a meaning of their own (presence).
    experimental_defaultFormStateBehavior: { emptyObjectFields: 'skipEmptyDefaults' },
    onSubmit: (event) => (window.shown.data = event.formData),
    onError: (errors) => (window.shown.errors = errors),
  });
  flushSync(() => root.render(createElement(ErrorBoundary, null, form)));
};
