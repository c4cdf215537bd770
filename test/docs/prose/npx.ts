import type { ProseRule } from './rule.js';

/** Pages that say what to write in a checkout, and the history. */
const ABOUT_CHECKOUTS = [
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'docs/how-to/change-the-configuration.md',
  'docs/how-to/install.md',
  'docs/reference/cli.md',
];

/** Reports `npx gatehouse`: outside a checkout, npx runs the package `gatehouse` of the registry, which is another project. */
export const npx: ProseRule = {
  name: 'npx',
  appliesTo: (path) => !ABOUT_CHECKOUTS.includes(path),
  check({ report }) {
    const visit = (node: Parameters<typeof report>[0]): void => {
      const index = node.raw.indexOf('npx gatehouse');
      if (index >= 0) report(node, '"npx gatehouse" works in a checkout only: write gatehouse', index);
    };
    return { Code: visit, CodeBlock: visit };
  },
};
