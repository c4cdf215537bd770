import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TextlintKernel } from '@textlint/kernel';
import markdown from '@textlint/textlint-plugin-markdown';
import type { TextlintRuleContext, TextlintRuleReporter } from '@textlint/types';
import { ROOT } from '../markdown.js';
import { blockMarks } from './block-marks.js';
import { codePaths } from './code-paths.js';
import { links } from './links.js';
import { npx } from './npx.js';
import { pageForm } from './page-form.js';
import type { ProseRule } from './rule.js';
import { defaults, figures } from './values.js';
import { idioms, sentenceLength } from './wording.js';

const RULES: readonly ProseRule[] = [
  idioms,
  sentenceLength,
  links,
  codePaths,
  pageForm,
  blockMarks,
  defaults,
  figures,
  npx,
];

const kernel = new TextlintKernel();

/** Returns a rule as textlint calls it for a page. */
const reporterOf =
  ({ check }: ProseRule, path: string): TextlintRuleReporter =>
  (context: Readonly<TextlintRuleContext>) =>
    check({
      path,
      report: (node, message, offset = 0) => {
        context.report(node, new context.RuleError(message, { padding: context.locator.at(offset) }));
      },
    });

/** Checks a page by the rules that apply to its path. Returns the findings as `file:line:column: message (rule)`. */
export async function findingsIn(
  path: string,
  text = readFileSync(join(ROOT, path), 'utf8'),
): Promise<string[]> {
  const { messages } = await kernel.lintText(text, {
    ext: '.md',
    filePath: join(ROOT, path),
    plugins: [{ pluginId: 'markdown', plugin: markdown.default }],
    rules: RULES.filter(({ appliesTo }) => appliesTo(path)).map((rule) => ({
      ruleId: rule.name,
      rule: reporterOf(rule, path),
    })),
  });
  return messages.map(
    ({ loc: { start }, message, ruleId }) => `${path}:${start.line}:${start.column}: ${message} (${ruleId})`,
  );
}
