/** The rules of this project for oxlint. */
export default {
  meta: { name: 'gatehouse' },
  rules: {
    /**
     * Reports `this.skip()` in a hook of mocha. Mocha runs the other hooks of a suite that a hook skips, so `after` closes
     * what `before` never opened. Skip the suite before its hooks are defined.
     */
    'no-skip-in-hook': {
      create(context) {
        const hooks = [];
        const enter = (node) => {
          if (node.parent.type === 'CallExpression' && isHook(node.parent.callee)) hooks.push(node);
        };
        const leave = (node) => {
          if (hooks.at(-1) === node) hooks.pop();
        };
        return {
          FunctionExpression: enter,
          'FunctionExpression:exit': leave,
          ArrowFunctionExpression: enter,
          'ArrowFunctionExpression:exit': leave,
          CallExpression(node) {
            if (hooks.length > 0 && isSkip(node.callee))
              context.report({ node, message: 'The other hooks of the suite run after a skip in a hook.' });
          },
        };
      },
    },
  },
};

function isHook(callee) {
  return callee.type === 'Identifier' && /^before(?:Each)?$/.test(callee.name);
}

function isSkip(callee) {
  return callee.type === 'MemberExpression' && !callee.computed && callee.property.name === 'skip';
}
