/** An expression that the documentation does not use, and the standard words for it. */
export interface Idiom {
  readonly pattern: RegExp;
  readonly instead: string;
}

/** The expressions that the prose of the documentation does not use. Patterns match one sentence, regardless of case. */
export const IDIOMS: readonly Idiom[] = [
  // Subjects and objects without a noun.
  {
    pattern: /\b(?:whoever|whomever|somebody|nobody|anybody)\b/i,
    instead: 'the caller, an administrator, no user',
  },
  {
    pattern: /(?:^|[,;:] (?:and |but )?)one (?:that|which|who|is|has|can|cannot|does|may|must)\b/i,
    instead: 'the noun: the adapter, the token',
  },
  { pattern: /^what (?!to\b)[^?]*$/i, instead: 'a noun as the subject: the cause, the result' },
  { pattern: /\b(?:himself|herself)\b/i, instead: 'themselves, or the noun' },
  // Report and be.
  { pattern: /\b(?:tells?|told|telling)\b/i, instead: 'report, return, show, say' },
  { pattern: /\bstands? (?!for\b|alone\b|by\b)|\bstood\b/i, instead: 'is, exists' },
  { pattern: /\b(?:is|are) none\b/i, instead: 'does not count as, is not valid' },
  { pattern: /(?<!\bthere )\b(?:is|are) no (?!longer\b|more\b|less\b)/i, instead: 'is not a' },
  { pattern: /\b(?:takes?|took|taken|taking) (?:no )?part\b/i, instead: 'is available, is used' },
  { pattern: /\b(?:fares?|fared)\b/i, instead: 'works' },
  // Time and amount.
  { pattern: /\banew\b/i, instead: 'again' },
  { pattern: /\bso many\b/i, instead: 'this number of, at most' },
  { pattern: /\bunder way\b|\bon (?:its|their) way\b/i, instead: 'in flight, running' },
  { pattern: /(?<!\bone (?:[\w-]+ ){0,3})\bat a time\b/i, instead: 'concurrent' },
  { pattern: /\bfor want of\b/i, instead: 'because it lacks' },
  {
    pattern:
      /\bbehind (?!(?:an?|the|this|that|your|its|one|another|such|several|two)\b|[A-Z]|load balancers?\b|prox(?:y|ies)\b)/,
    instead: 'after',
  },
  { pattern: /\bformer(?:ly)?\b/i, instead: 'previous' },
  // Actions.
  { pattern: /\bcall(?:s|ed|ing)? off\b/i, instead: 'cancel' },
  {
    pattern: /\b(?:has|have|had) (?:it|them|him|one|another|the \w+) \w+ed\b/i,
    instead: 'the verb itself: reload the adapter',
  },
  { pattern: /\bput(?:s|ting)? up with\b/i, instead: 'accept, limit' },
  { pattern: /\bown(?:s|ed)? up\b/i, instead: 'log' },
  { pattern: /\bas far as (?:it|they) (?:is|are) known\b/i, instead: 'if known' },
  {
    pattern: /\b(?:is|are|be|been|left|leaves?|leaving) (?:\w+ )?alone for\b|\bleft alone\b/i,
    instead: 'the circuit breaker is open',
  },
  { pattern: /\b(?:put|puts|putting) away\b/i, instead: 'rotate, revoke, sign out' },
  { pattern: /\bturn(?:s|ed|ing)? (?:\w+ )?away\b/i, instead: 'reject' },
  { pattern: /\b(?:serves?|goes|go|went) on\b/i, instead: 'keep running, continue' },
  { pattern: /\b(?:goes|go|went) before\b/i, instead: 'take precedence' },
  { pattern: /\b(?:mend|mends|mended|mending)\b/i, instead: 'fix, correct' },
  { pattern: /\b(?:takes?|took|taken|taking) up\b/i, instead: 'apply' },
  { pattern: /\bcounterparts?\b/i, instead: 'is not supported' },
  { pattern: /\bbecomes? nothing\b/i, instead: 'is not migrated' },
  { pattern: /\bbreaks? off\b|\bbroke(?:n)? off\b/i, instead: 'end, fail' },
  { pattern: /\bhears? (?:of|so|at once|about)\b/i, instead: 'receive, be notified' },
  {
    pattern: /\bdied? young\b|\bwithout a word\b/i,
    instead: 'ended soon after its start, without a message',
  },
  { pattern: /\bmade known\b|\bdo(?:es)? no harm\b/i, instead: 'published, is ignored' },
  { pattern: /\bsomething in it\b/i, instead: 'the plugin, the part' },
  // Spelling.
  {
    pattern:
      /\b(?:colou?rs?(?<=ours?)|behaviours?|favours?|honours?|licences?|catalogues?|cent(?:re)s?|defences?)\b/i,
    instead: 'American spelling: color, behavior, license, catalog, center',
  },
  {
    pattern:
      /\b(?:organ|normal|serial|recogn|author|initial|optim|summar|minim|maxim|custom)is(?:e|es|ed|ing|ation)\b/i,
    instead: 'American spelling: -ize',
  },
];

/** Returns the parts of a sentence that the documentation does not use, each with the standard words. */
export function idiomsIn(sentence: string): readonly string[] {
  return IDIOMS.flatMap(({ pattern, instead }) => {
    const [found] = pattern.exec(sentence) ?? [];
    return found === undefined ? [] : [`"${found.trim()}": write ${instead}`];
  });
}
